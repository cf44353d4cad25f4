"""The robot that balances on two wheels."""

from poinsot.front.system import System
from poinsot.library.wheeled import placed, rolling_straight, wheel
from poinsot.model import Body, Box, Pose, Revolute, RollingDisc
from poinsot.spatial import Array

__all__ = ["balancing_robot", "balancing_robot_state"]


def balancing_robot(
    *, mass: float = 10.0, height: float = 0.4, track: float = 0.4, radius: float = 0.1,
    wheel_mass: float = 0.5,
) -> System:  # fmt: skip
    """Return an inverted pendulum between two wheels that are driven one by one.

    q = [x, y, z of the middle of the axle [m], heading, pitch, left wheel, right wheel [rad]].  It
    has three velocities: forward, turning and pitch.  The axle is level, so the second wheel's
    contact and side force are redundant: their sum alone is determined.

    Args:
        mass: Of the body [kg].
        height: Of its mass centre above the axle [m].
        track: Distance of the wheels [m].
        radius: Of the wheels [m].
        wheel_mass: Of each [kg].

    >>> robot = balancing_robot()
    >>> q, v = balancing_robot_state(robot)
    >>> robot.mobility(q).degrees, robot.mobility(q).redundant
    (3, ('right tyre: contact', 'right tyre: sideways'))
    """
    case = Box((0.15, track / 2, 2 * height), pose=Pose((0, 0, height)))
    moments = [mass * height**2 / 3.0, mass * height**2 / 3.0, mass * track**2 / 24.0]
    body = Body("pitch", "heading", Revolute("y"), mass=mass, com=(0, 0, height), inertia=moments,
                shapes=[case])  # fmt: skip
    inertia = wheel_mass * radius**2 / 2.0, wheel_mass * radius**2 / 4.0
    wheels = [
        wheel(f"{side} wheel", "pitch", (0.0, y, 0.0), mass=wheel_mass, radius=radius,
              inertia=inertia)
        for side, y in (("left", track / 2), ("right", -track / 2))
    ]  # fmt: skip
    tyres = [RollingDisc(f"{x} tyre", f"{x} wheel", radius=radius) for x in ("left", "right")]
    return System("balancing robot", [*placed(leans=False), body, *wheels], constraints=tyres)


def balancing_robot_state(
    system: System, speed: float = 0.5, pitch_rate: float = 0.0
) -> tuple[Array, Array]:
    """Return q and v of a robot that runs upright along x.

    Args:
        system: The robot.
        speed: Forward speed [m/s].
        pitch_rate: Angular velocity of the body about y [rad/s].
    """
    return rolling_straight(system, speed, {"pitch": pitch_rate})
