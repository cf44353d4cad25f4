"""A column of beads on a wire above the ground."""

import itertools

from poinsot.front.system import System
from poinsot.impacts.contact import Contact
from poinsot.model import Body, Distance, PointOnSurface, Prismatic, Sphere

__all__ = ["bead_column", "bead_column_contacts"]


def bead_column(
    n: int = 3, *, mass: float = 0.1, ratio: float = 1.0, radius: float = 0.02
) -> System:
    """Return beads that slide along z, the lowest one first; q are the heights of their centres.

    Args:
        n: How many beads.
        mass: Of the lowest one [kg].
        ratio: Mass of each by that of the one below it; small: the top one is thrown high.
        radius: Of each bead [m].
    """
    bodies = []
    for k in range(n):
        m = mass * ratio**k
        moment = 0.4 * m * radius**2
        bodies.append(
            Body(
                f"bead {k + 1}", joint=Prismatic("z"), mass=m, inertia=(moment, moment, moment),
                shapes=[Sphere(radius)],
            )
        )  # fmt: skip
    return System("column of beads", bodies)


def bead_column_contacts(
    system: System, restitution: float = 1.0, *, order: str = "simultaneous", radius: float = 0.02
) -> list[Contact]:
    """Return the contacts of the lowest bead with the ground z = 0, and of neighbours."""
    names = system.body_names
    ground = PointOnSurface("ground", (names[0], (0, 0, 0)), f"z - {radius!r}")
    gaps = [
        Distance(f"{below} - {above}", (below, (0, 0, 0)), (above, (0, 0, 0)), 2.0 * radius)
        for below, above in itertools.pairwise(names)
    ]
    return [Contact(gap, restitution, order=order) for gap in (ground, *gaps)]
