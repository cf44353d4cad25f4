"""Orthogonal bases and solutions of least norm where columns may depend on each other.

Over floats and expressions alike: whether a column depends on those before it is decided by the
numbers when the program runs, and a column that does is left out by factors that are 1 or 0.  So
one straight program serves every rank, and no pivot is ever divided by that is zero.

Columns are made orthogonal one after the other (modified Gram-Schmidt [Bjorck1967]),

    B = Q R,        b_k = sum of q_i r_ik over i <= k,

where q_k = 0 if b_k depends on the columns before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.functions import maximum, select, sqrt
from poinsot.expr.node import Expr, Scalar
from poinsot.expr.skip import dot, is_zero, minus, times, total

Vector: TypeAlias = list[Any]

DEPENDENT = 1e-8
"""A column depends on others if no more than this part of it is perpendicular to them."""
NEGLIGIBLE = 1e-3
"""Columns count as at least this part of the longest one when they are judged: a column of nothing
but rounding would else be taken for a direction of its own."""

FREE = 1e-6
"""Entries of a unit vector that are no larger are rounding: they leave a solution determined."""


@dataclass(frozen=True, eq=False)
class Basis:
    """Columns made orthogonal.

    Attributes:
        q: Unit vectors, one a column; zero for a column that depends on others.
        r: r[i][k] for i < k: the part of column k along q_i.
        inverse: 1 / r_kk, or 0 where column k depends on others.
        kept: 1 where a column adds a direction, else 0.
    """

    q: list[Vector]
    r: list[Vector]
    inverse: Vector
    kept: Vector

    @property
    def rank(self) -> Scalar:
        """How many columns are independent."""
        return sum(self.kept, start=0.0)


@dataclass(frozen=True, eq=False)
class LeastNorm:
    """The shortest x for which B x is nearest to a target.

    Attributes:
        x: The solution, shape (columns,).
        determined: 1 for entries that are the same in every solution, else 0, shape (columns,).
        rest: What B x cannot reach of the target, shape (rows,).
    """

    x: NDArray[Any]
    determined: NDArray[Any]
    rest: NDArray[Any]


def orthonormal(columns: Sequence[Sequence[Any]], dependent: float = DEPENDENT) -> Basis:
    """Return a basis of the space that columns span.

    Args:
        columns: The columns, each of the same length.
        dependent: Part of a column below which what is perpendicular to others is rounding.

    >>> basis = orthonormal([[3.0, 0.0], [6.0, 0.0], [1.0, 2.0]])
    >>> basis.q, basis.kept
    ([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]], [1.0, 0.0, 1.0])
    """
    lengths = [dot(column, column) for column in columns]
    longest: Scalar = 0.0
    for length in lengths:
        longest = length if is_zero(longest) else maximum(longest, length)
    least = times(longest, NEGLIGIBLE**2)
    basis = Basis([], [], [], [])
    for column, length in zip(columns, lengths, strict=True):
        rest, along = list(column), []
        for q in basis.q:
            part = dot(q, rest)
            rest = minus(rest, part, q)
            along.append(part)
        squared = dot(rest, rest)
        if is_zero(squared):
            inverse: Scalar = 0.0
            kept: Scalar = 0.0
        else:
            kept = _truth(squared > maximum(length, least) * dependent**2)
            inverse = times(kept, 1.0 / sqrt(select(kept, squared, 1.0)))
        basis.q.append([times(inverse, x) for x in rest])
        basis.r.append(along)
        basis.inverse.append(inverse)
        basis.kept.append(kept)
    return basis


def least_norm(basis: Basis, target: Sequence[Any]) -> LeastNorm:
    """Return the shortest x for which B x is nearest to the target.

    Where columns depend on others, any multiple of w with B w = 0 may be added to x; x has no part
    along them.  An entry is determined if all of them are 0 there.

    Args:
        basis: Of the columns of B.
        target: What B x is to be, as long as a column.

    >>> solution = least_norm(orthonormal([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]]), [2.0, 2.0])
    >>> solution.x, solution.determined
    (array([1., 1., 1.]), array([0., 0., 1.]))
    """
    rest, parts = list(target), []
    for q in basis.q:
        part = dot(q, rest)
        rest = minus(rest, part, q)
        parts.append(part)
    x = _back(basis, parts)
    free = _null_vectors(basis)
    directions = orthonormal(free, dependent=FREE)
    for w in directions.q:
        x = minus(x, dot(w, x), w)
    determined: list[Scalar] = []
    for k in range(len(x)):
        part = total([times(w[k], w[k]) for w in directions.q])
        determined.append(1.0 if is_zero(part) else _truth(part <= FREE**2))
    return LeastNorm(_array(x), _array(determined), _array(rest))


def _back(basis: Basis, parts: Sequence[Any]) -> Vector:
    """Return x of R x = parts, with 0 for columns that depend on others."""
    x: Vector = [0.0] * len(parts)
    for k in range(len(parts) - 1, -1, -1):
        later = [times(basis.r[j][k], x[j]) for j in range(k + 1, len(parts))]
        sum_later = total(later)
        x[k] = times(basis.inverse[k], parts[k] if is_zero(sum_later) else parts[k] - sum_later)
    return x


def _null_vectors(basis: Basis) -> list[Vector]:
    """Return a w with B w = 0 for each column that depends on others; zeros for all others."""
    vectors: list[Vector] = []
    for k, kept in enumerate(basis.kept):
        if not isinstance(kept, Expr) and kept == 1.0:
            continue
        rest = _back(basis, [*basis.r[k], *[0.0] * (len(basis.kept) - k)])
        w = [times(kept - 1.0, x) for x in rest]
        w[k] = 1.0 - kept
        vectors.append(w)
    return vectors


def _truth(condition: Any) -> Scalar:  # noqa: ANN401 (a bool or an expression)
    return condition if isinstance(condition, Expr) else float(condition)


def _array(entries: Vector) -> NDArray[Any]:
    kind = object if any(isinstance(x, Expr) for x in entries) else float
    return np.array(entries, dtype=kind)
