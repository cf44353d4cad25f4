"""From the mechanism to the tree of a file: defaults are left out, numbers are kept exactly.

Formulas are written as the file had them that they come from, if any, and read again give the same
expressions.
"""

from collections.abc import Mapping
from typing import Any

from poinsot.errors import ModelError
from poinsot.expr import Expr, Scalar, formula_text
from poinsot.io.native.joints import INFINITE, JOINTS
from poinsot.io.native.read import FORMAT
from poinsot.io.native.shapes import shape_tree
from poinsot.model import (
    AbstractForce,
    AbstractJoint,
    Body,
    ConstantForce,
    Fixed,
    FormulaForce,
    Limits,
    Mechanism,
    Pose,
    Spring,
    nonzero,
)

__all__ = ["native_from_mechanism"]

_COEFFICIENTS = ("damping", "stiffness", "rest", "armature", "friction")


def native_from_mechanism(mechanism: Mechanism) -> dict[str, Any]:
    """Return the tree of keys that describes a mechanism.

    >>> from poinsot.model import Revolute
    >>> arm = Mechanism("arm", [Body("hand", joint=Revolute("z"), mass=2)])
    >>> native_from_mechanism(arm)["bodies"][0]["joint"]
    {'type': 'revolute', 'axis': [0.0, 0.0, 1.0]}
    """
    for one in mechanism.closures:
        raise ModelError(f"{one.where}: loops and constraints cannot be written yet")
    tree: dict[str, Any] = {
        "format": FORMAT,
        "name": mechanism.name,
        "gravity": _plain(mechanism.gravity),
        **_parameters(mechanism),
        "bodies": [_body(body) for body in mechanism.bodies],
    }
    if mechanism.forces:
        tree["forces"] = [_force(force) for force in mechanism.forces]
    written: dict[str, Any] = _with_texts(tree, dict(mechanism.texts))
    return written


def _with_texts(value: Any, texts: Mapping[Expr, str]) -> Any:  # noqa: ANN401 (a node of the tree)
    """Return a tree with texts in place of formulas."""
    if isinstance(value, dict):
        return {key: _with_texts(one, texts) for key, one in value.items()}
    if isinstance(value, list):
        return [_with_texts(one, texts) for one in value]
    if isinstance(value, Expr):
        return texts.get(value) or formula_text(value)
    return value


def _body(body: Body) -> dict[str, Any]:
    tree: dict[str, Any] = {"name": body.name, "parent": body.parent}
    if body.pose != Pose():
        tree["pose"] = pose_tree(body.pose)
    if body.joint != Fixed():
        tree["joint"] = _joint(body.joint)
    tree["mass"] = _plain(body.mass)
    for key in ("com", "inertia"):
        if nonzero(getattr(body, key)):
            tree[key] = _plain(getattr(body, key))
    if body.shapes:
        tree["shapes"] = [shape_tree(shape, pose_tree(shape.pose)) for shape in body.shapes]
    return tree


def pose_tree(pose: Pose) -> dict[str, Any]:
    tree: dict[str, Any] = {"xyz": _plain(pose.xyz)}
    if pose.form:
        return tree | dict(zip(pose.form[::2], _plain(pose.form[1::2]), strict=True))
    if pose.matrix != Pose().matrix:
        tree["matrix"] = _plain(pose.matrix)
    return tree


def _joint(joint: AbstractJoint) -> dict[str, Any]:
    tree: dict[str, Any] = {"type": joint.kind}
    if joint.name is not None:
        tree["name"] = joint.name
    for key in JOINTS[joint.kind].own:
        tree[key] = _plain(getattr(joint, key))
    for key in _COEFFICIENTS:
        if nonzero(getattr(joint, key)):
            tree[key] = _shortest(getattr(joint, key))
    if joint.limits is not None:
        tree["limits"] = _limits(joint.limits)
    if joint.mimic is not None:
        tree["mimic"] = dict(vars(joint.mimic))
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
    names: dict[Scalar, str] = {value: name for name, value in INFINITE.items()}
    return _shortest(tuple(names.get(number, number) for number in numbers))


def _force(force: AbstractForce) -> dict[str, Any]:
    name = {} if force.name is None else {"name": force.name}
    if isinstance(force, Spring):
        return {
            "type": "spring",
            **name,
            "first": {"body": force.first[0], "point": _plain(force.first[1])},
            "second": {"body": force.second[0], "point": _plain(force.second[1])},
            "stiffness": _plain(force.stiffness),
            "damping": _plain(force.damping),
            "length": _plain(force.length),
        }
    if isinstance(force, ConstantForce | FormulaForce):
        return {
            "type": "constant" if isinstance(force, ConstantForce) else "formula",
            **name,
            "body": force.body,
            "force": _plain(force.force),
            "moment": _plain(force.moment),
            "point": _plain(force.point),
            "axes": force.axes,
        }
    raise ModelError(f"{force.where(force.name)}: this kind of force cannot be written to a file")


def _parameters(mechanism: Mechanism) -> dict[str, Any]:
    given: dict[str, Any] = {}
    if mechanism.parameters:
        given["parameters"] = dict(mechanism.parameters)
    if mechanism.free:
        given["free"] = list(mechanism.free)
    return given


def _plain(value: Any) -> Any:  # noqa: ANN401 (numbers and formulas, in tuples in tuples)
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _shortest(values: Any) -> Any:  # noqa: ANN401
    """Return one number for a list of one."""
    return _plain(values[0] if len(values) == 1 else values)
