"""Many runs in equal steps, one in each lane, blocks of them spread over the threads."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from poinsot.kernels.threads import RANGES_EACH, split, thread_count
from poinsot.simulation.batch.batch_results import BatchResults
from poinsot.simulation.batch.batch_threads import Asked, Task, work_off
from poinsot.simulation.batch.lane_workspace import LaneWorkspace
from poinsot.simulation.batch.trajectories import Stop
from poinsot.simulation.control import LoopSignal
from poinsot.simulation.equal_steps import EqualSteps
from poinsot.simulation.exit_status import explain, interrupted
from poinsot.simulation.integrators import INTEGRATORS
from poinsot.simulation.status import Statistics


class Early(NamedTuple):
    """A run that did not get to its end: its number, what it took, and how it ended."""

    number: int
    steps: int
    evaluations: int
    stop: Stop


def run_in_lanes(book: BatchResults, steps: EqualSteps, progress: bool | None) -> None:
    """Simulate all runs of a batch in lanes.

    Args:
        book: Where the results go; its integrator is one of equal steps.
        steps: The steps of every run.
        progress: Whether to show a bar.
    """
    room = 1
    if book.plan.times is not None:
        room = int(np.unique(steps.number(book.times), return_counts=True)[1].max())

    def worker(asked: Asked) -> Task:
        block = LaneWorkspace(book, room, asked)

        def task(start: int, stop: int) -> None:
            begun = time.perf_counter()
            block.take(start, stop)
            early: list[Early] = []
            while (signal := block.run()) is not LoopSignal.FINISHED:
                early += _early(block, signal, steps)
                block.skip()
                if asked[0]:
                    break
            past = min(stop, block.control.first)
            each = (time.perf_counter() - begun) / (past - start)
            made = steps.count, 0, 1 + block.integrator.end * steps.count
            book.end(start, past, Statistics(*made, each))
            for run in early:
                book.stop(run.number, Statistics(run.steps, 0, run.evaluations, each), run.stop)

        return task

    n_runs = len(book.starts)
    ranges = list(split(n_runs, thread_count() * RANGES_EACH))
    stages = INTEGRATORS[book.accuracy.integrator].end
    each = sum(use.kernel.signature.work for use in book.equations.uses)
    work_off(worker, ranges, book, progress, work=each * stages * steps.count * n_runs)


def _early(block: LaneWorkspace, signal: LoopSignal, steps: EqualSteps) -> list[Early]:
    """Return the runs in the lanes that did not get to their ends."""
    control, lost = block.control, block.lost()
    first, per_step, taken = control.first, block.integrator.end, control.accepted
    stopped = []
    if signal is LoopSignal.PAUSED:
        limit = taken >= control.pause
        status = explain(signal, block) if limit else interrupted(block)
        for lane in [lane for lane in range(control.n_runs) if lane not in lost]:
            stop = Stop(status, block.state(lane))
            stopped.append(Early(first + lane, taken, 1 + per_step * taken, stop))
    for lane in lost:
        stop = Stop(*block.loss(lane))
        count = int(steps.number(stop.status.time))
        # Of a step that goes wrong, all stages are evaluated, but not the derivative at its end.
        stopped.append(Early(first + lane, count, per_step * (count + 1), stop))
    return stopped
