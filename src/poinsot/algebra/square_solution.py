"""Solutions of square systems of expressions, without pivots that may vanish.

Unknowns fall into groups that share no equation.  Up to three are solved for by Cramer's rule,
which a person can read; more by LDLᵀ of the Gram matrix, which is positive definite wherever there
is a solution.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.expr.node import Scalar
from poinsot.expr.sparse_arithmetic import dot, is_zero, times, total
from poinsot.spatial import Array

READABLE: Final = 3
"""Unknowns of a group up to which Cramer's rule is used."""


def square_solution(A: Array, b: Array) -> Array:
    """Return x with A x = b.

    Args:
        A: Shape (n, n), expressions or numbers; regular.
        b: Right-hand sides, shape (n, k).

    >>> square_solution(np.array([[0.0, 2.0], [1.0, 1.0]]), np.array([[4.0], [5.0]])).tolist()
    [[3.0], [2.0]]
    """
    x = np.empty(b.shape, dtype=object)
    for rows, columns in _groups(A):
        square, right = A[np.ix_(rows, columns)], b[rows]
        solve = _by_determinants if len(rows) <= READABLE else _by_gram_matrix
        x[columns] = solve(square, right)
    return x


def _groups(A: Array) -> list[tuple[list[int], list[int]]]:
    """Return rows and columns that share no entry with others, group by group."""
    groups: list[tuple[list[int], set[int]]] = []
    for k, row in enumerate(A.tolist()):
        rows, columns = [k], {j for j, entry in enumerate(row) if not is_zero(entry)}
        for other in [group for group in groups if group[1] & columns]:
            groups.remove(other)
            rows, columns = other[0] + rows, other[1] | columns
        groups.append((rows, columns))
    return [(sorted(rows), sorted(columns)) for rows, columns in groups]


def _by_determinants(A: Array, b: Array) -> Array:
    n, below = len(A), 1.0 / _determinant(A)
    x = np.empty(b.shape, dtype=object)
    for i in range(n):
        cofactors = [
            times(-1.0 if (i + j) % 2 else 1.0, _determinant(_without(A, j, i))) for j in range(n)
        ]
        for k in range(b.shape[1]):
            x[i, k] = times(dot(cofactors, b[:, k].tolist()), below)
    return x


def _determinant(A: Array) -> Scalar:
    """Return a determinant by its first row; 1 where there is none."""
    if not len(A):
        return 1.0
    return total(
        times(-entry if k % 2 else entry, _determinant(_without(A, 0, k)))
        for k, entry in enumerate(A[0].tolist())
        if not is_zero(entry)
    )


def _without(A: Array, row: int, column: int) -> Array:
    """Return A without a row and a column."""
    return np.delete(np.delete(A, row, 0), column, 1)


def _by_gram_matrix(A: Array, b: Array) -> Array:
    columns = A.T.tolist()
    gram = np.array([[dot(x, y) for y in columns] for x in columns], dtype=object)
    right = np.array([[dot(x, y) for y in b.T.tolist()] for x in columns], dtype=object)
    return ldl_solve(*ldl(gram), right)
