"""From a start to a trajectory: the Python side of the compiled integrator."""

from __future__ import annotations

import time

from poinsot.simulation.files.checkpoint_writer import CheckpointWriter
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.running.monitoring import PACE, Interruption, ProgressBar
from poinsot.simulation.running.run_in_progress import RunInProgress
from poinsot.simulation.running.run_plan import FIRST_STEPS, Accuracy, Plan
from poinsot.simulation.running.status import explain, interrupted
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.stepping.control import LoopSignal
from poinsot.spatial import Array


def integrate(
    equations: MotionEquations,
    state: Array,
    accuracy: Accuracy,
    plan: Plan,
    events: Events | None = None,
    progress: bool | None = False,
    checkpoint_writer: CheckpointWriter | None = None,
) -> Trajectory:
    """Return the motion from a state [q, v].

    Args:
        equations: What to integrate.
        state: [q, v] at the start, shape (nq + nv,).
        accuracy: How.
        plan: How far, and what to store.
        events: What to look for; the first of their laws are the equations.
        progress: Whether to show a bar; None: on a terminal, if it takes long.
        checkpoint_writer: Writes checkpoints.
    """
    run = RunInProgress(equations, state, accuracy, plan, events)
    trajectory = run_with_progress(run, progress, checkpoint_writer)
    run.close()
    return trajectory


def run_with_progress(
    run: RunInProgress, progress: bool | None, checkpoint_writer: CheckpointWriter | None = None
) -> Trajectory:
    """Run to the end and return the trajectory; handle Ctrl-C, progress bar and checkpoints.

    Args:
        run: The run.
        progress: Whether to show a bar; None: on a terminal, if it takes long.
        checkpoint_writer: Writes checkpoints.
    """
    bar = ProgressBar(run.equations.mechanism.name, run.plan.duration, progress)
    signal, steps = LoopSignal.PAUSED, min(FIRST_STEPS, run.plan.chunk)
    started = time.perf_counter()
    if checkpoint_writer is not None:
        checkpoint_writer.begin(run)
    interruption = Interruption()
    if checkpoint_writer is not None or run.calls_python:
        interruption.begin()
    try:
        try:
            while signal is LoopSignal.PAUSED and run.may_try > 0 and not interruption.asked:
                begun = time.perf_counter()
                signal = run.advance(steps)
                if signal is LoopSignal.PAUSED:  # it lasts
                    interruption.begin()
                    steps = _adapted(steps, time.perf_counter() - begun, run.plan.chunk)
                bar.show(run.t - run.plan.start)
                if checkpoint_writer is not None and signal is LoopSignal.PAUSED:
                    checkpoint_writer.see(run)
        except KeyboardInterrupt:  # before it was taken over, or a second one
            interruption.asked = True
            if run.t >= run.plan.end:
                if time.perf_counter() - started < PACE:  # one of many short runs: all are to end
                    raise
                signal = LoopSignal.FINISHED
        finally:
            bar.close()
        if run.ended is not None:
            status = run.ended
        elif interruption.asked and signal is LoopSignal.PAUSED:
            status = interrupted(run.work)
        else:
            status = explain(signal, run.work)
        if checkpoint_writer is not None:
            checkpoint_writer.finish(run, status)
        return run.trajectory(status)
    finally:
        interruption.end()


def _adapted(steps: int, took: float, most: int) -> int:
    """Return how many steps to take next, after so many in so much time [s]."""
    if took < 0.25 * PACE:
        return min(4 * steps, most)
    return steps if took < 2.0 * PACE else max(1, steps // 4)
