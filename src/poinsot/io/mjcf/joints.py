"""The joints of MJCF as ours, with MuJoCo's coordinates.

A hinge turns about an axis through ``pos``, a slide moves along its axis; where their coordinate is
``ref``, the body is where the file places it.  So the joint frame is put back by ``ref``, and the
coordinates, ranges and springs are those of the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.io.mjcf.compiler import Compiler
from poinsot.io.mjcf.ignored_elements import LeftOut
from poinsot.io.xml import Element
from poinsot.model import (
    AbstractJoint,
    Free,
    Limits,
    Prismatic,
    Revolute,
    Spherical,
    Translation,
    unit_axis,
)
from poinsot.spatial import Transform, axis_angle, matrix_to_quaternion

__all__ = ["JointStep", "steps_of"]

_TYPES = ("hinge", "slide", "ball", "free")
_TAKEN = (
    *("name", "type", "pos", "axis", "ref", "armature", "damping", "stiffness", "springref"),
    *("frictionloss", "range", "limited", "actuatorfrcrange", "actuatorfrclimited"),
)
_Z = (0.0, 0.0, 1.0)
_ZERO = (0.0, 0.0, 0.0)
_NO_TURN = (1.0, 0.0, 0.0, 0.0)
_ROUNDING = 1e-15
"""Fraction of the distance of a hinge's point up to which its axis meets the body's origin."""


@dataclass(frozen=True)
class JointStep:
    """One joint of a body.

    Attributes:
        joint: The joint.
        X_before: Pose of its frame in the body's, while the joints after it are at rest.
        X_after: Pose of the body's frame in the one that moves with the joint.
        q: Its coordinates where the body is as the file places it.
        absolute: Whether its coordinates place the body in the world, wherever the file does.
    """

    joint: AbstractJoint
    X_before: Transform
    X_after: Transform
    q: tuple[float, ...]
    absolute: bool = False


def steps_of(
    element: Element,
    name: str,
    frame: Transform,
    X_PB: Transform,
    compiler: Compiler,
    left_out: LeftOut,
    *,
    passive: bool,
) -> list[JointStep]:
    """Return the joint that a ``<joint>`` or ``<freejoint>`` describes.

    A free joint with armature is a translation followed by a ball: MuJoCo's armature belongs to the
    velocity along the world's axes, ours to that along the body's.

    Args:
        element: The element, with what it inherits.
        name: What to call the joint.
        frame: The frame in which it is placed, in the body's axes.
        X_PB: Pose of the body in its parent, as the file places it.
        compiler: The settings.
        left_out: Where to note what is not taken.
        passive: Whether to take damping, springs and friction.
    """
    where = f"joint {name[:60]!r}"
    left_out.attributes(element, _TAKEN)
    default = "free" if element.tag == "freejoint" else "hinge"
    kind = element.keyword("type", where, _TYPES, default)
    with element.named(where):
        options = _options(element, kind, where, left_out, passive=passive)
        options["name"] = name
        if kind in ("ball", "free"):
            point = Transform.translation(frame.apply_point(element.vector("pos", where, _ZERO)))
            if kind == "ball":
                return [JointStep(Spherical(**options), point, point.inverse(), _NO_TURN)]
            return _free(options, X_PB)
        options["limits"] = _limits(element, where, compiler, kind, left_out)
        return [_along_axis(element, kind, where, frame, compiler, options)]


def _along_axis(
    element: Element,
    kind: str,
    where: str,
    frame: Transform,
    compiler: Compiler,
    options: dict[str, Any],
) -> JointStep:
    axis = frame.R @ np.array(unit_axis(element.vector("axis", where, _Z), where))
    unit = compiler.unit if kind == "hinge" else 1.0
    ref = element.number("ref", where, 0.0) * unit
    if "stiffness" in options:
        options["rest"] = element.number("springref", where, 0.0) * unit
    if kind == "slide":
        back = Transform.translation(-ref * axis)
        return JointStep(Prismatic(axis, **options), back, Transform.identity(), (ref,))
    point = frame.apply_point(element.vector("pos", where, _ZERO))
    nearest = point - (point @ axis) * axis  # to the body's origin, on the axis
    if np.linalg.norm(nearest) <= _ROUNDING * np.linalg.norm(point):
        nearest = np.zeros(3)
    before = Transform(axis_angle(axis, -ref), nearest)
    return JointStep(Revolute(axis, **options), before, Transform.translation(-nearest), (ref,))


def _free(options: dict[str, Any], X_PB: Transform) -> list[JointStep]:
    here, p = Transform.identity(), tuple(X_PB.p.tolist())
    quat = tuple(matrix_to_quaternion(X_PB.R).tolist())
    if not np.any(options.get("armature", 0.0)):
        return [JointStep(Free(**options), here, here, (*p, *quat), absolute=True)]
    slides = options.copy()
    slides["name"] = f"{options['name']} position"
    return [
        JointStep(Translation(**slides), here, here, p, absolute=True),
        JointStep(Spherical(**options), here, here, quat),
    ]


def _options(
    element: Element,
    kind: str,
    where: str,
    left_out: LeftOut,
    *,
    passive: bool,
) -> dict[str, Any]:
    options: dict[str, Any] = {"armature": element.number("armature", where, 0.0)}
    if passive:
        options["damping"] = _first(element, "damping", where, left_out)
        options["friction"] = element.number("frictionloss", where, 0.0)
        stiffness = _first(element, "stiffness", where, left_out)
        if stiffness and kind in ("ball", "free"):
            left_out.attribute(f"{kind} joint", "stiffness")
        elif stiffness:
            options["stiffness"] = stiffness
    if kind in ("ball", "free") and "range" in element.attributes:
        left_out.attribute(f"{kind} joint", "range")
    return options


def _first(element: Element, attribute: str, where: str, left_out: LeftOut) -> float:
    """Return the first coefficient of a force; those of higher powers are left out."""
    if attribute not in element.attributes:
        return 0.0
    first, *more = element.numbers(attribute, where, 1, 3)
    if any(more):
        left_out.attribute(element.tag, f"{attribute} (of higher powers)")
    return first


def _limits(
    element: Element, where: str, compiler: Compiler, kind: str, left_out: LeftOut
) -> Limits | None:
    unit = compiler.unit if kind == "hinge" else 1.0
    position = _range(element, "range", "limited", where, compiler)
    effort = _range(element, "actuatorfrcrange", "actuatorfrclimited", where, compiler)
    if effort is not None and -effort[0] != effort[1]:
        left_out.attribute(element.tag, "actuatorfrcrange (not symmetric)")
        effort = None
    if position is None and effort is None:
        return None
    return Limits(
        None if position is None else (position[0] * unit, position[1] * unit),
        effort=None if effort is None else effort[1],
    )


def _range(
    element: Element, attribute: str, limited: str, where: str, compiler: Compiler
) -> tuple[float, float] | None:
    """Return a range that holds: one that is said to, or a proper one with ``autolimits``."""
    says = element.keyword(limited, where, ("true", "false", "auto"), "auto")
    if attribute not in element.attributes or says == "false":
        return None
    low, high = element.numbers(attribute, where, 2)
    if says == "auto" and not (compiler.autolimits and low < high):
        return None
    return (low, high)
