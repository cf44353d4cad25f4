"""How files hold what only bodies and joints have: inertia, axes, coefficients, ranges."""

import math
from typing import Any, Final

from poinsot.expr import Scalar
from poinsot.expr.same import comparable
from poinsot.io.native.node import Node, Numbers
from poinsot.io.native.plain import plain
from poinsot.io.native.values import read_value, value_tree
from poinsot.model.axis import Axis
from poinsot.model.fields import AbstractKind
from poinsot.model.inertia import InertiaNumbers
from poinsot.model.joints.euler import Sequence
from poinsot.model.joints.limits import Positions, Sizes
from poinsot.model.joints.passive import Damping, Friction, Rest

INFINITE: Final = {"inf": math.inf, "-inf": -math.inf}
"""How files write an end of a range that is not limited: JSON has no number for it."""


@read_value.register
def _(kind: Axis, node: Node) -> str | list[Scalar]:
    return node.axis()


@read_value.register
def _(kind: Sequence, node: Node) -> str:
    return node.text()


@read_value.register(Damping)
@read_value.register(InertiaNumbers)
def _(kind: AbstractKind, node: Node) -> Numbers:
    return node.numbers()


@read_value.register(Rest)
@read_value.register(Friction)
def _(kind: AbstractKind, node: Node) -> Numbers:
    return node.some()


@value_tree.register(Damping)
@value_tree.register(Rest)
@value_tree.register(Friction)
def _(kind: AbstractKind, value: tuple[Any, ...], where: str) -> Any:  # noqa: ANN401
    return _shortest(value)


@read_value.register
def _(kind: Positions, node: Node) -> list[Scalar | list[Scalar]]:
    ends = node.entries()
    if len(ends) != 2:
        raise node.must_be("a list of the smallest and the largest")
    return [_bounds(end) for end in ends]


@value_tree.register
def _(kind: Positions, value: tuple[tuple[Scalar, ...], ...], where: str) -> list[Any]:
    return [_bounds_tree(end) for end in value]


@read_value.register
def _(kind: Sizes, node: Node) -> Scalar | list[Scalar]:
    return _bounds(node)


@value_tree.register
def _(kind: Sizes, value: tuple[Scalar, ...], where: str) -> Any:  # noqa: ANN401
    return _bounds_tree(value)


def _bounds(node: Node) -> Scalar | list[Scalar]:
    """Return a number or a list of them; ``"inf"`` and ``"-inf"`` are no limits."""
    if isinstance(node.value, list | tuple):
        return [_bound(entry) for entry in node.entries()]
    return _bound(node)


def _bound(node: Node) -> Scalar:
    return INFINITE[node.value] if node.value in ("inf", "-inf") else node.number()


def _bounds_tree(numbers: tuple[Scalar, ...]) -> Any:  # noqa: ANN401
    names = {value: name for name, value in INFINITE.items()}
    return _shortest(tuple(names.get(comparable(number), number) for number in numbers))


def _shortest(values: Any) -> Any:  # noqa: ANN401
    """Return one number for a list of one."""
    return plain(values[0] if len(values) == 1 else values)
