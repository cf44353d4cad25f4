"""Linear complementarity by Lemke's method (R. Cottle, J.-S. Pang, R. Stone, 1992, section 4.4)."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.spatial import Array

__all__ = ["complementary"]

PIVOTS: Final = 50
"""Pivots for each variable at most."""
SMALL: Final = 1e-9
"""Pivot that counts as zero, relative to the largest of its column."""
TIE: Final = 1e-10
"""Ratios that count as equal; then the variable that was added leaves, or the largest pivot."""


def complementary(M: Array, q: Array) -> Array | None:
    """Return z of 0 ≤ z ⟂ M z + q ≥ 0, shape (n,), or None if the search ends in a ray.

    For matrices of friction that ends where no solution exists (D. Stewart, J. Trinkle, Int. J.
    Numer. Methods Eng. 39, 1996).  Among several solutions the answer is always the same one.

    >>> print(complementary(np.eye(2), np.array([-1.0, 2.0])))
    [1. 0.]
    """
    n = len(q)
    if (q >= 0.0).all():
        return np.zeros(n)
    # w - M z - d z₀ = q; entries of d that differ keep ratios from being equal
    d = 1.0 + 0.5 * np.sin(1.0 + np.arange(n) ** 2)
    tableau = np.column_stack([np.eye(n), -M, -d, q])
    basis, entering, row = np.arange(n), 2 * n, int(np.argmin(q / d))
    for _ in range(PIVOTS * n):
        pivot = tableau[row] / tableau[row, entering]
        tableau -= np.outer(tableau[:, entering], pivot)
        tableau[row] = pivot
        leaving, basis[row] = int(basis[row]), entering
        if leaving == 2 * n:
            z = np.zeros(2 * n + 1)
            z[basis] = tableau[:, -1]
            return np.maximum(z[n : 2 * n], 0.0)
        entering = leaving + n if leaving < n else leaving - n  # its partner
        column = tableau[:, entering]
        rows = np.flatnonzero(column > SMALL * max(1.0, float(np.abs(column).max())))
        if not rows.size:
            return None
        ratios = tableau[rows, -1] / column[rows]
        least = float(ratios.min())
        ties = rows[ratios <= least + TIE * max(1.0, abs(least))]
        last = ties[basis[ties] == 2 * n]
        row = int(last[0] if last.size else ties[np.argmax(column[ties])])
    return None
