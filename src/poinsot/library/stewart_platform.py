"""The platform of Stewart and Gough: six legs of variable length give six degrees of freedom."""

from collections.abc import Sequence
from math import atan2, pi

import numpy as np

from poinsot.front.drawable_system import shown_at
from poinsot.front.system import System
from poinsot.library.welded import bar
from poinsot.model import WORLD, Body, Cylinder, Free, Loop, Pose, Prismatic, Spherical, Universal
from poinsot.spatial import Array, matrix_to_quaternion

__all__ = ["stewart_platform", "stewart_platform_configuration"]

Points = Sequence[Sequence[float]]


def _hexagon(radius: float, gap: float, first: float) -> tuple[tuple[float, float, float], ...]:
    """Return six points in pairs on a circle, each pair an angle ``gap`` apart."""
    angles = [first + 2.0 * pi * (i // 2) / 3.0 + gap * (i % 2 - 0.5) for i in range(6)]
    return tuple((radius * float(np.cos(a)), radius * float(np.sin(a)), 0.0) for a in angles)


BASE = _hexagon(0.6, 0.35, 0.0)
PLATFORM = _hexagon(0.35, 2.0 * pi / 3.0 - 0.5, 0.0)
"""Attachment points of the legs [m]: close pairs, different ones on base and platform."""


def stewart_platform(
    *,
    base: Points = BASE,
    platform: Points = PLATFORM,
    cylinder_mass: float = 2.0,
    rod_mass: float = 1.0,
    leg: float = 0.6,
    platform_mass: float = 10.0,
    radius: float = 0.35,
    g: float = 9.81,
) -> System:
    """Return a platform on six legs, each a cylinder on a universal joint and a rod that slides.

    q = [two angles of cylinder i [rad], length of leg i [m] for each leg, place [m] and quaternion
    of the platform].  The rods' ends are on the platform by the loops "ball 1" to "ball 6".  The
    universal joints turn about x of the world and y of the cylinder, whose z is along the leg.
    Six degrees of freedom; gravity acts along -z.

    Args:
        base: Where the legs stand in the world [m], shape (6, 3).
        platform: Where they hold the platform, in its frame [m], shape (6, 3).
        cylinder_mass: Of each cylinder, a thin rod of half the length ``leg`` [kg].
        rod_mass: Of each rod, of the same length [kg].
        leg: Twice the length of cylinders and rods [m].
        platform_mass: Of the platform, a disc [kg].
        radius: Of the disc [m].
        g: Acceleration of free fall [m/s²].

    >>> hexapod = stewart_platform()
    >>> hexapod.mobility(stewart_platform_configuration(Pose((0, 0, 0.7)))).degrees
    6
    """
    bodies, loops = [], []
    for i, (foot, hold) in enumerate(zip(base, platform, strict=True), start=1):
        for name, parent, joint, pose, mass, middle in (
            (f"cylinder {i}", WORLD, Universal("x", "y"), Pose(foot), cylinder_mass, leg / 4.0),
            (f"leg {i}", f"cylinder {i}", Prismatic("z"), Pose(), rod_mass, -leg / 4.0),
        ):
            moment = mass * (leg / 2.0) ** 2 / 12.0
            shape = bar((0.0, 0.0, 0.0), (0.0, 0.0, 2.0 * middle), leg / 40.0)
            bodies.append(
                Body(name, parent, joint, pose, mass=mass, com=(0.0, 0.0, middle),
                     inertia=(moment, moment, 0.0), shapes=[shape])
            )  # fmt: skip
        loops.append(Loop(f"ball {i}", (f"leg {i}", Pose()), ("platform", Pose(hold)), Spherical()))
    moment = platform_mass * radius**2 / 4.0
    disc = Body(
        "platform", WORLD, Free(), mass=platform_mass, inertia=(moment, moment, 2.0 * moment),
        shapes=[Cylinder(radius, radius / 10.0)],
    )  # fmt: skip
    system = System("Stewart platform", [*bodies, disc], gravity=(0.0, 0.0, -g), loops=loops)
    raised, points = Pose((0.0, 0.0, 1.25 * leg)), {"base": base, "platform": platform}
    return shown_at(system, lambda: stewart_platform_configuration(raised, **points))


def stewart_platform_configuration(
    pose: Pose, *, base: Points = BASE, platform: Points = PLATFORM
) -> Array:
    """Return the q in which the platform has a pose, shape (25,).

    A leg d = place + R p - b of length L along the unit vector (x, y, z) has the angles
    atan2(-y, z) and asin(x).

    Args:
        pose: Of the platform in the world.
        base: Where the legs stand in the world [m], shape (6, 3).
        platform: Where they hold the platform, in its frame [m], shape (6, 3).

    >>> q = stewart_platform_configuration(Pose((0.1, 0, 0.7), rpy=(0.1, 0.2, 0)))
    >>> bool(abs(stewart_platform().constraint_residual(q)).max() < 1e-14)
    True
    """
    X = pose.transform()
    legs = []
    for foot, hold in zip(base, platform, strict=True):
        d = X.p + X.R @ np.asarray(hold, float) - np.asarray(foot, float)
        length = float(np.linalg.norm(d))
        legs += [atan2(-d[1], d[2]), float(np.arcsin(d[0] / length)), length]
    return np.array([*legs, *X.p, *matrix_to_quaternion(X.R)])
