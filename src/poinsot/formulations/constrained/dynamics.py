"""Dynamics with constraints by multipliers, whatever the rank of the constraints.

    M a + bias = tau + Jᵀ lam,      J a + gamma = 0

With M = Lᵀ L and b_k = L⁻ᵀ J_kᵀ for each row, u = L a is sought with b_k·u = -gamma_k and u - u_0
in the space of the b_k, where L⁻¹ u_0 is the acceleration without constraints: Gauss' principle.
Rows that depend on others are found by their numbers and left out (``expr/least_squares.py``), so
accelerations are right where constraints are redundant, and where they become so.

Where the mass matrix itself is singular (a link without mass that a loop holds), M + w Jᵀ J takes
its place; since J a = -gamma is known, -w Jᵀ gamma on the right-hand side makes up for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.expr import maximum, minimum, sqrt
from poinsot.expr.least_squares import Basis, LeastNorm, least_norm, orthonormal
from poinsot.expr.linalg import cholesky, ltl, solve_lower, solve_lower_transposed
from poinsot.expr.skip import dot, is_zero, minus
from poinsot.model import Mechanism
from poinsot.spatial import Array, Scalar

OFF, MOST = 20.0, 1e-3
"""How much of the distance from the constraints is the part of a row that is not to be trusted, and
up to what: redundant rows depend on each other only where all of them hold."""

PASSES = 2
"""How often u is put on the rows: where rows are nearly dependent, their basis is orthogonal to a
few digits only, and the second time makes up for what that costs the first."""


@dataclass(frozen=True, eq=False)
class Factor:
    """A factored mass matrix, M = Lᵀ L in some order of the velocities, or L Lᵀ where it is full.

    Attributes:
        L: Lower triangular, shape (nv, nv).
        order: The velocities in the order of the rows of L.
        is_tree: Whether M = Lᵀ L.
    """

    L: Array
    order: list[int]
    is_tree: bool

    def to_forces(self, f: Array) -> Array:
        """Return L⁻ᵀ f of forces, shape (nv,) or (nv, k)."""
        return (solve_lower_transposed if self.is_tree else solve_lower)(self.L, f[self.order])

    def to_motion(self, u: Array) -> Array:
        """Return the a of u = L a, shape (nv,)."""
        solve = solve_lower if self.is_tree else solve_lower_transposed
        a = np.empty(len(u), dtype=object)
        a[self.order] = solve(self.L, u)
        return np.array(a.tolist())


@dataclass(frozen=True, eq=False)
class Solution:
    """Accelerations, and what the multipliers come from.

    Attributes:
        a: dv/dt, shape (nv,).
        basis: Of the b_k.
        pull: u - u_0, shape (nv,).
    """

    a: Array
    basis: Basis
    pull: list[Any]

    def multipliers(self) -> LeastNorm:
        """Return lam, of least norm where constraints are redundant."""
        return least_norm(self.basis, self.pull)


@dataclass(frozen=True, eq=False)
class Held:
    """Constraints on a factored mass matrix, ready for any forces.

    Attributes:
        factor: Of the mass matrix.
        weight: How much Jᵀ J is in it.
        J: Rows, shape (m, nv).
        basis: Of the b_k.
    """

    factor: Factor
    weight: float
    J: Array
    basis: Basis

    def solution(self, force: Array, demand: Array) -> Solution:
        """Return the motion nearest to that without constraints for which J a = demand.

        Args:
            force: tau - bias, shape (nv,).
            demand: What J a is to be, shape (m,).
        """
        if self.weight:
            force = force + self.weight * (self.J.T @ demand)
        free = self.factor.to_forces(force).tolist()
        u, parts = free, self.basis.coordinates(demand.tolist())
        for _ in range(PASSES):
            for q, y in zip(self.basis.q, parts, strict=True):
                u = minus(u, dot(q, u) - y, q)
        pull = [a - b for a, b in zip(u, free, strict=True)]
        return Solution(self.factor.to_motion(np.array(u)), self.basis, pull)


def untrusted(phi: Array, J: Array) -> Scalar:
    """Return the part of a row that is not to be trusted so far from where the constraints hold.

    Args:
        phi: What the positions miss, shape (m,).
        J: Rows, shape (m, nv).
    """
    longest: Scalar = 0.0
    for row in J.tolist():
        length = dot(row, row)
        if not is_zero(length):
            longest = length if is_zero(longest) else maximum(longest, length)
    if is_zero(longest):
        return 0.0
    away = sqrt(dot(phi.tolist(), phi.tolist()) / longest)
    return minimum(OFF * away, MOST)


def held(
    mechanism: Mechanism, M: Array, J: Array, weight: float, blocks: Sequence[slice],
    off: Scalar = 0.0,
) -> Held:  # fmt: skip
    """Return rows on the mass matrix M, or on M + w Jᵀ J where M is singular.

    Args:
        mechanism: The bodies.
        M: Mass matrix, shape (nv, nv).
        J: Rows, shape (m, nv).
        weight: w, 0 where M has an inverse.
        blocks: The rows of each constraint.
        off: Part of a row that is not to be trusted.
    """
    if weight:
        whole = cholesky(M + weight * (J.T @ J))
        factor = Factor(whole, list(range(len(M))), is_tree=False)
    else:
        order, parent = mechanism.velocity_tree
        factor = Factor(ltl(M[np.ix_(order, order)], parent), order, is_tree=True)
    columns = factor.to_forces(J.T).T.tolist()
    return Held(factor, weight, J, orthonormal(columns, off, blocks))
