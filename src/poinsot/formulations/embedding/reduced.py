"""Independent velocities, chosen by pivoted QR, and the equations of motion in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.rank import pivot_rank, unit_rows
from poinsot.expr.singularity import scaled_to_ones, singular_velocity
from poinsot.formulations.constrained.constraint_rows import all_rows
from poinsot.formulations.embedding.tree import bias, mass_matrix
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array


@dataclass(frozen=True, eq=False)
class Reduction:
    """The solutions of the constraints: a = Z y' + a_0.

    Attributes:
        Z: Basis of the null space of J, one motion per column, shape (nv, degrees of freedom).
        a_0: A particular solution of the constraints, shape (nv,).
        independent: Indices of the velocities that are y, one per column of Z.
    """

    Z: Array
    a_0: Array
    independent: list[int]


def forward_dynamics(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment
) -> Array:
    """Return the accelerations under the joint forces ``tau``, shape (nv,); numbers only.

    Where constraints contradict each other, the accelerations come nearest to all of them.

    Raises:
        TypeError: An argument holds expressions.
        ModelError: The reduced mass matrix is singular.
    """
    if any(np.asarray(x).dtype == object for x in (q, v, tau)):
        raise TypeError(
            "embedding.forward_dynamics chooses independent velocities by their numbers, so it "
            "takes numbers only; to trace forward dynamics, take another formulation, e.g. kane"
        )
    rows = all_rows(mechanism, q, v, environment.t)
    open_ = reduction(np.asarray(rows.J, float), np.asarray(rows.gamma, float))
    M = mass_matrix(mechanism, q)
    force = tau - bias(mechanism, q, v, environment) - M @ open_.a_0
    rate = _solved(open_.Z.T @ M @ open_.Z, open_.Z.T @ force, mechanism, open_.independent)
    a: Array = open_.a_0 + open_.Z @ rate
    return a


def reduction(J: Array, gamma: Array) -> Reduction:
    """Return the solutions of J a + gamma = 0.

    J P = Q R with pivots of falling size [Golub2013, section 5.4]: the first columns, as many as
    the rank of J, are the dependent velocities, all others are independent.

    Args:
        J: Rows, shape (m, nv).
        gamma: Shape (m,).
    """
    from scipy.linalg import qr

    nv = J.shape[1]
    if not J.size:
        return Reduction(np.eye(nv), np.zeros(nv), list(range(nv)))
    units, scale = unit_rows(J)
    Q, R, order = qr(units, mode="economic", pivoting=True)
    rank = pivot_rank(R)
    dependent, free = order[:rank], order[rank:]
    demand = Q[:, :rank].T @ (-gamma / scale)
    both = np.linalg.solve(R[:rank, :rank], np.column_stack([demand, -R[:rank, rank:]]))
    a_0, Z = np.zeros(nv), np.zeros((nv, nv - rank))
    a_0[dependent], Z[dependent] = both[:, 0], both[:, 1:]
    Z[free] = np.eye(nv - rank)
    return Reduction(Z, a_0, free.tolist())


def _solved(M: Array, force: Array, mechanism: Mechanism, independent: list[int]) -> Array:
    """Return M⁻¹ force of the reduced mass matrix, scaled to a diagonal of ones."""
    if not len(M):
        return np.zeros(0)
    still = singular_velocity(M)
    if still is not None:
        joint = mechanism.joint_of_velocity(independent[still])
        raise ModelError(
            f"mechanism {mechanism.name!r}: the reduced mass matrix is singular: joint {joint!r} "
            "can move without moving any mass; give its body some, or the joint an armature"
        )
    scaled, scale = scaled_to_ones(M)
    rate: Array = scale * np.linalg.solve(scaled, scale * force)
    return rate
