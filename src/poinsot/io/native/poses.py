"""Poses in files."""

from typing import Any

from poinsot.expr.same_formula import same
from poinsot.io.native.node import Node
from poinsot.io.native.plain import plain
from poinsot.io.native.values import read_value
from poinsot.model import Pose
from poinsot.model.fields import declarations

__all__ = ["pose_tree", "read_pose"]


def read_pose(node: Node) -> Pose:
    """Return the pose that an object describes."""
    stated = declarations(Pose)
    given = {key: read_value(stated[key].kind, entry) for key, entry in node.fields(stated).items()}
    with node.named():
        return Pose(**given)


def pose_tree(pose: Pose) -> dict[str, Any]:
    """Return the object that describes a pose: its matrix, unless formulas give it."""
    tree: dict[str, Any] = {"xyz": plain(pose.xyz)}
    forms = {key: getattr(pose, key) for key in ("rpy", "quat", "axis", "angle")}
    given = {key: plain(form) for key, form in forms.items() if form is not None}
    if not given and not same(pose.matrix, Pose().matrix):
        given["matrix"] = plain(pose.matrix)
    return tree | given
