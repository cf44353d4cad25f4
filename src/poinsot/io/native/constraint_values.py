"""How files hold what only constraints have: frames, formulas, what names stand for, curves."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.expr import fresh_symbols
from poinsot.expr.replay import replay
from poinsot.io.native.function_text import function_texts
from poinsot.io.native.node import Node
from poinsot.io.native.plain import plain
from poinsot.io.native.poses import pose_tree, read_pose
from poinsot.io.native.values import read_value, value_tree
from poinsot.model import Frame, Pose
from poinsot.model.constraints.base import FrameOnBody, PointOnBody
from poinsot.model.constraints.curve import Place
from poinsot.model.constraints.holonomic import Formulas, Meanings
from poinsot.model.constraints.prescribed import MotionLaw
from poinsot.model.constraints.prescribed_speed import Speed
from poinsot.model.constraints.smooth_function import TracedFunction, laid_out
from poinsot.model.constraints.surface import SURFACE_NAMES, Surface

Formula = float | str


@read_value.register
def _(kind: FrameOnBody, node: Node) -> Frame:
    fields = node.fields(("body", "pose"), ("body",))
    return fields["body"].text(), read_pose(fields["pose"]) if "pose" in fields else Pose()


@value_tree.register
def _(kind: FrameOnBody, value: Frame, where: str) -> dict[str, Any]:
    body, pose = value
    return {"body": body} if pose == Pose() else {"body": body, "pose": pose_tree(pose)}


@read_value.register
def _(kind: PointOnBody, node: Node) -> Frame:
    fields = node.fields(("body", "point", "pose"), ("body",))
    if "point" in fields and "pose" in fields:
        raise node.error("has 'point' and 'pose'; give one of them")
    if "point" not in fields:
        frame: Frame = read_value(FrameOnBody(), node)
        return frame
    xyz: Any = fields["point"].vector(3)
    with node.named():
        return fields["body"].text(), Pose(xyz)


@value_tree.register
def _(kind: PointOnBody, value: Frame, where: str) -> dict[str, Any]:
    body, pose = value
    if pose == Pose(pose.xyz):
        return {"body": body, "point": plain(pose.xyz)}
    tree: dict[str, Any] = value_tree(FrameOnBody(), value, where)
    return tree


@value_tree.register
def _(kind: MotionLaw, value: Formula | TracedFunction, where: str) -> Formula:
    """Return the motion; of a function it is minus what g = q - motion(t) is at q = 0."""
    if not isinstance(value, TracedFunction):
        return value
    t = fresh_symbols("t", 1)
    (g,) = replay(value.program, np.zeros(1), t, np.array(value.terms))
    function = laid_out({"t": t}, {"motion": -g})
    return function_texts(function.program, (("t",),), function.terms, where)[0]


@value_tree.register
def _(kind: Speed, value: Formula | TracedFunction, where: str) -> Formula:
    """Return the speed; of a function it is minus what r = u - speed(t) is at rest."""
    if not isinstance(value, TracedFunction):
        return value
    sizes, t = [slot.size for slot in value.program.inputs], fresh_symbols("t", 1)
    still = np.zeros(sizes[0]), t, np.zeros(sizes[2])
    _, r = replay(value.program, *still, np.array(value.terms))
    function = laid_out({"t": t}, {"speed": -r})
    return function_texts(function.program, (("t",),), function.terms, where)[0]


@value_tree.register
def _(kind: Surface, value: Formula | TracedFunction, where: str) -> Formula:
    if not isinstance(value, TracedFunction):
        return value
    return function_texts(value.program, (SURFACE_NAMES, ("t",)), value.terms, where)[0]


@value_tree.register
def _(kind: Place, value: tuple[Formula, ...] | TracedFunction, where: str) -> list[Formula]:
    if not isinstance(value, TracedFunction):
        return list(value)
    return function_texts(value.program, (("s",),), value.terms, where.removesuffix(": place"))


@read_value.register
def _(kind: Formulas, node: Node) -> Formula | list[Formula]:
    if isinstance(node.value, list | tuple):
        return [entry.formula() for entry in node.entries()]
    return node.formula()


@value_tree.register
def _(kind: Formulas, value: tuple[Formula, ...], where: str) -> Formula | list[Formula]:
    return value[0] if len(value) == 1 else list(value)


@read_value.register
def _(kind: Meanings, node: Node) -> dict[str, Any]:
    if not isinstance(node.value, Mapping):
        raise node.must_be("an object with the names in the formula")
    return {str(key): _meaning(value) for key, value in node.fields(tuple(node.value)).items()}


@value_tree.register
def _(kind: Meanings, value: tuple[tuple[str, tuple[Any, ...]], ...], where: str) -> dict[str, Any]:
    return {key: _meaning_tree(what) for key, what in value}


def _meaning(node: Node) -> Any:  # noqa: ANN401 (a joint, or a body, a point and an axis)
    fields = node.fields(("point", "axis", "joint"))
    if "joint" in fields:
        return node.fields(("joint",))["joint"].text()
    fields = node.fields(("point", "axis"), ("point", "axis"))
    pair = fields["point"].entries()
    if len(pair) != 2:
        raise fields["point"].must_be("a body and a point in it, e.g. ['arm', [0, 0, 1]]")
    return pair[0].text(), pair[1].vector(3), fields["axis"].text()


def _meaning_tree(what: tuple[Any, ...]) -> dict[str, Any]:
    if len(what) == 1:
        return {"joint": what[0]}
    body, xyz, axis = what
    return {"point": [body, plain(xyz)], "axis": axis}
