"""Force elements of one kind for rolled sweeps: what differs from element to element are numbers.

Stiffnesses and the components of constant forces are numbers; formulas and the axes they refer to
are not.  A number that is zero stays so: elements leave terms out where one is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.model import WORLD, AbstractForce
from poinsot.model.changed import changed
from poinsot.model.checks import Vec3
from poinsot.model.fields import declarations
from poinsot.spatial import Array, Scalar

_NUMBER, _VECTOR = (Scalar, "Scalar"), (Vec3, "Vec3")
"""Types of fields that hold numbers, where a class does not declare them; as types or as text."""

_NOWHERE = (WORLD, (0.0, 0.0, 0.0))


def force_numbers(force: AbstractForce) -> list[float]:
    """Return the numbers that the wrenches of an element depend on besides its ends' motions."""
    numbers: list[float] = []
    for name, size in _numeric(type(force)):
        value = getattr(force, name)
        if size == 3:
            numbers += value
        elif value is not None and not is_zero(value):
            numbers.append(value)
    return numbers


def force_with(force: AbstractForce, numbers: Array | Sequence[Any]) -> AbstractForce:
    """Return an element of the same kind with these numbers, or symbols, unchecked."""
    rest, changes = list(numbers), {}
    for name, size in _numeric(type(force)):
        if size == 3:
            changes[name], rest = tuple(rest[:3]), rest[3:]
        elif getattr(force, name) is not None and not is_zero(getattr(force, name)):
            changes[name], rest = rest[0], rest[1:]
    return changed(force, **changes)


def blank_force(force: AbstractForce) -> AbstractForce:
    """Return what elements of one kind have in common: no names, no bodies, ones as numbers.

    It compares equal for elements that differ in numbers, ends and joints only, and is nothing to
    compute with.
    """
    nowhere = changed(force.with_ends([_NOWHERE] * len(force.ends)), name=None)
    nowhere = nowhere.with_joints([f"joint {k}" for k in range(len(force.joints))])
    return force_with(nowhere, [1.0] * len(force_numbers(force)))


@cache
def _numeric(force: type[AbstractForce]) -> tuple[tuple[str, int], ...]:
    """Return the names of the fields of a type that hold numbers, and how many they hold."""
    stated = declarations(force)
    sizes = [(name, one.numbers) for name, one in stated.items()]
    for field in fields(force):
        if field.name not in stated and field.type in (*_NUMBER, *_VECTOR):
            sizes.append((field.name, 3 if field.type in _VECTOR else 1))
    return tuple((name, size) for name, size in sizes if size)
