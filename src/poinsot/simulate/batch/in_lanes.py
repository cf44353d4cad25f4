"""Many runs in equal steps, one in each lane, blocks of them spread over the threads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poinsot.kernels.threads import RANGES_EACH, split, thread_count
from poinsot.simulate.batch.block import Block
from poinsot.simulate.batch.crew import work_off
from poinsot.simulate.batch.trajectories import Stop
from poinsot.simulate.control import Signal
from poinsot.simulate.equations import Equations
from poinsot.simulate.explain import explain
from poinsot.simulate.methods import METHODS
from poinsot.simulate.plan import Plan
from poinsot.simulate.workspace import Accuracy
from poinsot.spatial import Array

CHUNK = 4096
"""Steps after which a block comes back to Python."""


def run_in_lanes(
    equations: Equations,
    starts: Array,
    accuracy: Accuracy,
    plan: Plan,
    steps: Array,
    q: Array,
    v: Array,
) -> tuple[NDArray[np.int64], dict[int, Stop]]:
    """Fill q and v with the states of all runs; return their counts and those that stopped early.

    Args:
        equations: With numbers for every run.
        starts: [q, v] at t = 0, shape (B, nq + nv).
        accuracy: A method of equal steps.
        plan: How long, and what to store.
        steps: The ends of the steps, and 0 before them [s].
        q: Where configurations go, shape (B, n, nq); NaN where a run does not get.
        v: Where velocities go, shape (B, n, nv).
    """
    times = steps if plan.times is None else plan.times
    first_row = int(times[0] == 0.0)
    if first_row:
        q[:, 0], v[:, 0] = starts[:, : equations.nq], starts[:, equations.nq :]
    room = 1
    if plan.times is not None:
        room = max(1, int(np.diff(np.searchsorted(times, steps, "right")).max()))
    counts = np.zeros((len(starts), 3), np.int64)
    stops: dict[int, Stop] = {}
    per_step = METHODS[accuracy.method].end

    def task(start: int, stop: int) -> None:
        block = Block(equations, accuracy, plan.times, room)
        ends: dict[int, Stop] = {}
        for first in range(start, stop, block.runs):
            block.load(first, starts, plan.duration, q, v, first_row)
            signal = _run(block, plan.max_steps)
            last = first + block.control.n_runs
            made = block.control.accepted
            counts[first:last] = made, 0, 1 + per_step * made
            if signal is Signal.PAUSED:
                status = explain(signal, block)
                ends.update((first + k, Stop(status, block.state(k))) for k in range(last - first))
            for lane in block.lost().tolist():
                status, state = block.loss(lane)
                ends[first + lane] = Stop(status, state)
                made = int(np.searchsorted(steps, status.time))
                counts[first + lane] = made, 0, 1 + per_step * made + per_step - 1
        for number, end in ends.items():
            beyond = times > end.status.time
            q[number, beyond] = v[number, beyond] = np.nan
        stops.update(ends)

    work_off(task, split(len(starts), thread_count() * RANGES_EACH))
    return counts, stops


def _run(block: Block, most: int) -> Signal:
    """Return why a block stopped: it is finished, or has taken as many steps as it may."""
    signal, control = Signal.PAUSED, block.control
    while signal is Signal.PAUSED and control.accepted < most:
        control.pause = min(control.accepted + CHUNK, most)
        signal = block.run()
    return signal
