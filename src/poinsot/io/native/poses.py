"""Poses in files."""

from collections.abc import Callable
from typing import Any, Final

from poinsot.expr.same import same
from poinsot.io.native.node import Node
from poinsot.io.native.plain import plain
from poinsot.model import Pose

__all__ = ["pose_tree", "read_pose"]


def read_pose(node: Node) -> Pose:
    """Return the pose that an object describes."""
    fields = node.fields(tuple(_READ))
    given: dict[str, Any] = {key: _READ[key](value) for key, value in fields.items()}
    with node.named():
        return Pose(**given)


def pose_tree(pose: Pose) -> dict[str, Any]:
    """Return the object that describes a pose."""
    tree: dict[str, Any] = {"xyz": plain(pose.xyz)}
    if pose.form:
        return tree | dict(zip(pose.form[::2], plain(pose.form[1::2]), strict=True))
    if not same(pose.matrix, Pose().matrix):
        tree["matrix"] = plain(pose.matrix)
    return tree


_READ: Final[dict[str, Callable[[Node], Any]]] = {
    "xyz": lambda node: node.vector(3),
    "rpy": lambda node: node.vector(3),
    "quat": lambda node: node.vector(4),
    "axis": Node.axis,
    "angle": Node.number,
    "matrix": Node.numbers,
}
