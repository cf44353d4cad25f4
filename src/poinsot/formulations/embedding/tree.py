"""Mass matrix and forces of a tree, as sums over its bodies; over any scalar.

With J_i the Jacobian of a body, V_i = J_i v + ..., I_i its inertia and A_i its acceleration, all in
its axes at its origin,

    M = Σ J_iᵀ I_i J_i,       tau = Σ J_iᵀ (I_i A_i + V_i ×* I_i V_i - F_i).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.formulations.passive_forces import passive_force
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array, Transform, cross_force, cross_motion


@dataclass(frozen=True, eq=False)
class _Moving:
    """A body: its velocity, its acceleration less gravity, and the columns of its Jacobian."""

    V: Array
    A: Array
    numbers: list[int]
    J: Array


def mass_matrix(mechanism: Mechanism, q: Array) -> Array:
    """Return M(q), armature included, shape (nv, nv)."""
    still = np.zeros(mechanism.nv)
    moving = _moving(mechanism, q, still, still, Environment(np.zeros(3)))
    M = np.zeros((mechanism.nv, mechanism.nv), np.result_type(float, q))
    for body, motion in zip(mechanism.bodies, moving, strict=True):
        M[np.ix_(motion.numbers, motion.numbers)] += motion.J.T @ (
            body.spatial_inertia().matrix() @ motion.J
        )
    for body, v_slice in zip(mechanism.bodies, mechanism.v_slices, strict=True):
        M[v_slice, v_slice] += body.joint.armature_matrix()
    return np.tril(M) + np.tril(M, -1).T  # symmetric to the last digit


def bias(mechanism: Mechanism, q: Array, v: Array, environment: Environment) -> Array:
    """Return Coriolis, centrifugal, gravity, applied and passive forces, shape (nv,)."""
    return inverse_dynamics(mechanism, q, v, np.zeros(mechanism.nv), environment)


def inverse_dynamics(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment
) -> Array:
    """Return the joint forces of the tree that produce ``a``, shape (nv,).

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        a: Acceleration dv/dt, shape (nv,).
        environment: Gravity, motion of the base and wrenches.
    """
    tau = np.zeros(mechanism.nv, object)
    moving = _moving(mechanism, q, v, a, environment)
    for i, (body, motion) in enumerate(zip(mechanism.bodies, moving, strict=True)):
        inertia = body.spatial_inertia()
        force = inertia.apply(motion.A) + cross_force(motion.V, inertia.apply(motion.V))
        if i in environment.wrenches:
            force = force - environment.wrenches[i]
        tau[motion.numbers] += motion.J.T @ force
    for body, v_slice in zip(mechanism.bodies, mechanism.v_slices, strict=True):
        tau[v_slice] += body.joint.armature_matrix() @ a[v_slice]
    return np.array(tau.tolist()) + passive_force(mechanism, q, v, environment)


def _moving(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment
) -> list[_Moving]:
    """Return all bodies, in listed order; gravity enters as an acceleration of the base.

    V = X V' + S v,      A = X A' + S a + dS/dt v + V × S v
    """
    fall = np.concatenate([environment.gravity, np.zeros(3)])
    base = _Moving(
        np.asarray(environment.velocity), environment.acceleration - fall, [], np.zeros((6, 0))
    )
    moving = [base] * (mechanism.n_bodies + 1)  # the last is the base
    for i in mechanism.order:
        body, parent, v_slice = (
            mechanism.bodies[i],
            moving[mechanism.parents[i]],
            mechanism.v_slices[i],
        )
        q_i = q[mechanism.q_slices[i]]
        X: Transform = body.pose.transform() @ body.joint.transform(q_i)
        S = body.joint.motion_subspace(q_i)
        V_J = S @ v[v_slice]
        V = X.motion_to_child(parent.V) + V_J
        rate = S @ a[v_slice] + body.joint.motion_subspace_rate(q_i, v[v_slice]) @ v[v_slice]
        A = X.motion_to_child(parent.A) + rate + cross_motion(V, V_J)
        J = np.hstack([*(X.motion_to_child(s)[:, None] for s in parent.J.T), S])
        moving[i] = _Moving(V, A, [*parent.numbers, *range(v_slice.start, v_slice.stop)], J)
    return moving[:-1]
