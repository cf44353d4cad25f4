"""Many runs with a fixed step, one per lane, in blocks distributed over the threads."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from poinsot.kernels.threads import RANGES_EACH, split, thread_count
from poinsot.simulation.batch.batch_results import BatchResults
from poinsot.simulation.batch.batch_threads import StopFlag, Task, process_ranges
from poinsot.simulation.batch.lane_workspace import LaneWorkspace
from poinsot.simulation.batch.trajectories import Stop
from poinsot.simulation.control import LoopSignal
from poinsot.simulation.equal_steps import EqualSteps
from poinsot.simulation.exit_status import explain, interrupted
from poinsot.simulation.integrators import INTEGRATORS
from poinsot.simulation.status import Statistics


class StoppedRun(NamedTuple):
    """A run that did not reach its end: its number, its cost, and how it ended."""

    number: int
    steps: int
    evaluations: int
    stop: Stop


def run_in_lanes(batch: BatchResults, steps: EqualSteps, progress: bool | None) -> None:
    """Simulate all runs of a batch in lanes.

    Args:
        batch: Where the results go; its integrator has a fixed step.
        steps: The steps of every run.
        progress: Whether to show a bar.
    """
    room = 1
    if batch.plan.times is not None:
        room = int(np.unique(steps.number(batch.times), return_counts=True)[1].max())

    def worker(stop_flag: StopFlag) -> Task:
        block = LaneWorkspace(batch, room, stop_flag)

        def task(start: int, stop: int) -> None:
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
            batch.end(start, past, Statistics(*made, each))
            for run in early:
                batch.stop(run.number, Statistics(run.steps, 0, run.evaluations, each), run.stop)

        return task

    n_runs = len(batch.starts)
    ranges = list(split(n_runs, thread_count() * RANGES_EACH))
    stages = INTEGRATORS[batch.accuracy.integrator].end
    each = sum(use.kernel.signature.work for use in batch.equations.uses)
    process_ranges(worker, ranges, batch, progress, work=each * stages * steps.count * n_runs)


def _stopped_runs(block: LaneWorkspace, signal: LoopSignal, steps: EqualSteps) -> list[StoppedRun]:
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
