"""Loops and constraints in files."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from poinsot.io.native.joints import read_joint
from poinsot.io.native.node import Node
from poinsot.io.native.poses import read_pose
from poinsot.model import (
    AbstractConstraint,
    Curve,
    Distance,
    FormulaConstraint,
    Frame,
    Gear,
    Loop,
    PointOnCurve,
    PointOnSurface,
    Pose,
    PrescribedMotion,
    RackPinion,
    suggestion,
)

__all__ = ["CONSTRAINTS", "read_constraint", "read_loop"]


class ConstraintType(NamedTuple):
    """What a constraint is made by, and the keys of its own, with those that it needs first."""

    make: Callable[..., AbstractConstraint]
    needed: tuple[str, ...]
    more: tuple[str, ...] = ()


CONSTRAINTS: Final[dict[str, ConstraintType]] = {
    "distance": ConstraintType(Distance, ("first", "second", "length")),
    "point_on_curve": ConstraintType(
        PointOnCurve, ("point", "curve"), ("on", "damping", "stiffness", "rest")
    ),
    "point_on_surface": ConstraintType(PointOnSurface, ("point", "surface"), ("on",)),
    "gear": ConstraintType(Gear, ("first", "second", "ratio"), ("offset",)),
    "rack_pinion": ConstraintType(RackPinion, ("pinion", "rack", "radius"), ("offset",)),
    "prescribed": ConstraintType(PrescribedMotion, ("joint", "motion")),
}

_FORMULA: Final = ("name", "formula", "where")
"""The keys of a constraint without type: a formula."""


def read_loop(node: Node) -> Loop:
    """Return the loop that an object describes."""
    keys = ("name", "first", "second", "joint")
    fields = node.fields(keys, keys)
    first, second = _place(fields["first"]), _place(fields["second"])
    joint = read_joint(fields["joint"])
    with node.named():
        return Loop(fields["name"].text(), first, second, joint)


def read_constraint(node: Node) -> AbstractConstraint:
    """Return the constraint that an object describes."""
    every = {key for one in CONSTRAINTS.values() for key in (*one.needed, *one.more)}
    fields = node.fields(("type", *_FORMULA, *sorted(every)), ("name",))
    if "type" in fields:
        kind = fields["type"].text()
        if kind not in CONSTRAINTS:
            what = f"must be a type of constraint, got {kind!r}; {suggestion(kind, CONSTRAINTS)}"
            raise fields["type"].error(what)
        make, needed, more = CONSTRAINTS[kind]
        fields = node.fields(("type", "name", *needed, *more), needed)
        read: Mapping[str, Callable[[Node], Any]] = _READ
        if make in (Gear, RackPinion):
            read = {**_READ, "first": Node.text, "second": Node.text}
    else:
        make, read = FormulaConstraint, _READ
        fields = node.fields(_FORMULA, _FORMULA)
    given = {key: read[key](value) for key, value in fields.items() if key != "type"}
    with node.named():
        one = make(**given)
        one.check_parameters(node.parameters)
        return one


def _place(node: Node) -> Frame:
    """Return a body and a pose in it."""
    fields = node.fields(("body", "pose"), ("body",))
    return fields["body"].text(), read_pose(fields["pose"]) if "pose" in fields else Pose()


def _point(node: Node) -> Frame:
    """Return a body and a point in it, or the origin of a pose."""
    fields = node.fields(("body", "point", "pose"), ("body",))
    if "point" in fields and "pose" in fields:
        raise node.error("has 'point' and 'pose'; give one of them")
    if "point" not in fields:
        return _place(node)
    xyz: Any = fields["point"].vector(3)
    with node.named():
        return fields["body"].text(), Pose(xyz)


def _curve(node: Node) -> Curve:
    fields = node.fields(("place", "range"), ("place", "range"))
    place = fields["place"].entries()
    if len(place) != 3:
        raise fields["place"].must_be("a list of 3 numbers or formulas")
    limits: Any = fields["range"].vector(2)
    with node.named():
        return Curve([entry.formula() for entry in place], limits)


def _formulas(node: Node) -> float | str | list[float | str]:
    """Return a formula, or several."""
    if isinstance(node.value, list | tuple):
        return [entry.formula() for entry in node.entries()]
    return node.formula()


def _where(node: Node) -> dict[str, Any]:
    """Return what the names in a formula stand for."""
    if not isinstance(node.value, Mapping):
        raise node.must_be("an object with the names in the formula")
    return {str(key): _meaning(value) for key, value in node.fields(tuple(node.value)).items()}


def _meaning(node: Node) -> Any:  # noqa: ANN401 (a joint, or a body, a point and an axis)
    fields = node.fields(("point", "axis", "joint"))
    if "joint" in fields:
        return node.fields(("joint",))["joint"].text()
    fields = node.fields(("point", "axis"), ("point", "axis"))
    pair = fields["point"].entries()
    if len(pair) != 2:
        raise fields["point"].must_be("a body and a point in it, e.g. ['arm', [0, 0, 1]]")
    return pair[0].text(), pair[1].vector(3), fields["axis"].text()


_READ: Final[Mapping[str, Callable[[Node], Any]]] = {
    "name": Node.text,
    "first": _point,
    "second": _point,
    "length": Node.number,
    "point": _point,
    "curve": _curve,
    "on": _place,
    "damping": Node.number,
    "stiffness": Node.number,
    "rest": Node.number,
    "surface": Node.formula,
    "ratio": Node.number,
    "offset": Node.number,
    "pinion": Node.text,
    "rack": Node.text,
    "radius": Node.number,
    "joint": Node.text,
    "motion": Node.formula,
    "formula": _formulas,
    "where": _where,
}
