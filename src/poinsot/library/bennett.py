"""Bennett's linkage: four skew axes that move although the mobility count is negative."""

from collections.abc import Sequence
from math import sin, tan

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.library.rod import rod
from poinsot.model import WORLD, Loop, Pose, Revolute
from poinsot.spatial import Array

__all__ = ["bennett", "bennett_configuration"]

ALPHA, BETA = np.radians((40.0, 70.0)).tolist()

CLOSES = 1e-9
"""Relative error of b against the value that the twists require."""


def bennett(
    *,
    a: float = 1.0,
    b: float | None = None,
    alpha: float = ALPHA,
    beta: float = BETA,
    masses: Sequence[float] = (1.0, 1.5, 1.2),
    g: float = 9.81,
) -> System:
    """Return Bennett's linkage with one link fixed, from its Denavit-Hartenberg numbers.

        X = Rz(θ) Tx(a) Rx(alpha)        lengths a, b, a, b, twists alpha, beta, alpha, beta

    with b = a sin(beta) / sin(alpha), for which four skew axes move [Bennett1903].  q = [θ1, θ2,
    θ3] [rad]; θ4 is the coordinate of the loop "closure", a revolute joint between link 3 and the
    fixed link, whose frame at joint 1 is the world's.  Links are thin rods along their common
    normals, from their own joint; gravity acts along -z.  Counting says 3 - 5 = -2 degrees of
    freedom, there is one.

    Args:
        a: Length of links 1 and 3 [m].
        b: Length of link 2 and of the fixed link [m]; a sin(beta) / sin(alpha) by default.
        alpha: Twist of links 1 and 3 [rad].
        beta: Twist of link 2 and of the fixed link [rad].
        masses: Of links 1, 2 and 3 [kg].
        g: Acceleration of free fall [m/s²].

    Raises:
        ModelError: If the lengths do not fit the twists.

    >>> linkage = bennett()
    >>> linkage.mobility(bennett_configuration(1.1)).degrees
    1
    """
    fitting = _other_length(a, alpha, beta)
    if b is not None and abs(b - fitting) > CLOSES * fitting:
        raise ModelError(
            f"Bennett's linkage: b = {b:g} m does not fit, since b sin(alpha) = a sin(beta) asks "
            f"for {fitting!r} m; leave b out"
        )
    b = fitting
    lengths, twists = (a, b, a, b), (alpha, beta, alpha, beta)
    ends = [
        Pose((length, 0.0, 0.0), axis="x", angle=twist)
        for length, twist in zip(lengths, twists, strict=True)
    ]
    bodies = [
        rod(
            f"link {i + 1}", f"link {i}" if i else WORLD, ends[i - 1] if i else Pose(),
            length=lengths[i], mass=mass,
        )
        for i, mass in enumerate(masses)
    ]  # fmt: skip
    X = ends[3].transform().inverse()
    fixed = Pose(X.p, matrix=X.R)
    closure = Loop("closure", ("link 3", ends[2]), (WORLD, fixed), Revolute("z"))
    return System("Bennett's linkage", bodies, gravity=(0.0, 0.0, -g), loops=[closure])


def bennett_configuration(theta1: float, *, alpha: float = ALPHA, beta: float = BETA) -> Array:
    """Return the q = [θ1, θ2, θ3] in which the loop is closed, shape (3,).

        tan(θ1/2) tan(θ2/2) = sin((beta + alpha)/2) / sin((beta - alpha)/2),        θ3 = -θ1

    [Bennett1903], with θ4 = -θ2.

    Args:
        theta1: Angle of the first joint [rad].
        alpha: Twist of links 1 and 3 [rad].
        beta: Twist of the others [rad].

    Raises:
        ModelError: If there is no linkage with these twists.

    >>> bennett_configuration(1.1).round(4)
    array([ 1.1   ,  2.7589, -1.1   ])
    """
    _other_length(1.0, alpha, beta)
    slope = tan(theta1 / 2.0) * sin((beta - alpha) / 2.0)
    theta2 = 2.0 * float(np.arctan2(sin((beta + alpha) / 2.0), slope))
    return np.array([theta1, float(np.arctan2(np.sin(theta2), np.cos(theta2))), -theta1])


def _other_length(a: float, alpha: float, beta: float) -> float:
    """Return b = a sin(beta) / sin(alpha)."""
    if a <= 0.0 or sin(alpha) * sin(beta) <= 0.0:
        raise ModelError(
            f"Bennett's linkage: a must be positive and the twists of one sign and not 0, got "
            f"a = {a:g} m, alpha = {alpha:g}, beta = {beta:g} rad"
        )
    return a * sin(beta) / sin(alpha)
