"""Loops and gears as the element ``<poinsot>``; see ``closures``."""

from __future__ import annotations

from poinsot.io.native.elements import keys_of
from poinsot.io.urdf.closures import DYNAMICS, EXTENSION
from poinsot.io.urdf.origin import origin_tags
from poinsot.io.urdf.unsupported import Lost
from poinsot.io.xml.write import Tag, number_text, numbers_text
from poinsot.model import AbstractJoint, Frame, Gear, Loop, Mechanism

__all__ = ["closure_tags"]


def closure_tags(mechanism: Mechanism, lost: Lost) -> list[Tag]:
    """Return the element of the loops and gears of a mechanism, or nothing if it has none.

    Args:
        mechanism: The mechanism.
        lost: Where to note what it cannot hold: other constraints, and limits of loops.
    """
    tags = [_loop(loop, lost) for loop in mechanism.loops]
    for constraint in mechanism.constraints:
        if isinstance(constraint, Gear):
            numbers = {
                "ratio": number_text(constraint.ratio),
                "offset": number_text(constraint.offset),
            }
            ends = {"first": constraint.first, "second": constraint.second}
            tags.append(Tag("gear", {"name": constraint.name, **ends, **numbers}))
        else:
            lost.add("constraint", constraint.name)
    return [Tag(EXTENSION, {}, tags)] if tags else []


def _loop(loop: Loop, lost: Lost) -> Tag:
    joint = loop.joint
    attributes = {"name": loop.name, "type": joint.kind}
    children = [_end("first", loop.first), _end("second", loop.second)]
    for key in keys_of(type(joint)):
        if key in keys_of(AbstractJoint):
            continue
        value = getattr(joint, key)
        if key in ("axis", "axis2"):
            children.append(Tag(key, {"xyz": numbers_text(value)}))
        else:
            attributes[key] = value if isinstance(value, str) else number_text(value)
    dynamics = {}
    for key in DYNAMICS:
        values = getattr(joint, key)
        if any(isinstance(value, tuple) for value in values):
            lost.add(f"{key} between coordinates", loop.name)
        elif any(values):
            dynamics[key] = numbers_text(values)
    if dynamics:
        children.append(Tag("dynamics", dynamics))
    if joint.limits is not None:
        lost.add("limits", loop.name)
    return Tag("loop", attributes, children)


def _end(name: str, frame: Frame) -> Tag:
    body, pose = frame
    origin = origin_tags(pose)
    return Tag(name, {"link": body} | (origin[0].attributes if origin else {}))
