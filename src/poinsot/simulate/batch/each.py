"""Many runs, each by itself with its own steps, spread over the threads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poinsot.simulate.batch.crew import work_off
from poinsot.simulate.batch.trajectories import Stop
from poinsot.simulate.equations import Equations
from poinsot.simulate.integrate import integrate
from poinsot.simulate.plan import Plan
from poinsot.simulate.workspace import Accuracy
from poinsot.spatial import Array


def run_each(
    equations: Equations, starts: Array, accuracy: Accuracy, plan: Plan, times: Array, q: Array,
    v: Array,
) -> tuple[NDArray[np.int64], dict[int, Stop]]:  # fmt: skip
    """Fill q and v with the states of all runs; return their counts and those that stopped early.

    Args:
        equations: With numbers for every run.
        starts: [q, v] at t = 0, shape (B, nq + nv).
        accuracy: Method and tolerances.
        plan: How long.
        times: Times to store [s], shape (n,).
        q: Where configurations go, shape (B, n, nq); NaN where a run does not get.
        v: Where velocities go, shape (B, n, nv).
    """
    counts = np.zeros((len(starts), 3), np.int64)
    stops: dict[int, Stop] = {}

    def task(start: int, stop: int) -> None:
        asked = replace(plan, times=times)
        for number in range(start, stop):
            run = integrate(equations.of(number), starts[number], accuracy, asked)
            known = run.t.size
            if not run.status.ok:
                stops[number] = Stop(run.status, np.concatenate([run.q[-1], run.v[-1]]))
                known = int(np.searchsorted(times, run.status.time, side="right"))
            q[number, :known], v[number, :known] = run.q[:known], run.v[:known]
            q[number, known:] = v[number, known:] = np.nan
            made = run.statistics
            counts[number] = made.steps, made.rejected, made.evaluations

    work_off(task, ((k, k + 1) for k in range(len(starts))))
    return counts, stops
