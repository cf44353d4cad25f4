"""The delta robot: three arms and six rods translate a platform that stays level."""

from math import atan2, cos, pi, sin

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.front.drawable_system import shown_at
from poinsot.front.system import System
from poinsot.model import WORLD, Body, Distance, Free, Pose, Revolute
from poinsot.spatial import Array

__all__ = ["delta_robot", "delta_robot_configuration"]

BASE, PLATFORM, ARM, ROD, WIDTH = 0.20, 0.05, 0.30, 0.80, 0.10
ANGLES = tuple(2.0 * pi * i / 3.0 for i in range(3))


def delta_robot(
    *,
    base: float = BASE,
    platform: float = PLATFORM,
    arm: float = ARM,
    rod: float = ROD,
    width: float = WIDTH,
    arm_mass: float = 0.5,
    rod_mass: float = 0.05,
    platform_mass: float = 0.3,
    g: float = 9.81,
) -> System:
    """Return Clavel's delta robot, hanging from a base in the plane z = 0 [Clavel1991].

    Arm i turns about the tangent of the base's circle at 0, 2π/3 and 4π/3 and points outwards at
    θ = 0, down at π/2.  Two rods lead from each arm's end to the platform, in parallel, so that it
    does not turn; they are the constraints "rod 1a", "rod 1b", ..., massless: half of a rod's mass
    sits at each of its ends, as is usual.  q = [θ1, θ2, θ3 [rad], place [m] and quaternion of the
    platform].  Three degrees of freedom; gravity acts along -z.

    Args:
        base: Radius of the circle of the arms' joints [m].
        platform: Radius of that of the rods' ends on the platform [m].
        arm: Length of the arms [m].
        rod: Length of the rods [m].
        width: Distance of the two rods of an arm [m].
        arm_mass: Of each arm, a thin rod [kg].
        rod_mass: Of each of the six rods [kg].
        platform_mass: Of the platform, a disc [kg].
        g: Acceleration of free fall [m/s²].

    >>> delta_robot().mobility(delta_robot_configuration((0.1, 0.05, -0.7))).degrees
    3
    """
    bodies, rods = [], []
    for i, angle in enumerate(ANGLES, start=1):
        foot = Pose((base * cos(angle), base * sin(angle), 0.0), axis="z", angle=angle)
        bodies.append(_arm(f"arm {i}", foot, arm, width, arm_mass, rod_mass))
        for letter, side in (("a", width / 2.0), ("b", -width / 2.0)):
            end = _around(angle, (platform, side, 0.0))
            name = f"rod {i}{letter}"
            rods.append(Distance(name, (f"arm {i}", (arm, side, 0.0)), ("platform", end), rod))
    mass, radius = platform_mass + 3.0 * rod_mass, np.hypot(platform, width / 2.0)
    moment = platform_mass * platform**2 / 2.0 + 3.0 * rod_mass * radius**2
    bodies.append(
        Body("platform", WORLD, Free(), mass=mass, inertia=(moment / 2.0, moment / 2.0, moment))
    )
    system = System("delta robot", bodies, gravity=(0.0, 0.0, -g), constraints=rods)
    lengths = {"base": base, "platform": platform, "arm": arm, "rod": rod}
    return shown_at(system, lambda: delta_robot_configuration((0, 0, -0.8 * rod), **lengths))


def delta_robot_configuration(
    place: ArrayLike,
    *,
    base: float = BASE,
    platform: float = PLATFORM,
    arm: float = ARM,
    rod: float = ROD,
) -> Array:
    """Return the q with the platform at a position and the arms' knees outwards, shape (10,).

    In the plane of an arm, with u = x - base + platform and z the coordinates of the rods' lower
    end from the arm's joint and y its distance from the plane,

        u cos θ - z sin θ = (arm² + u² + y² + z² - rod²) / (2 arm).

    Args:
        place: Of the platform's centre [m], shape (3,).
        base: Radius of the circle of the arms' joints [m].
        platform: Radius of that of the rods' ends on the platform [m].
        arm: Length of the arms [m].
        rod: Length of the rods [m].

    Raises:
        ModelError: If the platform cannot get there.

    >>> q = delta_robot_configuration((0.1, 0.05, -0.7))
    >>> bool(abs(delta_robot().constraint_residual(q)).max() < 1e-14)
    True
    """
    x, y, z = np.asarray(place, float)
    thetas = []
    for i, angle in enumerate(ANGLES, start=1):
        u, v, w = _around(-angle, (x, y, z))
        u += platform - base
        wanted = (arm**2 + u * u + v * v + w * w - rod**2) / (2.0 * arm)
        reach = float(np.hypot(u, w))
        if not abs(wanted) <= reach:
            raise ModelError(
                f"delta robot: the platform cannot be at ({x:g}, {y:g}, {z:g}) m, where arm {i} "
                "does not reach; choose a place nearer to the middle, below the base"
            )
        thetas.append(atan2(-w, u) - float(np.arccos(wanted / reach)))
    return np.array([*thetas, x, y, z, 1.0, 0.0, 0.0, 0.0])


def _arm(name: str, foot: Pose, length: float, width: float, mass: float, rod_mass: float) -> Body:
    """Return a thin rod along x about y, with half of two rods' masses at the end of it."""
    total = mass + rod_mass
    com = (mass / 2.0 + rod_mass) * length / total
    across = rod_mass * width**2 / 4.0
    bending = mass * length**2 / 12.0 + mass * rod_mass / total * length**2 / 4.0
    return Body(
        name, WORLD, Revolute("y"), foot, mass=total, com=(com, 0.0, 0.0),
        inertia=(across, bending, bending + across),
    )  # fmt: skip


def _around(angle: float, p: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return a point turned about z."""
    c, s = cos(angle), sin(angle)
    return c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]
