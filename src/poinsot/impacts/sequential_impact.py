"""Several points hit one after the other: the one that closes fastest first, until none closes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from poinsot.impacts.impact_law import HeldError, pushed
from poinsot.spatial import Array

__all__ = ["PointLaw", "impacts_in_turn", "pushed_by"]

LEAST: Final = 1e-13
"""Rate of closing that counts as none, relative to the fastest before."""
MOST: Final = 20_000
"""Impacts in a sequence."""

PointLaw = Callable[[int, Array, Array], Array]
"""The number of a point, its impulse matrix (3, 3) and velocities before (3,) -> impulses (3,)."""


def impacts_in_turn(
    M: Array, J: Array, D: Array, w: Array, law: PointLaw
) -> Iterator[tuple[int, Array, Array]]:
    """Yield the point of each impact, its impulses (3,) and the change of velocities (n,).

    Args:
        M: Mass matrix, shape (n, n).
        J: Rows of loops and constraints, shape (m, n).
        D: Velocities of the points along normal and tangents by those of the systems, (s, 3, n).
        w: Their values before, shape (s, 3).
        law: What one impact does.

    Raises:
        HeldError: If the sequence has no end.
    """
    jumps = [pushed_by(M, J, D[k]) for k in range(len(D))]
    whole, now = np.zeros(M.shape[0]), w.copy()
    least = LEAST * float(np.abs(w).max())
    for _ in range(MOST):
        k = int(np.argmin(now[:, 0]))
        if now[k, 0] >= -least:
            return
        try:
            impulse = law(k, D[k] @ jumps[k], now[k])
        except HeldError as error:
            raise HeldError(str(error), [k]) from None
        change = jumps[k] @ impulse
        yield k, impulse, change
        whole = whole + change
        now = w + D @ whole
    raise HeldError(
        f"{MOST} impacts one after the other have not ended it; lower the friction, or take fewer "
        "points",
        [],
    )


def pushed_by(M: Array, J: Array, D: Array) -> Array:
    """Return the change of velocities by unit impulses along rows, shape (n, rows)."""
    units = np.eye(len(D))
    return np.column_stack([pushed(M, J, D, unit).change for unit in units])
