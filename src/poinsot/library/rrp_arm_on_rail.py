"""Liu's RRP arm with its tip on a curved rail."""

from collections.abc import Sequence

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.library.rrp_arm import rrp_arm
from poinsot.model import Curve, PointOnCurve
from poinsot.spatial import Array

__all__ = ["circular_rail", "rrp_arm_at", "rrp_arm_on_rail"]


def rrp_arm_on_rail(
    rail: Curve | None = None, *, arm: System | None = None, Dc: float = 1.3
) -> System:
    """Return the arm with a spherical joint at its tip that slides along a rail.

    The single chain with one loop [Liu1988, eq. (40)-(42)] of the example [Liu1988, section 7,
    eq. (43)-(46)], with (46) as corrected: the coefficient of θ1' z3' is 2 m3 (z3 - rho3) cos²θ2,
    that of z3' θ2' is 2 m3 (z3 - rho3), and the lever arm of the second force in (46a) is b4 + z3.
    The rail is the constraint "rail"; its parameter is Liu's ξ where it is the arc length, and its
    friction is -Dc ξ' along it.

    Args:
        rail: The rail; ``circular_rail()`` by default.
        arm: The arm with the body "tip"; ``rrp_arm()`` by default.
        Dc: Friction along the rail, force per rate of its parameter [N·s/m].

    >>> system = rrp_arm_on_rail()
    >>> q = rrp_arm_at((1.43, 0.48, 0.0))
    >>> system.mobility(q).degrees
    1
    """
    arm = arm or rrp_arm()
    sliding = PointOnCurve("rail", ("tip", (0.0, 0.0, 0.0)), rail or circular_rail(), damping=Dc)
    return System(
        "RRP arm on a rail",
        arm.bodies,
        gravity=arm.gravity,
        forces=arm.forces,
        loops=arm.loops,
        constraints=[*arm.constraints, sliding],
    )


def circular_rail(
    *,
    radius: float = 0.6,
    centre: Sequence[float] = (0.9, 0.2, 0.0),
    phase: float = 0.4,
) -> Curve:
    """Return a level circle by its arc length, from the angle ``phase`` on, once round.

        x = centre + radius (cos(phase + s / radius), sin(phase + s / radius), 0)

    Args:
        radius: Radius [m].
        centre: Its centre [m], shape (3,).
        phase: Angle from x where s = 0 [rad].

    Raises:
        ModelError: If the radius is not positive.

    >>> circular_rail().at(0.0).c.round(4)
    array([1.4526, 0.4337, 0.    ])
    """
    if not radius > 0.0:
        raise ModelError(f"circular rail: radius must be positive, got {radius!r}")
    x, y, z = map(float, centre)
    angle = f"({float(phase)!r} + s / {float(radius)!r})"
    xy = (f"{x!r} + {float(radius)!r} * cos{angle}", f"{y!r} + {float(radius)!r} * sin{angle}")
    half = np.pi * radius
    return Curve((*xy, z), (-half, half))


def rrp_arm_at(
    place: Sequence[float], *, b1: float = 0.9, b2: float = 0.25, b4: float = 0.35
) -> Array:
    """Return the q = [θ1, π/2 - θ2, z3] in which the tip of the arm is at a position, shape (3,).

        r = sqrt(x1² + x2² - b2²),   z3 + b4 = sqrt(r² + (b1 - x3)²),   θ2 = atan2(b1 - x3, r),
        θ1 = atan2(x2, x1) - atan2(-b2, r)

    with the arm out in front, r > 0.

    Args:
        place: World coordinates of the tip [m], shape (3,).
        b1: Height of the shoulder [m].
        b2: Offset of the arm along the shoulder's axis [m].
        b4: From the arm's origin to its tip [m].

    Raises:
        ModelError: If the place is nearer to the column than the arm's offset.

    >>> arm, q = rrp_arm(), rrp_arm_at((1.43, 0.48, 0.1))
    >>> arm.pose("tip", q)[:3, 3].round(9)
    array([1.43, 0.48, 0.1 ])
    """
    x1, x2, x3 = place
    if x1 * x1 + x2 * x2 <= b2 * b2:
        raise ModelError(
            f"RRP arm: the tip cannot be at {tuple(place)}, which is within {b2:g} m of the "
            "column's axis; choose a place further out"
        )
    r = np.sqrt(x1 * x1 + x2 * x2 - b2 * b2)
    theta1 = np.arctan2(x2, x1) - np.arctan2(-b2, r)
    theta2 = np.arctan2(b1 - x3, r)
    return np.array([theta1, np.pi / 2.0 - theta2, np.hypot(r, b1 - x3) - b4])
