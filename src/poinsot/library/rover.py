"""The rover: four wheels, the front ones steered by Ackermann's law."""

from poinsot.front.system import System
from poinsot.library.wheeled import placed, rolling_straight, wheel
from poinsot.model import Body, Box, FormulaConstraint, Pose, Revolute, RollingDisc
from poinsot.spatial import Array

__all__ = ["rover", "rover_state"]


def rover(
    *, mass: float = 50.0, wheel_base: float = 0.8, track: float = 0.5, radius: float = 0.15,
    wheel_mass: float = 2.0,
) -> System:  # fmt: skip
    """Return a level chassis on four wheels that roll without slip.

    q = [x, y, z of the middle of the rear axle [m], heading, steer left and right, four wheels
    [rad]].  All four wheels roll about one point, since the steering obeys

        sin(δ_left - δ_right) = (track / wheel base) sin δ_left sin δ_right,

    Ackermann's law; two velocities remain, forward and steering.

    Args:
        mass: Of the chassis [kg].
        wheel_base: Distance of the axles [m].
        track: Distance of left and right wheels [m].
        radius: Of the wheels [m].
        wheel_mass: Of each [kg].

    >>> car = rover()
    >>> q, v = rover_state(car)
    >>> car.mobility(q).degrees, car.mobility(q).configurations
    (2, 8)
    """
    box = Box((wheel_base, track / 2, radius), pose=Pose((wheel_base / 2, 0, 0)))
    moments = [mass * x / 12 for x in (track**2, wheel_base**2, track**2 + wheel_base**2)]
    place, heading = placed(leans=False)
    chassis = Body("chassis", "heading", mass=mass, com=(wheel_base / 2, 0, 0), inertia=moments,
                   shapes=[box])  # fmt: skip
    sides = {"left": track / 2, "right": -track / 2}
    steers = [
        Body(f"steer {side}", "chassis", Revolute("z"), Pose((wheel_base, y, 0)))
        for side, y in sides.items()
    ]
    inertia = wheel_mass * radius**2 / 2.0, wheel_mass * radius**2 / 4.0
    given = {"mass": wheel_mass, "radius": radius}
    wheels = [
        wheel(f"{end} {side} wheel", parent, center, inertia=inertia, **given)
        for side, y in sides.items()
        for end, parent, center in (
            ("front", f"steer {side}", (0.0, 0.0, 0.0)), ("rear", "chassis", (0.0, y, 0.0)),
        )
    ]  # fmt: skip
    names = {"left": "steer left", "right": "steer right"}
    law = f"sin(left - right) - {track / wheel_base!r}*sin(left)*sin(right)"
    tyres = [RollingDisc(f"{x.name} tyre", x.name, radius=radius) for x in wheels]
    constraints = [FormulaConstraint("steering", law, where=names), *tyres]
    return System("rover", [place, heading, chassis, *steers, *wheels], constraints=constraints)


def rover_state(system: System, speed: float = 1.0, steering: float = 0.0) -> tuple[Array, Array]:
    """Return q and v of a rover that runs along x.

    Args:
        system: The rover.
        speed: Forward speed [m/s].
        steering: Angular velocity of the left steering pivot [rad/s].
    """
    return rolling_straight(system, speed, {"steer left": steering})
