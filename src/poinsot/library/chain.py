"""A serial arm of any number of joints."""

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.model import WORLD, Body, Pose, Revolute

__all__ = ["chain"]

AXES = ("z", "y")
"""Joint axes in turn: a link rolls about its own length, or pitches across it."""


def chain(
    n: int, *, length: float = 0.3, offset: float = 0.05, mass: float = 2.0, radius: float = 0.05
) -> System:
    """Return a serial arm of ``n`` equal links, upright at q = 0, rolling and pitching in turn.

    Joints 1, 3, 5, ... turn about z, along the links, and joints 2, 4, 6, ... about y, across them,
    as in the common seven-joint arms.  Joint i + 1 sits at (0, offset, length) in link i, to the
    left for odd i and to the right for even i, so that no two neighbouring axes meet.  Each link is
    a solid cylinder along z, half-way between its two joints.

    Args:
        n: Number of joints, at least 1.
        length: Distance between joints along the link [m].
        offset: Distance between joints across the link [m].
        mass: Mass of each link [kg].
        radius: Radius of each link [m].

    >>> arm = chain(7)
    >>> arm.nv, arm.body_names[0], arm.body_names[-1]
    (7, 'link 1', 'link 7')
    >>> arm.pose("link 7", arm.neutral())[:3, 3].round(9)
    array([0. , 0. , 1.8])
    """
    if n < 1:
        raise ModelError(f"chain: n must be at least 1, got {n}")
    across = mass * (3.0 * radius**2 + length**2) / 12.0
    inertia = (across, across, mass * radius**2 / 2.0)
    bodies = []
    for i in range(1, n + 1):
        side = offset if i % 2 else -offset
        bodies.append(
            Body(
                f"link {i}",
                parent=WORLD if i == 1 else f"link {i - 1}",
                joint=Revolute(AXES[(i - 1) % len(AXES)]),
                pose=Pose() if i == 1 else Pose((0.0, -side, length)),
                mass=mass,
                com=(0.0, side / 2.0, length / 2.0),
                inertia=inertia,
            )
        )
    return System(f"chain of {n}", bodies)
