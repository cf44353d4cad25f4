"""Joints and poses in files."""

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from poinsot.expr import Scalar
from poinsot.expr.same import comparable
from poinsot.io.native.node import Node
from poinsot.io.native.plain import plain
from poinsot.model import (
    AbstractJoint,
    Cylindrical,
    Euler,
    Fixed,
    Free,
    Helical,
    Limits,
    Mimic,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Translation,
    Universal,
    nonzero,
    suggestion,
)

__all__ = ["INFINITE", "JOINTS", "OPTIONS", "joint_tree", "read_joint"]


class JointType(NamedTuple):
    """What a joint is made by, the keys of its own, and those of them that it needs."""

    make: Callable[..., AbstractJoint]
    own: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()


JOINTS: Final[dict[str, JointType]] = {
    "fixed": JointType(Fixed),
    "revolute": JointType(Revolute, ("axis",)),
    "prismatic": JointType(Prismatic, ("axis",)),
    "helical": JointType(Helical, ("axis", "pitch"), ("axis", "pitch")),
    "cylindrical": JointType(Cylindrical, ("axis",)),
    "universal": JointType(Universal, ("axis", "axis2")),
    "planar": JointType(Planar, ("axis", "axis2")),
    "translation": JointType(Translation),
    "spherical": JointType(Spherical),
    "euler": JointType(Euler, ("sequence",), ("sequence",)),
    "free": JointType(Free),
}

OPTIONS: Final = (
    "name", "damping", "stiffness", "rest", "armature", "friction", "limits", "mimic",
    "backwards",
)  # fmt: skip
"""The keys that all joints have besides ``type``."""

INFINITE: Final = {"inf": math.inf, "-inf": -math.inf}
"""How files write an end of a range that is not limited: JSON has no number for it."""


def read_joint(node: Node) -> AbstractJoint:
    """Return the joint that an object describes."""
    every = {key for joint_type in JOINTS.values() for key in joint_type.own}
    fields = node.fields(("type", *OPTIONS, *sorted(every)), ("type",))
    kind = fields["type"].text()
    if kind not in JOINTS:
        what = f"must be a type of joint, got {kind!r}; {suggestion(kind, JOINTS)}"
        raise fields["type"].error(what)
    make, own, needed = JOINTS[kind]
    fields = node.fields(("type", *own, *OPTIONS), ("type", *needed))
    given = {key: _READ[key](value) for key, value in fields.items() if key != "type"}
    with node.named():
        return make(**given)


def _limits(node: Node) -> Limits:
    fields = node.fields(("position", "velocity", "effort"))
    given: dict[str, Any] = {
        key: _bounds(value) for key, value in fields.items() if key != "position"
    }
    if "position" in fields:
        ends = fields["position"].entries()
        if len(ends) != 2:
            raise fields["position"].must_be("a list of the smallest and the largest")
        given["position"] = [_bounds(end) for end in ends]
    with node.named():
        return Limits(**given)


def _bounds(node: Node) -> Scalar | list[Scalar]:
    """Return a number or a list of them; ``"inf"`` and ``"-inf"`` are no limits."""
    if isinstance(node.value, list | tuple):
        return [_bound(entry) for entry in node.entries()]
    return _bound(node)


def _bound(node: Node) -> Scalar:
    return INFINITE[node.value] if node.value in ("inf", "-inf") else node.number()


def _mimic(node: Node) -> Mimic:
    fields = node.fields(("joint", "multiplier", "offset"), ("joint",))
    numbers = {key: fields[key].number() for key in ("multiplier", "offset") if key in fields}
    with node.named():
        return Mimic(fields["joint"].text(), **numbers)


_COEFFICIENTS = ("damping", "stiffness", "rest", "armature", "friction")


def joint_tree(joint: AbstractJoint) -> dict[str, Any]:
    """Return the object that describes a joint; what is as by default is left out."""
    tree: dict[str, Any] = {"type": joint.kind}
    if joint.name is not None:
        tree["name"] = joint.name
    for key in JOINTS[joint.kind].own:
        tree[key] = plain(getattr(joint, key))
    for key in _COEFFICIENTS:
        if nonzero(getattr(joint, key)):
            tree[key] = _shortest(getattr(joint, key))
    if joint.limits is not None:
        tree["limits"] = _limits_tree(joint.limits)
    if joint.mimic is not None:
        tree["mimic"] = dict(vars(joint.mimic))
    if joint.backwards:
        tree["backwards"] = True
    return tree


def _limits_tree(limits: Limits) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    if limits.lower:
        tree["position"] = [_bounds_tree(limits.lower), _bounds_tree(limits.upper)]
    for key in ("velocity", "effort"):
        if getattr(limits, key):
            tree[key] = _bounds_tree(getattr(limits, key))
    return tree


def _bounds_tree(numbers: tuple[Scalar, ...]) -> Any:  # noqa: ANN401
    names = {value: name for name, value in INFINITE.items()}
    return _shortest(tuple(names.get(comparable(number), number) for number in numbers))


def _shortest(values: Any) -> Any:  # noqa: ANN401
    """Return one number for a list of one."""
    return plain(values[0] if len(values) == 1 else values)


_READ: Final[dict[str, Callable[[Node], Any]]] = {
    "axis": Node.axis,
    "axis2": Node.axis,
    "pitch": Node.number,
    "sequence": Node.text,
    "name": Node.text,
    "damping": Node.numbers,
    "stiffness": Node.numbers,
    "rest": Node.some,
    "armature": Node.numbers,
    "friction": Node.some,
    "limits": _limits,
    "mimic": _mimic,
    "backwards": Node.truth,
}
