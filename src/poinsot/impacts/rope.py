"""Ropes, which go slack: ``ps.rope``."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.impacts.contact import Contact
from poinsot.impacts.law_names import ORDERS, UNILATERAL
from poinsot.model import AbstractConstraint, FormulaConstraint
from poinsot.spatial import Scalar

__all__ = ["rope", "rope_ends"]

End: TypeAlias = tuple[str, ArrayLike]
"""A body, or "world", and a point in its coordinates [m]."""

Place: TypeAlias = tuple[str, tuple[float, ...]]
"""The same, checked."""

LESS_DISTANCE: Final = " - sqrt((x2 - x1)**2 + (y2 - y1)**2 + (z2 - z1)**2)"
"""What is taken off the length of a rope."""


def rope(
    name: str, first: End, second: End, length: float | str, restitution: Scalar = 0.0, *,
    law: str = UNILATERAL, order: str = ORDERS[0],
) -> Contact:  # fmt: skip
    """Return a rope without mass between two points, slack or taut, for ``simulate(contacts=)``.

        gap = length - |p₂ - p₁| >= 0

    Where it becomes taut it pulls the points together, by an impulse that leaves them approaching
    each other with ``restitution`` times the speed with which they went apart.

    Args:
        name: Of the contact.
        first: One end: a body, or "world", and a point in its coordinates [m].
        second: The other end, on another body.
        length: [m]; or the name of a parameter.
        restitution: Coefficient e, from 0 (it stays taut) to 1 (elastic).
        law: What restitution means, as in ``Contact``: that of contacts it acts together with.
        order: How it acts with contacts that close at the same instant, as in ``Contact``.

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
    text = length if isinstance(length, str) else repr(float(length))
    gap = FormulaConstraint(name, f"{text}{LESS_DISTANCE}", ends)
    return Contact(gap, restitution, law=law, order=order)


def rope_ends(gap: AbstractConstraint) -> tuple[Place, Place] | None:
    """Return bodies and points between which a gap is that of a rope; None: it is no rope's.

    >>> rope_ends(rope("line", ("world", (0, 0, 1)), ("bob", (0, 0, 0)), 1.0).constraint)
    (('world', (0.0, 0.0, 1.0)), ('bob', (0.0, 0.0, 0.0)))
    """
    if not isinstance(gap, FormulaConstraint) or len(gap.formula) != 1:
        return None
    if not str(gap.formula[0]).endswith(LESS_DISTANCE):
        return None
    meanings: dict[str, Any] = dict(gap.where)
    first, second = ((meanings[f"x{k}"][0], tuple(meanings[f"x{k}"][1])) for k in (1, 2))
    whole = all(
        meanings[f"{axis}{k}"] == (*end, axis)
        for k, end in enumerate((first, second), 1) for axis in "xyz"
    )  # fmt: skip
    return (first, second) if whole else None
