"""Two bobs that swing in a plane and bounce off a wall."""

from collections.abc import Sequence

from poinsot.front.system import System
from poinsot.impacts.contact import Contact
from poinsot.model import Body, PointOnSurface, Pose, Revolute, Sphere

__all__ = ["bouncing_double_pendulum", "bouncing_double_pendulum_contacts"]

BOBS = ("bob 1", "bob 2")
RADIUS = 0.04
"""Of the bobs in pictures [m]; they are points."""


def bouncing_double_pendulum(
    masses: Sequence[float] = (1.0, 1.0), lengths: Sequence[float] = (1.0, 1.0)
) -> System:
    """Return two bobs on rods without mass, which turn about y and hang along -z at q = 0.

    q[0] is the angle of the upper rod from the vertical, q[1] that of the lower one from the upper
    [rad].

    Args:
        masses: Of the bobs, the upper one first [kg].
        lengths: Of the rods [m].
    """
    bodies, parent, place = [], "world", Pose()
    for name, mass, length in zip(BOBS, masses, lengths, strict=True):
        tip = (0.0, 0.0, -float(length))
        bodies.append(
            Body(
                name, parent, Revolute("y"), place, mass=mass, com=tip,
                shapes=[Sphere(RADIUS, pose=Pose(tip))],
            )
        )  # fmt: skip
        parent, place = name, Pose(tip)
    return System("bouncing double pendulum", bodies)


def bouncing_double_pendulum_contacts(
    system: System, wall: float = -0.1, restitution: float | Sequence[float] = 0.9
) -> list[Contact]:
    """Return the contacts of the bobs with a wall on their left, which they may not pass.

    Args:
        system: The pendulum.
        wall: Where it stands, x = wall [m].
        restitution: Of both, or of each.
    """
    both = [restitution] * 2 if isinstance(restitution, int | float) else restitution
    return [
        Contact(PointOnSurface(f"{body.name} - wall", (body.name, body.com), f"x - ({wall!r})"), e)
        for body, e in zip(system.bodies, both, strict=True)
    ]
