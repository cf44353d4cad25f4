"""Matrices of expressions: elimination with pivots that are the numbers ±1, determinants."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poinsot.expr import Op, Scalar, as_expr
from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.spatial import Array


class Eliminated(NamedTuple):
    """X K = A, A with unit columns at pivots.

    Attributes:
        A: K after row operations.
        X: The row operations.
        pivots: Row of the pivot by column.
        rows: Rows that are left.
        columns: Columns that are left.
    """

    A: Array
    X: Array
    pivots: dict[int, int]
    rows: list[int]
    columns: list[int]


def without_unit_pivots(K: Array) -> Eliminated:
    """Eliminate with all pivots that are ±1; what they leave is a matrix of rows and columns.

    Of a class-II group four of six pivots are such: velocities of origins by those of pins.
    """
    n = len(K)
    A, X = K.copy(), np.eye(n).astype(object)
    pivots: dict[int, int] = {}
    for column in range(n):
        rows = [i for i in range(n) if i not in pivots.values() and _is_unit(A[i, column])]
        if not rows:
            continue
        pivot = pivots[column] = rows[0]
        sign = float(as_expr(A[pivot, column]))
        A[pivot], X[pivot] = sign * A[pivot], sign * X[pivot]
        for i in range(n):
            factor = A[i, column]
            if i != pivot and not is_zero(factor):
                A[i], X[i] = A[i] - factor * A[pivot], X[i] - factor * X[pivot]
    rows = [i for i in range(n) if i not in pivots.values()]
    return Eliminated(A, X, pivots, rows, [column for column in range(n) if column not in pivots])


def determinant(matrix: Array) -> Scalar:
    """Return the determinant by minors of the last rows, each once: no pivots, no quotients."""
    n = len(matrix)
    minors: dict[tuple[int, ...], Scalar] = {(): 1.0}
    for row in reversed(range(n)):
        longer: dict[tuple[int, ...], Scalar] = {}
        for columns, minor in minors.items():
            for column in range(n):
                if column in columns or is_zero(matrix[row, column]):
                    continue
                chosen = tuple(sorted((*columns, column)))
                term = matrix[row, column] * minor
                signed = -term if chosen.index(column) % 2 else term
                longer[chosen] = longer[chosen] + signed if chosen in longer else signed
        minors = longer
    return minors.get(tuple(range(n)), 0.0)


def _is_unit(entry: Scalar) -> bool:
    node = as_expr(entry)
    return node.op is Op.CONSTANT and abs(float(node)) == 1.0
