"""Constraints on velocities of a linkage: the drivers' rates are not independent of each other.

    B v + b = 0,    A = B ∂v/∂q̇,    A q̈ + γ_d = 0,    M_red q̈ + h = τ + Aᵀ λ

Positions do not feel them, so that units place and carry links as without them; their forces Bᵀ λ
on links are further columns of the sweep, with rows of their own under the equations of motion.
Forces of drivers that make a given motion are not unique: those of least norm do no work against
the constraints.
"""

from __future__ import annotations

import numpy as np

from poinsot.errors import SingularUnitError
from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.formulations.composable.pair_rows import pair_bias, pair_row
from poinsot.formulations.composable.sweep import Motions, Sweep, mass_matrix_and_bias
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array

DEPENDENT = 1e-12
"""Reciprocal condition of S, rows made of length one, below which constraints say the same."""


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
    transposed = -swept.drivers[..., 1 + nq :]
    free = tau - h
    lead = np.broadcast_shapes(free.shape[:-1], transposed.shape[:-2])
    parts = np.broadcast_to(free, (*lead, nq))[..., None], transposed
    right = np.concatenate([np.broadcast_to(x, (*lead, nq, x.shape[-1])) for x in parts], axis=-1)
    solved = _solved(M, right)
    A = np.swapaxes(transposed, -1, -2)
    S = A @ solved[..., 1:]
    wanted = -_bias(linkage, swept) - (A @ solved[..., :1])[..., 0]
    lam = _multipliers(linkage, S, wanted)
    rates: Array = solved[..., 0] + (solved[..., 1:] @ lam[..., None])[..., 0]
    return rates, lam


def least_multipliers(linkage: PlanarLinkage, swept: Sweep, tau: Array) -> Array:
    """Return λ at a given motion, (..., m): what the drivers' forces lack of those it needs.

        A Aᵀ λ = A (M_red q̈ + h - τ)

    With τ = 0 what is left to the drivers has the least norm.

    Args:
        linkage: The linkage.
        swept: Columns [constant | ∂/∂λ].
        tau: τ, (..., nq).
    """
    transposed = -swept.drivers[..., 1:]
    A = np.swapaxes(transposed, -1, -2)
    lacking = (swept.drivers[..., 0] - tau)[..., None]
    return _multipliers(linkage, A @ transposed, (A @ lacking)[..., 0])


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


def _multipliers(linkage: PlanarLinkage, S: Array, right: Array) -> Array:
    """Return λ of S λ = right, S symmetric and positive definite.

    Raises:
        SingularUnitError: Constraints depend on each other, or hold what does not move.
    """
    if S.dtype != object and right.dtype != object:
        sizes = np.sqrt(np.abs(np.diagonal(S, axis1=-2, axis2=-1)))
        scaled = S / np.maximum(sizes[..., None] * sizes[..., None, :], np.finfo(float).tiny)
        if not np.all(1.0 / np.linalg.cond(scaled) > DEPENDENT):
            names = [row.name for row in linkage.velocity_rows]
            raise SingularUnitError(
                f"constraints on velocities {names} depend on each other, or on nothing that"
                " drivers move: their forces are not determined; leave one out"
            )
    return _solved(S, right[..., None])[..., 0]
