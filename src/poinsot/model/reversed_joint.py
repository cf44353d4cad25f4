"""A reversed joint: its outer body carries its inner one.

A joint between frames F (inner) and S (outer) gives the pose X_FS(q); its mirror is a joint with
X_SF(q') for the same motions:

    joint                                  mirror          q'
    revolute, prismatic, helical,          opposite axis   q
    cylindrical
    universal (a, b)                       (-b, -a)        [q[1], q[0]]
    euler "zyx"                            "xyz"           [-q[2], -q[1], -q[0]]
    translation                            the same        -q
    planar                                 the same        [-R(q[2])ᵀ q[:2], -q[2]]
    spherical                              the same        the conjugate quaternion
    free                                   the same        that of the inverse pose
    fixed                                  the same

Passive forces and limits transform with the coordinates.  Where q' is not ± q entry by entry only
isotropic ones can: joints with others are rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from poinsot.errors import ModelError
from poinsot.expr.same_formula import same
from poinsot.model.changed import changed
from poinsot.model.joints import (
    AbstractJoint,
    Cylindrical,
    Euler,
    Fixed,
    Free,
    Helical,
    Limits,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Translation,
    Universal,
)
from poinsot.model.joints.coefficients import Coefficients

__all__ = ["mirrored"]

Numbers: TypeAlias = tuple[float, ...]


def mirrored(joint: AbstractJoint) -> AbstractJoint:
    """Return the joint that gives X_SF where this one gives X_FS, with the same name.

    Args:
        joint: The joint; one of another package says itself what its mirror is.

    Raises:
        ModelError: If forces in the joint cannot be said in the coordinates of its mirror, or it
            has no mirror.

    Examples:
        >>> mirrored(Revolute("y", damping=0.1))
        Revolute(damping=(0.1,), axis=(0.0, -1.0, 0.0))
    """
    match joint:
        case Revolute() | Prismatic() | Helical() | Cylindrical():
            return changed(joint, axis=_negative(joint.axis))
        case Universal():
            axes = {"axis": _negative(joint.axis2), "axis2": _negative(joint.axis)}
            return changed(joint, **axes, **_in_coordinates(joint, (1, 0), 1))
        case Euler():
            turned = _in_coordinates(joint, (2, 1, 0), -1)
            return changed(joint, sequence=joint.sequence[::-1], **turned)
        case Translation():
            return changed(joint, **_in_coordinates(joint, (0, 1, 2), -1))
        case Fixed():
            return joint
        case Spherical() | Planar() | Free():
            _check_alike(joint)
            return joint
    return joint.mirror()


def _in_coordinates(joint: AbstractJoint, order: Sequence[int], sign: int) -> dict[str, Any]:
    """Return the passive parameters and limits of a joint, in coordinates q' = sign q[order]."""

    def ordered(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(values[k] for k in order) if len(values) == len(order) else values

    def matrix(values: Coefficients) -> Coefficients:
        rows = ordered(values)
        return tuple(map(ordered, rows)) if isinstance(rows[0], tuple) else rows

    rest = ordered(joint.rest)
    return {
        "damping": matrix(joint.damping),
        "stiffness": matrix(joint.stiffness),
        "armature": matrix(joint.armature),
        "rest": rest if sign > 0 else _negative(rest),
        "friction": ordered(joint.friction),
        "limits": None if joint.limits is None else _limits(joint.limits, ordered, sign),
    }


def _limits(limits: Limits, ordered: Callable[[Numbers], Numbers], sign: int) -> Limits:
    lower, upper = ordered(limits.lower), ordered(limits.upper)
    if sign < 0:
        lower, upper = _negative(upper), _negative(lower)
    velocity, effort = ordered(limits.velocity), ordered(limits.effort)
    position = (lower, upper) if lower else ()
    return changed(limits, position=position, velocity=velocity, effort=effort)


def _check_alike(joint: AbstractJoint) -> None:
    """Reject forces and limits that are not isotropic; only those of balls can be."""
    if joint.limits is not None:
        raise _directed(joint, "limits", joint.limits)
    for what in ("damping", "stiffness", "armature", "friction"):
        values = getattr(joint, what)
        level = values[0] if isinstance(joint, Spherical) else 0.0
        if not all(same(value, level) for value in values):
            raise _directed(joint, what, values)


def _directed(joint: AbstractJoint, what: str, value: object) -> ModelError:
    return ModelError(
        f"{joint.label}: its {what} {value} cannot be said from the other side, where "
        f"the axes of a {joint.kind} joint turn with another body; exchange first and second"
    )


def _negative(values: Iterable[float]) -> Numbers:
    return tuple(0.0 - value for value in values)  # no -0.0
