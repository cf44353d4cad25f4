"""Mass matrix and contact rows of trees by 4 × 4 matrices [Zhang1996, (3.2), (3.9), (3.11)].

T_j takes homogeneous coordinates of body j to those of the base, u_ji = ∂T_j/∂q_i, and the
pseudo-inertia J_j = ∫ r rᵀ dm is about the origin of the body.  Nothing is used of joints but their
transforms, differentiated: no motion subspace, no screw.  Where velocities are not rates of
coordinates, u_ji is the derivative along the i-th velocity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from poinsot.expr import Program, build, fresh_symbols, tangent
from poinsot.expr.replay import replay
from poinsot.model import AbstractJoint, Body, Mechanism
from poinsot.spatial import Array

__all__ = [
    "PoseDerivatives",
    "impulse_columns",
    "mass_matrix",
    "pose_derivatives",
    "pseudo_inertia",
]


@dataclass(frozen=True, eq=False)
class PoseDerivatives:
    """The pose of a body and how it changes with the velocities that move it.

    Attributes:
        speeds: Numbers of these velocities, from the root outwards.
        T: Pose in the base, shape (4, 4).
        u: Derivatives of T along the velocities, shape (velocities, 4, 4).
    """

    speeds: list[int]
    T: Array
    u: Array


def pose_derivatives(mechanism: Mechanism, q: Array) -> list[PoseDerivatives]:
    """Return T_j and the u_ji that are not zero, of every body, on floats."""
    base = PoseDerivatives([], np.eye(4), np.zeros((0, 4, 4)))
    poses = [base] * (mechanism.n_bodies + 1)  # the last is the base
    for j in mechanism.order:
        body, own, parent = mechanism.bodies[j], mechanism.v_slices[j], poses[mechanism.parents[j]]
        q_j = np.asarray(q[mechanism.q_slices[j]], float)
        moved, along = (np.asarray(x, float) for x in replay(_joint_derivatives(body.joint), q_j))
        placed = parent.T @ np.asarray(body.pose.transform().homogeneous(), float)
        carried = np.asarray(body.pose.transform().homogeneous(), float) @ moved
        poses[j] = PoseDerivatives(
            [*parent.speeds, *range(own.start, own.stop)],
            placed @ moved,
            np.concatenate([parent.u @ carried, placed @ along]),
        )
    return poses[:-1]


@lru_cache(maxsize=256)
def _joint_derivatives(joint: AbstractJoint) -> Program:
    """Return the transform of a joint, and its derivatives along its velocities, of its q."""
    q = fresh_symbols("q", joint.nq)
    pose = np.asarray(joint.transform(q).homogeneous(), object)
    along = np.zeros((joint.nv, 4, 4), object)
    for i, unit in enumerate(np.eye(joint.nv)):
        rate = np.asarray(joint.position_rate(q, unit), object)
        along[i] = tangent(pose.ravel(), q, rate).reshape(4, 4)
    return build({"q": q}, {"pose": pose, "along": along})


def pseudo_inertia(body: Body) -> Array:
    """Return J = ∫ r rᵀ dm about the body's origin, r = (x, y, z, 1), shape (4, 4).

    tr(I_C)/2 - I_C + m c cᵀ, m c and m: not defined in the paper.
    """
    I, c = np.asarray(body.inertia_matrix(), float), np.asarray(body.com, float)
    J = np.empty((4, 4))
    J[:3, :3] = 0.5 * np.trace(I) * np.eye(3) - I + body.mass * np.outer(c, c)
    J[:3, 3] = J[3, :3] = body.mass * c
    J[3, 3] = body.mass
    return J


def mass_matrix(mechanism: Mechanism, q: Array) -> Array:
    """Return M_ik = Σ_j Tr(u_jk J_j u_jiᵀ) [Zhang1996, (3.2)], armature included, (nv, nv)."""
    M = np.zeros((mechanism.nv, mechanism.nv))
    for body, pose in zip(mechanism.bodies, pose_derivatives(mechanism, q), strict=True):
        halves = (pose.u @ pseudo_inertia(body)).reshape(len(pose.u), 16)
        M[np.ix_(pose.speeds, pose.speeds)] += halves @ pose.u.reshape(len(pose.u), 16).T
    for body, own in zip(mechanism.bodies, mechanism.v_slices, strict=True):
        M[own, own] += np.asarray(body.joint.armature_matrix(), float)
    return M


def impulse_columns(
    mechanism: Mechanism, q: Array, contacts: Sequence[tuple[int, Array, Array]]
) -> Array:
    """Return d_ik = n_k u_ji r_k: what unit impulses do to the joints, shape (nv, contacts).

    [Zhang1996, (3.9), (3.11)] with W = 1; the transpose of the rows of contacts.

    Args:
        mechanism: The tree.
        q: Configuration, shape (nq,).
        contacts: For each the number of its body, the point in coordinates of the body [m] and the
            direction of the impulse in those of the base, shapes (3,).
    """
    poses, d = pose_derivatives(mechanism, q), np.zeros((mechanism.nv, len(contacts)))
    for k, (j, point, normal) in enumerate(contacts):
        d[poses[j].speeds, k] = np.append(normal, 0.0) @ poses[j].u @ np.append(point, 1.0)
    return d
