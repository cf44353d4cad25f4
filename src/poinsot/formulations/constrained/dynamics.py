"""Dynamics with constraints by multipliers, whatever the rank of the constraints.

    M a + bias = tau + Jᵀ lam,      J a + gamma = 0

For loops this is [Liu1988, (39)], Jᵀ lam being k̂ Û F̂ᶜ; for holonomic constraints
[Zaremba1990, (2.17)], with lam = -(J M⁻¹ Jᵀ)⁻¹ (J M⁻¹ (tau - bias) + gamma) [Zaremba1990, (2.19)].
Differs from both: rows may have any rank.

With M = Lᵀ D L and the rows R = J L⁻¹, w = L a is sought with R w = -gamma and

    w = D⁻¹ (L⁻ᵀ (tau - bias) + Rᵀ lam)

The rank of R D⁻¹ Rᵀ is decided at run time, and dependent rows are dropped (``expr/gram.py``), so
accelerations are correct where constraints are redundant, and where they become so.  The residual
of a first lam is evaluated with R itself and corrected by a second one (iterative refinement),
since the Gram matrix of nearly dependent rows loses half of the digits.

Where the mass matrix itself may be singular (a massless link in a loop, or moved as prescribed), it
is replaced by M + w Jᵀ J; since J a = -gamma, the term -w Jᵀ gamma on the right-hand side
compensates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.expr import maximum, minimum, sqrt
from poinsot.expr.gram import Gram, gram
from poinsot.expr.least_squares import LeastNorm, least_norm, orthonormal
from poinsot.expr.linalg import ldl, ltdl, solve_lower, solve_lower_transposed
from poinsot.expr.rank_tolerances import LARGEST_ROW_ERROR, ROW_ERROR
from poinsot.expr.sparse_arithmetic import dot, is_zero, times, total
from poinsot.model import Mechanism
from poinsot.spatial import Array, Scalar

PASSES = 2
"""Solutions: the first one, and one step of iterative refinement."""


@dataclass(frozen=True, eq=False)
class Factor:
    """A factored mass matrix: M = Lᵀ D L in some order of the velocities, L D Lᵀ where it is full.

    Attributes:
        L: Lower triangular with ones on the diagonal, shape (nv, nv).
        d_inverse: The diagonal of D⁻¹, shape (nv,).
        order: The velocities in the order of the rows of L.
        is_tree: Whether M = Lᵀ D L.
    """

    L: Array
    d_inverse: Array
    order: list[int]
    is_tree: bool

    def to_forces(self, f: Array) -> Array:
        """Return L⁻ᵀ f of forces, shape (nv,) or (nv, k)."""
        return (solve_lower_transposed if self.is_tree else solve_lower)(self.L, f[self.order])

    def to_motion(self, w: Array) -> Array:
        """Return the a of w = L a, shape (nv,)."""
        solve = solve_lower if self.is_tree else solve_lower_transposed
        a = np.empty(len(w), dtype=object)
        a[self.order] = solve(self.L, w)
        return np.array(a.tolist())


@dataclass(frozen=True, eq=False)
class Held:
    """Constraints and a factored mass matrix, to be solved for any forces.

    Attributes:
        factor: Of the mass matrix.
        weight: Weight of Jᵀ J in it.
        J: Rows, shape (m, nv).
        R: The rows R, one list per row.
        off: Relative error of the rows.
        blocks: The rows of each constraint.
        products: R D⁻¹ Rᵀ.
    """

    factor: Factor
    weight: float
    J: Array
    R: list[list[Any]]
    off: Scalar
    blocks: Sequence[slice]
    products: Gram

    def solution(self, force: Array, demand: Array) -> Solution:
        """Return the motion with J a = demand nearest to the unconstrained one (Gauss).

        Args:
            force: tau - bias, shape (nv,).
            demand: Prescribed J a, shape (m,).
        """
        if self.weight:
            force = force + self.weight * (self.J.T @ demand)
        free = self.factor.to_forces(force).tolist()
        push: list[Any] = [0.0] * len(free)
        for _ in range(PASSES):
            w = self._motion(free, push)
            residual = [d - dot(row, w) for d, row in zip(demand.tolist(), self.R, strict=True)]
            push = [total(terms) for terms in zip(push, self._push(residual), strict=True)]
        return Solution(self.factor.to_motion(np.array(self._motion(free, push))), self, push)

    def shortest(self, demand: Array) -> Array:
        """Return a of least norm in the metric of M with J a = demand, without refinement.

        Args:
            demand: Prescribed J a, shape (m,).
        """
        push = self._push(demand.tolist())
        return self.factor.to_motion(np.array(self._motion([0.0] * len(push), push)))

    def _push(self, residual: list[Any]) -> list[Any]:
        """Return Rᵀ lam of the multipliers that remove a residual."""
        lam = self.products.solve(residual)
        entries = range(len(self.factor.order))
        return [
            total(times(x, row[k]) for x, row in zip(lam, self.R, strict=True)) for k in entries
        ]

    def _motion(self, free: list[Any], push: list[Any]) -> list[Any]:
        """Return w = D⁻¹ (free + push)."""
        d_inverse = self.factor.d_inverse.tolist()
        return [times(x, total(terms)) for x, *terms in zip(d_inverse, free, push, strict=True)]


@dataclass(frozen=True, eq=False)
class Solution:
    """Accelerations, and the constraint forces from which multipliers follow.

    Attributes:
        a: dv/dt, shape (nv,).
        held: The constraints.
        push: Rᵀ lam, shape (nv,).
    """

    a: Array
    held: Held
    push: list[Any]

    def multipliers(self) -> LeastNorm:
        """Return lam, of least norm where constraints are redundant."""
        roots = [sqrt(x) for x in self.held.factor.d_inverse.tolist()]
        columns = [list(map(times, roots, row)) for row in self.held.R]
        basis = orthonormal(columns, self.held.off, self.held.blocks)
        return least_norm(basis, list(map(times, roots, self.push)))


def row_error(phi: Array, J: Array) -> Scalar:
    """Return the relative error of the rows at this distance from the constraints.

    Args:
        phi: Residual of the positions, shape (m,).
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
    return minimum(ROW_ERROR * away, LARGEST_ROW_ERROR)


def held(
    mechanism: Mechanism, M: Array, J: Array, weight: float, blocks: Sequence[slice],
    off: Scalar = 0.0, clear: float | None = None,
) -> Held:  # fmt: skip
    """Return constraints with the factored mass matrix M, or M + w Jᵀ J where M is singular.

    Args:
        mechanism: The bodies.
        M: Mass matrix, shape (nv, nv).
        J: Rows, shape (m, nv).
        weight: w, 0 where M has an inverse.
        blocks: The rows of each constraint.
        off: Relative error of the rows.
        clear: Remainder, relative to the longest row, of the rows that are pivoted first.
    """
    if weight:
        factor = Factor(*ldl(M + weight * (J.T @ J)), list(range(len(M))), is_tree=False)
    else:
        order, parent = mechanism.velocity_tree
        factor = Factor(*ltdl(M[np.ix_(order, order)], parent), order, is_tree=True)
    return held_by(factor, J, blocks, off, weight=weight, clear=clear)


def held_by(
    factor: Factor, J: Array, blocks: Sequence[slice], off: Scalar, *, weight: float = 0.0,
    clear: float | None = None,
) -> Held:  # fmt: skip
    """Return constraints in the metric of a mass matrix that is factored; see ``held``."""
    R = factor.to_forces(J.T).T.tolist()
    products = gram(R, factor.d_inverse.tolist(), off, blocks, clear)
    return Held(factor, weight, J, R, off, blocks, products)
