"""Many runs, each by itself with its own steps, spread over the threads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poinsot.simulation.running.batch.batch_results import BatchResults
from poinsot.simulation.running.batch.batch_threads import StopFlag, Task, process_ranges
from poinsot.simulation.running.batch.trajectories import Stop
from poinsot.simulation.running.run_in_progress import RunInProgress
from poinsot.simulation.running.status import explain, interrupted
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.running.workspace import Workspace
from poinsot.simulation.stepping.control import LoopSignal


def run_each(batch: BatchResults, progress: bool | None) -> None:
    """Simulate the runs of a batch independently.

    Args:
        batch: Where the results go.
        progress: Whether to show a bar.
    """
    # Compile here once, not in each thread.
    Workspace(batch.equations.of(0), batch.accuracy)

    def worker(stop_flag: StopFlag) -> Task:
        def task(start: int, stop: int) -> None:
            for number in range(start, stop):
                if stop_flag[0]:
                    return
                _write(batch, number, _run(batch, number, stop_flag))

        return task

    process_ranges(worker, [(k, k + 1) for k in range(len(batch.starts))], batch, progress)


def _run(batch: BatchResults, number: int, stop_flag: StopFlag) -> Trajectory:
    plan = replace(batch.plan, times=batch.times)
    run = RunInProgress(batch.equations.of(number), batch.starts[number], batch.accuracy, plan)
    signal = LoopSignal.PAUSED
    while signal is LoopSignal.PAUSED and run.may_try > 0 and not stop_flag[0]:
        signal = run.advance(plan.chunk)
    early = signal is LoopSignal.PAUSED and run.may_try > 0
    trajectory = run.trajectory(interrupted(run.work) if early else explain(signal, run.work))
    run.close()
    return trajectory


def _write(batch: BatchResults, number: int, run: Trajectory) -> None:
    if run.status.ok:
        batch.q[number], batch.v[number] = run.q, run.v
        batch.end(number, number + 1, run.statistics)
        return
    # The last state may be between the times, and some of the others missing.
    batch.q[number], batch.v[number] = np.nan, np.nan
    _, rows, columns = np.intersect1d(batch.times, run.t, return_indices=True)
    batch.q[number, rows], batch.v[number, rows] = run.q[columns], run.v[columns]
    batch.stop(number, run.statistics, Stop(run.status, np.concatenate([run.q[-1], run.v[-1]])))
