"""How files hold the values of declared fields: for each kind of value a reader and a writer.

Most kinds say with a word what they are in files.  Those that are objects of several keys have
functions of their own: here for many elements, in ``force_values`` and its neighbours for one
family, and for kinds of users in their packages, by ``read_value.register``.
"""

from collections.abc import Callable, Mapping
from functools import singledispatch
from typing import Any, Final

from poinsot.io.native.node import Node
from poinsot.io.native.plain import plain
from poinsot.model.fields import AbstractKind

__all__ = ["FORMS", "read_value", "value_tree"]


@singledispatch
def read_value(kind: AbstractKind, node: Node) -> Any:  # noqa: ANN401
    """Return what a constructor takes for a field of a kind.

    Args:
        kind: What the field holds.
        node: Its value in the file.
    """
    return FORMS[kind.file_form](node)


@singledispatch
def value_tree(kind: AbstractKind, value: Any, where: str) -> Any:  # noqa: ANN401
    """Return the plain values that describe what a field holds.

    Args:
        kind: What the field holds.
        value: What is stored.
        where: Opens the message of an error.
    """
    if kind.file_form in ("numbers", "some") and len(value) == 1:
        return value[0]
    return plain(value)


def _formulas(node: Node) -> list[float | str]:
    entries = node.entries()
    if len(entries) != 3:
        raise node.must_be("a list of 3 numbers or formulas")
    return [entry.formula() for entry in entries]


FORMS: Final[Mapping[str, Callable[[Node], Any]]] = {
    "number": Node.number,
    "some": Node.some,
    "numbers": Node.numbers,
    "pair": lambda node: node.vector(2),
    "vector": lambda node: node.vector(3),
    "quaternion": lambda node: node.vector(4),
    "axis": Node.axis,
    "whole": Node.whole,
    "truth": Node.truth,
    "text": Node.text,
    "formula": Node.formula,
    "formulas": _formulas,
}
"""What plain values are in files: one number or several, text, a formula, three of them, ..."""
