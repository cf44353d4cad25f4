"""How files hold what only force elements have: ends, and names in formulas."""

from collections.abc import Mapping
from typing import Any

from poinsot.expr import Scalar
from poinsot.io.native.node import Node
from poinsot.io.native.plain import plain
from poinsot.io.native.values import read_value, value_tree
from poinsot.model.forces.base import End, EndOnBody
from poinsot.model.forces.joint_formula_names import JointReads, Where


@read_value.register
def _(kind: EndOnBody, node: Node) -> tuple[str, list[Scalar]]:
    fields = node.fields(("body", "point"), ("body",))
    point: list[Scalar] = fields["point"].vector(3) if "point" in fields else [0.0, 0.0, 0.0]
    return fields["body"].text(), point


@value_tree.register
def _(kind: EndOnBody, value: End, where: str) -> dict[str, Any]:
    return {"body": value[0], "point": plain(value[1])}


@read_value.register
def _(kind: JointReads, node: Node) -> dict[str, tuple[str, str, int]]:
    if not isinstance(node.value, Mapping):
        raise node.must_be("an object that says what names stand for")
    meanings = {}
    for key, meaning in node.fields(tuple(node.value)).items():
        fields = meaning.fields(("joint", "of", "index"), ("joint",))
        quantity = fields["of"].text() if "of" in fields else "q"
        index = fields["index"].whole() if "index" in fields else 0
        meanings[key] = fields["joint"].text(), quantity, index
    return meanings


@value_tree.register
def _(kind: JointReads, value: Where, where: str) -> dict[str, Any]:
    tree: dict[str, dict[str, Any]] = {}
    for name, (joint, quantity, index) in value:
        given = {"joint": joint, "of": quantity, "index": index}
        tree[name] = {key: x for key, x in given.items() if x not in ("q", 0) or key == "joint"}
    return tree
