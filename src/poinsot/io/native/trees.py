"""Joints as trees of keys."""

from typing import Any

from poinsot.expr import Scalar
from poinsot.expr.same import comparable
from poinsot.io.native.joints import INFINITE, JOINTS
from poinsot.io.native.plain import plain
from poinsot.model import AbstractJoint, Limits, nonzero

__all__ = ["joint_tree"]

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
        tree["limits"] = _limits(joint.limits)
    if joint.mimic is not None:
        tree["mimic"] = dict(vars(joint.mimic))
    if joint.backwards:
        tree["backwards"] = True
    return tree


def _limits(limits: Limits) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    if limits.lower:
        tree["position"] = [_bounds(limits.lower), _bounds(limits.upper)]
    for key in ("velocity", "effort"):
        if getattr(limits, key):
            tree[key] = _bounds(getattr(limits, key))
    return tree


def _bounds(numbers: tuple[Scalar, ...]) -> Any:  # noqa: ANN401
    names = {value: name for name, value in INFINITE.items()}
    return _shortest(tuple(names.get(comparable(number), number) for number in numbers))


def _shortest(values: Any) -> Any:  # noqa: ANN401
    """Return one number for a list of one."""
    return plain(values[0] if len(values) == 1 else values)
