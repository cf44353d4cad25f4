"""Which impulses, and which sums of them, are the same in all solutions of G P = H."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.expr.rank import null_space
from poinsot.spatial import Array

__all__ = ["determined_sums"]

SMALL: Final = 1e-9
"""Entry of a reduced row that counts as zero."""


def determined_sums(G: Array) -> Array:
    """Return the combinations of impulses that G determines, in reduced form, shape (rank, s).

    Impulses differ between solutions by vectors z with G z = 0; a sum c·P is determined where
    c·z = 0 for all of them.  A row with a single 1 is an impulse that is determined itself.

    Args:
        G: Impulse matrix, symmetric, not negative, shape (s, s).

    >>> feet = np.array([[1.0, 1, 1, 1], [1, 1, -1, -1], [1, -1, 1, -1]])   # four feet of a box
    >>> print(determined_sums(feet.T @ feet) + 0.0)
    [[ 1.  0.  0. -1.]
     [ 0.  1.  0.  1.]
     [ 0.  0.  1.  1.]]
    """
    size = np.sqrt(np.maximum(np.diagonal(G), 0.0))
    scale = np.where(size > 0.0, size, 1.0)
    z = null_space(G / np.outer(scale, scale)) / scale[:, None]
    return _reduced(null_space(z.T).T if z.size else np.eye(len(G)))


def _reduced(rows: Array) -> Array:
    """Return the reduced row echelon form of independent rows."""
    rows, done = np.array(rows, float), 0
    for column in range(rows.shape[1]):
        if done == len(rows):
            break
        pivot = done + int(np.argmax(np.abs(rows[done:, column])))
        if abs(rows[pivot, column]) <= SMALL:
            continue
        rows[[done, pivot]] = rows[[pivot, done]]
        rows[done] /= rows[done, column]
        others = np.arange(len(rows)) != done
        rows[others] -= np.outer(rows[others, column], rows[done])
        done += 1
    return np.where(np.abs(rows) <= SMALL, 0.0, rows)
