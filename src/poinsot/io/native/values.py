"""How files hold the values of declared fields: for each kind of value a reader and a writer.

Kinds without a line here are read as their base class is.
"""

from collections.abc import Callable, Mapping
from functools import singledispatch
from typing import Any, Final

from poinsot.expr import Expr, Scalar
from poinsot.io.native.node import Node
from poinsot.io.native.plain import plain
from poinsot.io.native.poses import pose_tree, read_pose
from poinsot.io.native.tables import read_table, table_tree
from poinsot.model import Pose, Table
from poinsot.model.fields import (
    AbstractKind,
    Choice,
    Instance,
    Name,
    Number,
    Truth,
    Vector,
    Whole,
)
from poinsot.model.forces.base import EndOnBody
from poinsot.model.forces.formula import ComponentFormulas
from poinsot.model.forces.joint_names import JointFormula, JointReads
from poinsot.model.forces.on_body import MovedBody
from poinsot.model.forces.stop import Bound, Exponent
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
def value_tree(kind: AbstractKind, value: Any) -> Any:  # noqa: ANN401
    """Return the plain values that describe what a field of a kind holds."""
    return plain(value)


@read_value.register(Number)
@read_value.register(Bound)
def _(kind: AbstractKind, node: Node) -> Scalar:
    return node.number()


@read_value.register
def _(kind: Exponent, node: Node) -> float:
    number = node.number()
    if isinstance(number, Expr):
        raise node.must_be("a number, no formula")
    return float(number)


@read_value.register
def _(kind: Vector, node: Node) -> list[Scalar]:
    return node.vector(3)


@read_value.register
def _(kind: Whole, node: Node) -> int:
    return node.whole()


@read_value.register(Name)
@read_value.register(Choice)
@read_value.register(Color)
@read_value.register(MovedBody)
def _(kind: AbstractKind, node: Node) -> str:
    return node.text()


@read_value.register
def _(kind: Truth, node: Node) -> bool:
    return node.truth()


@read_value.register
def _(kind: JointFormula, node: Node) -> float | str:
    return node.formula()


@read_value.register
def _(kind: ComponentFormulas, node: Node) -> list[float | str]:
    entries = node.entries()
    if len(entries) != 3:
        raise node.must_be("a list of 3 numbers or formulas")
    return [entry.formula() for entry in entries]


@read_value.register
def _(kind: Instance, node: Node) -> Any:  # noqa: ANN401
    return _INSTANCES[kind.of][0](node)


@value_tree.register
def _(kind: Instance, value: Any) -> Any:  # noqa: ANN401
    return _INSTANCES[kind.of][1](value)


@read_value.register
def _(kind: EndOnBody, node: Node) -> tuple[str, list[Scalar]]:
    fields = node.fields(("body", "point"), ("body",))
    point: list[Scalar] = fields["point"].vector(3) if "point" in fields else [0.0, 0.0, 0.0]
    return fields["body"].text(), point


@value_tree.register
def _(kind: EndOnBody, value: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"body": value[0], "point": plain(value[1])}


@read_value.register
def _(kind: JointReads, node: Node) -> dict[str, tuple[str, str, int]]:
    if not isinstance(node.value, Mapping):
        raise node.must_be("an object that says what names stand for")
    found = {}
    for key, one in node.fields(tuple(node.value)).items():
        fields = one.fields(("joint", "of", "index"), ("joint",))
        of = fields["of"].text() if "of" in fields else "q"
        index = fields["index"].whole() if "index" in fields else 0
        found[key] = fields["joint"].text(), of, index
    return found


@value_tree.register
def _(kind: JointReads, value: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        name: {"joint": joint}
        | ({} if of == "q" else {"of": of})
        | ({"index": index} if index else {})
        for name, (joint, of, index) in value
    }


_INSTANCES: Final[Mapping[type, tuple[Callable[[Node], Any], Callable[[Any], Any]]]] = {
    Pose: (read_pose, pose_tree),
    Table: (read_table, table_tree),
}
"""By class: how files hold its objects."""
