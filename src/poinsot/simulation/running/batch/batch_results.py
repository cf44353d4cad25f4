"""The results of a batch while it runs; every worker writes its runs here."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.running.run_plan import Accuracy, Plan
from poinsot.simulation.running.status import GOES_ON, Outcome, Statistics, Status
from poinsot.simulation.running.trajectory import Trajectory
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
        v: Velocities and, behind them, further states, likewise, shape (B, n, nv + number
            of these).
        spent: What each run took, the numbers of ``Statistics``, shape (B, 6).
        stops: The runs that did not reach the end, by their number.
        wall_time: Time that all of them took together [s].
        equations: What was integrated, with numbers for every run.
        accuracy: How.
        plan: How long, and what to store.
        starts: The states [q, v] at the start, shape (B, nq + nv).
        preparation_time: Time spent on memory and machine code before the first step [s].
        alone: The runs one by one, with their events, if they have some.
        remarks: What else is to be said of how runs went, by their numbers.
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
    preparation_time: float = 0.0
    alone: tuple[Trajectory, ...] = ()
    remarks: Mapping[int, Sequence[str]] = field(default_factory=dict)

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
        together = statistics_of(self.spent.sum(axis=0))
        return replace(together, wall_time=self.wall_time, preparation_time=self.preparation_time)

    def status(self, number: int) -> Status:
        """Return how a run ended."""
        end, stop = self.plan.end, self.stops.get(number)
        status = Status(Outcome.FINISHED, end, f"reached t = {end:g} s")
        if stop is not None:
            status = stop.status
        return status.with_remarks(self.remarks.get(number, ()))

    def run(self, number: int) -> Trajectory:
        """Return a run by itself, as if it had been the only one."""
        if self.alone:
            run, remarks = self.alone[number], self.remarks.get(number)
            return replace(run, status=run.status.with_remarks(remarks)) if remarks else run
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
            statistics_of(self.spent[number]),
            self.equations.of(number),
            self.accuracy,
            self.plan,
            self.starts[number],
        )

    def some(self, numbers: NDArray[np.intp]) -> Trajectories:
        """Return some of the runs."""
        numbered = list(enumerate(numbers.tolist()))
        stops = {k: self.stops[n] for k, n in numbered if n in self.stops}
        remarks = {k: self.remarks[n] for k, n in numbered if n in self.remarks}
        share = self.wall_time * numbers.size / max(len(self), 1)
        return Trajectories(
            self.t, self.q[numbers], self.v[numbers], self.spent[numbers], stops, share,
            self.equations.of(numbers), self.accuracy, self.plan, self.starts[numbers],
            self.preparation_time,
            tuple(self.alone[n] for _, n in numbered) if self.alone else (), remarks,
        )  # fmt: skip


def statistics_of(spent: Array) -> Statistics:
    """Return what a run took, of its row of ``Trajectories.spent``."""
    steps, rejected, evaluations, wall_time, calls, call_time = spent.tolist()
    return Statistics(int(steps), int(rejected), int(evaluations), wall_time, int(calls), call_time)


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
        events: Those of each run, if there are some.

    Attributes:
        alone: The runs that have ended, with their events, by number.
        q: Configurations, shape (B, n, nq).
        v: Velocities and further states, shape (B, n, nv + number of these).
        n_initial_rows: Rows of each run that are known at the start, 0 or 1.
        ending: Held while it is recorded how several runs have ended.
    """

    def __init__(
        self,
        equations: MotionEquations,
        starts: Array,
        accuracy: Accuracy,
        plan: Plan,
        times: Array,
        events: Sequence[Events] = (),
    ) -> None:
        self.events, self.alone = events, dict[int, Trajectory]()
        self._asked, self._begun = time.perf_counter(), math.inf
        nq, n = equations.nq, equations.n
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
        self.ending = threading.Lock()

    @property
    def done(self) -> int:
        """How many runs have ended."""
        return int(self._ended.sum())

    def to_do(self) -> list[int]:
        """Return the runs that have not ended."""
        numbers: list[int] = np.flatnonzero(~self._ended).tolist()
        return numbers

    def ranges_to_do(self) -> list[tuple[int, int]]:
        """Return the same as ranges first..last-1."""
        edges = np.flatnonzero(np.diff(self._ended, prepend=True, append=True)).tolist()
        return list(zip(edges[::2], edges[1::2], strict=True))

    def restore(self, batch: Trajectories) -> None:
        """Take over the runs of the same batch that have ended and shall not go on."""
        going = [n for n, stop in batch.stops.items() if stop.status.outcome in GOES_ON]
        ended = np.ones(len(batch), bool)
        ended[going] = False
        self.q[ended], self.v[ended] = batch.q[ended], batch.v[ended]
        self._spent[ended], self._ended = batch.spent[ended], ended
        self._stops = {n: stop for n, stop in batch.stops.items() if ended[n]}
        if batch.alone:
            self.alone |= {n: batch.alone[n] for n in np.flatnonzero(ended).tolist()}

    def so_far(self) -> Trajectories:
        """Return the batch while others still write to it; what has not ended is interrupted."""
        still = BatchResults(
            self.equations, self.starts, self.accuracy, self.plan, self.times, self.events
        )
        with self.ending:
            ended = self._ended.copy()
            still._stops = {n: stop for n, stop in list(self._stops.items()) if ended[n]}
        still._ended, still._spent[ended] = ended, self._spent[ended]
        still.q[ended], still.v[ended] = self.q[ended], self.v[ended]
        still.alone |= {n: run for n, run in list(self.alone.items()) if ended[n]}
        return still.closed()

    def begin(self) -> None:
        """Record that the first run begins: all is compiled.  Later calls change nothing."""
        self._begun = min(self._begun, time.perf_counter())

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
        for number in self.to_do():
            start, end = self.plan.start, self.plan.end
            message = f"interrupted before its start, at t = {start:g} s of {end:g} s"
            status = Status(Outcome.INTERRUPTED, start, message)
            nothing = Statistics(0, 0, 0, 0.0)
            self.stop(number, nothing, Stop(status, self.starts[number]))
            if self.events:
                self.alone[number] = self._not_begun(number, status, nothing)
        self.begin()
        alone = tuple(self.alone[number] for number in sorted(self.alone))
        return Trajectories(
            self.times.copy(), self.q, self.v, self._spent, dict(sorted(self._stops.items())),
            time.perf_counter() - self._begun, self.equations, self.accuracy, self.plan,
            self.starts, self._begun - self._asked, alone,
        )  # fmt: skip

    def _not_begun(self, number: int, status: Status, statistics: Statistics) -> Trajectory:
        """Return a run with events that was not begun: its start."""
        start, nq = self.starts[number].copy(), self.equations.nq
        return Trajectory(
            np.array([self.plan.start]), start[None, :nq].copy(), start[None, nq:].copy(), status,
            statistics, self.equations.of(number), self.accuracy, self.plan, start,
            self.events[number], law=np.zeros(1, np.int64),
        )  # fmt: skip
