"""The results of many simulations: states at common times, and how each run ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.running.run_plan import Plan
from poinsot.simulation.running.status import Outcome, Statistics, Status
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.running.workspace import Accuracy
from poinsot.spatial import Array


class Stop(NamedTuple):
    """How a run ended that did not reach the end, and its last state [q, v]."""

    status: Status
    state: Array


@dataclass(frozen=True, eq=False)
class Trajectories:
    """States of B runs at the same increasing times.

    Attributes:
        t: Times [s], shape (n,).
        q: Configurations, shape (B, n, nq); NaN at times that a run did not reach.
        v: Velocities, shape (B, n, nv), likewise.
        spent: What each run took, the numbers of ``Statistics``, shape (B, 6).
        stops: The runs that did not reach the end, by their number.
        wall_time: Time that all of them took together [s].
        equations: What was integrated, with numbers for every run.
        accuracy: How.
        plan: How long, and what to store.
        starts: The states [q, v] at the start, shape (B, nq + nv).
    """

    t: Array
    q: Array
    v: Array
    spent: Array
    stops: Mapping[int, Stop]
    wall_time: float
    equations: MotionEquations
    accuracy: Accuracy
    plan: Plan
    starts: Array

    def __post_init__(self) -> None:
        for array in (self.t, self.q, self.v, self.spent, self.starts):
            array.flags.writeable = False

    def __reduce__(self) -> tuple[type[Trajectories], tuple[Any, ...]]:
        return Trajectories, tuple(getattr(self, field.name) for field in fields(self))

    def __len__(self) -> int:
        """Return how many runs there are."""
        return int(self.q.shape[0])

    @property
    def reached(self) -> Array:
        """Time of the last state of each run [s], shape (B,)."""
        times = np.full(len(self), self.plan.end)
        for number, stop in self.stops.items():
            times[number] = stop.status.time
        return times

    @property
    def statistics(self) -> Statistics:
        """What all runs took together."""
        return replace(_statistics(self.spent.sum(axis=0)), wall_time=self.wall_time)

    def status(self, number: int) -> Status:
        """Return how a run ended."""
        stop = self.stops.get(number)
        if stop is not None:
            return stop.status
        end = self.plan.end
        return Status(Outcome.FINISHED, end, f"reached t = {end:g} s")

    def run(self, number: int) -> Trajectory:
        """Return a run by itself, as if it had been the only one."""
        t, q, v = self.t, self.q[number], self.v[number]
        stop = self.stops.get(number)
        if stop is not None:
            is_stored = ~np.isnan(q[:, 0])
            t, q, v = t[is_stored], q[is_stored], v[is_stored]
            if t.size == 0 or t[-1] < stop.status.time:
                nq = q.shape[1]
                t = np.append(t, stop.status.time)
                q, v = np.vstack([q, stop.state[:nq]]), np.vstack([v, stop.state[nq:]])
        return Trajectory(
            t,
            q,
            v,
            self.status(number),
            _statistics(self.spent[number]),
            self.equations.of(number),
            self.accuracy,
            self.plan,
            self.starts[number],
        )

    def some(self, numbers: NDArray[np.intp]) -> Trajectories:
        """Return some of the runs."""
        stops = {k: self.stops[n] for k, n in enumerate(numbers.tolist()) if n in self.stops}
        share = self.wall_time * numbers.size / max(len(self), 1)
        return Trajectories(
            self.t, self.q[numbers], self.v[numbers], self.spent[numbers], stops, share,
            self.equations.of(numbers), self.accuracy, self.plan, self.starts[numbers],
        )  # fmt: skip


def _statistics(spent: Array) -> Statistics:
    steps, rejected, evaluations, wall_time, calls, call_time = spent.tolist()
    return Statistics(int(steps), int(rejected), int(evaluations), wall_time, int(calls), call_time)
