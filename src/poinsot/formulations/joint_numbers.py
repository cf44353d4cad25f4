"""Joints of one kind for rolled sweeps: joints of a kind differ only in parameters.

Axes and pitches of a joint are parameters; its type and, say, the sequence of its Euler angles
belong to the kind.  A rolled sweep traces a step once per ``blank_joint``, with symbols for them.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np

from poinsot.expr.packing import AbstractLayout, KindLayout
from poinsot.model import AbstractJoint
from poinsot.model.fields import declarations
from poinsot.spatial import Array

_COMMON = {field.name for field in fields(AbstractJoint)}


def joint_layout(joint: AbstractJoint) -> AbstractLayout:
    """Return the layout of the parameters of joints of one kind."""
    return KindLayout(blank_joint(joint), joint_numbers, joint_with)


def joint_numbers(joint: AbstractJoint) -> list[float]:
    """Return the parameters of a joint's motion: axes, pitch."""
    values = [getattr(joint, name) for name in _numeric(type(joint))]
    return [x for value in values for x in np.ravel(value).tolist()]


def joint_with(joint: AbstractJoint, numbers: Array | Sequence[Any]) -> AbstractJoint:
    """Return a joint of the same kind with these parameters, or symbols, unchecked."""
    rest, changes = list(numbers), {}
    for name in _numeric(type(joint)):
        if isinstance(getattr(joint, name), tuple):
            size = len(getattr(joint, name))
            changes[name], rest = tuple(rest[:size]), rest[size:]
        else:
            changes[name], rest = rest[0], rest[1:]
    return _changed(joint, changes)


def blank_joint(joint: AbstractJoint) -> AbstractJoint:
    """Return the kind of a joint: without name and passive forces, all parameters 0.

    It compares equal for joints that differ in parameters only; it is a key, not to be evaluated.
    """
    nv, nq = joint.nv, len(joint.rest)
    zero = dict.fromkeys(("damping", "stiffness", "armature", "friction"), (0.0,) * nv)
    blank = _changed(
        joint, {"name": None, "rest": (0.0,) * nq, "limits": None, "backwards": False, **zero}
    )
    return joint_with(blank, [0.0] * len(joint_numbers(joint)))


@cache
def _numeric(joint: type[AbstractJoint]) -> tuple[str, ...]:
    """Return the names of the numeric fields of a type."""
    stated = declarations(joint)
    candidates = [field for field in fields(joint) if field.name not in _COMMON]
    return tuple(
        field.name
        for field in candidates
        if (stated[field.name].numbers if field.name in stated else field.type not in (str, "str"))
    )


def _changed(joint: AbstractJoint, changes: dict[str, Any]) -> AbstractJoint:
    changed = copy.copy(joint)
    for name, value in changes.items():
        object.__setattr__(changed, name, value)
    return changed
