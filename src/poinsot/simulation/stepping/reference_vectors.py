"""Operations on vectors in plain Python, in the order in which registers add."""

from __future__ import annotations

import numpy as np

from poinsot.simulation.stepping.control_writer import Row
from poinsot.spatial import Array


def combination(row: Row, k: list[Array]) -> Array:
    """Return the sum of coefficient times vector, as two sums that alternate."""
    terms = [k[stage] * weight for stage, weight in row.items()]
    sums = [sum(terms[first + 2 :: 2], terms[first]) for first in range(min(2, len(terms)))]
    return sums[0] if len(sums) == 1 else sums[0] + sums[1]


def total(entries: Array, lanes: int) -> float:
    """Return a sum over entries: that of registers, then of their halves.

    Args:
        entries: What to add.
        lanes: Doubles in a register.
    """
    padded = np.concatenate([entries, np.zeros(-entries.size % lanes)])
    sums = sum(padded.reshape(-1, lanes), np.zeros(lanes))
    while sums.size > 1:
        sums = sums[: sums.size // 2] + sums[sums.size // 2 :]
    return float(sums[0])
