"""The shortest vector that obeys inequalities."""

from __future__ import annotations

from typing import final

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.expr.rank import rank
from poinsot.expr.rank_tolerances import RANK
from poinsot.spatial import Array

__all__ = ["ContradictionError", "shortest"]

NOTHING = 1e-10
"""Residual of the least squares, of unit vectors, at which inequalities contradict each other."""
TIGHT = 1e-10
"""How far behind its bound, in units of the largest one, a row may be and still count as at it."""

REACHED = 1e-12
"""How far a vector of multipliers may be from the one it is to give, relative to its length."""


@final
class ContradictionError(PoinsotError):
    """No vector obeys all inequalities.

    Attributes:
        rows: Those that contradict each other, by number.
    """

    def __init__(self, rows: list[int]) -> None:
        super().__init__(f"rows {rows} contradict each other")
        self.rows = rows


def shortest(G: Array, h: Array) -> tuple[Array, Array, bool]:
    """Return the shortest y with G y >= h, its multipliers, and whether these are the only ones.

        y = Gᵀ x,      0 <= x,      0 <= G y - h,      x (G y - h) = 0

    Least distance programming by non-negative least squares [Lawson and Hanson, Solving Least
    Squares Problems (1974), chapter 23], then solved once more on the rows that it finds active.
    Where rows are dependent the multipliers are those of least norm, if none of these is
    negative; else those of the others.

    Args:
        G: Rows, none of them zero, shape (s, n).
        h: Bounds, shape (s,).

    Raises:
        ContradictionError: If there is no such y.

    >>> y, x, unique = shortest(np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([2.0, 1.0]))
    >>> y.tolist(), x.tolist(), unique
    ([2.0, 0.0], [2.0, 0.0], True)
    """
    s, n = G.shape
    if not (h > 0.0).any():
        return np.zeros(n), np.zeros(s), True
    if s == 1:
        x = h / (G[0] @ G[0])
        return x[0] * G[0], x, True
    from scipy.optimize import nnls

    norms, largest = np.linalg.norm(G, axis=1), float(np.abs(h).max())
    rows = G / norms[:, None]
    bounds = h / norms
    size = float(np.abs(bounds).max())
    E = np.vstack([rows.T, bounds / size])
    f = np.append(np.zeros(n), 1.0)
    weights, _ = nnls(E, f, maxiter=30 * (s + n))
    residual = E @ weights - f
    if np.linalg.norm(residual) <= NOTHING:
        raise ContradictionError(np.flatnonzero(weights).tolist())
    active = weights > 0.0
    y = np.linalg.lstsq(G[active], h[active], rcond=RANK)[0]
    tight = G @ y - h <= TIGHT * largest
    x = np.zeros(s)
    x[active] = np.linalg.lstsq(G[active].T, y, rcond=RANK)[0]
    pushing = _pushing(G, np.flatnonzero(tight), y)
    if pushing is not None:
        x = pushing
    unique = rank(rows[tight]) == int(tight.sum())
    return y, np.maximum(x, 0.0), unique


def _pushing(G: Array, rows: Array, y: Array) -> Array | None:
    """Return the x of least norm with y = Gᵀ x on some rows, less those where it is negative.

    Row after row is left out until none is; None: what is left does not give y.  Compiled runs do
    the same (``simulation/stepping/redundant_contacts.py``).
    """
    x = np.zeros(len(G))
    while rows.size:
        x[:] = 0.0
        x[rows] = np.linalg.lstsq(G[rows].T, y, rcond=RANK)[0]
        if not (x < 0.0).any():
            misses = np.linalg.norm(G.T @ x - y) > REACHED * np.linalg.norm(y)
            return None if misses else x
        rows = rows[x[rows] >= 0.0]
    return None
