"""A Coriolis matrix with dM/dt - 2 C skew, for every joint.

    C = Σ_k J_kᵀ (Θ_k dJ_k/dt + B_k J_k),      B x = x ×* (Θ V)

with the Jacobians J_k of the bodies in their own axes; B is skew, and B V = V ×* Θ V.  C v are the
Coriolis and centrifugal forces.  It needs no derivative of M, as the Christoffel symbols do
[Zaremba1990, (2.14)], and holds for quaternions too.
"""

from __future__ import annotations

import numpy as np

from poinsot.formulations.jacobians import jacobian, jacobian_rate
from poinsot.model import Mechanism
from poinsot.spatial import Array, cross_force

__all__ = ["coriolis_matrix", "length"]


def coriolis_matrix(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Return C(q, v), shape (nv, nv).

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
    """
    total = np.zeros((mechanism.nv, mechanism.nv))
    origin = np.zeros(3)
    for k, body in enumerate(mechanism.bodies):
        J = jacobian(mechanism, k, "body", q, origin)
        rate = jacobian_rate(mechanism, k, "body", q, v, origin)
        V = J @ v
        Theta = np.asarray(body.spatial_inertia().matrix())
        momentum = Theta @ V
        B = np.stack([cross_force(unit, momentum) for unit in np.eye(6)], axis=1)
        total = total + J.T @ (Theta @ rate + B @ J)
    return total


def length(mechanism: Mechanism) -> float:
    """Return a bound of the operations, by which more than about twelve joints run on floats."""
    return 58.0 * mechanism.n_bodies * mechanism.nv**2
