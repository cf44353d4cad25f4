"""How files hold the values of declared fields: for each kind of value a reader and a writer.

Here are the kinds that many elements have; ``force_values`` and its neighbours have the others. A
kind of a user's own package has a line like those below in that package; without one it is read as
its base class is.
"""

from functools import singledispatch
from typing import Any

from poinsot.expr import Scalar
from poinsot.io.native.node import Node
from poinsot.io.native.plain import plain
from poinsot.model.fields import AbstractKind, Choice, Name, Number, Truth, Vector, Whole
from poinsot.model.shapes import Color

__all__ = ["read_value", "value_tree"]


@singledispatch
def read_value(kind: AbstractKind, node: Node) -> Any:  # noqa: ANN401
    """Return what a constructor takes for a field of a kind.

    Args:
        kind: What the field holds.
        node: Its value in the file.
    """
    raise TypeError(f"files cannot hold {type(kind).__name__}; register a reader for it")


@singledispatch
def value_tree(kind: AbstractKind, value: Any, where: str) -> Any:  # noqa: ANN401
    """Return the plain values that describe what a field holds.

    Args:
        kind: What the field holds.
        value: What is stored.
        where: Opens the message of an error.
    """
    return plain(value)


@read_value.register
def _(kind: Number, node: Node) -> Scalar:
    return node.number()


@read_value.register
def _(kind: Vector, node: Node) -> list[Scalar]:
    return node.vector(3)


@read_value.register
def _(kind: Whole, node: Node) -> int:
    return node.whole()


@read_value.register(Name)
@read_value.register(Choice)
@read_value.register(Color)
def _(kind: AbstractKind, node: Node) -> str:
    return node.text()


@read_value.register
def _(kind: Truth, node: Node) -> bool:
    return node.truth()
