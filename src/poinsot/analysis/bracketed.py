"""Zeros and minima of functions of one variable that are computed for many values at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from poinsot.spatial import Array

SAMPLES: Final = 33
ROUNDS: Final = 12
"""Each round makes a bracket 16 to 32 times smaller."""
NARROW: Final = 1e-13
"""Width at which a bracket of values of the order of 1 is a number."""

Sampled = Callable[[Array], Array]
"""Values of the variable, shape (n,) -> values of the function, shape (n,)."""


def bracketed_zero(function: Sampled, left: float, right: float) -> float:
    """Return where a function changes its sign between two values of its variable.

    >>> round(bracketed_zero(lambda x: x**2 - 2.0, 0.0, 2.0), 12)
    1.414213562373
    """
    for _ in range(ROUNDS):
        x = np.linspace(left, right, SAMPLES)
        below = function(x) < 0.0
        changes = np.flatnonzero(below[1:] != below[:-1])
        if not changes.size:
            break
        left, right = float(x[changes[0]]), float(x[changes[0] + 1])
        if abs(right - left) < NARROW:
            break
    return 0.5 * (left + right)


def bracketed_minimum(function: Sampled, left: float, right: float) -> float:
    """Return where a function with one minimum between two values is least.

    >>> round(bracketed_minimum(lambda x: (x - 0.3) ** 2, -1.0, 1.0), 6)
    0.3
    """
    for _ in range(ROUNDS):
        x = np.linspace(left, right, SAMPLES)
        least = int(np.argmin(function(x)))
        left, right = float(x[max(least - 1, 0)]), float(x[min(least + 1, SAMPLES - 1)])
    return 0.5 * (left + right)
