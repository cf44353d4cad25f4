"""Descriptions that are equal and hashable by what they hold, formulas included.

``==`` of numbers is a bool; of formulas it is another formula, without a truth value.  Two
descriptions are equal if the same formulas are in the same fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any

from poinsot.expr.same_formula import comparable, same

__all__ = ["ByStructure"]


class ByStructure:
    """Base of frozen dataclasses that may hold formulas: it gives them ``==`` and ``hash``."""

    def __init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401
        """Put both into the class itself, where ``dataclass`` would put its own."""
        super().__init_subclass__(**options)
        for name in ("__eq__", "__hash__"):
            if name not in cls.__dict__:
                setattr(cls, name, ByStructure.__dict__[name])

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        mine, others = _compared(self), _compared(other)
        try:
            return mine == others
        except TypeError:  # formulas that differ
            return same(mine, others)

    def __hash__(self) -> int:
        held = _compared(self)
        try:
            return hash(held)
        except TypeError:  # formulas are not hashable
            return hash(comparable(held))


def _compared(thing: Any) -> tuple[Any, ...]:  # noqa: ANN401 (any dataclass)
    """Return the values of the fields that count."""
    return _reader(thing.__class__)(thing)


@cache
def _reader(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    names = [field.name for field in fields(kind) if field.compare]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda thing: tuple(getattr(thing, name) for name in names)
