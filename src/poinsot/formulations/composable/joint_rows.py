"""The scalar equations of pins, slides and drivers on absolute coordinates (x, y, φ) of two links.

With p = r + A s, d = p_b - p_a, u the direction of the guide (carried by a) and n = J u:

    pin       p_a - p_b = 0
    slide     n · d = 0  and  φ_b - φ_a = β
    driver    φ_b - φ_a = q  or  u · d = q

A row is (coefficients of a's velocity, of b's, bias): row_a v_a + row_b v_b is the rate of the
equation, and row_a a_a + row_b a_b + bias its second derivative.  Multipliers of rows: of a pin the
force on a; of a slide the normal force on b along n through p_b and the couple on b; of a driver
its torque or force on b.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poinsot.formulations.composable.plane import (
    direction,
    dot,
    rotated,
    scaled,
    stacked,
    turned,
)
from poinsot.model.planar.linkage import PlanarJoint
from poinsot.spatial import Array


class JointRows(NamedTuple):
    """Coefficients of some equations: ``of_a`` and ``of_b`` (..., k, 3), ``residual`` (..., k)."""

    of_a: Array
    of_b: Array
    residual: Array


class JointGeometry(NamedTuple):
    """Where a joint is: levers A s of its points, d from the one to the other, u and n."""

    lever_a: Array
    lever_b: Array
    d: Array
    u: Array
    n: Array


def geometry(joint: PlanarJoint, pose_a: Array, pose_b: Array) -> JointGeometry:
    """Return the vectors of a joint, in the axes of the frame, each of shape (..., 2)."""
    lever_a, lever_b = rotated(pose_a[..., 2], joint.pa), rotated(pose_b[..., 2], joint.pb)
    d = pose_b[..., :2] + lever_b - (pose_a[..., :2] + lever_a)
    u = direction(pose_a[..., 2] + joint.ua)
    return JointGeometry(lever_a, lever_b, d, u, turned(u))


def joint_rows(joint: PlanarJoint, pose_a: Array, pose_b: Array, *, count: int = 2) -> JointRows:
    """Return the equations of a pin or a slide.

    Args:
        joint: The joint.
        pose_a: Pose of its first link, shape (..., 3).
        pose_b: Pose of the other.
        count: 1 for a slide that closes a loop of slides: its angle is constant anyway.
    """
    vectors = geometry(joint, pose_a, pose_b)
    if joint.kind == "R":
        return JointRows(_moved(vectors.lever_a), -_moved(vectors.lever_b), -vectors.d)
    row = _along(vectors, vectors.n, -dot(vectors.u, vectors.d))
    turn = pose_b[..., 2] - pose_a[..., 2] - joint.beta
    return JointRows(
        np.stack([row[0], _turn(turn, -1.0)], axis=-2)[..., :count, :],
        np.stack([row[1], _turn(turn, 1.0)], axis=-2)[..., :count, :],
        stacked(dot(vectors.n, vectors.d), turn)[..., :count],
    )


def driver_rows(joint: PlanarJoint, pose_a: Array, pose_b: Array) -> JointRows:
    """Return the equation of a driver; its residual is the driver's coordinate itself."""
    if joint.kind == "R":
        turn = np.asarray(pose_b[..., 2] - pose_a[..., 2])
        return JointRows(
            _turn(turn, -1.0)[..., None, :], _turn(turn, 1.0)[..., None, :], turn[..., None]
        )
    vectors = geometry(joint, pose_a, pose_b)
    row_a, row_b = _along(vectors, vectors.u, dot(vectors.n, vectors.d))
    return JointRows(row_a[..., None, :], row_b[..., None, :], dot(vectors.u, vectors.d)[..., None])


def joint_bias(
    joint: PlanarJoint, poses: tuple[Array, Array], velocities: tuple[Array, Array], count: int = 2
) -> Array:
    """Return the terms of second derivatives that hold no accelerations, shape (..., count)."""
    vectors = geometry(joint, *poses)
    drift = _drift(vectors, velocities)
    if joint.kind == "R":
        return -drift
    w, rate = _relative(vectors, velocities)
    bias = dot(vectors.n, drift) - 2.0 * w * dot(vectors.u, rate) - w**2 * dot(vectors.n, vectors.d)
    return stacked(bias, 0.0 * bias)[..., :count]


def driver_bias(
    joint: PlanarJoint, poses: tuple[Array, Array], velocities: tuple[Array, Array]
) -> Array:
    """Return the same for the driver of a joint, shape (..., 1)."""
    if joint.kind == "R":
        return 0.0 * velocities[0][..., 2:]
    vectors = geometry(joint, *poses)
    w, rate = _relative(vectors, velocities)
    drift = dot(vectors.u, _drift(vectors, velocities))
    bias = drift + 2.0 * w * dot(vectors.n, rate) - w**2 * dot(vectors.u, vectors.d)
    return np.asarray(bias)[..., None]


def _drift(vectors: JointGeometry, velocities: tuple[Array, Array]) -> Array:
    """Return the part of d̈ without accelerations, φ̇_a² A_a s_a - φ̇_b² A_b s_b."""
    w_a, w_b = (v[..., 2] for v in velocities)
    return scaled(w_a**2, vectors.lever_a) - scaled(w_b**2, vectors.lever_b)


def _relative(vectors: JointGeometry, velocities: tuple[Array, Array]) -> tuple[Array, Array]:
    """Return the rate of the guide's angle and that of d."""
    v_a, v_b = velocities
    rate = v_b[..., :2] + scaled(v_b[..., 2], turned(vectors.lever_b))
    rate = rate - v_a[..., :2] - scaled(v_a[..., 2], turned(vectors.lever_a))
    return v_a[..., 2], rate


def _moved(lever: Array) -> Array:
    """Return the two rows of the velocity of a point, [I, J A s]."""
    zero = 0.0 * lever[..., 0]
    unity = zero + 1.0
    return np.stack(
        [stacked(unity, zero, -lever[..., 1]), stacked(zero, unity, lever[..., 0])], axis=-2
    )


def _along(vectors: JointGeometry, e: Array, turning: Array) -> tuple[Array, Array]:
    """Return the rows of e · d, e turning with a; ``turning`` is (J e) · d."""
    of_a = stacked(-e[..., 0], -e[..., 1], turning - dot(e, turned(vectors.lever_a)))
    return of_a, stacked(e[..., 0], e[..., 1], dot(e, turned(vectors.lever_b)))


def _turn(like: Array, sign: float) -> Array:
    zero = 0.0 * like
    return stacked(zero, zero, zero + sign)
