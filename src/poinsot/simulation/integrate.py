"""From a start to a trajectory: the Python side of the compiled integrator."""

from __future__ import annotations

import time

from poinsot.simulation.control import Signal
from poinsot.simulation.equations import Equations
from poinsot.simulation.events import Events
from poinsot.simulation.explain import explain, interrupted
from poinsot.simulation.integration import Integration
from poinsot.simulation.interruption import Interruption
from poinsot.simulation.keeper import Keeper
from poinsot.simulation.plan import FIRST_STEPS, Plan
from poinsot.simulation.progress import ProgressBar
from poinsot.simulation.trajectory import Trajectory
from poinsot.simulation.workspace import Accuracy
from poinsot.spatial import Array

PACE = 0.05
"""Time between two such returns [s]: soon enough for Ctrl-C and for a progress bar."""


def integrate(
    equations: Equations,
    state: Array,
    accuracy: Accuracy,
    plan: Plan,
    events: Events | None = None,
    progress: bool | None = False,
    keeper: Keeper | None = None,
) -> Trajectory:
    """Return the motion from a state [q, v].

    Args:
        equations: What to integrate.
        state: [q, v] at the start, shape (nq + nv,).
        accuracy: How.
        plan: How far, and what to store.
        events: What to look for; the first of their laws are the equations.
        progress: Whether to show a bar; None: on a terminal, if it takes long.
        keeper: Writes checkpoints.
    """
    run = Integration(equations, state, accuracy, plan, events)
    trajectory = attended(run, progress, keeper)
    run.close()
    return trajectory


def attended(run: Integration, progress: bool | None, keeper: Keeper | None = None) -> Trajectory:
    """Go on to the end and return what there is then; see to Ctrl-C, bar and checkpoints meanwhile.

    Args:
        run: The run.
        progress: Whether to show a bar; None: on a terminal, if it takes long.
        keeper: Writes checkpoints.
    """
    bar = ProgressBar(run.equations.mechanism.name, run.plan.duration, progress)
    signal, steps = Signal.PAUSED, min(FIRST_STEPS, run.plan.chunk)
    started = time.perf_counter()
    if keeper is not None:
        keeper.begin(run)
    interruption = Interruption()
    if keeper is not None or run.calls_python:
        interruption.begin()
    try:
        try:
            while signal is Signal.PAUSED and run.may_try > 0 and not interruption.asked:
                begun = time.perf_counter()
                signal = run.advance(steps)
                if signal is Signal.PAUSED:  # it lasts
                    interruption.begin()
                    steps = _adapted(steps, time.perf_counter() - begun, run.plan.chunk)
                bar.show(run.t - run.plan.start)
                if keeper is not None and signal is Signal.PAUSED:
                    keeper.see(run)
        except KeyboardInterrupt:  # before it was taken over, or a second one
            interruption.asked = True
            if run.t >= run.plan.end:
                if time.perf_counter() - started < PACE:  # one of many short runs: all are to end
                    raise
                signal = Signal.FINISHED
        finally:
            bar.close()
        if run.ended is not None:
            status = run.ended
        elif interruption.asked and signal is Signal.PAUSED:
            status = interrupted(run.work)
        else:
            status = explain(signal, run.work)
        if keeper is not None:
            keeper.finish(run, status)
        return run.trajectory(status)
    finally:
        interruption.end()


def _adapted(steps: int, took: float, most: int) -> int:
    """Return how many steps to take next, after so many in so much time [s]."""
    if took < 0.25 * PACE:
        return min(4 * steps, most)
    return steps if took < 2.0 * PACE else max(1, steps // 4)
