"""Constraints on velocities of a linkage: the drivers' rates are not independent of each other.

    B v + b = 0,    A = B ∂v/∂q̇,    A q̈ + γ_d = 0,    M_red q̈ + h = τ + Aᵀ λ

Positions do not feel them, so that units place and carry links as without them; their forces Bᵀ λ
on links are further columns of the sweep, with rows of their own under the equations of motion.
Rows may depend on each other, or on nothing that drivers move: λ is of least norm.  Forces of
drivers that make a given motion are not unique: those of least norm do no work against the
constraints.
"""

from __future__ import annotations

import numpy as np

from poinsot.expr.least_squares import orthonormal, significant
from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.expr.rank_tolerances import DEPENDENT, NEGLIGIBLE, ZERO_ROW
from poinsot.formulations.composable.pair_rows import pair_bias, pair_row
from poinsot.formulations.composable.sweep import Motions, Sweep, mass_matrix_and_bias
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array


def unit_multipliers(linkage: PlanarLinkage, poses: Motions, columns: int) -> Motions:
    """Return loads on links, (..., 3, columns): the last columns are multipliers of one each."""
    total: Motions = {}
    count = len(linkage.velocity_rows)
    for k, row in enumerate(linkage.velocity_rows):
        column = np.eye(columns)[columns - count + k]
        for link, block in pair_row(row, poses).blocks.items():
            load = block[..., 0, :, None] * column
            total[link] = total[link] + load if link in total else load
    return total


def velocity_residuals(linkage: PlanarLinkage, poses: Motions, velocities: Motions) -> Array:
    """Return B v + b, shape (..., m); ``velocities`` has the clock's."""
    values = [
        sum(np.sum(block[..., 0, :] * velocities[link], axis=-1)
            for link, block in pair_row(row, poses).blocks.items())
        for row in linkage.velocity_rows
    ]  # fmt: skip
    return np.stack(np.broadcast_arrays(*values), axis=-1)


def driven_rates(linkage: PlanarLinkage, swept: Sweep, tau: Array) -> tuple[Array, Array]:
    """Return q̈ and λ under the forces of the drivers, shapes (..., nq) and (..., m).

        q̈ = M⁻¹ (τ - h + Aᵀ λ),    A M⁻¹ Aᵀ λ = -γ_d - A M⁻¹ (τ - h)

    Args:
        linkage: The linkage.
        swept: Columns [constant | ∂/∂q̈ | ∂/∂λ].
        tau: τ, (..., nq).
    """
    nq = len(linkage.drivers)
    M, h = mass_matrix_and_bias(swept)
    A = np.swapaxes(-swept.drivers[..., 1 + nq :], -1, -2)
    return constrained_rates(M, tau - h, A, _bias(linkage, swept))


def constrained_rates(M: Array, free: Array, A: Array, gamma: Array) -> tuple[Array, Array]:
    """Return q̈ and λ of M q̈ = f + Aᵀ λ, A q̈ + γ = 0, λ of least norm.

    Args:
        M: (..., nq, nq).
        free: f, (..., nq).
        A: (..., m, nq).
        gamma: γ, (..., m).
    """
    transposed, nq = np.swapaxes(A, -1, -2), M.shape[-1]
    lead = np.broadcast_shapes(free.shape[:-1], transposed.shape[:-2])
    parts = np.broadcast_to(free, (*lead, nq))[..., None], transposed
    right = np.concatenate([np.broadcast_to(x, (*lead, nq, x.shape[-1])) for x in parts], axis=-1)
    solved = _solved(M, right)
    wanted = -gamma - (A @ solved[..., :1])[..., 0]
    lam = _multipliers(A, A @ solved[..., 1:], wanted)
    rates: Array = solved[..., 0] + (solved[..., 1:] @ lam[..., None])[..., 0]
    return rates, lam


def least_forces(A: Array, lacking: Array) -> Array:
    """Return λ of A Aᵀ λ = A f, of least norm: the part of f that rows A can exert, (..., m).

    Args:
        A: (..., m, nq).
        lacking: f, (..., nq).
    """
    return _multipliers(A, A @ np.swapaxes(A, -1, -2), (A @ lacking[..., None])[..., 0])


def least_multipliers(linkage: PlanarLinkage, swept: Sweep, tau: Array) -> Array:
    """Return λ at a given motion, (..., m): what the drivers' forces lack of those it needs.

        A Aᵀ λ = A (M_red q̈ + h - τ)

    With τ = 0 what is left to the drivers has the least norm.

    Args:
        linkage: The linkage.
        swept: Columns [constant | ∂/∂λ].
        tau: τ, (..., nq).
    """
    A = np.swapaxes(-swept.drivers[..., 1:], -1, -2)
    return least_forces(A, swept.drivers[..., 0] - tau)


def _bias(linkage: PlanarLinkage, swept: Sweep) -> Array:
    """Return γ_d = B a + γ where drivers do not accelerate, (..., m)."""
    values = []
    for row in linkage.velocity_rows:
        value = pair_bias(row, swept.poses, swept.velocities)[..., 0]
        for link, block in pair_row(row, swept.poses).blocks.items():
            a = swept.accelerations[link][..., 0]
            value = value + np.sum(block[..., 0, :] * a, axis=-1)
        values.append(value)
    return np.stack(np.broadcast_arrays(*values), axis=-1)


def _solved(M: Array, right: Array) -> Array:
    if M.dtype != object and right.dtype != object:
        return np.asarray(np.linalg.solve(M, right))
    L, d = ldl(M)
    return np.stack([ldl_solve(L, d, right[:, k]) for k in range(right.shape[-1])], axis=-1)


def _multipliers(A: Array, S: Array, right: Array) -> Array:
    """Return λ of least norm among those of S λ = right, S of rows that may depend on each other.

        S_kk λ_k = right_k,    C = S_rk S_kk⁻¹,    (1 + C Cᵀ) μ = C λ_k,    λ = (λ_k - Cᵀ μ, μ)

    k are rows that are independent, r those that depend on them, A_r = C A_k: λ changes by
    (-Cᵀ, 1) μ without a force.  All matrices have all rows, those that do not count as zeros.

    Args:
        A: Rows on drivers, (..., m, nq).
        S: (..., m, m).
        right: (..., m).
    """
    kept = _independent(A)
    if kept is None:
        return _solved(S, right[..., None])[..., 0]
    both, unit = kept[..., :, None] * kept[..., None, :], np.eye(S.shape[-1])
    lost = 1.0 - kept
    among = both * S + lost[..., :, None] * unit
    across = kept[..., :, None] * lost[..., None, :] * S
    lead = np.broadcast_shapes(right.shape[:-1], across.shape[:-2])
    own = np.broadcast_to((kept * right)[..., None], (*lead, len(unit), 1))
    further = np.broadcast_to(across, (*lead, *unit.shape))
    solved = _solved(among, np.concatenate([own, further], axis=-1))
    lam, transposed = solved[..., 0], solved[..., 1:]  # λ_k and Cᵀ
    C = np.swapaxes(transposed, -1, -2)
    mu = _solved(unit + C @ transposed, C @ lam[..., None])
    least: Array = lam - (transposed @ mu)[..., 0] + mu[..., 0]
    return least


def _independent(A: Array) -> Array | None:
    """Return 1 for each row that is independent of those before it, else 0; None: all of them.

    Shape (..., m).  Rows are independent up to the tolerances of ``rank_tolerances``.
    """
    if A.dtype == object:
        return np.array(orthonormal(significant(A).tolist()).kept, object)
    rows, real = list[Array](), A.real
    size = np.linalg.norm(real, axis=-1)
    least = DEPENDENT * np.maximum(size, NEGLIGIBLE * np.max(size, axis=-1, keepdims=True))
    least = np.maximum(least, ZERO_ROW)
    kept = np.zeros(size.shape)
    for k in range(A.shape[-2]):
        rest = real[..., k, :]
        for q in rows:
            rest = rest - np.sum(q * rest, axis=-1, keepdims=True) * q
        left = np.linalg.norm(rest, axis=-1)
        kept[..., k] = left > least[..., k]
        rows.append(rest * (kept[..., k] / np.where(kept[..., k] > 0.0, left, 1.0))[..., None])
    return None if bool(np.all(kept)) else kept
