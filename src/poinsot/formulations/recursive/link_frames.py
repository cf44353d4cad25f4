"""Frames for the links: z along the joint, x and the origin where most coordinates vanish."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from poinsot.model import AbstractJoint, Prismatic, Revolute, is_symbolic
from poinsot.spatial import Array, Transform, cross

PARALLEL = 1e-10
"""Sine of the angle below which two axes count as parallel when x is chosen."""
NEGLIGIBLE = 1e-13
"""Sine of an angle that is taken for none: results may differ by this, not by 1e-11."""
STEEP = 0.1
"""Sine of the angle between two axes above which the foot of their common normal is used; the foot
of nearly parallel ones is far away and would cost digits."""
FAR = 4.0
"""The origin is not slid further than this many times the distance of the joints."""


def align(
    parents: Sequence[int], joints: Sequence[AbstractJoint], X_PJ: Sequence[Transform]
) -> list[Transform]:
    """Return X_BC for each link: the new frame C in the frame B it was described in.

    Args:
        parents: Number of each link's parent, smaller than its own; -1 for the world.
        joints: How each link moves.
        X_PJ: Pose of each joint in the parent's B.  What depends on free parameters is not looked
            at, so the frames themselves never do.
    """
    heir: dict[int, int] = {}
    for k, parent in enumerate(parents):
        if isinstance(joints[k], Revolute | Prismatic):
            heir.setdefault(parent, k)
    frames: list[Transform] = []
    for k, joint in enumerate(joints):
        if not isinstance(joint, Revolute | Prismatic):
            frames.append(Transform.identity())
            continue
        z = np.array(joint.axis)
        origin = _origin(k, z, parents[k], joints, X_PJ, frames)
        next_axis, next_place = None, None
        if k in heir:
            child, X = joints[heir[k]], X_PJ[heir[k]]
            assert isinstance(child, Revolute | Prismatic)
            next_axis = None if is_symbolic(X.R) else X.R @ np.array(child.axis)
            next_place = None if is_symbolic(X.p) else X.p - origin
        x = _first_axis(z, next_axis, next_place)
        frames.append(Transform(np.column_stack([x, cross(z, x), z]), origin))
    return frames


def _origin(
    k: int,
    z: Array,
    parent: int,
    joints: Sequence[AbstractJoint],
    X_PJ: Sequence[Transform],
    frames: Sequence[Transform],
) -> Array:
    """Return the new origin of link k in its B."""
    if parent < 0:
        return np.zeros(3)  # the world's origin may be far away
    if is_symbolic(X_PJ[k].R, X_PJ[k].p):
        return np.zeros(3)
    in_parent = frames[parent].inverse() @ X_PJ[k]
    if isinstance(joints[k], Prismatic):
        return -(in_parent.R.T @ in_parent.p)  # any point will do: the parent's origin
    if not isinstance(joints[parent], Revolute | Prismatic):
        return np.zeros(3)
    axis, p = in_parent.R @ z, in_parent.p
    steepness = axis[0] ** 2 + axis[1] ** 2  # squared sine of the angle to the parent's z axis
    if steepness > STEEP**2:
        along = -(axis[0] * p[0] + axis[1] * p[1]) / steepness
    else:
        along = -p[2] / axis[2]
    return along * z if abs(along) <= FAR * _norm(p) else np.zeros(3)


def _first_axis(z: Array, next_axis: Array | None, next_place: Array | None) -> Array:
    """Return the x axis: along the common normal of this and the next joint."""
    candidates = []
    if next_axis is not None:
        normal = cross(z, next_axis)
        if _norm(normal) > PARALLEL:
            candidates.append(normal)
    if next_place is not None:
        offset = next_place - (next_place @ z) * z
        if _norm(offset) > PARALLEL * (1.0 + _norm(next_place)):
            candidates.append(offset)
    smallest = int(np.argmin(np.abs(z)))
    if not candidates:
        candidates.append(cross(np.eye(3)[(smallest + 1) % 3], z))
        candidates.append(cross(np.eye(3)[smallest], z))
    x = next(c for c in candidates if _norm(c) > PARALLEL)
    x = x - (x @ z) * z
    unit: Array = x / _norm(x)
    return unit


def euler_zxz(R: Array) -> tuple[float, float, float]:
    """Return (gamma, alpha, delta), R = Rz(gamma) Rx(alpha) Rz(delta), gamma in (-pi/2, pi/2].

    Where the z axes are nearly parallel gamma is little more than rounding, so the other angles are
    read off Rz(-gamma) R, not off R: their product is then R to rounding, whatever gamma is.
    """
    gamma = float(np.arctan2(R[0, 2], -R[1, 2])) if abs(R[0, 2]) > NEGLIGIBLE else 0.0
    if abs(gamma) > np.pi / 2 + PARALLEL:
        gamma -= np.sign(gamma) * np.pi
    x = np.cos(gamma) * R[0] + np.sin(gamma) * R[1]  # (cos delta, -sin delta, 0)
    y = np.cos(gamma) * R[1] - np.sin(gamma) * R[0]  # (.., .., -sin alpha)
    tilt = -y[2] if abs(y[2]) > NEGLIGIBLE else 0.0
    return gamma, float(np.arctan2(tilt, R[2, 2])), float(np.arctan2(-x[1], x[0]))


def _norm(u: Array) -> float:
    return sqrt(float(u @ u))
