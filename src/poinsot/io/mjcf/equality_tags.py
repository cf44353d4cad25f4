"""Loops and couplings as ``<equality>``, with the sites that mark their points.

Points that coincide are two sites: MuJoCo evaluates an anchor at ``qpos0``,
where a loop need not be closed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from poinsot.errors import ModelError
from poinsot.io.mjcf.names import MjcfNames
from poinsot.io.mjcf.tags import numbers_text, quoted, tag_text
from poinsot.model import (
    AbstractConstraint,
    Fixed,
    Gear,
    Loop,
    Mechanism,
    PrescribedMotion,
    RackPinion,
    Revolute,
    Spherical,
)
from poinsot.spatial import Array, matrix_to_quaternion

__all__ = ["Equalities", "equalities_of"]


@dataclass(frozen=True)
class Equalities:
    """What to write.

    Attributes:
        lines: The elements of ``<equality>``.
        sites: The sites of each body, by its name.
    """

    lines: list[str] = field(default_factory=list)
    sites: dict[str, list[str]] = field(default_factory=dict)


def equalities_of(mechanism: Mechanism) -> Equalities:
    """Return the loops and constraints of a mechanism as MuJoCo has them.

    A revolute joint is two pairs of points on its axis.

    Raises:
        ModelError: If MuJoCo has no counterpart of one.
    """
    written = Equalities()
    names = MjcfNames(constraint.name for constraint in mechanism.closures)
    for constraint in mechanism.closures:
        if isinstance(constraint, Loop):
            _loop(constraint, written, names)
        else:
            written.lines.append(_coupling(constraint))
    return written


def _loop(loop: Loop, written: Equalities, names: MjcfNames) -> None:
    joint = loop.joint
    extra = [
        key
        for key in ("damping", "stiffness", "friction")
        if np.any(np.asarray(getattr(joint, key)))
    ]
    if extra or joint.limits is not None:
        what = " and ".join([*extra, *(["limits"] if joint.limits is not None else [])])
        raise ModelError(
            f"{loop.label}: its joint has {what}, which closures of MuJoCo do not have; "
            "cut the loop at another joint"
        )
    if isinstance(joint, Fixed):
        written.lines.append(_weld(loop))
    elif isinstance(joint, Spherical):
        _connect(loop, loop.name, np.zeros(3), written)
    elif isinstance(joint, Revolute):
        for k, point in enumerate((np.zeros(3), np.array(joint.axis)), start=1):
            _connect(loop, names.free(f"{loop.name}/{k}"), point, written)
    else:
        raise ModelError(
            f"{loop.label}: MuJoCo closes loops by fixed, spherical and revolute joints only, so "
            f"{joint.kind} cannot be written; cut the loop at another joint"
        )


def _connect(loop: Loop, name: str, point: Array, written: Equalities) -> None:
    """Add the element that keeps a point of both frames together, and its two sites."""
    ends = {}
    for k, (end, (body, pose)) in enumerate((("first", loop.first), ("second", loop.second)), 1):
        site = quoted(f"{name}/{end}")
        position = numbers_text(pose.transform().apply_point(point))
        tag = tag_text("site", {"name": site, "pos": position})
        written.sites.setdefault(body, []).append(tag)
        ends[f"site{k}"] = site
    written.lines.append(tag_text("connect", {"name": quoted(name), **ends}))


def _weld(loop: Loop) -> str:
    first, second = loop.first[1].transform(), loop.second[1].transform()
    quat = matrix_to_quaternion(first.R @ second.R.T)
    attributes = {
        "name": quoted(loop.name),
        "body1": quoted(loop.first[0]),
        "body2": quoted(loop.second[0]),
        "anchor": numbers_text(second.p),
        "relpose": numbers_text([*first.p, *quat]),
    }
    return tag_text("weld", attributes)


def _coupling(constraint: AbstractConstraint) -> str:
    if isinstance(constraint, Gear | RackPinion):
        first, second = constraint.joints
        factor, offset = constraint.law
        ends = {"joint1": quoted(second), "joint2": quoted(first)}
        polynomial = (offset, factor, 0.0, 0.0, 0.0)
    elif isinstance(constraint, PrescribedMotion) and isinstance(constraint.motion, float):
        ends = {"joint1": quoted(constraint.joint)}
        polynomial = (constraint.motion, 0.0, 0.0, 0.0, 0.0)
    else:
        raise ModelError(
            f"{constraint.label}: MuJoCo has no such constraint, so it cannot be written; "
            "write .json or .toml"
        )
    return tag_text(
        "joint", {"name": quoted(constraint.name), **ends, "polycoef": numbers_text(polynomial)}
    )
