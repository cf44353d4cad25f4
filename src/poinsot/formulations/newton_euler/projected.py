"""Newton's and Euler's equations projected onto the motions of the joints, over any scalar."""

from __future__ import annotations

import numpy as np

from poinsot.formulations.newton_euler.bodies import (
    accelerations,
    body_mass_matrix,
    free_bodies,
    global_jacobian,
    needed_forces,
    to_com,
)
from poinsot.formulations.passive_forces import passive_force
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array


def mass_matrix(mechanism: Mechanism, q: Array) -> Array:
    """Return M = J̄ᵀ M̄ J̄ and the armature, shape (nv, nv)."""
    still, nothing = np.zeros(mechanism.nv), Environment(np.zeros(3))
    rows = global_jacobian(mechanism, free_bodies(mechanism, q, still, nothing))
    M = np.zeros((mechanism.nv, mechanism.nv), np.result_type(float, q))
    for body, (numbers, J) in zip(mechanism.bodies, rows, strict=True):
        M[np.ix_(numbers, numbers)] += J.T @ (body_mass_matrix(body) @ J)
    for body, v_slice in zip(mechanism.bodies, mechanism.v_slices, strict=True):
        M[v_slice, v_slice] += body.joint.armature_matrix()
    return np.tril(M) + np.tril(M, -1).T  # symmetric to the last digit


def bias(mechanism: Mechanism, q: Array, v: Array, environment: Environment) -> Array:
    """Return J̄ᵀ (M̄ A + q̄c - q̄e) at zero joint accelerations, and passive forces, shape (nv,)."""
    return inverse_dynamics(mechanism, q, v, np.zeros(mechanism.nv), environment)


def inverse_dynamics(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment
) -> Array:
    """Return the joint forces J̄ᵀ (M̄ A + q̄c - q̄e), passive forces and armature, shape (nv,).

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        a: Acceleration dv/dt, shape (nv,).
        environment: Gravity, motion of the base and wrenches.
    """
    bodies = free_bodies(mechanism, q, v, environment)
    forces = needed_forces(mechanism, bodies, accelerations(mechanism, bodies, a), environment)
    tau = np.zeros(mechanism.nv, object)
    for (numbers, J), force in zip(global_jacobian(mechanism, bodies), forces, strict=True):
        tau[numbers] += J.T @ force
    for body, v_slice in zip(mechanism.bodies, mechanism.v_slices, strict=True):
        tau[v_slice] += body.joint.armature_matrix() @ a[v_slice]
    return np.array(tau.tolist()) + passive_force(mechanism, q, v, environment)


def reactions(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment
) -> dict[int, Array]:
    """Return for each joint, by index as listed, the total wrench [f; n] of parent on body.

    The constraint, actuator and passive wrench, at the body's origin in its axes [N, N m], shape
    (6,), from the equations of the whole subtree.  Along the joint's motions it is the actuator
    force less passive forces and armature: Sᵀ F = tau - passive - armature a.
    """
    bodies = free_bodies(mechanism, q, v, environment)
    forces = needed_forces(mechanism, bodies, accelerations(mechanism, bodies, a), environment)
    for i in reversed(mechanism.order):
        parent = mechanism.parents[i]
        if parent >= 0:
            forces[parent] = forces[parent] + bodies[i].X.force_to_parent(forces[i])
    return {i: to_com(mechanism.bodies[i]).force_to_parent(F) for i, F in enumerate(forces)}
