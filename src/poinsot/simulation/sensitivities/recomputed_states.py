"""The states of all steps of a long run, of which only some are kept: others are simulated again.

From checkpoints in memory, a state and the numbers of the stepper each (``files/checkpoint.py``),
the same steps are taken bit for bit.  With N steps of n numbers, N / CHUNK checkpoints and the
states of one chunk are in memory, in place of N n numbers; every step is taken twice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from poinsot.simulation.files.checkpoint import KEPT
from poinsot.simulation.running.run_in_progress import RunInProgress
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.stepping.control import LoopSignal
from poinsot.spatial import Array

CHUNK = 4096
"""Steps that are tried from one checkpoint to the next."""


class _Checkpoint(NamedTuple):
    row: int
    numbers: dict[str, float]
    y: Array
    derivative: Array


class RecomputedStates:
    """States of the steps of a run without events, by slices, as of an array of shape (N, n).

    Args:
        trajectory: The run; it may have stored any states.

    Attributes:
        t: When steps begin and end [s], shape (N,).
        shape: N and n.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        plan = replace(trajectory.plan, times=None, every=None)
        self._given = trajectory.equations, trajectory.start, trajectory.accuracy, plan
        self._checkpoints: list[_Checkpoint] = []
        self._chunk: tuple[int, Array] = -1, np.zeros((0, 0))
        run, signal = RunInProgress(*self._given), LoopSignal.PAUSED
        times, row = [run.rows.stored()[0].copy()], 0
        while signal is LoopSignal.PAUSED and run.may_try > 0:
            numbers = {name: getattr(run.work.control, name) for name in KEPT}
            state = run.work.y.copy(), run.work.k[0].copy()
            self._checkpoints.append(_Checkpoint(row, numbers, *state))
            signal = run.advance(CHUNK)
            t, y = run.rows.stored()
            times.append(t[1:].copy())
            row += t.size - 1
            run.rows.restore(t[-1:].copy(), y[-1:].copy())
        run.close()
        self.t = np.concatenate(times)
        self.shape = self.t.size, trajectory.equations.n

    def __getitem__(self, rows: slice) -> Array:
        """Return the states of some rows, one after the other."""
        start, stop, _ = rows.indices(self.shape[0])
        first = [checkpoint.row for checkpoint in self._checkpoints]
        parts = []
        while start < stop:
            number = int(np.searchsorted(first, start, side="right")) - 1
            states = self._states(number)
            block = states[start - first[number] : stop - first[number]]
            parts.append(block)
            start += len(block)
        return np.concatenate(parts) if parts else np.zeros((0, self.shape[1]))

    def _states(self, number: int) -> Array:
        """Return the states from one checkpoint on; those of the last one asked for are kept."""
        if self._chunk[0] != number:
            checkpoint, run = self._checkpoints[number], RunInProgress(*self._given)
            control = run.work.control
            control.t = checkpoint.numbers["t"]
            run.work.goals.find()
            for name, value in checkpoint.numbers.items():
                setattr(control, name, value)
            run.work.y[:], run.work.k[0] = checkpoint.y, checkpoint.derivative
            run.rows.restore(np.array([control.t]), checkpoint.y[None].copy())
            run.advance(CHUNK)
            self._chunk = number, run.rows.stored()[1][:, : self.shape[1]].copy()
            run.close()
        return self._chunk[1]
