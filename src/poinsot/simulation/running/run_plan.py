"""What is asked of a run: integrator and tolerances, duration, and what is stored."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from poinsot.spatial import Array

FIRST_STEPS = 256
"""Steps until the integrator returns to Python for the first time."""
CHUNK = 4096
"""Most steps after which the integrator returns to Python, for more memory and for Ctrl-C."""


@dataclass(frozen=True)
class Plan:
    """How long to go, and what to store.

    Attributes:
        duration: Time to simulate [s].
        first_step: First step to try [s]; chosen if None.
        max_steps: Most steps to try.
        times: Times to store, increasing; every step if None.
        chunk: Most steps between returns to Python.
        start: Time at which it begins [s].
        every: Time between the times to store, where they are equally far apart [s].
        sampled: Whether sampled states that are due at the start have been computed already.
    """

    duration: float
    first_step: float | None = None
    max_steps: int = 1_000_000
    times: Array | None = None
    chunk: int = CHUNK
    start: float = 0.0
    every: float | None = None
    sampled: bool = False

    @cached_property
    def times_address(self) -> int:
        """Where the times to store begin in memory."""
        return 0 if self.times is None else int(self.times.ctypes.data)

    @property
    def end(self) -> float:
        """Time at which it ends [s]."""
        return self.start + self.duration


@dataclass(frozen=True)
class Accuracy:
    """The integrator and what it aims at.

    Attributes:
        integrator: Key of ``INTEGRATORS``.
        rtol: Relative tolerance; a step may take ``STEP_SHARE`` of it.
        atol: Absolute tolerance, likewise.
        max_step: Largest step [s].
        step: The step of an integrator without error control [s], which takes it, or a little less
            so that fixed steps reach the end; its tolerances only say how far the constraints may
            move a state.
    """

    integrator: str
    rtol: float
    atol: float
    max_step: float = math.inf
    step: float | None = None
