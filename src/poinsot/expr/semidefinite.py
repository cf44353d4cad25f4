"""Factors of symmetric positive semidefinite matrices, of any rank, over any scalar.

    A = L D Lᵀ

Where a pivot vanishes, so does the rest of its column [Higham1990]: the row depends on those before
it and is dropped, by an inverted pivot that is 0.  The rank is decided at run time, so one program
serves every rank.  Large matrices are factored block by block; these are the steps on blocks.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.functions import maximum, select
from poinsot.expr.linalg import solve_lower
from poinsot.expr.node import Expr
from poinsot.expr.rank_tolerances import DEPENDENT_PIVOT, NEGLIGIBLE_PIVOT, PRODUCT_ROUNDING
from poinsot.expr.sparse_arithmetic import is_zero, times

Matrix: TypeAlias = NDArray[Any]


def factor(
    A: Matrix,
    diagonal: Matrix,
    largest: Any,  # noqa: ANN401
    noise: Matrix | None = None,
) -> tuple[Matrix, Matrix]:
    """Return the unit lower triangular L and the inverted pivots, 0 for rows that depend on others.

    Args:
        A: What elimination has left of a diagonal block, shape (m, m); only its lower half is read.
        diagonal: The diagonal of the block before elimination, shape (m,).
        largest: The largest diagonal entry of the whole matrix.
        noise: Diagonal entries of rows that elimination has subtracted so far, each times the
            square of its factor, shape (m,): their rounding error is inherited (``gram``).

    >>> factor(np.array([[4.0, 2.0], [2.0, 1.0]]), np.array([4.0, 1.0]), 4.0)
    (array([[1. , 0. ],
           [0.5, 1. ]]), array([0.25, 0.  ]))
    """
    a = [list(row) for row in A.tolist()]
    m = len(a)
    inverse: list[Any] = []
    inherited: list[Any] = [0.0] * m if noise is None else noise.tolist()
    for k in range(m):
        least = maximum(DEPENDENT_PIVOT * diagonal[k], NEGLIGIBLE_PIVOT * largest)
        if not is_zero(inherited[k]):
            least = maximum(least, PRODUCT_ROUNDING * inherited[k])
        kept = a[k][k] > least
        inverse.append(select(kept, 1.0 / select(kept, a[k][k], 1.0), 0.0))
        a[k][k] = 1.0
        for i in reversed(range(k + 1, m)):
            scaled = times(a[i][k], inverse[k])
            inherited[i] = inherited[i] + times(times(scaled, scaled), diagonal[k])
            for j in range(k + 1, i + 1):
                a[i][j] = a[i][j] - times(scaled, a[j][k])
            a[i][k] = scaled
    lower = [[a[i][j] if j <= i else 0.0 for j in range(m)] for i in range(m)]
    return _array(lower, (m, m)), _array(inverse, (m,))


def panel(A: Matrix, L: Matrix, inverse: Matrix) -> tuple[Matrix, Matrix]:
    """Return A L⁻ᵀ, and the block of the whole factor below the diagonal one, A L⁻ᵀ D⁻¹.

    Args:
        A: The block of the matrix below the diagonal block, shape (n, m).
        L: Factor of the diagonal block, shape (m, m).
        inverse: Its inverted pivots, shape (m,).
    """
    P = solve_lower(L, A.T).T
    return P, P * inverse


def _array(entries: list[Any], shape: tuple[int, ...]) -> Matrix:
    flat = np.array(entries, dtype=object).reshape(shape)
    kind = object if any(isinstance(x, Expr) for x in flat.ravel()) else float
    return flat.astype(kind)
