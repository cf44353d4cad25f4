"""The results of a batch while it runs; every worker writes its runs here."""

from __future__ import annotations

import time
from typing import final

import numpy as np

from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.running.batch.trajectories import Stop, Trajectories
from poinsot.simulation.running.run_plan import Plan
from poinsot.simulation.running.status import Outcome, Statistics, Status
from poinsot.simulation.running.workspace import Accuracy
from poinsot.spatial import Array

__all__ = ["BatchResults"]


@final
class BatchResults:
    """States of all runs at the same times, and how each run ended.

    Threads may write different runs concurrently.

    Args:
        equations: With numbers for every run.
        starts: [q, v] at the start, shape (B, nq + nv).
        accuracy: Integrator and tolerances.
        plan: How long, and what to store.
        times: The times to store [s], shape (n,).

    Attributes:
        q: Configurations, shape (B, n, nq).
        v: Velocities, shape (B, n, nv).
        n_initial_rows: Rows of each run that are known at the start, 0 or 1.
    """

    def __init__(
        self,
        equations: MotionEquations,
        starts: Array,
        accuracy: Accuracy,
        plan: Plan,
        times: Array,
    ) -> None:
        self._begun = time.perf_counter()
        nq, n = equations.nq, equations.nq + equations.nv
        self.equations, self.starts, self.accuracy = equations, starts, accuracy
        self.plan, self.times = plan, times
        self.q = np.empty((len(starts), times.size, nq))
        self.v = np.empty((len(starts), times.size, n - nq))
        self.n_initial_rows = int(times[0] == plan.start)
        if self.n_initial_rows:
            self.q[:, 0], self.v[:, 0] = starts[:, :nq], starts[:, nq:]
        self._spent = np.zeros((len(starts), 6))
        self._ended = np.zeros(len(starts), bool)
        self._stops: dict[int, Stop] = {}

    @property
    def done(self) -> int:
        """How many runs have ended."""
        return int(self._ended.sum())

    def end(self, first: int, last: int, statistics: Statistics) -> None:
        """Record that the runs first..last-1 have ended, and the cost of each."""
        self._spent[first:last] = (
            statistics.steps,
            statistics.rejected,
            statistics.evaluations,
            statistics.wall_time,
            statistics.callback_calls,
            statistics.callback_time,
        )
        self._ended[first:last] = True

    def stop(self, number: int, statistics: Statistics, stop: Stop) -> None:
        """Record that a run has ended early; its rows after that become NaN.

        So do rows that are not finite between its last steps, where a force was not finite.
        """
        q, v = self.q[number], self.v[number]
        finite = np.isfinite(q).all(axis=1) & np.isfinite(v).all(axis=1)
        unknown = ~finite | (self.times > stop.status.time)
        q[unknown] = v[unknown] = np.nan
        self._stops[number] = stop
        self.end(number, number + 1, statistics)

    def closed(self) -> Trajectories:
        """Return the trajectories; runs that were not begun count as interrupted at their start."""
        for number in np.flatnonzero(~self._ended).tolist():
            start, end = self.plan.start, self.plan.end
            message = f"interrupted before its start, at t = {start:g} s of {end:g} s"
            status = Status(Outcome.INTERRUPTED, start, message)
            self.stop(number, Statistics(0, 0, 0, 0.0), Stop(status, self.starts[number]))
        return Trajectories(
            self.times.copy(), self.q, self.v, self._spent, dict(sorted(self._stops.items())),
            time.perf_counter() - self._begun, self.equations, self.accuracy, self.plan,
            self.starts,
        )  # fmt: skip
