"""Free bodies: their poses and motions, and the six equations of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.model import Body, Environment, Mechanism
from poinsot.spatial import Array, Transform, cross, cross_columns, cross_motion


@dataclass(frozen=True, eq=False)
class FreeBody:
    """One body, with its frame C at the mass centre in body axes, and the motions of its joint.

    Attributes:
        X: Pose of C in the parent's frame C; in the frame of the base for a root.
        R: Axes of the body in those of the base, shape (3, 3).
        S: Motions that the joint allows, at the mass centre in body axes, shape (6, nv of joint).
        V: Velocity [v; w] of the mass centre in body axes, shape (6,).
        zeta: Velocity-dependent acceleration: A = X A' + S a + zeta.
    """

    X: Transform
    R: Array
    S: Array
    V: Array
    zeta: Array


def free_bodies(
    mechanism: Mechanism, q: Array, v: Array, environment: Environment
) -> list[FreeBody]:
    """Return all bodies, in listed order, moving as the joints allow.

        V = X V' + S v,      zeta = dS/dt v + V × S v

    where ' is the parent's.  The acceleration of the base is part of zeta of the roots.
    """
    V_0, zero = np.asarray(environment.velocity), np.zeros(6)
    base = FreeBody(Transform.identity(), np.eye(3), np.zeros((6, 0)), V_0, zero)
    bodies = [base] * (mechanism.n_bodies + 1)  # the last is the base
    for i in mechanism.order:
        body, p = mechanism.bodies[i], mechanism.parents[i]
        q_i, v_i = q[mechanism.q_slices[i]], v[mechanism.v_slices[i]]
        X_CB = to_com(mechanism.bodies[p]).inverse() if p >= 0 else Transform.identity()
        X = X_CB @ body.pose.transform() @ body.joint.transform(q_i) @ to_com(body)
        S = _at_point(body.joint.motion_subspace(q_i), body.com)
        dS = _at_point(body.joint.motion_subspace_rate(q_i, v_i), body.com)
        V_J = S @ v_i
        V = X.motion_to_child(bodies[p].V) + V_J
        zeta = dS @ v_i + cross_motion(V, V_J)
        if p < 0:
            zeta = zeta + X.motion_to_child(environment.acceleration)
        bodies[i] = FreeBody(X, bodies[p].R @ X.R, S, V, zeta)
    return bodies[:-1]


def accelerations(mechanism: Mechanism, bodies: list[FreeBody], a: Array) -> list[Array]:
    """Return A = X A' + S a + zeta of every body, each shape (6,)."""
    A = [np.zeros(6)] * (len(bodies) + 1)  # the last is the base
    for i in mechanism.order:
        body = bodies[i]
        joint = body.S @ a[mechanism.v_slices[i]] + body.zeta
        A[i] = body.X.motion_to_child(A[mechanism.parents[i]]) + joint
    return A[:-1]


def needed_forces(
    mechanism: Mechanism, bodies: list[FreeBody], A: list[Array], environment: Environment
) -> list[Array]:
    """Return M̄ A + q̄c - q̄e by body: the total wrench of its joints, at the mass centre, (6,).

    m (dv/dt + w × v - g) - f,      I dw/dt + w × I w - n
    """
    forces = []
    for i, (body, free, dV) in enumerate(zip(mechanism.bodies, bodies, A, strict=True)):
        v, w, I = free.V[:3], free.V[3:], body.inertia_matrix()
        f = body.mass * (dV[:3] + cross(w, v) - free.R.T @ environment.gravity)
        n = I @ dV[3:] + cross(w, I @ w)
        force = np.concatenate([f, n])
        if i in environment.wrenches:
            force = force - to_com(body).force_to_child(environment.wrenches[i])
        forces.append(force)
    return forces


def body_mass_matrix(body: Body) -> Array:
    """Return the block of M̄ of a body: mass, and inertia about the mass centre, shape (6, 6)."""
    zero = np.zeros((3, 3))
    return np.block([[body.mass * np.eye(3), zero], [zero, body.inertia_matrix()]])


def global_jacobian(mechanism: Mechanism, bodies: list[FreeBody]) -> list[tuple[list[int], Array]]:
    """Return the rows of J̄ by body: the indices of the n velocities that move it, and (6, n).

    J̄_i = [X J̄_p, S]: the columns of all other velocities are zero and left out.
    """
    rows: list[tuple[list[int], Array]] = [([], np.zeros((6, 0)))] * (len(bodies) + 1)
    for i in mechanism.order:
        numbers, J = rows[mechanism.parents[i]]
        v_slice = mechanism.v_slices[i]
        columns = np.hstack([motion_matrix_to_child(bodies[i].X) @ J, bodies[i].S])
        rows[i] = ([*numbers, *range(v_slice.start, v_slice.stop)], columns)
    return rows[:-1]


def motion_matrix_to_child(X: Transform) -> Array:
    """Return the matrix of ``X.motion_to_child``, shape (6, 6)."""
    return X.force_matrix().T


def to_com(body: Body) -> Transform:
    """Return X_BC, the frame at the mass centre in that of the body."""
    return Transform.translation(body.com)


def _at_point(S: Array, r: tuple[float, float, float]) -> Array:
    """Return motions at the point r from those at the origin: v + w × r, shape (6, k)."""
    return np.concatenate([S[:3] - cross_columns(r, S[3:]), S[3:]])
