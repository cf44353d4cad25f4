"""Thin rods and triangles: what planar linkages are made of."""

from math import acos

from poinsot.errors import ModelError
from poinsot.model import WORLD, Body, Pose, Revolute

__all__ = ["rod", "triangle"]


def rod(
    name: str, parent: str = WORLD, pose: Pose | None = None, *, length: float, mass: float
) -> Body:
    """Return a thin uniform rod that turns about z at one end and lies along x.

    Args:
        name: Name of the body.
        parent: Name of the body that carries it.
        pose: Where its inner end sits on the parent; at the origin by default.
        length: Length [m].
        mass: Mass [kg].
    """
    moment = mass * length**2 / 12.0
    return Body(
        name, parent, Revolute("z"), pose or Pose(),
        mass=mass, com=(length / 2.0, 0.0, 0.0), inertia=(0.0, moment, moment),
    )  # fmt: skip


def triangle(a: float, b: float, c: float, where: str) -> float:
    """Return the angle between the sides a and b of a triangle, opposite to c [rad].

    Args:
        a: Length of a side [m].
        b: Length of another [m].
        c: Length of the third [m].
        where: Opens the message of an error.

    Raises:
        ModelError: If the sides make no triangle.

    >>> round(triangle(3.0, 4.0, 5.0, "triangle"), 9)
    1.570796327
    """
    cosine = (a * a + b * b - c * c) / (2.0 * a * b) if a * b > 0.0 else 2.0
    if not abs(cosine) <= 1.0:
        raise ModelError(
            f"{where}: lengths {a:g}, {b:g} and {c:g} m make no triangle, so it cannot be "
            "assembled; choose another angle or other lengths"
        )
    return acos(cosine)
