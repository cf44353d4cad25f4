"""The joints of URDF as ours.

``continuous`` is a revolute joint without range, ``floating`` a free one; the axis of ``planar`` is
the normal of its plane.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.io.xml import Element
from poinsot.model import (
    AbstractJoint,
    Fixed,
    Free,
    Limits,
    Mimic,
    Planar,
    Prismatic,
    Revolute,
    suggestion,
    unit_axis,
)
from poinsot.model.checks import Vec3
from poinsot.spatial import Array

__all__ = ["UNLIMITED", "joint_of", "mimic_of"]

_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
_WITH_LIMITS = ("revolute", "continuous", "prismatic")

_X = (1.0, 0.0, 0.0)
"""The axis where the file gives none."""

_PARALLEL = 1e-9
"""Sine of the angle between x and the normal of a plane up to which they are parallel."""

UNLIMITED = sys.float_info.max
"""Stands for infinity: most readers of URDF require finite numbers."""


def joint_of(element: Element, name: str, mimic: Mimic | None, *, passive: bool) -> AbstractJoint:
    """Return the joint that a ``<joint>`` describes.

    Args:
        element: The ``<joint>``.
        name: Its name.
        mimic: What it should follow.
        passive: Whether to take damping and friction.
    """
    where = f"joint {name!r}"
    kind = element.text("type", where)
    if kind not in _TYPES:
        element.refuse(f"{where}: unknown type {kind[:60]!r}; {suggestion(kind[:60], _TYPES)}")
    if kind == "fixed":
        return Fixed(name=name)
    axis = element.first("axis")
    direction = _X if axis is None else axis.vector("xyz", where, _X)
    options = _options(element, where, passive=passive)
    options["name"] = name
    try:
        options["mimic"] = mimic
        limit = element.first("limit")
        if limit is not None and kind in _WITH_LIMITS:
            options["limits"] = _limits(limit, kind, where)
        return _made(kind, direction, where, options)
    except ModelError as error:
        text = str(error)
        if text.startswith("URDF"):
            raise
        element.refuse(text if text.startswith(where) else f"{where}: {text}")


def _made(kind: str, axis: Vec3, where: str, options: dict[str, Any]) -> AbstractJoint:
    if kind == "floating":
        return Free(**options)
    if kind == "prismatic":
        return Prismatic(axis, **options)
    if kind == "planar":
        normal = np.array(unit_axis(axis, where))
        first = _in_plane(normal)
        return Planar(first, np.cross(normal, first), **options)
    return Revolute(axis, **options)


def _in_plane(normal: Array) -> Array:
    """Return the unit vector of x projected on the plane, or of y where x is its normal."""
    x, y = np.eye(3)[:2]
    projected = x - (x @ normal) * normal
    if np.linalg.norm(projected) <= _PARALLEL:
        projected = y - (y @ normal) * normal
    unit: Array = projected / np.linalg.norm(projected)
    return unit


def _options(element: Element, where: str, *, passive: bool) -> dict[str, Any]:
    options: dict[str, Any] = {}
    dynamics = element.first("dynamics")
    if passive and dynamics is not None:
        options["damping"] = dynamics.number("damping", where, 0.0)
        options["friction"] = dynamics.number("friction", where, 0.0)
    return options


def _limits(limit: Element, kind: str, where: str) -> Limits | None:
    """Return the limits; a range of which only one end is given ends at 0."""
    position = None
    if kind != "continuous" and ("lower" in limit.attributes or "upper" in limit.attributes):
        lower, upper = (_end(limit, name, where) for name in ("lower", "upper"))
        position = (lower, upper)
    velocity, effort = (
        _end(limit, name, where) if name in limit.attributes else None
        for name in ("velocity", "effort")
    )
    limits = Limits(position, velocity, effort)
    return None if limits == Limits() else limits


def _end(limit: Element, name: str, where: str) -> float:
    """Return a number; ``inf`` and the largest float there is are no limit."""
    text = limit.attributes.get(name, "0").strip().lower()
    if text.lstrip("+-") in ("inf", "infinity"):
        return float(text)
    number = limit.number(name, where, 0.0)
    return math.copysign(math.inf, number) if abs(number) == UNLIMITED else number


def mimic_of(element: Element, where: str) -> Mimic:
    """Return the data of a ``<mimic>``."""
    return Mimic(
        element.text("joint", where),
        element.number("multiplier", where, 1.0),
        element.number("offset", where, 0.0),
    )
