"""Rank, null spaces and independent rows of matrices of numbers.

Two questions that look alike have two answers here.  ``row_rank`` and ``left_null_space`` judge the
rows of constraints as programs do (``numeric_basis``), so that the mobility of a mechanism agrees
with its dynamics.  All else goes by singular values or pivots.  The tolerances and their reasons
are in ``rank_tolerances``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.numeric_basis import NumericBasis, numeric_basis
from poinsot.expr.rank_tolerances import (
    FULL_RANK,
    NEARLY_SINGULAR,
    RANK,
    WELL_CONDITIONED,
    ZERO_ROW,
)

Matrix: TypeAlias = NDArray[Any]

__all__ = [
    "independent_columns",
    "independent_rows",
    "is_nearly_singular",
    "left_null_space",
    "null_space",
    "pivot_rank",
    "rank",
    "row_basis",
    "row_rank",
    "row_space",
    "unit_rows",
]


def rank(A: Matrix, tolerance: float = RANK) -> int:
    """Return the number of singular values above a fraction of the largest.

    >>> rank(np.array([[1.0, 2.0], [2.0, 4.0]]))
    1
    """
    return _count(np.linalg.svd(A, compute_uv=False), tolerance)


def null_space(A: Matrix, tolerance: float = RANK, *, known_rank: int | None = None) -> Matrix:
    """Return an orthonormal basis of all x with A x = 0, as columns, shape (n, n - rank).

    Args:
        A: Shape (m, n).
        tolerance: Fraction of the largest singular value up to which one is zero.
        known_rank: The rank, where it is known by other means.
    """
    _, sizes, right = np.linalg.svd(A)
    kept = _count(sizes, tolerance) if known_rank is None else known_rank
    return np.asarray(right[kept:].T)


def row_space(A: Matrix) -> Matrix:
    """Return an orthonormal basis of the space that the rows of A span, as columns."""
    _, sizes, right = np.linalg.svd(A, full_matrices=False)
    return np.asarray(right[: _count(sizes, RANK)].T)


def is_nearly_singular(J: Matrix) -> bool:
    """Say whether J is close to a matrix of lower rank."""
    sizes = np.linalg.svd(J, compute_uv=False)
    return any(RANK * sizes[0] < size < NEARLY_SINGULAR * sizes[0] for size in sizes)


def row_basis(J: Matrix) -> tuple[NumericBasis, list[int]]:
    """Return a basis of the rows, and their indices in the order in which they were taken.

    In the order given, two nearly parallel rows would both be kept for the difference between them,
    and a later, well-conditioned one would be called redundant.
    """
    clear = numeric_basis(J, tolerance=WELL_CONDITIONED).kept
    order = sorted(range(len(J)), key=lambda k: not clear[k])
    return numeric_basis(J[order]), order


def row_rank(J: Matrix) -> int:
    """Return how many rows of constraints are independent, as their dynamics judge it.

    >>> row_rank(np.array([[1.0, 0.0], [1.0, 1e-7], [2.0, 0.0]]))
    1
    """
    return row_basis(J)[0].rank


def left_null_space(J: Matrix) -> Matrix:
    """Return orthonormal multipliers with Jᵀ lam = 0, one in each row, shape (m - rank, m)."""
    kept = row_rank(J)
    lengths = np.linalg.norm(J, axis=1)
    some = lengths > 0.0
    scaled = np.zeros((int(some.sum()), 0))
    if kept < len(scaled):
        left, _, _ = np.linalg.svd(J[some] / lengths[some, None])
        scaled = left[:, kept:] / lengths[some, None]
    orthogonal, _ = np.linalg.qr(scaled) if scaled.size else (scaled, None)
    free = np.zeros((len(J) - kept, len(J)))
    n_free = orthogonal.shape[1]
    free[:n_free, some] = orthogonal.T
    free[n_free:, ~some] = np.eye(len(J) - kept - n_free)
    return free


def unit_rows(J: Matrix) -> tuple[Matrix, Matrix]:
    """Return the rows, each divided by its length, and the lengths; 1 for rows that are zero."""
    lengths = np.linalg.norm(J, axis=1)
    scale = np.where(lengths > ZERO_ROW, lengths, 1.0)
    return J / scale[:, None], scale


def pivot_rank(R: Matrix) -> int:
    """Return the rank from a QR factorization with pivoting of rows or columns of unit length."""
    pivots = np.abs(np.diag(R))
    return int(np.sum(pivots > RANK * np.max(pivots, initial=1.0)))


def independent_rows(J: Matrix) -> NDArray[np.intp]:
    """Return the indices of rows on which all others depend, ascending.

    By QR with pivoting: the row with the largest remainder is taken next, until that is rounding
    error.
    """
    from scipy.linalg import qr

    if not J.size:
        return np.zeros(0, np.intp)
    R, order = qr(unit_rows(J)[0].T, mode="r", pivoting=True)
    return np.sort(order[: pivot_rank(R)])


def independent_columns(W: Matrix, order: Sequence[int]) -> set[int]:
    """Return a largest set of independent columns.

    Those that are clearly independent of earlier ones come first; then, as in QR with pivoting, the
    one with the largest remainder, and so on.

    Args:
        W: Columns of unit length.
        order: Indices of the columns, those to be kept if possible first.
    """
    count = rank(W[:, list(order)])
    kept: list[int] = []
    left = W.copy()
    for k in order:
        if len(kept) < count and np.linalg.norm(left[:, k]) > FULL_RANK:
            kept.append(k)
            left = _without(left, k)
    while len(kept) < count:
        kept.append(max(order, key=lambda k: float(np.linalg.norm(left[:, k]))))
        left = _without(left, kept[-1])
    return set(kept)


def _count(sizes: Matrix, tolerance: float) -> int:
    return int(np.sum(sizes > tolerance * sizes[0])) if sizes.size else 0


def _without(left: Matrix, k: int) -> Matrix:
    """Project column k out of all columns, twice against rounding errors."""
    along = left[:, k] / np.linalg.norm(left[:, k])
    for _ in range(2):
        left = left - np.outer(along, along @ left)
    left[:, k] = 0.0
    return left
