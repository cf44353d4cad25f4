"""Force elements in files."""

from collections.abc import Callable
from typing import Any, Final

from poinsot.expr import Scalar
from poinsot.io.native.node import Node
from poinsot.model import AbstractForce, ConstantForce, FormulaForce, Spring, suggestion

__all__ = ["read_force"]

_ON_BODY: Final = ("name", "body", "force", "moment", "point", "axes")


def read_force(node: Node) -> AbstractForce:
    """Return the force element that an object describes."""
    keys = dict.fromkeys(("type", *_READ, *_ON_BODY))
    kind = node.fields(keys, ("type",))["type"]
    name = kind.text()
    if name not in _TYPES:
        what = f"must be a type of force, got {name!r}; {suggestion(name, _TYPES)}"
        raise kind.error(what)
    make, known, needed = _TYPES[name]
    fields = node.fields(("type", *known), ("type", *needed))
    read = _READ | {"force": _formulas, "moment": _formulas} if make is FormulaForce else _READ
    given = {key: read[key](value) for key, value in fields.items() if key != "type"}
    with node.named():
        force = make(**given)
        if isinstance(force, FormulaForce):
            force.check_parameters(node.parameters)
        return force


def _end(node: Node) -> tuple[str, list[Scalar]]:
    fields = node.fields(("body", "point"), ("body",))
    point: list[Scalar] = [0.0, 0.0, 0.0]
    if "point" in fields:
        point = fields["point"].vector(3)
    return fields["body"].text(), point


def _formulas(node: Node) -> list[float | str]:
    """Return three components; formulas stay text."""
    entries = node.entries()
    if len(entries) != 3:
        raise node.must_be("a list of 3 numbers or formulas")
    return [entry.formula() for entry in entries]


_READ: Final[dict[str, Callable[[Node], Any]]] = {
    "name": Node.text,
    "first": _end,
    "second": _end,
    "stiffness": Node.number,
    "damping": Node.number,
    "length": Node.number,
    "body": Node.text,
    "force": lambda node: node.vector(3),
    "moment": lambda node: node.vector(3),
    "point": lambda node: node.vector(3),
    "axes": Node.text,
}

_TYPES: Final[dict[str, tuple[Callable[..., AbstractForce], tuple[str, ...], tuple[str, ...]]]] = {
    "spring": (
        Spring,
        ("name", "first", "second", "stiffness", "damping", "length"),
        ("first", "second", "stiffness"),
    ),
    "constant": (ConstantForce, _ON_BODY, ("body",)),
    "formula": (FormulaForce, _ON_BODY, ("body",)),
}
"""By the name in files: what makes it, the keys it may have and those it must have."""
