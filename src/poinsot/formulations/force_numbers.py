"""Force elements of one kind for rolled sweeps: elements of a kind differ only in parameters.

Stiffnesses and the components of constant forces are parameters; formulas and the axes they refer
to belong to the kind.  A parameter that is zero stays zero: elements leave out its terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from poinsot.expr.packing import AbstractLayout, KindLayout
from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.model import WORLD, AbstractForce
from poinsot.model.changed import changed
from poinsot.model.checks import Vec3
from poinsot.model.fields import declarations
from poinsot.spatial import Array, Scalar

_NUMBER, _VECTOR = (Scalar, "Scalar"), (Vec3, "Vec3")
"""Types of numeric fields that a class does not declare; as types or as text."""

_NOWHERE = (WORLD, (0.0, 0.0, 0.0))


def force_layout(force: AbstractForce) -> AbstractLayout:
    """Return the layout of the parameters of elements of one kind."""
    return KindLayout(blank_force(force), force_numbers, force_with)


def force_numbers(force: AbstractForce) -> list[float]:
    """Return the parameters that the wrenches of an element depend on."""
    numbers: list[float] = []
    for name, size in _numeric(type(force)):
        value = getattr(force, name)
        if size == 3:
            numbers += value
        elif value is not None and not is_zero(value):
            numbers.append(value)
    return numbers


def force_with(force: AbstractForce, numbers: Array | Sequence[Any]) -> AbstractForce:
    """Return an element of the same kind with these parameters, or symbols, unchecked."""
    rest, changes = list(numbers), {}
    for name, size in _numeric(type(force)):
        if size == 3:
            changes[name], rest = tuple(rest[:3]), rest[3:]
        elif getattr(force, name) is not None and not is_zero(getattr(force, name)):
            changes[name], rest = rest[0], rest[1:]
    return changed(force, **changes)


def blank_force(force: AbstractForce) -> AbstractForce:
    """Return the kind of an element: without names and bodies, all parameters 1.

    It compares equal for elements that differ in parameters, ends and joints only; it is a key, not
    to be evaluated.
    """
    nowhere = changed(force.with_ends([_NOWHERE] * len(force.ends)), name=None)
    nowhere = nowhere.with_joints([f"joint {k}" for k in range(len(force.joints))])
    return force_with(nowhere, [1.0] * len(force_numbers(force)))


@cache
def _numeric(force: type[AbstractForce]) -> tuple[tuple[str, int], ...]:
    """Return the names of the numeric fields of a type, and how many numbers each holds."""
    stated = declarations(force)
    sizes = [(name, declaration.numbers) for name, declaration in stated.items()]
    for field in fields(force):
        if field.name not in stated and field.type in (*_NUMBER, *_VECTOR):
            sizes.append((field.name, 3 if field.type in _VECTOR else 1))
    return tuple((name, size) for name, size in sizes if size)
