"""The states of all steps of a long run, of which only some are kept: others are simulated again.

From checkpoints in memory, a state, the numbers of the stepper (``files/checkpoint.py``) and those
of the event handler each, the same steps are taken bit for bit.  With N steps of n numbers,
N / CHUNK checkpoints and the states of one chunk are in memory, in place of N n numbers; every step
is taken twice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.simulation.files.checkpoint import KEPT
from poinsot.simulation.running.event_handler import EventHandler
from poinsot.simulation.running.run_in_progress import RunInProgress
from poinsot.simulation.running.run_plan import Plan
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.stepping.control import LoopSignal
from poinsot.spatial import Array

CHUNK = 4096
"""Rows from one checkpoint to the next."""


class _Handled(NamedTuple):
    """What an event handler remembers."""

    counts: list[int]
    law: int
    last_time: float
    last_fired: list[int]
    at_once: int
    side: Array


class _Checkpoint(NamedTuple):
    row: int
    numbers: dict[str, float]
    y: Array
    derivative: Array
    handled: _Handled | None


def every_step(run: Trajectory) -> Plan:
    """Return the plan of the same run that stores every step; it ends where the run has ended."""
    plan, done = replace(run.plan, times=None, every=None), run.statistics
    return plan if run.status.ok else replace(plan, max_steps=done.steps + done.rejected)


class RecomputedStates:
    """States of the steps of a run, by slices, as of an array of shape (N, n).

    Args:
        trajectory: The run; it may have stored any states.

    Attributes:
        t: When steps begin and end [s], shape (N,); twice where an event changed the state.
        law: Number of the law in force from each row on, shape (N,).
        shape: N and n.
        most_rows: How many states were in memory at once, at most.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        plan, self._run = every_step(trajectory), trajectory
        given = trajectory.equations, trajectory.start, trajectory.accuracy, plan
        self._given = *given, trajectory.events
        self._checkpoints: list[_Checkpoint] = []
        self._chunk: tuple[int, Array] = -1, np.zeros((0, 0))
        self.most_rows = 0
        run, signal = RunInProgress(*self._given), LoopSignal.PAUSED
        times, laws, row = [run.rows.stored()[0].copy()], [np.zeros(1, np.int64)], 0
        while signal is LoopSignal.PAUSED and run.may_try > 0:
            self._checkpoints.append(_checkpoint(run, row))
            signal, (t, y), law = self._advance(run)
            times.append(t[1:].copy())
            laws.append(law[1:])
            row += t.size - 1
            run.rows.restore(t[-1:].copy(), y[-1:].copy())
            if run.event_handler is not None:
                run.event_handler.switches[:] = [(0, int(law[-1]))] if law[-1] else []
                run.event_handler.occurrences.clear()
        run.close()
        self.t, self.law = np.concatenate(times), np.concatenate(laws)
        self.shape = self.t.size, trajectory.equations.n

    def __getitem__(self, rows: slice) -> Array:
        """Return the states of some rows, one after the other."""
        start, stop, _ = rows.indices(self.shape[0])
        first = [checkpoint.row for checkpoint in self._checkpoints]
        blocks = []
        while start < stop:
            number = int(np.searchsorted(first, start, side="right")) - 1
            states = self._states(number)
            block = states[start - first[number] : stop - first[number]]
            blocks.append(block)
            start += len(block)
        return np.concatenate(blocks) if blocks else np.zeros((0, self.shape[1]))

    def at(self, times: Array) -> Array:
        """Return the states at times between rows, shape (number of times, n)."""
        result, nq = np.empty((times.size, self.shape[1])), self._run.equations.nq
        for k, row in enumerate((np.searchsorted(self.t, times, side="right") - 1).tolist()):
            rows = slice(row, row + 2)
            q, v = np.split(self[rows], [nq], axis=1)
            step = replace(self._run, t=self.t[rows], q=q, v=v, law=self.law[rows])
            result[k] = np.concatenate(step.at(times[k : k + 1]), axis=1)
        return result

    def _states(self, number: int) -> Array:
        """Return the states from one checkpoint on; those of the last one asked for are kept."""
        if self._chunk[0] != number:
            self._chunk = -1, np.zeros((0, 0))
            run = _resumed(RunInProgress(*self._given), self._checkpoints[number])
            (_, y), _ = self._advance(run)[1:]
            self._chunk = number, y[:, : self.shape[1]].copy()
            run.close()
        return self._chunk[1]

    def _advance(
        self, run: RunInProgress
    ) -> tuple[LoopSignal, tuple[Array, Array], NDArray[np.int64]]:
        """Take a chunk of steps; return the signal, the rows and their laws."""
        signal, control = LoopSignal.PAUSED, run.work.control
        while signal is LoopSignal.PAUSED and run.may_try > 0 and control.count <= CHUNK:
            signal = run.advance(CHUNK + 1 - control.count)
        if not self._run.status.ok and (signal is not LoopSignal.PAUSED or run.may_try <= 0):
            run.rows.drop_not_finite()
            run.rows.keep_last()
        rows, handler = run.rows.stored(), run.event_handler
        self.most_rows = max(self.most_rows, rows[0].size)
        laws = np.zeros(rows[0].size, np.int64) if handler is None else handler.laws(rows[0].size)
        return signal, rows, laws


def _checkpoint(run: RunInProgress, row: int) -> _Checkpoint:
    """Return a run between two steps, with one row in memory."""
    numbers = {name: getattr(run.work.control, name) for name in KEPT}
    handler = run.event_handler
    handled = None if handler is None else _handled(handler)
    return _Checkpoint(row, numbers, run.work.y.copy(), run.work.k[0].copy(), handled)


def _handled(handler: EventHandler) -> _Handled:
    last = handler.last_time, list(handler.last_fired), handler.at_once
    return _Handled(list(handler.counts), handler.law, *last, handler.side.copy())


def _resumed(run: RunInProgress, checkpoint: _Checkpoint) -> RunInProgress:
    """Return a fresh run set to a checkpoint."""
    handler, control, handled = run.event_handler, run.work.control, checkpoint.handled
    if handler is not None and handled is not None:
        handler.counts[:], handler.last_time = handled.counts, handled.last_time
        handler.last_fired, handler.at_once = list(handled.last_fired), handled.at_once
        handler.switches[:] = [(0, handled.law)] if handled.law else []
        handler.restore(handled.side)
    control.t = checkpoint.numbers["t"]
    run.work.goals.find()
    run.rows.restore(np.array([control.t]), checkpoint.y[None].copy())
    for name, value in checkpoint.numbers.items():
        setattr(control, name, value)
    run.work.y[:], run.work.k[0] = checkpoint.y, checkpoint.derivative
    return run
