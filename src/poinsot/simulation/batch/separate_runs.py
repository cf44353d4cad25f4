"""Many runs, each by itself with its own steps, spread over the threads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poinsot.simulation.batch.batch_results import BatchResults
from poinsot.simulation.batch.batch_threads import Asked, Task, work_off
from poinsot.simulation.batch.trajectories import Stop
from poinsot.simulation.control import LoopSignal
from poinsot.simulation.exit_status import explain, interrupted
from poinsot.simulation.run_in_progress import RunInProgress
from poinsot.simulation.trajectory import Trajectory
from poinsot.simulation.workspace import Workspace


def run_each(book: BatchResults, progress: bool | None) -> None:
    """Simulate all runs of a batch one by one.

    Args:
        book: Where the results go.
        progress: Whether to show a bar.
    """
    # All code is made here once, not by each thread.
    Workspace(book.equations.of(0), book.accuracy)

    def worker(asked: Asked) -> Task:
        def task(start: int, stop: int) -> None:
            for number in range(start, stop):
                if asked[0]:
                    return
                _write(book, number, _run(book, number, asked))

        return task

    work_off(worker, [(k, k + 1) for k in range(len(book.starts))], book, progress)


def _run(book: BatchResults, number: int, asked: Asked) -> Trajectory:
    plan = replace(book.plan, times=book.times)
    run = RunInProgress(book.equations.of(number), book.starts[number], book.accuracy, plan)
    signal = LoopSignal.PAUSED
    while signal is LoopSignal.PAUSED and run.may_try > 0 and not asked[0]:
        signal = run.advance(plan.chunk)
    early = signal is LoopSignal.PAUSED and run.may_try > 0
    trajectory = run.trajectory(interrupted(run.work) if early else explain(signal, run.work))
    run.close()
    return trajectory


def _write(book: BatchResults, number: int, run: Trajectory) -> None:
    if run.status.ok:
        book.q[number], book.v[number] = run.q, run.v
        book.end(number, number + 1, run.statistics)
        return
    # The last state may be between the times, and some of the others missing.
    book.q[number], book.v[number] = np.nan, np.nan
    _, rows, columns = np.intersect1d(book.times, run.t, return_indices=True)
    book.q[number, rows], book.v[number, rows] = run.q[columns], run.v[columns]
    book.stop(number, run.statistics, Stop(run.status, np.concatenate([run.q[-1], run.v[-1]])))
