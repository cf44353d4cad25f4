"""Poses, velocities and accelerations of bodies, by screws along the path to the body.

Screws are in body axes at the body's origin until the last step, which transforms them to the point
and into the requested axes ("body" or "world").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.model import AbstractJoint, Mechanism
from poinsot.spatial import Array, Transform, cross_columns, cross_motion


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """Pose, velocity and acceleration of a body.

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
        link = mechanism.bodies[i]
        X_WB = X_WB @ link.pose.transform() @ link.joint.transform(q[mechanism.q_slices[i]])
    return X_WB


def body_motions(mechanism: Mechanism, q: Array, v: Array, a: Array) -> list[BodyMotion]:
    """Return the motion of every body, in listed order [RBDA, chapter 3].

    V_i = X V_p + S v,      A_i = X A_p + S a + dS/dt v + V_i × S v
    """
    motions: list[BodyMotion] = [BodyMotion(Transform.identity(), np.zeros(6), np.zeros(6))] * (
        mechanism.n_bodies + 1
    )
    for i in mechanism.order:
        motions[i] = _carried(mechanism, i, motions[mechanism.parents[i]], q, v, a)
    return motions[:-1]


def body_motion(mechanism: Mechanism, body: int, q: Array, v: Array, a: Array) -> BodyMotion:
    """Return the motion of one body; only the bodies on its path are evaluated."""
    motion = BodyMotion(Transform.identity(), np.zeros(6), np.zeros(6))
    for i in mechanism.path(body):
        motion = _carried(mechanism, i, motion, q, v, a)
    return motion


def _carried(
    mechanism: Mechanism, i: int, parent: BodyMotion, q: Array, v: Array, a: Array
) -> BodyMotion:
    body = mechanism.bodies[i]
    v_slice = mechanism.v_slices[i]
    X_PJ = body.pose.transform()
    return carried(X_PJ, body.joint, parent, q[mechanism.q_slices[i]], v[v_slice], a[v_slice])


def carried(
    X_PJ: Transform, joint: AbstractJoint, parent: BodyMotion, q: Array, v: Array, a: Array
) -> BodyMotion:
    """Return the motion of a body from its parent's: one step of the outward sweep."""
    X_PB = X_PJ @ joint.transform(q)
    S = joint.motion_subspace(q)
    V_J = S @ v
    V = X_PB.motion_to_child(parent.V) + V_J
    A_J = S @ a + joint.motion_subspace_rate(q, v) @ v
    A = X_PB.motion_to_child(parent.A) + A_J + cross_motion(V, V_J)
    return BodyMotion(parent.X_WB @ X_PB, V, A)


def pose(mechanism: Mechanism, body: int, q: Array) -> Array:
    """Return the pose of a body in the world, shape (4, 4)."""
    return body_pose(mechanism, body, q).homogeneous()


def velocity(mechanism: Mechanism, body: int, axes: str, q: Array, v: Array, point: Array) -> Array:
    """Return [v; w] of a body at a point given in body coordinates, shape (6,)."""
    return velocity_at(body_motion(mechanism, body, q, v, np.zeros(mechanism.nv)), axes, point)


def acceleration(
    mechanism: Mechanism, body: int, axes: str, q: Array, v: Array, a: Array, point: Array
) -> Array:
    """Return the rate of the components of the velocity, shape (6,)."""
    return acceleration_at(body_motion(mechanism, body, q, v, a), axes, point)


def velocity_at(motion: BodyMotion, axes: str, point: Array) -> Array:
    """Return the velocity at a point of the body, in the given axes, shape (6,)."""
    V = at_point(motion.V[:, None], point)
    return (V if axes == "body" else turned(motion.X_WB.R, V))[:, 0]


def acceleration_at(motion: BodyMotion, axes: str, point: Array) -> Array:
    """Return the rate of the components of the velocity at a point, shape (6,).

    In world axes d/dt (R V) = R (dV/dt + w × V): the linear part is then the acceleration of the
    point as an observer at rest sees it.
    """
    A = at_point(motion.A[:, None], point)
    if axes == "world":
        V = at_point(motion.V[:, None], point)
        A = turned(motion.X_WB.R, A + spun(motion.V[3:], V))
    return A[:, 0]


def at_point(J: Array, point: Array) -> Array:
    """Return motions at a point of the body from motions at its origin: v + w × point, (6, k)."""
    return np.concatenate([J[:3] - cross_columns(point, J[3:]), J[3:]])


def turned(R_WB: Array, J: Array) -> Array:
    """Return motions in world axes, at the same point, shape (6, k)."""
    return np.concatenate([R_WB @ J[:3], R_WB @ J[3:]])


def spun(w: Array, J: Array) -> Array:
    """Return w × both parts of the motions, shape (6, k)."""
    return np.concatenate([cross_columns(w, J[:3]), cross_columns(w, J[3:])])
