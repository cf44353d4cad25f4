"""The double wishbone suspension of a wheel, with rack and tie rod."""

from collections.abc import Mapping, Sequence

import numpy as np

from poinsot.front.system import System
from poinsot.library.welded import welded
from poinsot.model import (
    WORLD,
    Body,
    Cylinder,
    Distance,
    Fixed,
    Loop,
    Pose,
    Prismatic,
    Revolute,
    Spherical,
    Spring,
)
from poinsot.spatial import Array

__all__ = ["double_wishbone"]

POINTS = {
    "lower front": (0.15, 0.35, 0.20), "lower rear": (-0.15, 0.35, 0.19),
    "lower ball": (0.01, 0.75, 0.18),
    "upper front": (0.12, 0.42, 0.46), "upper rear": (-0.12, 0.42, 0.45),
    "upper ball": (-0.02, 0.70, 0.47),
    "rack": (-0.14, 0.36, 0.24), "tie rod": (-0.13, 0.72, 0.23),
    "wheel": (0.0, 0.80, 0.31),
    "spring below": (0.0, 0.58, 0.20), "spring above": (0.0, 0.46, 0.62),
}  # fmt: skip
"""The hard points of a left front wheel in the design position [m]: x forwards, y left, z up."""


def double_wishbone(
    *,
    points: Mapping[str, Sequence[float]] = POINTS,
    density: float = 3.0,
    rack_mass: float = 2.0,
    wheel_mass: float = 18.0,
    wheel_radius: float = 0.31,
    stiffness: float = 30e3,
    damping: float = 2e3,
    g: float = 9.81,
) -> System:
    """Return a wheel on two wishbones, steered by a rack, on a fixed chassis.

    All frames are parallel to the world's in the design position, which is the neutral
    configuration and closed.  q = [rack [m], lower arm [rad], upper arm [rad], quaternion of the
    knuckle]; the rack slides along y, the arms turn about the lines through their rear and front
    pins, positive from y to z for pins along x.  The loop "upper ball" joins knuckle and upper arm,
    the constraint "tie rod" knuckle and rack.  The wheel is braked: fixed to the knuckle, with its
    axis along y.  Two degrees of freedom, travel and steering.  The spring is relaxed in the design
    position; gravity acts along -z.

    Args:
        points: Places of the hard points in the design position [m], by the names in ``POINTS``.
        density: Mass per length of the tubes of arms and knuckle [kg/m].
        rack_mass: Of the rack [kg].
        wheel_mass: Of the wheel, half disc, half ring [kg].
        wheel_radius: Its radius [m].
        stiffness: Of the spring between lower arm and chassis [N/m].
        damping: Of the damper beside it [N s/m].
        g: Acceleration of free fall [m/s²].

    >>> suspension = double_wishbone()
    >>> suspension.mobility(suspension.neutral()).degrees
    2
    """
    p = {name: np.asarray(point, float) for name, point in points.items()}
    ball = Loop(
        "upper ball",
        ("upper arm", Pose(p["upper ball"] - p["upper rear"])),
        ("knuckle", Pose(p["upper ball"] - p["lower ball"])),
        Spherical(),
    )
    rod_end = ("knuckle", p["tie rod"] - p["lower ball"])
    tie_rod = Distance("tie rod", ("rack", (0.0, 0.0, 0.0)), rod_end, _apart(p, "tie rod", "rack"))
    spring = Spring(
        (WORLD, p["spring above"]), ("lower arm", p["spring below"] - p["lower rear"]),
        stiffness=stiffness, damping=damping, length=_apart(p, "spring above", "spring below"),
    )  # fmt: skip
    rack = Body("rack", WORLD, Prismatic("y"), Pose(p["rack"]), mass=rack_mass)
    arms = [_arm(p, which, density) for which in ("lower", "upper")]
    wheel = _wheel(p, wheel_mass, wheel_radius)
    return System(
        "double wishbone suspension", [rack, *arms, _knuckle(p, density), wheel],
        gravity=(0.0, 0.0, -g), forces=[spring], loops=[ball], constraints=[tie_rod],
    )  # fmt: skip


def _arm(p: Mapping[str, Array], which: str, density: float) -> Body:
    """Return a wishbone: two tubes from its pins to its ball."""
    front, rear, ball = (p[f"{which} {name}"] for name in ("front", "rear", "ball"))
    tubes = [(start - rear, ball - rear) for start in (front, rear)]
    joint = Revolute(front - rear)
    return welded(f"{which} arm", WORLD, joint, Pose(rear), rods=tubes, density=density)


def _knuckle(p: Mapping[str, Array], density: float) -> Body:
    """Return the upright: tubes from the lower ball to the upper, tie rod and wheel."""
    ball, pose = p["lower ball"], Pose(p["lower ball"] - p["lower rear"])
    tubes = [((0.0, 0.0, 0.0), p[end] - ball) for end in ("upper ball", "tie rod", "wheel")]
    return welded("knuckle", "lower arm", Spherical(), pose, rods=tubes, density=density)


def _wheel(p: Mapping[str, Array], mass: float, radius: float) -> Body:
    """Return the wheel, half disc, half ring: m r² (1/2 + 1) / 2 about its axis."""
    moment = 0.75 * mass * radius**2
    tyre = Cylinder(radius, radius / 2.0, pose=Pose(axis="x", angle=np.pi / 2.0))
    return Body(
        "wheel", "knuckle", Fixed(), Pose(p["wheel"] - p["lower ball"]), mass=mass,
        inertia=(moment / 2.0, moment, moment / 2.0), shapes=[tyre],
    )  # fmt: skip


def _apart(p: Mapping[str, Array], first: str, second: str) -> float:
    return float(np.linalg.norm(p[second] - p[first]))
