"""Singular configurations along a motion: dead points and bifurcations.

There J, with the rows of the drives, loses rank: its smallest singular value vanishes.
It may do so between two stored states, so every dip is minimised.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.assemble.driven_motion import Followed, follow
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import AssemblyError
from poinsot.expr.rank_tolerances import NEARLY_SINGULAR, STOPPED_SINGULAR
from poinsot.spatial import Array

DIP: Final = 0.3
"""Fraction of the median below which a dip is minimised."""
_GOLDEN: Final = (np.sqrt(5.0) - 1.0) / 2.0


def singular_times(rows: NumericRows, motion: Followed) -> tuple[float, ...]:
    """Return the times of a motion at which the mechanism is in a singular configuration [s]."""
    sizes = np.array(
        [least_singular_value(rows, q, float(t)) for q, t in zip(motion.q, motion.t, strict=True)]
    )
    usual = float(np.median(sizes))
    times: list[float] = []
    for k, size in enumerate(sizes):
        before, after = max(k - 1, 0), min(k + 1, len(sizes) - 1)
        if size > DIP * usual or size > sizes[before] or size > sizes[after]:
            continue
        t, bottom = _bottom(rows, motion, before, after)
        far = all(abs(t - other) > 1e-6 * (motion.t[-1] - motion.t[0]) for other in times)
        if bottom <= NEARLY_SINGULAR * usual and far:
            times.append(t)
    end = float(motion.t[-1])
    if (
        not motion.ok
        and sizes[-1] <= STOPPED_SINGULAR * usual
        and not np.isclose(times or [-1.0], end).any()
    ):
        times.append(end)
    return tuple(times)


def least_singular_value(rows: NumericRows, q: Array, t: float) -> float:
    """Return the smallest singular value of J, 0 where it has fewer rows than columns."""
    J = rows.jacobian(q, t)
    values = np.linalg.svd(J, compute_uv=False)
    return float(values[J.shape[1] - 1]) if len(values) >= J.shape[1] else 0.0


def _bottom(rows: NumericRows, motion: Followed, k: int, last: int) -> tuple[float, float]:
    """Return the minimiser of the smallest singular value between two times, and its value."""
    low, high = float(motion.t[k]), float(motion.t[last])

    def size(t: float) -> float:
        times = np.array([motion.t[k], t]) if t > motion.t[k] else motion.t[k : k + 1]
        try:
            q = follow(rows, motion.q[k], times).q[-1]
        except AssemblyError:
            return float("inf")
        return least_singular_value(rows, q, t)

    inner = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
    values = [size(inner[0]), size(inner[1])]
    for _ in range(40):
        if values[0] < values[1]:
            high, inner[1], values[1] = inner[1], inner[0], values[0]
            inner[0] = high - _GOLDEN * (high - low)
            values[0] = size(inner[0])
        else:
            low, inner[0], values[0] = inner[0], inner[1], values[1]
            inner[1] = low + _GOLDEN * (high - low)
            values[1] = size(inner[1])
    best = int(values[1] < values[0])
    return inner[best], values[best]
