"""The thin rod of which planar linkages are made."""

from poinsot.model import WORLD, Body, Pose, Revolute

__all__ = ["rod"]


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
