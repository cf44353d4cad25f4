"""Whether a numeric mass matrix is singular, and which velocity has no inertia.

The matrix is scaled to a diagonal of ones, which makes metres and radians, heavy and light bodies
alike; it is singular if its smallest eigenvalue is zero, by the tolerance ``SINGULAR_MASS``.  The
eigenvector is a motion that moves no mass.

Where constraints J prevent such a motion, M + w Jᵀ J is regular and replaces M.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.rank_tolerances import SINGULAR_MASS

Matrix: TypeAlias = NDArray[Any]

__all__ = [
    "constraint_weight",
    "regular_factor",
    "scaled_to_ones",
    "singular_velocity",
    "unheld_velocity",
]


def singular_velocity(M: Matrix) -> int | None:
    """Return the index of the velocity that moves no mass; None if M is regular.

    Where several velocities together move none, it is the one that moves most.

    Args:
        M: Symmetric matrix, shape (n, n); one that is not finite counts as regular.

    >>> singular_velocity(np.diag([1e-9, 1e6])), singular_velocity(np.diag([1.0, 0.0]))
    (None, 1)
    """
    diagonal = np.diag(M)
    if (diagonal <= 0.0).any():
        return int(np.argmin(diagonal))
    values, vectors = np.linalg.eigh(scaled_to_ones(M)[0])
    if not len(values) or not values[0] < SINGULAR_MASS:
        return None
    return int(np.argmax(np.abs(vectors[:, 0])))


def regular_factor(M: Matrix) -> Matrix | None:
    """Return the lower triangular L with M = L Lᵀ (Cholesky's factor); None if M is singular.

    The smallest eigenvalue is at least 1 / |L⁻¹|², in Frobenius' norm, which takes less time than
    the eigenvalue and is nearly always enough.

    >>> regular_factor(np.diag([4.0, 9.0])), regular_factor(np.diag([1.0, 0.0]))
    (array([[2., 0.],
           [0., 3.]]), None)
    """
    try:
        L = np.linalg.cholesky(M)
        inverse = np.linalg.inv(L)
    except np.linalg.LinAlgError:
        return None
    bound = np.diag(M) @ np.einsum("ij,ij->j", inverse, inverse)  # of M with a diagonal of ones
    if 2.0 * SINGULAR_MASS * bound <= 1.0 or singular_velocity(M) is None:
        return np.asarray(L)
    return None


def unheld_velocity(M: Matrix, J: Matrix) -> int | None:
    """Return the index of a velocity that moves no mass and is not constrained, or None.

    Args:
        M: Mass matrix, shape (n, n).
        J: Rows of the constraints, shape (m, n).

    >>> M = np.diag([1.0, 0.0])
    >>> unheld_velocity(M, np.zeros((0, 2))), unheld_velocity(M, np.array([[1.0, 2.0]]))
    (1, None)
    """
    still = singular_velocity(M)
    if still is None:
        return None
    square = J.T @ J
    return singular_velocity(M + constraint_weight(M, square) * square)


def scaled_to_ones(M: Matrix) -> tuple[Matrix, Matrix]:
    """Return S M S with ones on its diagonal, and the diagonal of S; that of M is positive."""
    scale = 1.0 / np.sqrt(np.diag(M))
    return scale[:, None] * M * scale, scale


def constraint_weight(M: Matrix, square: Matrix) -> float:
    """Return the w for which M and w Jᵀ J are of similar size.

    Args:
        M: A mass matrix that is singular.
        square: Jᵀ J.
    """
    mass, size = float(np.trace(M)), float(np.trace(square))
    return mass / size if mass > 0.0 < size else 1.0
