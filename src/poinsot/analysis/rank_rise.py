"""Rows of constraints that are redundant at one configuration, and not at those next to it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poinsot.expr.rank_tolerances import DEPENDENT, RISING
from poinsot.spatial import Array

__all__ = ["rank_rises"]


def rank_rises(J: Array, change: Callable[[Array], Array]) -> bool:
    """Say whether the rank of the rows is larger at configurations next to this one.

    With λ in the left and u, w in the right null space of J, the rows become independent along u
    where

        λᵀ (D_u J) w ≠ 0,

    to first order.  Loops that are redundant for good, such as planar ones in space, have none.

    Args:
        J: Rows of the constraints, shape (m, nv).
        change: Takes directions of motion, shape (k, nv), to D_u J along each, shape (k, m, nv).
    """
    lengths = np.linalg.norm(J, axis=1)
    longest = float(lengths.max(initial=0.0)) or 1.0
    U, s, V = np.linalg.svd(J)
    rank = int((s > DEPENDENT * longest).sum())
    left, free = U[:, rank:], V[rank:]
    if not left.shape[1] or not len(free):
        return False
    rates = change(free)
    scale = max(longest, float(np.abs(rates).max(initial=0.0)))
    return bool(np.abs(np.einsum("ml,kmn,jn->klj", left, rates, free)).max() > RISING * scale)
