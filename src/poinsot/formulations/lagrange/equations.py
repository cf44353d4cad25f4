"""The improved Lagrange algorithm [Huang1997, sec. 1.7, sec. 2.1]: A q̈ + B q̇ - ∂T/∂q = Q.

    T = ½ Σ_i (m_i v_iᵀ v_i + ω_iᵀ I_i ω_i),   all in the axes of body i, I_i about its mass centre

[Huang1997, sec. 1.6], and d/dt ∂T/∂q̇_j = Σ_k A_jk q̈_k + Σ_k B_jk q̇_k, where the derivatives of ω
and v are the intermediate variables of ``derivatives``, so that nothing is ever expanded.

Where an orientation is a quaternion, v are quasi-velocities, and the equations are those of
Boltzmann and Hamel: virtual displacements δπ of the joint change its speeds by d/dt δπ + K δπ
(``commutator``), which adds -Kᵀ ∂T/∂v.  For a ball joint, whose v is ω, this is ω × ∂T/∂ω.

Differs from [Huang1997]: the base may move (∂/∂t), armature, and wrenches at the bodies' origins.
The printed ∂Y/∂q in the generalised forces must be read as the partial velocity ∂v/∂q̇.
"""

from __future__ import annotations

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.linalg import ltdl, ltdl_solve
from poinsot.formulations.lagrange.commutator import commutator
from poinsot.formulations.lagrange.derivatives import (
    Derivatives,
    derivatives,
    partial_velocities,
    rotations,
    steps,
)
from poinsot.formulations.passive_forces import passive_force
from poinsot.model import Body, Environment, Mechanism
from poinsot.spatial import Array, cross


def mass_matrix(mechanism: Mechanism, q: Array) -> Array:
    """Return A(q), the armature included, shape (nv, nv) [Huang1997, sec. 2.1].

    A_jk = Σ_i m_i (∂v_i/∂q̇_j)ᵀ ∂v_i/∂q̇_k + (∂ω_i/∂q̇_j)ᵀ I_i ∂ω_i/∂q̇_k
    """
    A = np.zeros((mechanism.nv, mechanism.nv), np.result_type(float, q))
    partials = partial_velocities(mechanism, steps(mechanism, q))
    for body, (speeds, by) in zip(mechanism.bodies, partials, strict=True):
        A_i = body.mass * (by.v.T @ by.v) + by.w.T @ (body.inertia_matrix() @ by.w)
        A[np.ix_(speeds, speeds)] += A_i
    for body, v_slice in zip(mechanism.bodies, mechanism.v_slices, strict=True):
        A[v_slice, v_slice] += body.joint.armature_matrix()
    return np.tril(A) + np.tril(A, -1).T  # symmetric to the last digit


def bias(mechanism: Mechanism, q: Array, v: Array, environment: Environment) -> Array:
    """Return B q̇ - ∂T/∂q - Q without the actuator forces, shape (nv,).

    Springs and dampers of the joints, gravity and wrenches are in Q.

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,); q̇ of the paper.
        environment: Gravity, motion of the base and wrenches.
    """
    path_steps = steps(mechanism, q)
    axes = rotations(mechanism, path_steps)
    left = np.zeros(mechanism.nv, object)
    momentum = np.zeros(mechanism.nv, object)
    for i, velocity in enumerate(derivatives(mechanism, path_steps, v, environment)):
        body, speeds = mechanism.bodies[i], velocity.speeds
        momentum[speeds] += _momentum(body, velocity)
        left[speeds] += _rates(body, velocity) @ v[speeds] + _by_time(body, velocity)
        left[speeds] -= _by_coordinates(body, velocity)
        left[speeds] -= _forces(
            body, velocity, axes[i] @ environment.gravity, environment.wrenches.get(i)
        )
    for i, body in enumerate(mechanism.bodies):
        if body.joint.nq != body.joint.nv:
            v_slice = mechanism.v_slices[i]
            K = commutator(body.joint, q[mechanism.q_slices[i]], v[v_slice])
            left[v_slice] -= K.T @ momentum[v_slice]
    return np.array(left.tolist()) + passive_force(mechanism, q, v, environment)


def inverse_dynamics(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment
) -> Array:
    """Return the actuator forces A q̈ + B q̇ - ∂T/∂q - Q, shape (nv,)."""
    tau: Array = mass_matrix(mechanism, q) @ a + bias(mechanism, q, v, environment)
    return tau


def forward_dynamics(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment
) -> Array:
    """Return q̈ under the actuator forces ``tau``, shape (nv,).

    A is factored from the leaves inwards, which keeps the zeros that branches leave in it.

    Raises:
        ModelError: A is singular.
    """
    order, parent = mechanism.velocity_tree
    A = mass_matrix(mechanism, q)[np.ix_(order, order)]
    force = (tau - bias(mechanism, q, v, environment))[order]
    try:
        factors = ltdl(A, parent)
    except np.linalg.LinAlgError as error:
        raise ModelError(
            f"mechanism {mechanism.name!r}: the mass matrix is singular ({error}), so "
            "accelerations are not determined; give bodies without mass some, or their joints an "
            "armature"
        ) from error
    solution = ltdl_solve(*factors, parent, force)
    a = np.empty_like(solution)
    a[order] = solution
    return a


def _momentum(body: Body, velocity: Derivatives) -> Array:
    """Return ∂T_i/∂q̇, shape (n,)."""
    p = body.mass * velocity.motion.v
    L = body.inertia_matrix() @ velocity.motion.w
    momentum: Array = (velocity.by_speeds.v.T @ p + velocity.by_speeds.w.T @ L)[:, 0]
    return momentum


def _rates(body: Body, velocity: Derivatives) -> Array:
    """Return B_jk of one body, shape (n, n) [Huang1997, sec. 2.1].

    B_jk = m (∂²v/∂q̇_j∂q_k)ᵀ v + m (∂v/∂q̇_j)ᵀ ∂v/∂q_k + (∂²ω/∂q̇_j∂q_k)ᵀ I ω + (∂ω/∂q̇_j)ᵀ I
    ∂ω/∂q_k
    """
    I = body.inertia_matrix()
    p, L = body.mass * velocity.motion.v, I @ velocity.motion.w
    by_speeds, by_coordinates = velocity.by_speeds, velocity.by_coordinates
    B: Array = body.mass * (by_speeds.v.T @ by_coordinates.v)
    B = B + by_speeds.w.T @ (I @ by_coordinates.w)
    for k, mixed in enumerate(velocity.mixed):
        B[: mixed.v.shape[1], k] += (mixed.v.T @ p + mixed.w.T @ L)[:, 0]
    return B


def _by_time(body: Body, velocity: Derivatives) -> Array:
    """Return ∂²T_i/∂q̇∂t, shape (n,): ω and v depend on time where the base moves."""
    p, L = body.mass * velocity.by_time.v, body.inertia_matrix() @ velocity.by_time.w
    change: Array = (velocity.by_speeds.v.T @ p + velocity.by_speeds.w.T @ L)[:, 0]
    return change


def _by_coordinates(body: Body, velocity: Derivatives) -> Array:
    """Return ∂T_i/∂q_j = m vᵀ ∂v/∂q_j + ωᵀ I ∂ω/∂q_j, shape (n,) [Huang1997, sec. 2.1]."""
    p, L = body.mass * velocity.motion.v, body.inertia_matrix() @ velocity.motion.w
    change: Array = (velocity.by_coordinates.v.T @ p + velocity.by_coordinates.w.T @ L)[:, 0]
    return change


def _forces(body: Body, velocity: Derivatives, gravity: Array, wrench: Array | None) -> Array:
    """Return Q_s = F · ∂v/∂q̇_s + L · ∂ω/∂q̇_s of one body, shape (n,) [Huang1997, sec. 1.5].

    Args:
        body: The body.
        velocity: Its partial velocities.
        gravity: Acceleration of free fall [m/s²] in its axes, shape (3,).
        wrench: External load at its origin [N, N m], in its axes, shape (6,); None: no load.
    """
    F = body.mass * gravity
    if wrench is None:
        Q: Array = velocity.by_speeds.v.T @ F
        return Q
    wrench = np.asarray(wrench)
    L = wrench[3:] - cross(body.com, wrench[:3])
    return np.asarray(velocity.by_speeds.v.T @ (F + wrench[:3]) + velocity.by_speeds.w.T @ L)
