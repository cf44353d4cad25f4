"""From many starts to their trajectories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from poinsot.errors import ModelError
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.running.batch.batch_results import BatchResults, Stop, Trajectories
from poinsot.simulation.running.batch.batch_threads import (
    BatchWriter,
    StopFlag,
    Task,
    process_ranges,
)
from poinsot.simulation.running.batch.lane_runs import run_in_lanes
from poinsot.simulation.running.checks import check_memory
from poinsot.simulation.running.run_in_progress import RunInProgress
from poinsot.simulation.running.run_plan import Accuracy, Plan
from poinsot.simulation.running.status import explain, interrupted
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.running.workspace import Workspace
from poinsot.simulation.stepping.control import LoopSignal
from poinsot.simulation.stepping.fixed_steps import FixedSteps
from poinsot.simulation.stepping.integrators import INTEGRATORS
from poinsot.simulation.stepping.integrators.explicit import Explicit
from poinsot.spatial import Array


def integrate_many(
    equations: MotionEquations,
    starts: Array,
    accuracy: Accuracy,
    plan: Plan,
    progress: bool | None = False,
    events: Sequence[Events] = (),
    writer: BatchWriter | None = None,
    ended: Trajectories | None = None,
) -> Trajectories:
    """Return the motions from many states [q, v].

    Args:
        equations: With numbers for every run.
        starts: [q, v], shape (B, nq + nv).
        accuracy: Integrator and tolerances.
        plan: How long, and what to store.
        progress: Whether to show a bar; None: on a terminal, if it takes long.
        events: Those of each run, if there are some.
        writer: Writes checkpoints.
        ended: The same batch, of which runs have ended that are not to be simulated again.
    """
    steps = None if accuracy.step is None else FixedSteps(plan.start, plan.end, accuracy.step)
    size = starts.shape[1]
    if plan.times is not None:
        check_memory(len(starts), plan.times.size, size)
        times = plan.times
    elif steps is not None:
        check_memory(len(starts), steps.count + 1, size)
        times = steps.ends()
    else:
        raise ModelError(
            "simulate: every run of a batch chooses its own steps with integrator "
            f"{accuracy.integrator!r}; say which states to store, e.g. save=0.01, or take equal "
            "steps: integrator='rk4', step=..."
        )
    batch = BatchResults(equations, starts, accuracy, plan, times, events)
    if ended is not None:
        batch.restore(ended)
    if writer is not None:
        writer.begin(batch)
    if batch.done < len(starts):
        if steps is not None and not events and goes_in_lanes(equations, accuracy):
            run_in_lanes(batch, steps, progress, writer)
        else:
            run_each(batch, progress, writer)
    if writer is not None:
        writer.see(batch, last=True)
    return batch.closed()


def goes_in_lanes(equations: MotionEquations, accuracy: Accuracy) -> bool:
    """Return whether all runs can take the same steps in lanes."""
    integrator = INTEGRATORS[accuracy.integrator]
    equal = (
        integrator.is_fixed and isinstance(integrator, Explicit) and equations.breaks[0].size == 0
    )
    return (
        equal
        and equations.has_lanes
        and not any("update" in state.laws for state in equations.mechanism.states)
    )


def run_each(batch: BatchResults, progress: bool | None, writer: BatchWriter | None = None) -> None:
    """Simulate the runs of a batch independently.

    Args:
        batch: Where the results go.
        progress: Whether to show a bar.
        writer: Writes checkpoints.
    """
    # Compile here once, not in each thread.
    Workspace(batch.equations.of(0), batch.accuracy)
    batch.begin()

    def worker(stop_flag: StopFlag) -> Task:
        def task(start: int, stop: int) -> None:
            for number in range(start, stop):
                if stop_flag[0]:
                    return
                _write(batch, number, _run(batch, number, stop_flag))

        return task

    ranges = [(k, k + 1) for k in batch.to_do()]
    process_ranges(worker, ranges, batch, progress, writer)


def _run(batch: BatchResults, number: int, stop_flag: StopFlag) -> Trajectory:
    plan = replace(batch.plan, times=batch.times)
    events = batch.events[number] if batch.events else None
    equations = batch.equations.of(number)
    run = RunInProgress(equations, batch.starts[number], batch.accuracy, plan, events)
    signal = LoopSignal.PAUSED
    while signal is LoopSignal.PAUSED and run.may_try > 0 and not stop_flag[0]:
        signal = run.advance(plan.chunk)
    early = signal is LoopSignal.PAUSED and run.may_try > 0
    status = run.ended or (interrupted(run.work) if early else explain(signal, run.work))
    trajectory = run.trajectory(status)
    run.close()
    return trajectory


def _write(batch: BatchResults, number: int, run: Trajectory) -> None:
    if batch.events:
        batch.alone[number] = run
    if run.status.ok and run.t.size == batch.times.size:
        batch.q[number], batch.v[number] = run.q, run.v
        batch.end(number, number + 1, run.statistics)
        return
    # The last state may be between the times, and some of the others missing.
    batch.q[number], batch.v[number] = np.nan, np.nan
    _, rows, columns = np.intersect1d(batch.times, run.t, return_indices=True)
    batch.q[number, rows], batch.v[number, rows] = run.q[columns], run.v[columns]
    if run.status.ok and rows.size == batch.times.size:  # and rows at events besides
        batch.end(number, number + 1, run.statistics)
        return
    batch.stop(number, run.statistics, Stop(run.status, np.concatenate([run.q[-1], run.v[-1]])))
