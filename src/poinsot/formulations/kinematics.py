"""Poses, velocities, accelerations and Jacobians of bodies, by screws along the path to the body.

Everything is in the body's own axes at its origin unless said otherwise; ``in_world_axes`` and
``at_point`` change the axes and the point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.model import Mechanism
from poinsot.spatial import Array, Transform, cross, cross_motion


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """Where a body is and how it moves.

    Attributes:
        X_WB: Its pose in the world.
        V: Velocity [m/s, rad/s], in its axes at its origin, shape (6,).
        A: Rate of the components of V, shape (6,).
    """

    X_WB: Transform
    V: Array
    A: Array


def body_pose(mechanism: Mechanism, body: int, q: Array) -> Transform:
    """Return X_WB, the pose of a body (number as listed) in the world.

        X_WB = product of X_PJ X_JB(q) along the path
    """
    X_WB = Transform.identity()
    for i in mechanism.path(body):
        part = mechanism.bodies[i]
        X_WB = X_WB @ part.pose.transform() @ part.joint.transform(q[mechanism.q_slices[i]])
    return X_WB


def body_motions(mechanism: Mechanism, q: Array, v: Array, a: Array) -> list[BodyMotion]:
    """Return the motion of every body, in listed order [RBDA, eq. (3.33) and (3.41)].

        V_i = X V_p + S v,      A_i = X A_p + S a + dS/dt v + V_i × S v
    """
    motions: list[BodyMotion] = [BodyMotion(Transform.identity(), np.zeros(6), np.zeros(6))] * (
        mechanism.n_bodies + 1
    )
    for i in mechanism.order:
        motions[i] = _carried(mechanism, i, motions[mechanism.parents[i]], q, v, a)
    return motions[:-1]


def body_motion(mechanism: Mechanism, body: int, q: Array, v: Array, a: Array) -> BodyMotion:
    """Return the motion of one body; only the bodies on its path are looked at."""
    motion = BodyMotion(Transform.identity(), np.zeros(6), np.zeros(6))
    for i in mechanism.path(body):
        motion = _carried(mechanism, i, motion, q, v, a)
    return motion


def _carried(
    mechanism: Mechanism, i: int, parent: BodyMotion, q: Array, v: Array, a: Array
) -> BodyMotion:
    joint = mechanism.bodies[i].joint
    qi, vi, ai = q[mechanism.q_slices[i]], v[mechanism.v_slices[i]], a[mechanism.v_slices[i]]
    X_PB = mechanism.bodies[i].pose.transform() @ joint.transform(qi)
    S = joint.motion_subspace(qi)
    V_J = S @ vi
    V = X_PB.motion_to_child(parent.V) + V_J
    A_J = S @ ai + joint.motion_bias(qi, vi)
    A = X_PB.motion_to_child(parent.A) + A_J + cross_motion(V, V_J)
    return BodyMotion(parent.X_WB @ X_PB, V, A)


def body_jacobian(mechanism: Mechanism, body: int, q: Array) -> Array:
    """Return J with V = J v, shape (6, nv): the columns are the joints' screws at the body."""
    J = np.zeros((6, mechanism.nv), dtype=object)
    X_jB = Transform.identity()
    for i in reversed(mechanism.path(body)):
        part = mechanism.bodies[i]
        qi = q[mechanism.q_slices[i]]
        for k, screw in enumerate(part.joint.motion_subspace(qi).T):
            J[:, mechanism.v_slices[i].start + k] = X_jB.motion_to_child(screw)
        X_jB = part.pose.transform() @ part.joint.transform(qi) @ X_jB
    return np.array(J.tolist())


def body_jacobian_rate(mechanism: Mechanism, body: int, q: Array, v: Array) -> Array:
    """Return dJ/dt with A = J a + dJ/dt v, shape (6, nv).

    A screw s of joint j, carried to the body B, changes by

        d/dt (X s) = X (dS/dt column) - V_rel × (X s),      V_rel = V_B - X V_j

    [Liu1988, derivative in eq. (33)].  The column of dS/dt is linear in v: it is found by giving
    the joint's velocity and a unit velocity, dS/dt e = bias(v + e) - bias(v) - bias(e) over 2 ... ;
    every joint so far has a constant S, for which it is zero.
    """
    J = body_jacobian(mechanism, body, q)
    rate = np.zeros((6, mechanism.nv), dtype=object)
    path = mechanism.path(body)
    # V_rel: what the joints after j contribute to the body's velocity
    relative = np.zeros(6)
    for i in reversed(path):
        columns = range(mechanism.v_slices[i].start, mechanism.v_slices[i].stop)
        own = sum((J[:, k] * v[k] for k in columns), np.zeros(6))
        for k in columns:
            rate[:, k] = -cross_motion(relative, J[:, k])
        relative = relative + own
    return np.array(rate.tolist())


def at_point(J: Array, point: Array) -> Array:
    """Return motions at a point fixed in the body, from motions at its origin, shape (6, k).

        v_point = v + w × point
    """
    shifted = [np.concatenate([s[:3] + cross(s[3:], point), s[3:]]) for s in J.T]
    return np.stack(shifted, axis=1) if shifted else J


def in_world_axes(R_WB: Array, J: Array) -> Array:
    """Return motions with their axes turned to the world's, at the same point, shape (6, k)."""
    return np.concatenate([R_WB @ J[:3], R_WB @ J[3:]])


def rate_in_world_axes(R_WB: Array, w: Array, J: Array, rate: Array) -> Array:
    """Return the rate of motions in world axes, d/dt (R s) = R (ds/dt + w × s), shape (6, k)."""
    turning = [np.concatenate([cross(w, s[:3]), cross(w, s[3:])]) for s in J.T]
    return in_world_axes(R_WB, rate + np.stack(turning, axis=1)) if turning else rate
