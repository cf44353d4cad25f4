"""Jacobians of bodies and their rates: the joints' screws, transformed to the body.

From the body towards the root, each joint adds its columns.  The pose and velocity of the body
relative to the joint are updated from step to step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.formulations.kinematics import (
    BodyMotion,
    at_point,
    body_motion,
    body_pose,
    spun,
    turned,
)
from poinsot.model import AbstractJoint, Mechanism
from poinsot.spatial import Array, Transform, cross_motion


@dataclass(frozen=True, eq=False)
class Behind:
    """Pose X_jB of the body in the frame of body j, and its velocity relative to j, in B."""

    X_jB: Transform
    V_rel: Array


AT_BODY = Behind(Transform.identity(), np.zeros(6))


def jacobian(mechanism: Mechanism, body: int, axes: str, q: Array, point: Array) -> Array:
    """Return J with velocity = J v, at a point given in body coordinates, shape (6, nv)."""
    still = np.zeros(mechanism.nv)
    screws, _ = _all_columns(mechanism, body, q, still)
    return jacobian_at(body_pose(mechanism, body, q).R, axes, point, screws)


def jacobian_rate(
    mechanism: Mechanism, body: int, axes: str, q: Array, v: Array, point: Array
) -> Array:
    """Return dJ/dt with acceleration = J a + dJ/dt v, shape (6, nv)."""
    motion = body_motion(mechanism, body, q, v, np.zeros(mechanism.nv))
    return rate_at(motion, axes, point, *_all_columns(mechanism, body, q, v))


def joint_columns(behind: Behind, joint: AbstractJoint, q: Array, v: Array) -> tuple[Array, Array]:
    """Return the screws of a joint at the body and their rates, both (6, nv of the joint).

        d/dt (X s) = X ds/dt - V_rel × (X s)

    [Liu1988, derivative in eq. (33)].
    """
    screws = _to_body(behind.X_jB, joint.motion_subspace(q))
    rates = _to_body(behind.X_jB, joint.motion_subspace_rate(q, v))
    spins = [cross_motion(behind.V_rel, screw) for screw in screws.T]
    return screws, rates - np.stack(spins, axis=1) if spins else rates


def behind_parent(
    behind: Behind, X_PJ: Transform, joint: AbstractJoint, q: Array, v: Array
) -> Behind:
    """Return the pose and velocity of the body relative to the parent."""
    V_J = behind.X_jB.motion_to_child(joint.motion_subspace(q) @ v)
    return Behind(X_PJ @ joint.transform(q) @ behind.X_jB, behind.V_rel + V_J)


def jacobian_at(R_WB: Array, axes: str, point: Array, screws: Array) -> Array:
    """Return screws at a point of the body, in the given axes, shape (6, k)."""
    J = at_point(screws, point)
    return J if axes == "body" else turned(R_WB, J)


def rate_at(motion: BodyMotion, axes: str, point: Array, screws: Array, rates: Array) -> Array:
    """Return rates of screws at a point of the body, in the given axes, shape (6, k)."""
    rate = at_point(rates, point)
    if axes == "body":
        return rate
    return turned(motion.X_WB.R, rate + spun(motion.V[3:], at_point(screws, point)))


def _all_columns(mechanism: Mechanism, body: int, q: Array, v: Array) -> tuple[Array, Array]:
    J = np.zeros((2, 6, mechanism.nv), dtype=object)
    behind = AT_BODY
    for i in reversed(mechanism.path(body)):
        link, v_slice = mechanism.bodies[i], mechanism.v_slices[i]
        joint, qi, vi = link.joint, q[mechanism.q_slices[i]], v[v_slice]
        J[0][:, v_slice], J[1][:, v_slice] = joint_columns(behind, joint, qi, vi)
        behind = behind_parent(behind, link.pose.transform(), joint, qi, vi)
    screws, rates = (np.array(block.tolist()).reshape(6, mechanism.nv) for block in J)
    return screws, rates


def _to_body(X_jB: Transform, S: Array) -> Array:
    """Return motions of the joint's body at the body, in its axes, shape (6, k)."""
    columns = [X_jB.motion_to_child(screw) for screw in S.T]
    return np.stack(columns, axis=1) if columns else S
