"""A description with some of its fields replaced."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

__all__ = ["changed"]

T = TypeVar("T")


def changed(thing: T, **values: Any) -> T:  # noqa: ANN401 (as its fields)
    """Return a copy of a body, joint or force with other values of some fields.

    Nothing is checked, and no warning given, a second time: the values must be such as the
    constructor would store.

    Args:
        thing: An immutable description.
        **values: The new values, by the names of fields.

    Examples:
        >>> from poinsot.model import Body
        >>> changed(Body("hand", mass=1.0), name="left hand").mass
        1.0
    """
    assert is_dataclass(thing)
    names = [field.name for field in fields(thing)]
    assert set(values) <= set(names), f"{type(thing).__name__} has no {set(values) - set(names)}"
    other: T = object.__new__(type(thing))
    for name in names:
        object.__setattr__(other, name, values.get(name, getattr(thing, name)))
    return other
