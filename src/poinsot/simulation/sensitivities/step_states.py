"""The states of all steps of a run: those that it has stored, or the same ones simulated again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from poinsot.simulation.integrate import integrate
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.sensitivities.recomputed_states import RecomputedStates, every_step
from poinsot.spatial import Array

MOST_STATES = 32e6
"""Memory of the states of all steps [bytes] above which they are simulated again as needed, where
the run has not stored them."""


@final
@dataclass(frozen=True, eq=False)
class StoredSteps:
    """States of a run that has stored every step, by slices, as of an array of shape (N, n).

    Attributes:
        run: The run.
    """

    run: Trajectory

    @property
    def t(self) -> Array:
        """When steps begin and end [s], shape (N,); twice where an event changed the state."""
        return self.run.t

    @cached_property
    def law(self) -> NDArray[np.int64]:
        """Number of the law in force from each row on, shape (N,)."""
        return np.zeros(self.run.t.size, np.int64) if self.run.law is None else self.run.law

    @property
    def shape(self) -> tuple[int, int]:
        """N and n."""
        return self.run.t.size, self.run.equations.n

    def __getitem__(self, rows: slice) -> Array:
        """Return the states of some rows, one after the other."""
        return np.concatenate([self.run.q[rows], self.run.v[rows]], axis=1)

    def at(self, times: Array) -> Array:
        """Return the states at times between rows, shape (number of times, n)."""
        return np.concatenate(self.run.at(times), axis=1)


StepStates: TypeAlias = StoredSteps | RecomputedStates


def step_states(run: Trajectory) -> StepStates:
    """Return the states of all steps of a run, in memory unless they take too much of it."""
    if run.plan.times is None:
        return StoredSteps(run)
    if 8.0 * run.statistics.steps * run.equations.n > MOST_STATES:
        return RecomputedStates(run)
    given = run.equations, run.start, run.accuracy, every_step(run)
    return StoredSteps(integrate(*given, run.events))
