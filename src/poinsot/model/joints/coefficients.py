"""Coefficients of a joint: a number, one per velocity, or a matrix; in one canonical form.

A diagonal matrix is stored as its diagonal, so that joints which mean the same are equal.
"""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.expr.same_formula import same
from poinsot.model.checks import scalar_array
from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Array, Scalar

__all__ = ["Coefficients", "coefficient_matrix", "stored_coefficients"]

Coefficients = tuple[Scalar, ...] | tuple[tuple[Scalar, ...], ...]
"""The diagonal, nv numbers, or the matrix by rows, nv tuples of nv numbers."""


def coefficient_matrix(value: ArrayLike, nv: int, where: str) -> Array:
    """Return the (nv, nv) matrix that ``value`` stands for.

    Args:
        value: A number (for each velocity), nv numbers (the diagonal) or an (nv, nv) matrix.
        nv: Number of velocities of the joint.
        where: Opens the message of an error, e.g. ``"joint 'hip': damping"``.
    """
    array = scalar_array(value, where)
    if nv == 0 and nonzero(array):
        raise ModelError(f"{where} has no effect on a joint that does not move, got {value!r}")
    if array.ndim == 0:
        return _diagonal([array.tolist()] * nv)
    if array.shape == (nv,):
        return _diagonal(array.tolist())
    if array.shape == (nv, nv):
        return array
    raise ModelError(
        f"{where} must be a number, {nv} numbers (one per velocity) or a {nv}x{nv} matrix, "
        f"got shape {array.shape}: {value!r}"
    )


def stored_coefficients(matrix: Array) -> Coefficients:
    """Return the hashable form of an (nv, nv) matrix."""
    if len(matrix) == 1:
        return tuple(matrix[0].tolist())
    diagonal = matrix.diagonal()
    if same(matrix, np.diag(diagonal)):
        return tuple(diagonal.tolist())
    return tuple(tuple(row) for row in matrix.tolist())


def _diagonal(entries: list[Scalar]) -> Array:
    if len(entries) == 1:
        return np.array([entries])
    size = range(len(entries))
    rows = [[entries[i] if i == j else 0.0 for j in size] for i in size]
    return np.array(rows).reshape(len(entries), len(entries))
