"""Least squares from start after start, until all problems of a batch are solved.

Each round moves those that are left from new random configurations, in machine code
(``least_squares_solver.py``); the steps that a start may take grow, because those that are left are
the hard ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.assemble.least_squares_solver import Bounds, Problem, SearchLimits, minimised
from poinsot.spatial import Array

FIRST_ROUNDS: Final = 25
"""Steps of the first starts; a start that takes more is mostly lost."""
MOST_ROUNDS: Final = 300
"""Steps of the last ones."""
FEW_STARTS: Final = 10
"""Starts after which what is left is polished."""


class Solutions(NamedTuple):
    """Best configurations of n problems, their largest residuals, and how many starts each took."""

    q: Array
    residual: Array
    starts: NDArray[np.int64]


def solved_by_restarts(
    problem: Problem, guesses: Array, further: Sequence[Array], free: Array, limits: SearchLimits,
    bounds: Bounds, random: Callable[[NDArray[np.intp]], Array], starts: int,
    polished: Callable[[Solutions], Solutions],
) -> Solutions:  # fmt: skip
    """Return the best of several starts of each problem; a solution ends its starts.

    Args:
        problem: What to solve.
        guesses: First starts, shape (n, nq).
        further: Inputs of the problem behind q, shape (n, size) or (size,).
        free: Numbers of the velocities along which q may change.
        limits: When a start is at its end, and how good a solution is.
        bounds: Limits of coordinates.
        random: Numbers of k problems -> random configurations, shape (k, nq).
        starts: How many starts at most.
        polished: What else is tried with what some starts have not solved.
    """
    n = len(guesses)
    best, residual = np.array(guesses, order="C"), np.full(n, np.inf)
    counts, left, rounds = np.zeros(n, np.int64), np.arange(n), FIRST_ROUNDS
    for start in range(starts):
        q = np.clip(best[left] if start == 0 else random(left), bounds.lower, bounds.upper)
        given = [x if x.ndim == 1 else np.ascontiguousarray(x[left]) for x in further]
        sizes = minimised(problem, q, given, free, replace(limits, rounds=rounds), bounds)
        counts[left] += 1
        better = sizes < residual[left]  # not for NaN
        best[left[better]], residual[left[better]] = q[better], sizes[better]
        if start == min(starts, FEW_STARTS) - 1:
            best, residual, _ = polished(Solutions(best, residual, counts))
        left = left[~(residual[left] <= limits.good)]
        rounds = min(int(1.2 * rounds), MOST_ROUNDS)
        if not left.size:
            break
    return Solutions(best, residual, counts)
