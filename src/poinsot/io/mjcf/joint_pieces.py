"""Our joints as MuJoCo's: one, or several in one body that have the same coordinates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import (
    AbstractJoint,
    Body,
    Cylindrical,
    Euler,
    Fixed,
    Free,
    Planar,
    Pose,
    Prismatic,
    Revolute,
    Spherical,
    Translation,
    Universal,
    unit_axis,
)
from poinsot.model.body import WORLD
from poinsot.spatial import Array, Transform

__all__ = ["MjcfJoint", "mjcf_joints"]

_X, _Y, _Z = np.eye(3)


@dataclass(frozen=True, eq=False)
class MjcfJoint:
    """One joint of MuJoCo, at the origin of its body or at another point of it.

    Attributes:
        kind: ``"hinge"``, ``"slide"``, ``"ball"`` or ``"free"``.
        v: Which velocities of our joint it has.
        axis: Unit vector in the body's axes, shape (3,); None for a ball and a free joint.
        pos: The point about which it turns, in the body's axes [m], shape (3,).
        name: Its name.
        numbers: Other attributes, by name.
    """

    kind: str
    v: tuple[int, ...]
    axis: Array | None
    pos: Array
    name: str = ""
    numbers: tuple[tuple[str, tuple[float, ...]], ...] = ()

    @property
    def turns(self) -> bool:
        """Whether it is a rotation."""
        return self.kind in ("hinge", "ball", "free")

    def seen_from(self, X: Transform) -> MjcfJoint | None:
        """Return the same motion in a frame that the joint carries, with the pose ``X``.

        X⁻¹ J X: points and axes change, and a ball only as long as the axes are parallel.
        """
        if self.axis is None and (self.kind == "free" or not np.array_equal(X.R, np.eye(3))):
            return None
        axis = None if self.axis is None else X.R.T @ self.axis
        return replace(self, axis=axis, pos=X.inverse().apply_point(self.pos))


def mjcf_joints(body: Body, name: str) -> list[MjcfJoint]:
    """Return what MuJoCo has for the joint of a body.

    Args:
        body: The body.
        name: What its joint is called; several joints are called ``name/1``, ``name/2``, ...

    Raises:
        ModelError: If MuJoCo has no such joint, or none with such coefficients.
    """
    joint, where = body.joint, f"joint {name!r}"
    if isinstance(joint, Fixed):
        return []
    if joint.kind not in _KINDS:
        raise ModelError(f"{where}: MuJoCo has no {joint.kind} joint, so it cannot be written")
    plain = [
        MjcfJoint(kind, tuple(v), axis, np.zeros(3)) for kind, v, axis in _KINDS[joint.kind](joint)
    ]
    if isinstance(joint, Free):
        _check_free(joint, where)
        if body.parent == WORLD and body.pose == Pose() and _is_uniform(joint):
            plain = [MjcfJoint("free", tuple(range(6)), None, np.zeros(3))]
    _check_separate(joint, plain, where)
    single = len(plain) == 1
    return [
        replace(piece, name=name if single else f"{name}/{k}", numbers=_numbers(joint, piece))
        for k, piece in enumerate(plain, start=1)
    ]


_Plain = tuple[str, Sequence[int], Array | None]


def _slides(axes: Sequence[Array]) -> list[_Plain]:
    return [("slide", (i,), axis) for i, axis in enumerate(axes)]


def _hinges(axes: Sequence[Array]) -> list[_Plain]:
    return [("hinge", (i,), axis) for i, axis in enumerate(axes)]


def _revolute(joint: AbstractJoint) -> list[_Plain]:
    assert isinstance(joint, Revolute)
    return _hinges([np.array(joint.axis)])


def _prismatic(joint: AbstractJoint) -> list[_Plain]:
    assert isinstance(joint, Prismatic)
    return _slides([np.array(joint.axis)])


def _cylindrical(joint: AbstractJoint) -> list[_Plain]:
    assert isinstance(joint, Cylindrical)
    axis = np.array(joint.axis)
    return [("slide", (0,), axis), ("hinge", (1,), axis)]


def _universal(joint: AbstractJoint) -> list[_Plain]:
    assert isinstance(joint, Universal)
    return _hinges([np.array(joint.axis), np.array(joint.axis2)])


def _planar(joint: AbstractJoint) -> list[_Plain]:
    assert isinstance(joint, Planar)
    x, y = np.array(joint.axis), np.array(joint.axis2)
    return [*_slides([x, y]), ("hinge", (2,), np.cross(x, y))]


def _euler(joint: AbstractJoint) -> list[_Plain]:
    assert isinstance(joint, Euler)
    return _hinges([np.array(unit_axis(letter, "")) for letter in joint.sequence])


_KINDS: Final[dict[str, Callable[[AbstractJoint], list[_Plain]]]] = {
    Revolute.kind: _revolute,
    Prismatic.kind: _prismatic,
    Cylindrical.kind: _cylindrical,
    Universal.kind: _universal,
    Planar.kind: _planar,
    Euler.kind: _euler,
    Translation.kind: lambda _: _slides([_X, _Y, _Z]),
    Spherical.kind: lambda _: [("ball", (0, 1, 2), None)],
    Free.kind: lambda _: [*_slides([_X, _Y, _Z]), ("ball", (3, 4, 5), None)],
}
"""Functions from a joint to MuJoCo's joints, by kind, as (kind, velocities, axis)."""


def _is_uniform(joint: Free) -> bool:
    """Return whether all six velocities have one damping and one friction, and no armature."""
    damping, friction = joint.damping_matrix(), joint.friction
    return (
        np.array_equal(damping, damping[0, 0] * np.eye(6))
        and len(set(friction)) == 1
        and not np.any(joint.armature)
    )


def _check_free(joint: Free, where: str) -> None:
    """Reject what depends on the axes of the velocity: MuJoCo has it in those of the parent."""
    damping = joint.damping_matrix()[:3, :3]
    if not np.array_equal(damping, damping[0, 0] * np.eye(3)):
        raise ModelError(
            f"{where}: damping must be the same along all axes to be written, got {joint.damping}"
        )
    if joint.armature_matrix()[:3].any():
        raise ModelError(
            f"{where}: armature along body axes has no counterpart in MuJoCo, got {joint.armature}"
        )


def _check_separate(joint: AbstractJoint, pieces: Sequence[MjcfJoint], where: str) -> None:
    """Reject coefficients other than one number for each joint of MuJoCo."""
    for what, matrix in (
        ("damping", joint.damping_matrix()),
        ("stiffness", joint.stiffness_matrix()),
        ("armature", joint.armature_matrix()),
        ("friction", np.diag(joint.friction)),
    ):
        expected = np.zeros_like(matrix)
        for piece in pieces:
            expected[piece.v, piece.v] = matrix[piece.v[0], piece.v[0]]
        if not np.array_equal(matrix, expected):
            shape = " and ".join(f"{piece.kind} {piece.v}" for piece in pieces)
            raise ModelError(
                f"{where}: MuJoCo has one {what} for each of {shape}, got {matrix.tolist()}; "
                "make it diagonal, and equal for all velocities of a ball"
            )


def _numbers(joint: AbstractJoint, piece: MjcfJoint) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """Return the attributes of one joint that are not zero."""
    i = piece.v[0]
    values: dict[str, tuple[float, ...]] = {
        "damping": (joint.damping_matrix()[i, i],),
        "armature": (joint.armature_matrix()[i, i],),
        "frictionloss": (joint.friction[i],),
        "stiffness": (joint.stiffness_matrix()[i, i],),
    }
    if values["stiffness"][0]:
        values["springref"] = (joint.rest[i],)
    limits = joint.limits
    if limits is not None and piece.axis is not None:
        if limits.lower:
            values["range"] = (_of(limits.lower, i), _of(limits.upper, i))
        if limits.effort:
            values["actuatorfrcrange"] = (-_of(limits.effort, i), _of(limits.effort, i))
    return tuple((key, numbers) for key, numbers in values.items() if any(numbers))


def _of(numbers: Sequence[float], i: int) -> float:
    """Return the number of coordinate ``i``, where one may stand for all."""
    return numbers[0] if len(numbers) == 1 else numbers[i]
