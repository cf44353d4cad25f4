"""Ropes, which go slack: ``ps.rope``."""

from __future__ import annotations

from typing import TypeAlias

from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.impacts.contact import Contact
from poinsot.model import FormulaConstraint

__all__ = ["rope"]

End: TypeAlias = tuple[str, ArrayLike]
"""A body, or "world", and a point in its coordinates [m]."""


def rope(
    name: str, first: End, second: End, length: float | str, restitution: float = 0.0
) -> Contact:
    """Return a rope without mass between two points, slack or taut, for ``simulate(contacts=)``.

        gap = length - |p₂ - p₁| >= 0

    Where it becomes taut it pulls the points together, by an impulse that leaves them approaching
    each other with ``restitution`` times the speed with which they went apart.

    Args:
        name: Of the contact.
        first: One end: a body, or "world", and a point in its coordinates [m].
        second: The other end, on another body.
        length: [m]; or the name of a parameter.
        restitution: Newton's coefficient e, from 0 (it stays taut) to 1 (elastic).

    >>> import poinsot as ps
    >>> bob = ps.System("bob", [ps.Body("bob", joint=ps.Translation(), mass=1.0)])
    >>> line = ps.rope("line", ("world", (0, 0, 0)), ("bob", (0, 0, 0)), 1.0, restitution=0.5)
    >>> ps.impact(bob, [0, 0, -1], [1, 0, -2], [line]).v
    array([1., 0., 1.])
    """
    if first[0] == second[0]:
        raise ModelError(f"rope {name!r}: both ends are on {first[0]!r}; put one on another body")
    if not isinstance(length, str) and not length > 0.0:
        raise ModelError(f"rope {name!r}: its length must be positive, got {length!r}")
    ends = {
        f"{axis}{k}": (*end, axis) for k, end in enumerate((first, second), 1) for axis in "xyz"
    }
    distance = " + ".join(f"({axis}2 - {axis}1)**2" for axis in "xyz")
    text = length if isinstance(length, str) else repr(float(length))
    return Contact(FormulaConstraint(name, f"{text} - sqrt({distance})", ends), restitution)
