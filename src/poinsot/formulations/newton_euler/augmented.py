"""Newton's and Euler's equations with the constraints beside them, solved numerically.

    [M̄  Gᵀ] [A]   [q̄e - q̄c]
    [G  0 ] [λ] = [γ      ]

The system is sparse, and regular where the mass matrix of the mechanism is: M̄ may be singular, as
bodies without mass make it, as long as it is not so along what the joints allow.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.formulations.newton_euler.bodies import (
    FreeBody,
    body_mass_matrix,
    free_bodies,
    motion_matrix_to_child,
    needed_forces,
)
from poinsot.formulations.passive import passive_force
from poinsot.model import Mechanism, Surroundings
from poinsot.spatial import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    Sparse = csr_array[Any, tuple[int, int]]


def forward_dynamics(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, around: Surroundings
) -> Array:
    """Return the accelerations under the joint forces ``tau``, shape (nv,); numbers only.

    The motion of all bodies against their parents is D V, with D A = S a + zeta.  Along the
    directions that joints forbid (rows of Nᵀ, orthogonal to S) this says G A = Nᵀ zeta, G = Nᵀ D;
    along those they allow, a = H A - S⁺ zeta, H = S⁺ D.  Drives and passive forces act between
    bodies, as Hᵀ tau; so does the armature B, which adds Hᵀ B H to M̄ and Hᵀ B S⁺ zeta to the right.

    Raises:
        TypeError: An argument holds expressions.
        ModelError: The system is singular.
    """
    _check_numbers(q, v, tau, around)
    from scipy import sparse

    bodies = free_bodies(mechanism, q, v, around)
    D = relative_motion(mechanism, bodies)
    N_T, S_plus = forbidden_directions(bodies), allowed_directions(bodies)
    G, H = N_T @ D, S_plus @ D
    M_bar = _block_diagonal(body_mass_matrix(body) for body in mechanism.bodies)
    B = _block_diagonal(body.joint.armature_matrix() for body in mechanism.bodies)

    zeta = np.concatenate([body.zeta for body in bodies])
    still = [np.zeros(6)] * len(bodies)
    applied = -np.concatenate(needed_forces(mechanism, bodies, still, around))  # q̄e - q̄c
    drives = tau - passive_force(mechanism, q, v) + B @ (S_plus @ zeta)
    K = sparse.block_array([[M_bar + H.T @ B @ H, G.T], [G, None]], format="csc")
    A = _solved(K, np.concatenate([applied + H.T @ drives, N_T @ zeta]), mechanism)[: zeta.size]
    a: Array = H @ A - S_plus @ zeta
    return a


def relative_motion(mechanism: Mechanism, bodies: list[FreeBody]) -> Sparse:
    """Return D, shape (6n, 6n): (D V)_i = V_i - X V_p, the motion against the parent p."""
    from scipy import sparse

    blocks = {(i, i): np.eye(6) for i in range(len(bodies))}
    for i, p in enumerate(mechanism.parents):
        if p >= 0:
            blocks[i, p] = -motion_matrix_to_child(bodies[i].X)
    rows, columns = np.indices((6, 6))
    at = (
        np.concatenate([(6 * i + rows).ravel() for i, _ in blocks]),
        np.concatenate([(6 * j + columns).ravel() for _, j in blocks]),
    )
    values = np.concatenate([block.ravel() for block in blocks.values()])
    return sparse.csr_array((values, at), shape=(6 * len(bodies), 6 * len(bodies)))


def forbidden_directions(bodies: list[FreeBody]) -> Sparse:
    """Return Nᵀ, shape (6n - nv, 6n): for each joint orthonormal rows, orthogonal to its S."""
    return _block_diagonal(
        np.linalg.qr(body.S, mode="complete").Q[:, body.S.shape[1] :].T for body in bodies
    )


def allowed_directions(bodies: list[FreeBody]) -> Sparse:
    """Return S⁺, shape (nv, 6n): for each joint the pseudo-inverse of its S.

    The motions of a joint must be independent: those of an Euler joint in gimbal lock are not.
    """
    return _block_diagonal(np.linalg.pinv(body.S) for body in bodies)


def _solved(K: Any, right_side: Array, mechanism: Mechanism) -> Array:  # noqa: ANN401 - sparse
    from scipy.sparse.linalg import splu

    try:
        factor = splu(K)
    except RuntimeError as error:
        raise ModelError(
            f"mechanism {mechanism.name!r}: the equations of its bodies are singular ({error}), so "
            "accelerations are not determined; give bodies without mass some, or their joints an "
            "armature"
        ) from error
    x: Array = factor.solve(right_side)
    return x


def _block_diagonal(blocks: Iterable[Array]) -> Sparse:
    from scipy import sparse

    return sparse.csr_array(sparse.block_diag(list(blocks)))


def _check_numbers(q: Array, v: Array, tau: Array, around: Surroundings) -> None:
    given = (q, v, tau, around.gravity, around.velocity, around.acceleration)
    if any(np.asarray(x).dtype == object for x in (*given, *around.wrenches.values())):
        raise TypeError(
            "newton_euler.forward_dynamics solves a sparse system numerically, so it takes numbers "
            "only; to trace forward dynamics, take another formulation, e.g. screw_matrix"
        )
