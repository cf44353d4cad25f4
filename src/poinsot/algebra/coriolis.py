"""The Coriolis matrix by Christoffel symbols."""

from __future__ import annotations

import numpy as np

from poinsot.expr import tangent
from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.formulations.lagrange.commutator import commutator
from poinsot.formulations.position_rate import position_rate
from poinsot.model import Mechanism
from poinsot.spatial import Array


def coriolis_matrix(mechanism: Mechanism, M: Array, q: Array, v: Array) -> Array:
    """Return C(q, v), shape (nv, nv): C v are the forces of Coriolis, and dM/dt - 2 C is skew.

        C_ij = ½ Σ_k (∂M_ij/∂q_k + ∂M_ik/∂q_j - ∂M_jk/∂q_i) v_k

    [Spong, Hutchinson, Vidyasagar, Robot Modeling and Control].  ∂/∂q_k is the derivative while
    v_k = 1 alone.  Where an orientation is a quaternion, -(K_jᵀ p)_i is added, K_j the commutator
    of the joint for v_j = 1 and p = M v its momenta: it is skew, too.

    Args:
        mechanism: The bodies.
        M: Mass matrix as expressions of the symbols q, shape (nv, nv).
        q: Symbols of the coordinates, shape (nq,).
        v: Symbols of the velocities, shape (nv,).
    """
    n = mechanism.nv
    dM = np.empty((n, n, n), dtype=object)
    for k, unit in enumerate(np.eye(n)):
        rate = position_rate(mechanism, q, unit)
        moving = [j for j, r in enumerate(rate.tolist()) if not is_zero(r)]
        dM[:, :, k] = tangent(M, q[moving], rate[moving])
    C = np.empty((n, n), dtype=object)
    for i in range(n):
        for j in range(n):
            symbols = dM[i, j] + dM[i, :, j] - dM[j, :, i]
            C[i, j] = 0.5 * (symbols @ v)
    p = M @ v
    for i, body in enumerate(mechanism.bodies):
        if body.joint.nq != body.joint.nv:
            v_slice, q_i = mechanism.v_slices[i], q[mechanism.q_slices[i]]
            turning = [
                commutator(body.joint, q_i, unit).T @ p[v_slice] for unit in np.eye(body.joint.nv)
            ]
            C[v_slice, v_slice] -= np.stack(turning, axis=1)
    return C
