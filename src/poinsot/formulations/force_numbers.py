"""Force elements of one kind for rolled sweeps: what differs from element to element are numbers.

Stiffnesses and the components of constant forces are numbers; formulas and the axes they refer to
are not.  A number that is zero stays so: elements leave terms out where one is.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from poinsot.model import WORLD, AbstractForce
from poinsot.model.checks import Vec3
from poinsot.model.forces import End
from poinsot.spatial import Array

_NUMBER, _VECTOR, _END = (float, "float"), (Vec3, "Vec3"), (End, "End")
"""Types of fields, as types or as text."""


def force_numbers(force: AbstractForce) -> list[float]:
    """Return the numbers that the wrenches of an element depend on besides its ends' motions."""
    numbers: list[float] = []
    for name, kind in _fields(type(force)):
        value = getattr(force, name)
        if kind in _VECTOR:
            numbers += value
        elif kind in _NUMBER and value != 0.0:
            numbers.append(value)
    return numbers


def force_with(force: AbstractForce, numbers: Array | Sequence[Any]) -> AbstractForce:
    """Return an element of the same kind with these numbers, or symbols, unchecked."""
    rest, changes = list(numbers), {}
    for name, kind in _fields(type(force)):
        if kind in _VECTOR:
            changes[name], rest = tuple(rest[:3]), rest[3:]
        elif kind in _NUMBER and getattr(force, name) != 0.0:
            changes[name], rest = rest[0], rest[1:]
    return _changed(force, changes)


def blank_force(force: AbstractForce) -> AbstractForce:
    """Return what elements of one kind have in common: no name, no bodies, ones as numbers.

    It compares equal for elements that differ in numbers and ends only, and is nothing to compute
    with.
    """
    changes: dict[str, Any] = {"name": None}
    for name, kind in _fields(type(force)):
        if name == "body":
            changes[name] = WORLD
        elif kind in _END:
            changes[name] = (WORLD, (0.0, 0.0, 0.0))
    return force_with(_changed(force, changes), [1.0] * len(force_numbers(force)))


@cache
def _fields(force: type[AbstractForce]) -> tuple[tuple[str, Any], ...]:
    """Return the names and types of an element's own fields."""
    return tuple((field.name, field.type) for field in fields(force) if field.name != "name")


def _changed(force: AbstractForce, changes: dict[str, Any]) -> AbstractForce:
    changed = copy.copy(force)
    for name, value in changes.items():
        object.__setattr__(changed, name, value)
    return changed
