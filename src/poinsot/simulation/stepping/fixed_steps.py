"""Fixed steps that reach the end exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import ModelError
from poinsot.spatial import Array

ROUNDING = 1e-12
"""Relative excess over a whole number of steps that is rounded down."""
MANY = 2.0**53
"""Number of steps from which doubles cannot count them."""


@final
@dataclass(frozen=True)
class FixedSteps:
    """The fewest fixed steps that are not longer than requested.

    Args:
        start: When the first begins [s].
        end: When the last ends [s].
        longest: How long a step may be [s].

    >>> FixedSteps(0.0, 1.0, 0.3).ends()
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """

    start: float
    end: float
    longest: float

    @property
    def duration(self) -> float:
        """Their total time [s]."""
        return self.end - self.start

    @property
    def count(self) -> int:
        """How many there are."""
        number = self.duration / self.longest * (1.0 - ROUNDING)
        if not number < MANY:
            raise ModelError(
                f"simulate: steps of {self.longest:g} s are too short for {self.duration:g} s"
            )
        return max(1, math.ceil(number))

    @property
    def step(self) -> float:
        """How long each of them is [s]."""
        return self.duration / self.count

    def ends(self) -> Array:
        """Return the times at which they end, bit for bit, and the start before them [s]."""
        return self._end(np.arange(self.count + 1))

    def number(self, times: ArrayLike) -> NDArray[np.int64]:
        """Return how many steps it takes to reach times.

        >>> FixedSteps(0.0, 1.0, 0.3).number([0.0, 0.1, 0.25, 1.0])
        array([0, 1, 1, 4])
        """
        passed = (np.asarray(times) - self.start) / self.step
        guess = np.clip(np.rint(passed), 0, self.count).astype(np.int64)
        number: NDArray[np.int64] = guess + (self._end(guess) < times)
        return number

    def _end(self, number: NDArray[np.int64]) -> Array:
        return np.where(number >= self.count, self.end, self.start + number * self.step)
