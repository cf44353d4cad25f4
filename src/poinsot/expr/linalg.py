"""Factorisations and solves of small symmetric matrices, over floats and expressions alike.

Entries that are the number 0 (or the expression 0) are skipped, so sparsity costs nothing.  Each
pivot is divided by once; all else is products and differences.  Only lower triangles are read.

The cost, where n is the size, d_i counts the entries of row i that are not 0, up to the diagonal,
D1 = sum of d_i - 1 and D2 = sum of d_i (d_i - 1) / 2 [RBDA, section 6.5]:

    ltdl        n divisions, D1 + D2 products, D2 differences
    ltdl_solve  2 D1 + n products and 2 D1 differences for each right-hand side

ldl costs the same on a full matrix; cholesky adds n square roots, and n products to each solve.  A
diagonal of ones costs nothing, so unit triangular matrices need no solves of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import ShapeError
from poinsot.expr.node import Expr, Scalar
from poinsot.expr.ops import Op
from poinsot.expr.sparse_arithmetic import is_zero, times

Rows: TypeAlias = list[list[Any]]


def cholesky(A: NDArray[Any]) -> NDArray[Any]:
    """Return the lower triangular L of a symmetric positive definite A; both shape (n, n).

        A = L Lᵀ

    Raises:
        numpy.linalg.LinAlgError: A pivot is a number and not positive (symbols cannot be checked).

    >>> cholesky(np.array([[4.0, 2.0], [2.0, 10.0]]))
    array([[2., 0.],
           [1., 3.]])
    """
    a = _lower_rows(A)
    for k in range(len(a)):
        _check_pivot(a[k][k], k, least=0.0)
        a[k][k] = np.sqrt(a[k][k])
        inverse = 1.0 / a[k][k]  # the same node wherever an expression is inverted again
        for i in range(k + 1, len(a)):
            a[i][k] = times(a[i][k], inverse)
        for i in range(k + 1, len(a)):
            for j in range(k + 1, i + 1):
                a[i][j] -= times(a[i][k], a[j][k])
    return _array(a, np.shape(A), A)


def cholesky_solve(L: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return the solution of L Lᵀ x = b, with L from :func:`cholesky`; b of shape (n,) or (n, k).

    >>> cholesky_solve(np.array([[2.0, 0.0], [1.0, 3.0]]), np.array([6.0, 12.0]))
    array([1., 1.])
    """
    return solve_lower_transposed(L, solve_lower(L, b))


def ldl(A: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the unit lower triangular L and the inverted pivots d_inverse, shape (n,).

        A = L D Lᵀ,  D = diag(1 / d_inverse)

    A, shape (n, n), is symmetric; none of its leading minors is 0 (there is no pivoting).  What the
    solves need are the inverses, so they are what is kept.

    Raises:
        numpy.linalg.LinAlgError: A pivot is the number 0 or not finite.

    >>> ldl(np.array([[4.0, 2.0], [2.0, 3.0]]))
    (array([[1. , 0. ],
           [0.5, 1. ]]), array([0.25, 0.5 ]))
    """
    a = _lower_rows(A)
    d_inverse: list[Any] = []
    for k in range(len(a)):
        _check_pivot(a[k][k], k)
        d_inverse.append(1.0 / a[k][k])
        a[k][k] = 1.0
        for i in reversed(range(k + 1, len(a))):  # so that a[j][k] is not yet scaled
            factor = times(a[i][k], d_inverse[k])
            for j in range(k + 1, i + 1):
                a[i][j] -= times(factor, a[j][k])
            a[i][k] = factor
    return _array(a, np.shape(A), A), _array(d_inverse, (len(a),), A)


def ldl_solve(L: NDArray[Any], d_inverse: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return the solution of L D Lᵀ x = b, factors from :func:`ldl`; b of shape (n,) or (n, k).

    >>> ldl_solve(*ldl(np.array([[4.0, 2.0], [2.0, 3.0]])), np.array([6.0, 5.0]))
    array([1., 1.])
    """
    columns = _columns(L)
    y = _scaled(d_inverse, _forward(L, columns, _right_side(L, b)))
    return _array(_backward(L, columns, y), np.shape(b), L, b, d_inverse)


def ltdl(A: NDArray[Any], parent: Sequence[int]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the unit lower triangular L and the inverted pivots d_inverse, shape (n,).

        A = Lᵀ D L,  D = diag(1 / d_inverse)

    A is the inertia of a tree: symmetric, and 0 where row and column are not on one path to the
    root.  Elimination from the leaves inwards makes L as sparse [RBDA, section 6.5].

    Args:
        A: Shape (n, n).
        parent: For each row that of its parent, ``parent[i] < i``, or -1 (RBDA: the expanded λ).

    Raises:
        numpy.linalg.LinAlgError: A pivot is the number 0 or not finite.

    >>> A = np.array([[7.0, 2.0, 4.0], [2.0, 2.0, 0.0], [4.0, 0.0, 4.0]])
    >>> ltdl(A, parent=[-1, 0, 0])
    (array([[1., 0., 0.],
           [1., 1., 0.],
           [1., 0., 1.]]), array([1.  , 0.5 , 0.25]))
    """
    a = _lower_rows(A)
    paths = _paths(parent, len(a))
    d_inverse: list[Any] = [0.0] * len(a)
    for k in reversed(range(len(a))):
        row = a[k]
        _check_pivot(row[k], k)
        d_inverse[k] = 1.0 / row[k]
        row[k] = 1.0
        for i in paths[k]:
            factor = times(row[i], d_inverse[k])
            for j in (i, *paths[i]):
                a[i][j] -= times(factor, row[j])
            row[i] = factor
    return _array(a, np.shape(A), A), _array(d_inverse, (len(a),), A)


def ltdl_solve(
    L: NDArray[Any], d_inverse: NDArray[Any], parent: Sequence[int], b: NDArray[Any]
) -> NDArray[Any]:
    """Return the solution of Lᵀ D L x = b, factors from :func:`ltdl`; b of shape (n,) or (n, k).

    >>> A = np.array([[7.0, 2.0, 4.0], [2.0, 2.0, 0.0], [4.0, 0.0, 4.0]])
    >>> ltdl_solve(*ltdl(A, [-1, 0, 0]), [-1, 0, 0], np.array([13.0, 4.0, 8.0]))
    array([1., 1., 1.])
    """
    paths = _paths(parent, len(L))
    y = _scaled(d_inverse, _backward(L, paths, _right_side(L, b)))
    return _array(_forward(L, paths, y), np.shape(b), L, b, d_inverse)


def ltl(A: NDArray[Any], parent: Sequence[int]) -> NDArray[Any]:
    """Return the lower triangular L, shape (n, n), of a positive definite inertia of a tree.

        A = Lᵀ L

    As sparse as A; it takes a square root for each row that :func:`ltdl` does without
    [RBDA, section 6.5].  Solve with :func:`solve_lower_transposed` and then :func:`solve_lower`.

    Args:
        A: Shape (n, n).
        parent: For each row that of its parent, ``parent[i] < i``, or -1.

    Raises:
        numpy.linalg.LinAlgError: A pivot is a number that is not positive.

    >>> A = np.array([[7.0, 2.0, 4.0], [2.0, 2.0, 0.0], [4.0, 0.0, 4.0]])
    >>> L = ltl(A, parent=[-1, 0, 0])
    >>> np.allclose(L.T @ L, A), L[2].tolist()
    (True, [2.0, 0.0, 2.0])
    """
    L, d_inverse = ltdl(A, parent)
    rows = L.tolist()
    for k, inverse in enumerate(d_inverse.tolist()):
        pivot = 1.0 / inverse
        _check_pivot(pivot, k, least=0.0)
        root = np.sqrt(pivot)
        rows[k] = [times(root, x) for x in rows[k]]
    return _array(rows, np.shape(A), A)


def solve_lower(L: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return the solution of L x = b with L lower triangular; b of shape (n,) or (n, k).

    >>> solve_lower(np.array([[2.0, 0.0], [1.0, 3.0]]), np.array([2.0, 4.0]))
    array([1., 1.])
    """
    return _array(_forward(L, _columns(L), _right_side(L, b)), np.shape(b), L, b)


def solve_lower_transposed(L: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return the solution of Lᵀ x = b with L lower triangular; b of shape (n,) or (n, k).

    >>> solve_lower_transposed(np.array([[2.0, 0.0], [1.0, 3.0]]), np.array([3.0, 3.0]))
    array([1., 1.])
    """
    return _array(_backward(L, _columns(L), _right_side(L, b)), np.shape(b), L, b)


def _forward(L: NDArray[Any], columns: Rows, x: Rows) -> Rows:
    """Return the solution of L x = b; x holds b at the start."""
    for i, row in enumerate(L.tolist()):
        for j in columns[i]:
            x[i] = [u - times(row[j], v) for u, v in zip(x[i], x[j], strict=True)]
        x[i] = [times(u, 1.0 / row[i]) for u in x[i]]
    return x


def _backward(L: NDArray[Any], columns: Rows, x: Rows) -> Rows:
    """Return the solution of Lᵀ x = b; x holds b at the start."""
    for i, row in reversed(list(enumerate(L.tolist()))):
        x[i] = [times(u, 1.0 / row[i]) for u in x[i]]
        for j in columns[i]:
            x[j] = [u - times(row[j], v) for u, v in zip(x[j], x[i], strict=True)]
    return x


def _scaled(scale: NDArray[Any], x: Rows) -> Rows:
    return [[times(s, u) for u in row] for s, row in zip(scale.tolist(), x, strict=True)]


def _columns(L: NDArray[Any]) -> Rows:
    """Return for each row the columns before the diagonal that are not 0."""
    return [[j for j in range(i) if not is_zero(row[j])] for i, row in enumerate(L.tolist())]


def _paths(parent: Sequence[int], n: int) -> Rows:
    """Return for each row its ancestors, the nearest first."""
    if len(parent) != n or not all(-1 <= p < i for i, p in enumerate(parent)):
        raise ShapeError(f"{n} rows need {n} parents, each before its row or -1, got {parent}")
    paths: Rows = []
    for p in parent:
        paths.append([p, *paths[p]] if p >= 0 else [])
    return paths


def _lower_rows(A: NDArray[Any]) -> Rows:
    if A.shape != (len(A), len(A)):
        raise ShapeError(f"expected a square matrix, got shape {A.shape}")
    return [[*row[: i + 1], *[0.0] * (len(A) - 1 - i)] for i, row in enumerate(A.tolist())]


def _right_side(L: NDArray[Any], b: NDArray[Any]) -> Rows:
    if np.shape(b)[:1] != L.shape[:1]:
        raise ShapeError(f"expected a right-hand side of {len(L)} rows, got shape {np.shape(b)}")
    return [np.ravel(row).tolist() for row in b]


def _array(rows: list[Any], shape: tuple[int, ...], *sources: NDArray[Any]) -> NDArray[Any]:
    return np.array(rows, dtype=np.result_type(float, *sources)).reshape(shape)


def _check_pivot(pivot: Scalar, k: int, least: float = -np.inf) -> None:
    if isinstance(pivot, Expr) and pivot.op is not Op.CONSTANT:
        return
    number = pivot.value if isinstance(pivot, Expr) else pivot
    if number == 0 or not np.isfinite(number) or np.real(number) <= least:
        wish = "not 0" if least < 0 else "positive"
        raise np.linalg.LinAlgError(f"pivot {k} must be {wish}, got {number}")
