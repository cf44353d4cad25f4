"""How files hold the ranges of joints."""

import math
from typing import Any, Final

from poinsot.expr import Scalar
from poinsot.expr.same_formula import comparable
from poinsot.io.native.node import Node
from poinsot.io.native.values import read_value, value_tree
from poinsot.model.joints.limits import Positions, Sizes

INFINITE: Final = {"inf": math.inf, "-inf": -math.inf}
"""How files write an end of a range that is not limited: JSON has no number for it."""


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
    written = [names.get(comparable(number), number) for number in numbers]
    return written[0] if len(written) == 1 else written
