"""The equations of motion of the screw-matrix method [Liu1988], over any scalar.

    A q'' = B,   A = (k̂ T̂) Φ̂ (k̂ T̂)ᵀ                                                     (32)

Differs from [Liu1988]: sign convention P (see ``symbols``), a base that moves, which (25) leaves
out, external wrenches, and the armature of the joints.
"""

from __future__ import annotations

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.formulations.passive_forces import passive_force
from poinsot.formulations.screw_matrix.blocks import Blocks
from poinsot.formulations.screw_matrix.symbols import (
    BASE,
    F_hat,
    Phi_hat,
    T_hat,
    X_hat,
    X_hat_rate,
    frames,
    k_hat,
    kT_rate,
    q_dot,
    v_tilde,
)
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array


def mass_matrix(mechanism: Mechanism, q: Array) -> Array:
    """Return A(q), the armature included, shape (nv, nv) [Liu1988, eq. (32)]."""
    kT = k_hat(mechanism, q) @ T_hat(frames(mechanism, q))
    A = kT @ Phi_hat(mechanism) @ kT.T  # (32)
    drives = Blocks.diagonal(
        (j, body.joint.armature_matrix()) for j, body in enumerate(mechanism.bodies)
    )
    v_slices = mechanism.v_slices
    return _mirrored((A + drives).dense(v_slices, v_slices))


def bias(mechanism: Mechanism, q: Array, v: Array, environment: Environment) -> Array:
    """Return -B without the actuator forces C, shape (nv,) [Liu1988, eq. (33)].

        -B = (k̂ T̂) {[Φ̂ d/dt (k̂ T̂)ᵀ + ṽ Φ̂ (k̂ T̂)ᵀ] q' - F̂} + D q' + K (q - rest)
             + (k̂ T̂) {Φ̂ (X dv̂_0/dt + dX/dt v̂_0) + ṽ Φ̂ X v̂_0}

    The second line is the motion of the base.  Newton's and Euler's equations of all bodies, (26)
    and (27), summed along the paths (28) and taken along the axes of the joints (29), where dampers
    and springs act (30), are (31); with (23) and (25) this is (33).

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,); q' of the paper.
        environment: Gravity, motion of the base and wrenches.
    """
    poses = frames(mechanism, q)
    k, Phi, X = k_hat(mechanism, q), Phi_hat(mechanism), X_hat(poses)
    kT, qd = k @ T_hat(poses), q_dot(mechanism, v)
    v_0 = Blocks.column({BASE: np.asarray(environment.velocity)})
    dv_0 = Blocks.column({BASE: np.asarray(environment.acceleration)})

    v_hat = kT.T @ qd + X @ v_0  # (24), (25), completed
    dkT = kT_rate(mechanism, q, v, poses, k, v_hat)  # (13)
    dX = X_hat_rate(poses, v_hat, v_0[BASE])
    spin = v_tilde(v_hat)  # (12)
    moving = Phi @ (dkT @ qd) + spin @ (Phi @ (kT.T @ qd))
    carried = Phi @ (X @ dv_0 + dX @ v_0) + spin @ (Phi @ (X @ v_0))
    minus_B = kT @ (moving + carried - F_hat(mechanism, poses, environment))  # (33)
    passive = passive_force(mechanism, q, v, environment)  # D q' + K (q - rest), (30)
    return minus_B.dense_column(mechanism.v_slices) + passive  # (31)


def inverse_dynamics(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment
) -> Array:
    """Return the actuator forces, C of B = C - bias in A q'' = B (32), shape (nv,)."""
    tau: Array = mass_matrix(mechanism, q) @ a + bias(mechanism, q, v, environment)
    return tau


def forward_dynamics(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment
) -> Array:
    """Return q'' = A⁻¹ B under the actuator forces C = ``tau``, shape (nv,) (32).

    A is factored from the leaves inwards, which keeps the zeros that branches leave in it.

    Raises:
        ModelError: A is singular.
    """
    inwards = [k for j in reversed(mechanism.order) for k in _numbers(mechanism.v_slices[j])]
    A = mass_matrix(mechanism, q)[np.ix_(inwards, inwards)]
    B = (tau - bias(mechanism, q, v, environment))[inwards]
    try:
        factors = ldl(A)
    except np.linalg.LinAlgError as error:
        raise ModelError(
            f"mechanism {mechanism.name!r}: the mass matrix is singular ({error}), so "
            "accelerations are not determined; give bodies without mass some, or their joints an "
            "armature"
        ) from error
    solution = ldl_solve(*factors, B)  # (32)
    a = np.empty_like(solution)
    a[inwards] = solution
    return a


def _numbers(v_slice: slice) -> range:
    return range(v_slice.start, v_slice.stop)


def _mirrored(A: Array) -> Array:
    """Return A with its upper triangle replaced by the mirror of the lower one: exactly equal."""
    return np.tril(A) + np.tril(A, -1).T
