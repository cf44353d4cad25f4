"""Bricard's linkage: a ring of six bodies that moves although the mobility count is 0."""

from math import acos, cos, pi

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.library.welded import welded
from poinsot.model import WORLD, Loop, Pose, Revolute
from poinsot.spatial import Array

__all__ = ["bricard", "bricard_configuration"]

LINKS = 6


def bricard(*, length: float = 1.0, mass: float = 1.0, g: float = 9.81) -> System:
    """Return Bricard's linkage of six equal links with twists ±π/2, one link fixed.

        X = Rz(θ) Tx(length) Rx(±π/2)        the signs alternate, from +

    Six rods along the edges of a cube at θ = ±π/2 [Bricard1897]; q = [θ1, ..., θ5] [rad], θ6 is the
    coordinate of the loop "closure", a revolute joint between link 5 and the fixed link, whose
    frame at joint 1 is the world's.  The mobility count is 5 - 5 = 0 degrees of freedom, there is
    one.  Links are thin rods; gravity acts along -z.

    Args:
        length: Of each link [m].
        mass: Of each link [kg].
        g: Acceleration of free fall [m/s²].

    >>> bricard().mobility(bricard_configuration(1.2)).degrees
    1
    """
    ends = [
        Pose((length, 0.0, 0.0), axis="x", angle=pi / 2.0 if i % 2 == 0 else -pi / 2.0)
        for i in range(LINKS)
    ]
    rods = [((0.0, 0.0, 0.0), (length, 0.0, 0.0))]
    bodies = [
        welded(
            f"link {i + 1}", f"link {i}" if i else WORLD, Revolute("z"),
            ends[i - 1] if i else Pose(), rods=rods, density=mass / length,
        )
        for i in range(LINKS - 1)
    ]  # fmt: skip
    X = ends[-1].transform().inverse()
    closure = Loop("closure", ("link 5", ends[-2]), (WORLD, Pose(X.p, matrix=X.R)), Revolute("z"))
    return System("Bricard's linkage", bodies, gravity=(0.0, 0.0, -g), loops=[closure])


def bricard_configuration(theta: float, *, branch: int = 1) -> Array:
    """Return the q = [θ, φ, θ, φ, θ] in which the loop is closed, with θ6 = φ, shape (5,).

        cos θ + cos φ + cos θ cos φ = 0

    [Chen2005]: the part of the motion with threefold symmetry, which is all of it.

    Args:
        theta: Angle of joints 1, 3 and 5 [rad], within ±2π/3.
        branch: Sign of φ, 1 or -1.

    Raises:
        ModelError: If it cannot be closed at this angle.

    >>> bricard_configuration(np.pi / 2).round(4)
    array([1.5708, 1.5708, 1.5708, 1.5708, 1.5708])
    """
    if branch not in (1, -1):
        raise ModelError(f"Bricard's linkage: branch must be 1 or -1, got {branch!r}")
    cosine = cos(theta)
    if not cosine >= -0.5 - 1e-12:
        raise ModelError(
            f"Bricard's linkage does not close at θ = {theta:g} rad: joints 1, 3 and 5 turn within "
            "±2π/3 only"
        )
    phi = branch * acos(min(-cosine / (1.0 + cosine), 1.0))
    return np.array([theta, phi, theta, phi, theta])
