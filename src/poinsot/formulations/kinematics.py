"""Poses, velocities, accelerations and Jacobians of bodies, by screws along the path to the body.

Screws are in the body's own axes at its origin until the last step, which moves them to the point
and turns them into the axes ("body" or "world") that were asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.model import Mechanism
from poinsot.spatial import Array, Transform, cross_columns, cross_motion


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
    A_J = S @ ai + joint.motion_subspace_rate(qi, vi) @ vi
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

        d/dt (X s) = X ds/dt - V_rel × (X s),      V_rel = V_B - X V_j

    [Liu1988, derivative in eq. (33)].
    """
    rate = np.zeros((6, mechanism.nv), dtype=object)
    X_jB = Transform.identity()
    V_rel = np.zeros(6)  # what the joints behind j add to the body's velocity
    for i in reversed(mechanism.path(body)):
        part, columns = mechanism.bodies[i], mechanism.v_slices[i]
        qi, vi = q[mechanism.q_slices[i]], v[columns]
        S, S_rate = part.joint.motion_subspace(qi), part.joint.motion_subspace_rate(qi, vi)
        for k in range(part.joint.nv):
            screw = X_jB.motion_to_child(S[:, k])
            rate[:, columns.start + k] = X_jB.motion_to_child(S_rate[:, k]) - cross_motion(
                V_rel, screw
            )
        V_rel = V_rel + X_jB.motion_to_child(S @ vi)
        X_jB = part.pose.transform() @ part.joint.transform(qi) @ X_jB
    return np.array(rate.tolist())


def pose(mechanism: Mechanism, body: int, q: Array) -> Array:
    """Return the pose of a body in the world, shape (4, 4)."""
    return body_pose(mechanism, body, q).homogeneous()


def jacobian(mechanism: Mechanism, body: int, axes: str, q: Array, point: Array) -> Array:
    """Return J with velocity = J v, at a point given in body coordinates, shape (6, nv)."""
    J = _at_point(body_jacobian(mechanism, body, q), point)
    return J if axes == "body" else _turned(body_pose(mechanism, body, q).R, J)


def jacobian_rate(
    mechanism: Mechanism, body: int, axes: str, q: Array, v: Array, point: Array
) -> Array:
    """Return dJ/dt with acceleration = J a + dJ/dt v, shape (6, nv)."""
    rate = _at_point(body_jacobian_rate(mechanism, body, q, v), point)
    if axes == "body":
        return rate
    motion = body_motion(mechanism, body, q, v, np.zeros(mechanism.nv))
    J = _at_point(body_jacobian(mechanism, body, q), point)
    return _turned(motion.X_WB.R, rate + _spun(motion.V[3:], J))


def velocity(mechanism: Mechanism, body: int, axes: str, q: Array, v: Array, point: Array) -> Array:
    """Return [v; w] of a body at a point given in body coordinates, shape (6,)."""
    motion = body_motion(mechanism, body, q, v, np.zeros(mechanism.nv))
    V = _at_point(motion.V[:, None], point)
    return (V if axes == "body" else _turned(motion.X_WB.R, V))[:, 0]


def acceleration(
    mechanism: Mechanism, body: int, axes: str, q: Array, v: Array, a: Array, point: Array
) -> Array:
    """Return the rate of the components of the velocity, shape (6,).

    In world axes d/dt (R V) = R (dV/dt + w × V): the linear part is then the acceleration of the
    point as an observer at rest sees it.
    """
    motion = body_motion(mechanism, body, q, v, a)
    A = _at_point(motion.A[:, None], point)
    if axes == "world":
        V = _at_point(motion.V[:, None], point)
        A = _turned(motion.X_WB.R, A + _spun(motion.V[3:], V))
    return A[:, 0]


def _at_point(J: Array, point: Array) -> Array:
    """Return motions at a point of the body from motions at its origin: v + w × point, (6, k)."""
    return np.concatenate([J[:3] - cross_columns(point, J[3:]), J[3:]])


def _turned(R_WB: Array, J: Array) -> Array:
    """Return motions in world axes, at the same point, shape (6, k)."""
    return np.concatenate([R_WB @ J[:3], R_WB @ J[3:]])


def _spun(w: Array, J: Array) -> Array:
    """Return w × both parts of the motions, shape (6, k)."""
    return np.concatenate([cross_columns(w, J[:3]), cross_columns(w, J[3:])])
