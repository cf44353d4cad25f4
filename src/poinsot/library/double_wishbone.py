"""The double wishbone suspension of a wheel, with rack and tie rod."""

from collections.abc import Mapping, Sequence

import numpy as np

from poinsot.front import System
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
    """Return a wheel on two wishbones, steered by a rack, on a chassis that stands still.

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
    p = {name: np.asarray(place, float) for name, place in points.items()}
    moment = 0.75 * wheel_mass * wheel_radius**2
    tyre = Cylinder(wheel_radius, wheel_radius / 2.0, pose=Pose(axis="x", angle=np.pi / 2.0))
    knuckle = [
        ((0.0, 0.0, 0.0), p[end] - p["lower ball"]) for end in ("upper ball", "tie rod", "wheel")
    ]
    bodies = [
        Body("rack", WORLD, Prismatic("y"), Pose(p["rack"]), mass=rack_mass),
        *(
            welded(
                f"{arm} arm", WORLD, Revolute(p[f"{arm} front"] - p[f"{arm} rear"]),
                Pose(p[f"{arm} rear"]), density=density,
                rods=[(start - p[f"{arm} rear"], p[f"{arm} ball"] - p[f"{arm} rear"])
                      for start in (p[f"{arm} front"], p[f"{arm} rear"])],
            )
            for arm in ("lower", "upper")
        ),
        welded(
            "knuckle", "lower arm", Spherical(), Pose(p["lower ball"] - p["lower rear"]),
            rods=knuckle, density=density,
        ),
        Body(
            "wheel", "knuckle", Fixed(), Pose(p["wheel"] - p["lower ball"]), mass=wheel_mass,
            inertia=(moment / 2.0, moment, moment / 2.0), shapes=[tyre],
        ),
    ]  # fmt: skip
    ball = Loop(
        "upper ball",
        ("upper arm", Pose(p["upper ball"] - p["upper rear"])),
        ("knuckle", Pose(p["upper ball"] - p["lower ball"])),
        Spherical(),
    )
    tie_rod = Distance(
        "tie rod",
        ("rack", (0.0, 0.0, 0.0)),
        ("knuckle", p["tie rod"] - p["lower ball"]),
        float(np.linalg.norm(p["tie rod"] - p["rack"])),
    )
    spring = Spring(
        (WORLD, p["spring above"]), ("lower arm", p["spring below"] - p["lower rear"]),
        stiffness=stiffness, damping=damping,
        length=float(np.linalg.norm(p["spring above"] - p["spring below"])),
    )  # fmt: skip
    return System(
        "double wishbone suspension", bodies, gravity=(0.0, 0.0, -g), forces=[spring],
        loops=[ball], constraints=[tie_rod],
    )  # fmt: skip
