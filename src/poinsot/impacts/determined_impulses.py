"""Which impulses, and which sums of them, are the same in all solutions of G P = H."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from poinsot.expr.rank import null_space
from poinsot.spatial import Array

__all__ = ["determined_sums", "undetermined", "undetermined_text"]

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


def undetermined(names: Sequence[str], sums: Array) -> tuple[str, ...]:
    """Return the names of the points whose own impulses are not determined.

    Args:
        names: Of the points.
        sums: From ``determined_sums``, shape (rank, s).
    """
    alone = sums[np.count_nonzero(sums, axis=1) == 1].any(axis=0)
    return tuple(name for name, is_known in zip(names, alone, strict=True) if not is_known)


def undetermined_text(unknown: Sequence[str], rank: int, points: int) -> str:
    """Return what is not determined, in words.

    Args:
        unknown: Names of the points whose own impulses are not determined.
        rank: Of the impulse matrix.
        points: How many there are.
    """
    if not unknown:  # friction alone has several answers
        return "friction is not determined: others may obey the law too"
    listed = ", ".join(map(repr, unknown))
    return (
        f"rank {rank} of {points}: impulses of {listed} are not determined, "
        "only sums of them (determined_sums)"
    )


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
