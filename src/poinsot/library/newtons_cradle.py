"""Newton's cradle: balls in a row, each on two threads."""

import itertools

import numpy as np

from poinsot.front.system import System
from poinsot.impacts.contact import Contact
from poinsot.model import Body, Distance, Pose, Revolute, Sphere

__all__ = ["newtons_cradle", "newtons_cradle_contacts"]

RADIUS, GAP = 0.02, 1e-5
"""Of the balls, and between balls that hang still [m]."""


def newtons_cradle(n: int = 5, *, length: float = 0.3, mass: float = 0.1) -> System:
    """Return balls that swing in the x-z plane, the pivots at z = 0.

    Args:
        n: How many balls.
        length: From the pivots to the centres [m].
        mass: Of each ball [kg].
    """
    moment = 0.4 * mass * RADIUS**2
    bodies = [
        Body(
            f"ball {k + 1}", joint=Revolute("y"), pose=Pose((k * (2.0 * RADIUS + GAP), 0, 0)),
            mass=mass, com=(0, 0, -length), inertia=(moment, moment, moment),
            shapes=[Sphere(RADIUS, pose=Pose((0, 0, -length)))],
        )
        for k in range(n)
    ]  # fmt: skip
    return System("Newton's cradle", bodies)


def newtons_cradle_contacts(system: System, restitution: float = 1.0) -> list[Contact]:
    """Return the contacts between neighbours of a cradle, for ``simulate(contacts=)``."""
    bodies = system.bodies
    return [
        Contact(
            Distance(
                f"{first.name} - {second.name}", (first.name, np.asarray(first.com, float)),
                (second.name, np.asarray(second.com, float)), 2.0 * RADIUS,
            ),
            restitution,
        )
        for first, second in itertools.pairwise(bodies)
    ]  # fmt: skip
