"""Linear equations in plain Python: the definition of the compiled ones (``lu.py``)."""

from __future__ import annotations

import numpy as np

from poinsot.simulation.stepping.reference_vectors import total
from poinsot.spatial import Array


class ReferenceLu:
    """A matrix, factored with partial pivoting.

    Args:
        matrix: Shape (n, n).
        lanes: Doubles in a register.
    """

    def __init__(self, matrix: Array, lanes: int) -> None:
        self._lanes, n = lanes, len(matrix)
        upper, lower, self._order = matrix.copy(), np.zeros(matrix.shape), list(range(n))
        for k in range(n):
            best = k + int(np.argmax(np.abs(upper[k:, k])))
            for rows in (upper, lower):
                rows[[k, best]] = rows[[best, k]]
            self._order[k], self._order[best] = self._order[best], self._order[k]
            for i in range(k + 1, n):
                lower[i, k] = upper[i, k] / upper[k, k]
                upper[i] = upper[i] - lower[i, k] * upper[k]
        self._lower, self._upper = lower, upper

    def solve(self, b: Array) -> Array:
        """Return the x of L U x = b."""
        ordered, (z, x) = b[self._order], np.zeros((2, b.size))
        for i in range(b.size):
            z[i] = ordered[i] - total(self._lower[i] * z, self._lanes)
        for i in reversed(range(b.size)):
            x[i] = (z[i] - total(self._upper[i] * x, self._lanes)) / self._upper[i, i]
        return x
