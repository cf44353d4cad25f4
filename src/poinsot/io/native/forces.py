"""Force elements in files."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from poinsot.expr import Expr, Scalar
from poinsot.io.native.node import Node
from poinsot.model import (
    AbstractForce,
    ConstantForce,
    FormulaForce,
    JointForce,
    JointFriction,
    JointSpring,
    JointStop,
    Motor,
    Spring,
    Table,
    TabulatedSpring,
    suggestion,
)

__all__ = ["read_force"]

_ON_BODY: Final = ("name", "body", "force", "moment", "point", "axes")
_IN_JOINT: Final = ("name", "joint", "index")


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
    read = _READ | _FORMULAS.get(name, {})
    given = {key: read[key](value) for key, value in fields.items() if key != "type"}
    with node.named():
        force = make(**given)
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


def _table(node: Node) -> Table:
    fields = node.fields(("x", "y", "kind"), ("x", "y"))
    x, y = _plain(fields["x"]), _plain(fields["y"])
    with node.named():
        return Table(x, y, fields["kind"].text()) if "kind" in fields else Table(x, y)


def _plain(node: Node) -> list[float]:
    """Return a list of numbers that are no formulas of parameters."""
    return [_number(entry) for entry in node.entries()]


def _number(node: Node) -> float:
    number = node.number()
    if isinstance(number, Expr):
        raise node.must_be("a number, no formula; scale the table with the key scale")
    return float(number)


def _where(node: Node) -> dict[str, tuple[str, str, int]]:
    if not isinstance(node.value, Mapping):
        raise node.must_be("an object that says what names stand for")
    found = {}
    for key, one in node.fields(tuple(node.value)).items():
        fields = one.fields(("joint", "of", "index"), ("joint",))
        of = fields["of"].text() if "of" in fields else "q"
        index = _whole(fields["index"]) if "index" in fields else 0
        found[key] = fields["joint"].text(), of, index
    return found


def _whole(node: Node) -> int:
    if isinstance(node.value, bool) or not isinstance(node.value, int):
        raise node.must_be("a whole number")
    return node.value


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
    **dict.fromkeys(("joint",), Node.text),
    **dict.fromkeys(("kinetic", "static", "stribeck", "viscous", "smoothing"), Node.number),
    **dict.fromkeys(("lower", "upper", "dissipation", "scale"), Node.number),
    **dict.fromkeys(("ratio", "inertia", "constant", "resistance"), Node.number),
    **dict.fromkeys(("formula", "potential", "torque", "voltage"), Node.formula),
    **dict.fromkeys(("spring", "damper"), _table),
    "exponent": _number,
    "index": _whole,
    "where": _where,
}

_FORMULAS: Final = {"formula": {"force": _formulas, "moment": _formulas}}
"""By type: keys that are read otherwise."""

_TYPES: Final[dict[str, tuple[Callable[..., AbstractForce], tuple[str, ...], tuple[str, ...]]]] = {
    "spring": (
        Spring,
        ("name", "first", "second", "stiffness", "damping", "length"),
        ("first", "second", "stiffness"),
    ),
    "tabulated_spring": (
        TabulatedSpring,
        ("name", "first", "second", "spring", "damper", "scale"),
        ("first", "second"),
    ),
    "joint_force": (JointForce, (*_IN_JOINT, "formula", "potential", "where"), ("joint",)),
    "joint_friction": (
        JointFriction,
        (*_IN_JOINT, "kinetic", "static", "stribeck", "viscous", "smoothing"),
        ("joint", "kinetic"),
    ),
    "joint_stop": (
        JointStop,
        (*_IN_JOINT, "lower", "upper", "stiffness", "dissipation", "exponent"),
        ("joint", "stiffness"),
    ),
    "joint_spring": (JointSpring, (*_IN_JOINT, "spring", "damper", "scale"), ("joint",)),
    "motor": (
        Motor,
        (
            *(*_IN_JOINT, "ratio", "inertia", "torque", "voltage", "constant", "resistance"),
            *("viscous", "where"),
        ),
        ("joint",),
    ),
    "constant": (ConstantForce, _ON_BODY, ("body",)),
    "formula": (FormulaForce, _ON_BODY, ("body",)),
}
"""By the name in files: what makes it, the keys it may have and those it must have."""
