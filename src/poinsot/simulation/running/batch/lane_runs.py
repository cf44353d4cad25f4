"""Many runs with a fixed step, one per lane, in blocks distributed over the threads."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.kernels.llvm.library import Library
from poinsot.kernels.llvm.target import Target
from poinsot.kernels.threads import RANGES_EACH, split, thread_count
from poinsot.simulation.laws.equations import Use
from poinsot.simulation.running.batch.batch_results import BatchResults, Stop
from poinsot.simulation.running.batch.batch_threads import (
    BatchWriter,
    StopFlag,
    Task,
    process_ranges,
)
from poinsot.simulation.running.memory import aligned_zeros
from poinsot.simulation.running.status import Statistics, Status, explain, interrupted
from poinsot.simulation.running.workspace import Workspace
from poinsot.simulation.stepping.control import LoopSignal
from poinsot.simulation.stepping.fixed_steps import FixedSteps
from poinsot.simulation.stepping.integrators import INTEGRATORS
from poinsot.simulation.stepping.stepper import compiled
from poinsot.spatial import Array


class LaneWorkspace(Workspace):
    """A workspace whose vectors hold W runs side by side, one block of W runs after the other.

    Args:
        batch: The runs; their integrator has a fixed step.
        room: Rows that one step may make.
        stop_flag: Not 0 when all shall stop, shape (1,).
    """

    def __init__(self, batch: BatchResults, room: int, stop_flag: NDArray[np.int64]) -> None:
        equations, times = batch.equations, batch.plan.times
        self.runs = Target.current().width
        lanes = aligned_zeros(4, self.runs)
        self._t_lanes, shifts, self._lost_t, causes = lanes
        self._lost_why: NDArray[np.int64] = causes.view(np.int64)
        super().__init__(equations, batch.accuracy)
        self._kept = aligned_zeros(3, self.width)
        self._rows_t, self._rows = np.empty(room), aligned_zeros(room, self.width)
        self._witness = Workspace(equations.of(0), batch.accuracy)
        self._held = self._spread_table(batch), stop_flag
        self.begin(batch.plan.start, batch.plan.end, np.zeros(0))
        control = self.control
        control.pause = batch.plan.max_steps
        control.total, control.n_known = len(batch.starts), batch.n_initial_rows
        control.stride_q, control.stride_v = batch.q[0].size, batch.v[0].size
        control.all_q, control.all_v = batch.q.ctypes.data, batch.v.ctypes.data
        control.asked = stop_flag.ctypes.data
        control.t_lanes, control.shifts = self._t_lanes.ctypes.data, shifts.ctypes.data
        control.lost_t, control.lost_why = self._lost_t.ctypes.data, causes.ctypes.data
        control.fresh, control.lost_y, control.lost_x = (row.ctypes.data for row in self._kept)
        control.row_t, control.row_y = self._rows_t.ctypes.data, self._rows.ctypes.data
        if times is not None:
            control.times, control.n_times = times.ctypes.data, times.size

    def take(self, first: int, past: int) -> None:
        """Set which runs come next, by their numbers."""
        self.control.first, self.control.past, self.control.loaded = first, past, 0

    def skip(self) -> None:
        """Go on with the runs after those in the lanes."""
        self.take(self.control.first + self.runs, self.control.past)

    def lost(self) -> list[int]:
        """Return the lanes whose runs have failed."""
        lanes: list[int] = np.flatnonzero(self._lost_why[: self.control.n_runs]).tolist()
        return lanes

    def loss(self, lane: int) -> tuple[Status, Array]:
        """Return how a run failed, and its last state [q, v]."""
        _, y, x = self._kept.reshape(3, -1, self.runs)[:, :, lane]
        work, n = self._witness, y.size
        work.begin(float(self._lost_t[lane]), self.control.t_end, y)
        work.x[:n], work.k[:], work.control.h = x, 0.0, self.control.h
        return explain(LoopSignal(int(self._lost_why[lane])), work), y.copy()

    def state(self, lane: int) -> Array:
        """Return the state [q, v] of a run, shape (nq + nv,)."""
        return np.array(self.y.reshape(-1, self.runs)[:, lane])

    def _spread_table(self, batch: BatchResults) -> NDArray[np.uintp]:
        """Set up the table of vectors that are loaded per run; return it."""
        equations = self.equations
        rows = (
            (batch.starts, self.y),
            (batch.starts, self._kept[0]),
            (equations.tau, self._tau),
            (equations.base, self._base),
            (equations.parameters, self._parameters),
        )
        table = np.array(
            [(given.ctypes.data, goal.ctypes.data, given.shape[1]) for given, goal in rows],
            np.uintp,
        )
        self.control.spread, self.control.n_spread = table.ctypes.data, len(table)
        return table

    def _set_numbers(self) -> None:
        """Run the compiled code, block by block."""

    def _compiled(self, integrator: str) -> Library:
        return compiled(integrator, in_lanes=True)

    def _time(self) -> int:
        return int(self._t_lanes.ctypes.data)

    def _kernel(self, use: Use) -> int:
        self._kernels.append(use.kernel)
        return use.lanes_address


class StoppedRun(NamedTuple):
    """A run that did not reach its end: its number, its cost, and how it ended."""

    number: int
    steps: int
    evaluations: int
    stop: Stop


def run_in_lanes(
    batch: BatchResults,
    steps: FixedSteps,
    progress: bool | None,
    writer: BatchWriter | None = None,
) -> None:
    """Simulate all runs of a batch in lanes.

    Args:
        batch: Where the results go; its integrator has a fixed step.
        steps: The steps of every run.
        progress: Whether to show a bar.
        writer: Writes checkpoints.
    """
    room = 1
    if batch.plan.times is not None:
        room = int(np.unique(steps.number(batch.times), return_counts=True)[1].max())

    def worker(stop_flag: StopFlag) -> Task:
        block = LaneWorkspace(batch, room, stop_flag)

        def task(start: int, stop: int) -> None:
            batch.begin()
            begun = time.perf_counter()
            block.take(start, stop)
            early: list[StoppedRun] = []
            while (signal := block.run()) is not LoopSignal.FINISHED:
                early += _stopped_runs(block, signal, steps)
                block.skip()
                if stop_flag[0]:
                    break
            past = min(stop, block.control.first)
            each = (time.perf_counter() - begun) / (past - start)
            made = steps.count, 0, 1 + block.integrator.end * steps.count
            with batch.ending:
                batch.end(start, past, Statistics(*made, each))
                for run in early:
                    took = Statistics(run.steps, 0, run.evaluations, each)
                    batch.stop(run.number, took, run.stop)

        return task

    n_runs = len(batch.starts)
    ranges = [
        (first + start, first + stop)
        for first, last in batch.ranges_to_do()
        for start, stop in split(last - first, thread_count() * RANGES_EACH)
    ]
    stages = INTEGRATORS[batch.accuracy.integrator].end
    each = sum(use.kernel.signature.work for use in batch.equations.uses)
    process_ranges(
        worker, ranges, batch, progress, writer, work=each * stages * steps.count * n_runs
    )


def _stopped_runs(block: LaneWorkspace, signal: LoopSignal, steps: FixedSteps) -> list[StoppedRun]:
    """Return the runs in the lanes that did not reach their ends."""
    control, lost = block.control, block.lost()
    first, per_step, taken = control.first, block.integrator.end, control.accepted
    stopped = []
    if signal is LoopSignal.PAUSED:
        limit = taken >= control.pause
        status = explain(signal, block) if limit else interrupted(block)
        for lane in [lane for lane in range(control.n_runs) if lane not in lost]:
            stop = Stop(status, block.state(lane))
            stopped.append(StoppedRun(first + lane, taken, 1 + per_step * taken, stop))
    for lane in lost:
        stop = Stop(*block.loss(lane))
        count = int(steps.number(stop.status.time))
        # Of a failed step, all stages are evaluated, but not the derivative at its end.
        stopped.append(StoppedRun(first + lane, count, per_step * (count + 1), stop))
    return stopped
