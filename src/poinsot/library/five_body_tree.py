"""The planar tree of five rods whose motion Huang and others print as a table."""

from poinsot.front.system import System
from poinsot.model import WORLD, Body, Pose, Revolute

__all__ = ["five_body_tree"]

PARENTS = (0, 1, 1, 1, 2)
"""Number of the body that carries each body; 0 is the world."""

PLACES = (0.0, 1.0, 4.0, 3.0, 2.0)
"""Where each joint sits on the body that carries it, from that body's own joint [l]."""

HALF_LENGTHS = (2.0, 1.0, 1.0, 1.0, 1.0)
"""From each joint to the centre of mass of its rod [l]."""

MASSES = (2.0, 1.0, 1.0, 1.0, 1.0)
"""Masses [m]."""


def five_body_tree(*, m: float = 1.0, l: float = 1.0, g: float = 9.8) -> System:
    """Return a rod of length 4 l and mass 2 m with four rods of 2 l and m on it, all about z.

    q[0] is the angle of body 1 from the horizontal x, the others are relative to the parent [rad];
    gravity acts along -y.  Bodies 2, 3 and 4 hang on body 1 at l, 4 l and 3 l from its joint, body
    5 on the end of body 2.  The example of [Huang1997, sec. 3], which prints the motion from 10°
    and 1°/s in every joint with m = l = 1 and g = 9.8.

    Args:
        m: Mass of the small rods [kg].
        l: Half their length [m].
        g: Acceleration of free fall [m/s²].

    >>> tree = five_body_tree()
    >>> tree.nv, sum(body.mass for body in tree.bodies)
    (5, 6.0)
    """
    bodies = []
    for j, (parent, position) in enumerate(zip(PARENTS, PLACES, strict=True)):
        mass, half = MASSES[j] * m, HALF_LENGTHS[j] * l
        moment = mass * half**2 / 3.0
        bodies.append(
            Body(
                f"body {j + 1}",
                parent=f"body {parent}" if parent else WORLD,
                joint=Revolute("z"),
                pose=Pose((position * l, 0.0, 0.0)),
                mass=mass,
                com=(half, 0.0, 0.0),
                inertia=(0.0, moment, moment),
            )
        )
    return System("five-body tree", bodies, gravity=(0.0, -g, 0.0))
