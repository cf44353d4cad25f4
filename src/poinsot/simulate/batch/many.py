"""From many starts to their trajectories."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from poinsot.errors import ModelError
from poinsot.simulate.batch.each import run_each
from poinsot.simulate.batch.memory import check_memory
from poinsot.simulate.batch.trajectories import Trajectories
from poinsot.simulate.equations import Equations
from poinsot.simulate.plan import Plan
from poinsot.simulate.workspace import Accuracy
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
    times = _times(accuracy, plan)
    nq, n = equations.nq, equations.nq + equations.nv
    check_memory(len(starts), times.size, n)
    q, v = np.empty((len(starts), times.size, nq)), np.empty((len(starts), times.size, n - nq))
    asked = replace(plan, times=times)
    counts, stops = run_each(equations, starts, accuracy, asked, q, v)
    spent = time.perf_counter() - begun
    return Trajectories(
        times.copy(), q, v, counts, stops, spent, equations, accuracy, plan, starts
    )


def _times(accuracy: Accuracy, plan: Plan) -> Array:
    """Return the times to store, the same for all runs."""
    if plan.times is not None:
        return plan.times
    raise ModelError(
        f"simulate: every run of a batch chooses its own steps with method {accuracy.method!r}; "
        "say which states to store, e.g. save=0.01, or take equal steps: method='rk4', step=..."
    )
