"""Loops and constraints as trees of keys."""

from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import fresh_symbols
from poinsot.expr.replay import replay
from poinsot.expr.same import same
from poinsot.io.native.function_text import function_texts
from poinsot.io.native.plain import plain
from poinsot.io.native.poses import pose_tree
from poinsot.io.native.trees import joint_tree
from poinsot.model import (
    WORLD,
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
    nonzero,
)
from poinsot.model.constraints.smooth import laid_out

__all__ = ["constraint_tree", "loop_tree"]

_Tree = dict[str, Any]


def loop_tree(loop: Loop) -> _Tree:
    """Return the object that describes a loop."""
    return {
        "name": loop.name,
        "first": _place(loop.first),
        "second": _place(loop.second),
        "joint": joint_tree(loop.joint),
    }


def constraint_tree(one: AbstractConstraint) -> _Tree:
    """Return the object that describes a constraint; what is as by default is left out.

    Raises:
        ModelError: If it is a function that files cannot hold.
    """
    name = {"name": one.name}
    if isinstance(one, FormulaConstraint):
        formulas = list(one.formulas)
        where = {key: _meaning(what) for key, what in one.names}
        return {**name, "formula": formulas[0] if len(formulas) == 1 else formulas, "where": where}
    if isinstance(one, Distance):
        ends: _Tree = {"first": _point(one.first), "second": _point(one.second)}
        return {"type": "distance", **name, **ends, "length": one.length}
    if isinstance(one, Gear):
        ends = {"first": one.first, "second": one.second}
        return {"type": "gear", **name, **ends, "ratio": one.factor, **_offset(one)}
    if isinstance(one, RackPinion):
        ends = {"pinion": one.first, "rack": one.second}
        return {"type": "rack_pinion", **name, **ends, "radius": one.factor, **_offset(one)}
    if isinstance(one, PrescribedMotion):
        return {"type": "prescribed", **name, "joint": one.joint, "motion": _motion(one)}
    if isinstance(one, PointOnSurface):
        shape: _Tree = {"surface": _surface(one)}
        return {"type": "point_on_surface", **name, "point": _point(one.point), **shape, **_on(one)}
    if isinstance(one, PointOnCurve):
        shape = {"curve": _curve(one.curve, f"{one.where}: curve")}
        forces = {key: getattr(one, key) for key in ("damping", "stiffness", "rest")}
        return {
            **{"type": "point_on_curve", **name, "point": _point(one.point), **shape, **_on(one)},
            **{key: value for key, value in forces.items() if nonzero(value)},
        }
    raise ModelError(
        f"{one.where}: a function of q and t cannot be written to a file; write it as a "
        "FormulaConstraint, whose formulas can"
    )


def _place(frame: Frame) -> _Tree:
    body, pose = frame
    return {"body": body} if pose == Pose() else {"body": body, "pose": pose_tree(pose)}


def _point(frame: Frame) -> _Tree:
    body, pose = frame
    if pose.form or not same(pose.matrix, Pose().matrix):
        return _place(frame)
    return {"body": body, "point": plain(pose.xyz)}


def _on(one: PointOnCurve | PointOnSurface) -> _Tree:
    return {} if one.on == (WORLD, Pose()) else {"on": _place(one.on)}


def _offset(one: Gear | RackPinion) -> _Tree:
    return {"offset": one.offset} if nonzero(one.offset) else {}


def _meaning(what: tuple[Any, ...]) -> _Tree:
    if len(what) == 1:
        return {"joint": what[0]}
    body, xyz, axis = what
    return {"point": [body, plain(xyz)], "axis": axis}


def _motion(one: PrescribedMotion) -> float | str:
    """Return the motion; of a function it is minus what g = q - motion(t) is at q = 0."""
    if one.motion is not None:
        return one.motion
    t = fresh_symbols("t", 1)
    (g,) = replay(one.program, np.zeros(1), t, np.array(one.terms))
    found = laid_out({"t": t}, {"motion": -g})
    return function_texts(found.program, (("t",),), found.terms, f"{one.where}: motion")[0]


def _surface(one: PointOnSurface) -> float | str:
    if one.surface is not None:
        return one.surface
    names = (("x", "y", "z"), ("t",))
    return function_texts(one.program, names, one.terms, f"{one.where}: surface")[0]


def _curve(curve: Curve, where: str) -> _Tree:
    place = curve.formulas
    if place is None:
        place = tuple(function_texts(curve.program, (("s",),), curve.terms, where))
    return {"place": list(place), "range": [curve.start, curve.stop]}
