"""From many starts to their trajectories."""

from __future__ import annotations

import time

import numpy as np

from poinsot.errors import ModelError
from poinsot.simulate.batch.each import run_each
from poinsot.simulate.batch.in_lanes import run_in_lanes
from poinsot.simulate.batch.memory import check_memory
from poinsot.simulate.batch.trajectories import Stop, Trajectories
from poinsot.simulate.equations import Equations
from poinsot.simulate.methods import METHODS
from poinsot.simulate.methods.explicit import Explicit
from poinsot.simulate.plan import Plan
from poinsot.simulate.workspace import Accuracy, equal_steps
from poinsot.spatial import Array


def integrate_many(
    equations: Equations, starts: Array, accuracy: Accuracy, plan: Plan
) -> Trajectories:
    """Return the motions from the states [q, v] at t = 0.

    Args:
        equations: With numbers for every run.
        starts: [q, v], shape (B, nq + nv).
        accuracy: Method and tolerances.
        plan: How long, and what to store.
    """
    begun = time.perf_counter()
    steps = None if accuracy.step is None else equal_steps(plan.duration, accuracy.step)
    times = plan.times if steps is None or plan.times is not None else steps
    if times is None:
        raise ModelError(
            "simulate: every run of a batch chooses its own steps with method "
            f"{accuracy.method!r}; say which states to store, e.g. save=0.01, or take equal "
            "steps: method='rk4', step=..."
        )
    nq, n = equations.nq, equations.nq + equations.nv
    check_memory(len(starts), times.size, n)
    q, v = np.empty((len(starts), times.size, nq)), np.empty((len(starts), times.size, n - nq))
    stops: dict[int, Stop] = {}
    if len(starts) == 0:
        counts = np.zeros((0, 3), np.int64)
    elif steps is not None and goes_in_lanes(equations, accuracy):
        counts, stops = run_in_lanes(equations, starts, accuracy, plan, steps, q, v)
    else:
        counts, stops = run_each(equations, starts, accuracy, plan, times, q, v)
    spent = time.perf_counter() - begun
    return Trajectories(times.copy(), q, v, counts, stops, spent, equations, accuracy, plan, starts)


def goes_in_lanes(equations: Equations, accuracy: Accuracy) -> bool:
    """Return whether all runs can take the same steps side by side."""
    method = METHODS[accuracy.method]
    return method.is_fixed and isinstance(method, Explicit) and equations.has_lanes
