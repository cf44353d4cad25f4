"""Hoberman's ring of angulated bars: it opens and closes like an iris."""

from math import cos, pi, sin

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.library.planar import in_space, pin
from poinsot.library.welded import welded
from poinsot.model import WORLD, Body, Loop, Pose, Prismatic, Revolute
from poinsot.spatial import Array

__all__ = ["hoberman_ring", "hoberman_ring_configuration"]

ARM = 0.3


def hoberman_ring(
    n: int = 6, *, arm: float = ARM, density: float = 1.0, carriage: float = 0.2
) -> System:
    """Return n pairs of angulated bars in a ring in the x-y plane, without gravity.

    A bar has two arms with the angle π - 2π/n between them; two bars are pinned at their bends to a
    carriage that slides along a radius, and at their ends to the bars of the neighbours, on
    n further radii that stay [Hoberman1990].  With the arms turned by the angle ψ,

        radius of the carriages = arm cos ψ / sin(π/n),
        radii of the pins between neighbours = arm (cos ψ cot(π/n) ± sin ψ).

    q = [radius [m], left bar, right bar [rad]] for each carriage.  The left bar of a pair ends
    outside on the radius that follows, the right one inside.  Counting gives n + 1 degrees of
    freedom too few in the plane: there is one.

    Args:
        n: Number of pairs, at least 3.
        arm: Length of an arm [m].
        density: Mass per length of the arms [kg/m].
        carriage: Mass of a carriage [kg].

    >>> ring = hoberman_ring(3)
    >>> ring.mobility(hoberman_ring_configuration(0.5, 3)).degrees
    1
    """
    if n < 3:
        raise ModelError(f"hoberman_ring: n must be at least 3, got {n}")
    next_one = arm * complex(-sin(pi / n), cos(pi / n))
    one_before = next_one.conjugate()
    rods = [(in_space(0j), in_space(end)) for end in (next_one, one_before)]
    bodies: list[Body] = []
    loops: list[Loop] = []
    for i in range(n):
        rail, carrier = Pose(axis="z", angle=2.0 * pi * i / n), f"carriage {i}"
        bodies.append(Body(carrier, WORLD, Prismatic("x"), rail, mass=carriage))
        for name in (f"left {i}", f"right {i}"):
            bodies.append(welded(name, carrier, Revolute("z"), Pose(), rods=rods, density=density))
        j = (i + 1) % n
        loops.append(pin(f"outer {i}", (f"left {i}", next_one), (f"right {j}", one_before)))
        loops.append(pin(f"inner {i}", (f"right {i}", next_one), (f"left {j}", one_before)))
    return System(f"Hoberman ring of {n} pairs", bodies, gravity=(0.0, 0.0, 0.0), loops=loops)


def hoberman_ring_configuration(psi: float, n: int = 6, *, arm: float = ARM) -> Array:
    """Return the q in which all loops are closed, shape (3 n,).

    Args:
        psi: Angle of the arms from the perpendiculars to the radii between pairs [rad]; 0 where
            inner and outer pins meet.
        n: Number of pairs.
        arm: Length of an arm [m].

    >>> hoberman_ring_configuration(0.1, 6)[:3].round(3)
    array([ 0.597, -0.1  ,  0.1  ])
    """
    return np.tile([arm * cos(psi) / sin(pi / n), -psi, psi], n)
