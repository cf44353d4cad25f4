"""Links and pins of planar linkages, about z.  Points are complex numbers x + i y."""

import numpy as np

from poinsot.errors import ModelError
from poinsot.library.welded import welded
from poinsot.model import Body, Loop, Pose, Revolute

__all__ = ["direction", "in_space", "link", "meeting", "pin", "turns"]


def in_space(point: complex) -> tuple[float, float, float]:
    """Return a point of the plane in space [m]."""
    return point.real, point.imag, 0.0


def link(name: str, parent: str, origin: complex, *corners: complex, density: float) -> Body:
    """Return a link that turns about z: a rod to one corner, or a polygon of rods.

    Args:
        name: Name of the body.
        parent: Name of the body that carries it.
        origin: Where on the parent it is pinned [m]: the origin of its own frame.
        corners: Its other corners in its own frame [m].
        density: Mass per length of the rods [kg/m].
    """
    ring = (0j, *corners)
    sides = list(zip(ring, (*ring[1:], 0j), strict=True))
    rods = [(in_space(p), in_space(q)) for p, q in (sides if len(corners) > 1 else sides[:1])]
    return welded(name, parent, Revolute("z"), Pose(in_space(origin)), rods=rods, density=density)


def pin(name: str, first: tuple[str, complex], second: tuple[str, complex]) -> Loop:
    """Return the pin that closes a loop between points of two bodies.

    Args:
        name: Name of the loop.
        first: A body and a point in its frame [m].
        second: The same of the other body.
    """
    ends = [(body, Pose(in_space(point))) for body, point in (first, second)]
    return Loop(name, ends[0], ends[1], Revolute("z"))


def meeting(A: complex, a: float, B: complex, b: float, side: int, where: str) -> complex:
    """Return the intersection of two circles: the point a from A and b from B.

    Args:
        A: A point [m].
        a: Distance from it [m].
        B: Another point [m].
        b: Distance from it [m].
        side: 1, to the left of the way from A to B, or -1, to the right.
        where: What the message of an error begins with.

    Raises:
        ModelError: If there is no such point.

    >>> meeting(0j, 5.0, 8 + 0j, 5.0, 1, "triangle")
    (4+3j)
    """
    if side not in (1, -1):
        raise ModelError(f"{where}: a branch must be 1 or -1, got {side!r}")
    d = abs(B - A)
    along = (d * d + a * a - b * b) / (2.0 * d) if d > 0.0 else np.inf
    if not abs(along) <= a:
        raise ModelError(
            f"{where}: lengths {a:g} and {b:g} m do not meet over a distance of {d:g} m, so it "
            "cannot be assembled; choose another position or other lengths"
        )
    height = float(np.sqrt((a - along) * (a + along)))
    return A + (B - A) / d * complex(along, side * height)


def direction(A: complex, B: complex) -> float:
    """Return the direction from A to B, as an angle from x [rad]."""
    return float(np.angle(B - A))


def turns(angle: float, parent: float) -> float:
    """Return the angle of a link relative to its parent, both given from x, within ±π [rad]."""
    return float(np.angle(np.exp(1j * (angle - parent))))
