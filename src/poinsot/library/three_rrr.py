"""The 3-RRR manipulator: a platform in the plane on three cranks."""

from collections.abc import Sequence
from math import pi

import numpy as np

from poinsot.front.system import System
from poinsot.library.planar import direction, in_space, link, meeting, pin, turns
from poinsot.library.welded import welded
from poinsot.model import WORLD, Planar, Pose
from poinsot.spatial import Array

__all__ = ["three_rrr", "three_rrr_configuration"]

BASE, PLATFORM, CRANK, ROD = 0.5, 0.15, 0.3, 0.3


def three_rrr(
    *,
    base: float = BASE,
    platform: float = PLATFORM,
    crank: float = CRANK,
    rod: float = ROD,
    density: float = 1.0,
    g: float = 0.0,
) -> System:
    """Return a triangular platform on three legs of a crank and a rod, in the x-y plane.

    Cranks turn about the corners of a triangle at the angles 0, 2π/3 and 4π/3, rods are pinned to
    the platform's corners at the same angles in its frame by the loops "pin 1" to "pin 3".
    q = [x, y of the platform [m], its angle [rad], then crank and rod of each leg [rad]].
    Three degrees of freedom.

    Args:
        base: Radius of the circle through the fixed pins [m].
        platform: Radius of that through the platform's corners [m].
        crank: Length of the cranks [m].
        rod: Length of the rods [m].
        density: Mass per length of all rods and of the platform's sides [kg/m].
        g: Acceleration of free fall, along -y [m/s²].

    >>> three_rrr().mobility(three_rrr_configuration(0.02, 0.05, 0.1)).degrees
    3
    """
    corners, feet = _corners(platform), _corners(base)
    sides = [(in_space(corners[i]), in_space(corners[i - 1])) for i in range(3)]
    joint = Planar("x", "y")
    bodies = [welded("platform", WORLD, joint, Pose(), rods=sides, density=density)]
    loops = []
    for i, (foot, corner) in enumerate(zip(feet, corners, strict=True), start=1):
        bodies.append(link(f"crank {i}", WORLD, foot, complex(crank), density=density))
        bodies.append(link(f"rod {i}", f"crank {i}", complex(crank), complex(rod), density=density))
        loops.append(pin(f"pin {i}", (f"rod {i}", complex(rod)), ("platform", corner)))
    return System("3-RRR", bodies, gravity=(0.0, -g, 0.0), loops=loops)


def three_rrr_configuration(
    x: float,
    y: float,
    angle: float,
    *,
    base: float = BASE,
    platform: float = PLATFORM,
    crank: float = CRANK,
    rod: float = ROD,
    branches: Sequence[int] = (1, 1, 1),
) -> Array:
    """Return the q of a pose of the platform, shape (9,).

    Args:
        x: Of the platform's centre [m].
        y: Of the platform's centre [m].
        angle: Of the platform [rad].
        base: Radius of the circle through the fixed pins [m].
        platform: Radius of that through the platform's corners [m].
        crank: Length of the cranks [m].
        rod: Length of the rods [m].
        branches: For each leg, its elbow to the left (1) or right (-1) of the way from foot to
            platform.

    Raises:
        ModelError: If a leg does not reach.

    >>> q = three_rrr_configuration(0.02, 0.05, 0.1)
    >>> bool(abs(three_rrr().constraint_residual(q)).max() < 1e-14)
    True
    """
    q = [x, y, angle]
    legs = zip(_corners(base), _corners(platform), branches, strict=True)
    for i, (foot, corner, branch) in enumerate(legs, start=1):
        end = complex(x, y) + corner * complex(np.exp(1j * angle))
        elbow = meeting(foot, crank, end, rod, branch, f"3-RRR: leg {i}")
        lower = direction(foot, elbow)
        q += [lower, turns(direction(elbow, end), lower)]
    return np.array(q)


def _corners(radius: float) -> list[complex]:
    return [radius * complex(np.exp(2j * pi * i / 3.0)) for i in range(3)]
