"""Whether impulses of points that depend on each other are the only ones, at many states."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.expr.rank_tolerances import RANK, ZERO_ROW
from poinsot.spatial import Array

__all__ = ["TIGHT", "are_unique"]

TIGHT: Final = 1e-10
"""Rate above the wanted one up to which a point opens as it is to, relative to the largest."""


def are_unique(J: Array, A: Array, tight: Array) -> Array:
    """Return at which of k states impulses are unique, shape (k,).

    Where the rows of the points that may push are independent of each other and of the constraints,
    so that rank [J; A] is the rank of J and the number of these points.

    Args:
        J: Rows of loops and constraints, shape (k, m, n).
        A: Rates of opening by the velocities, shape (k, s, n).
        tight: Which points may push, as they open no faster than they are to, shape (k, s).

    >>> feet = np.array([[[1.0, -1], [1, 0], [1, 1]]])
    >>> are_unique(np.zeros((1, 0, 2)), feet, np.array([[True, False, True]]))
    array([ True])
    """
    whole = np.concatenate([J, np.where(tight[:, :, None], A, 0.0)], axis=1)
    return np.asarray(_ranks(whole) == _ranks(J) + tight.sum(axis=1))


def _ranks(rows: Array) -> Array:
    """Return the ranks of matrices, shape (k,)."""
    if not rows.size:
        return np.zeros(len(rows), np.intp)
    lengths = np.linalg.norm(rows, axis=2, keepdims=True)
    sizes = np.linalg.svd(rows / np.where(lengths > ZERO_ROW, lengths, 1.0), compute_uv=False)
    return np.asarray((sizes > RANK * sizes[:, :1]).sum(axis=1))
