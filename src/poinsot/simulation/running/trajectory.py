"""The result of a simulation: states at times, and dense output between them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import PoinsotError
from poinsot.simulation.laws.callback import MissingLaw
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.laws.event import CreatedEnergy, Occurrence
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.running.quantities_along_run import QuantitiesAlongRun, conditioning_of_rows
from poinsot.simulation.running.run_plan import Accuracy, Plan
from poinsot.simulation.running.status import Statistics, Status, explain
from poinsot.simulation.running.workspace import put_back, workspace
from poinsot.simulation.stepping.control import LoopSignal
from poinsot.simulation.stepping.singularity_crossing import NEAR
from poinsot.spatial import Array

MOST_STEPS = 1_000_000
"""Most steps between two stored states for dense output."""
SAMPLE = 100
"""Stored states that are sampled for the usual conditioning of the constraint rows."""


@dataclass(frozen=True, eq=False)
class Trajectory:
    """States at increasing times.

    Attributes:
        t: Times [s], shape (n,).
        q: Configurations, shape (n, nq).
        v: Velocities and, behind them, further states, shape (n, nv + number of these).
        status: How it ended.
        statistics: What it took.
        equations: What was integrated.
        accuracy: How.
        plan: How far, and what was to be stored.
        start: The state [q, v] at the start, shape (nq + nv,).
        events: The events of the run.
        occurrences: Occurrences of events.
        law: Number of the law of ``events`` in force from each row on, shape
            (n,); None: ``equations`` all the time.
        recorded: Joint forces at these times where a file could not hold their law, shape (n, nv).
        created: Impacts in which the compiled loop found that their law created energy.
    """

    t: Array
    q: Array
    v: Array
    status: Status
    statistics: Statistics
    equations: MotionEquations
    accuracy: Accuracy
    plan: Plan
    start: Array
    events: Events | None = None
    occurrences: tuple[Occurrence, ...] = ()
    law: NDArray[np.int64] | None = None
    recorded: Array | None = None
    created: tuple[CreatedEnergy, ...] = ()

    def __post_init__(self) -> None:
        for array in (self.t, self.q, self.v, self.start):
            array.setflags(write=False)

    def __reduce__(self) -> tuple[type[Trajectory], tuple[Any, ...]]:
        return Trajectory, tuple(getattr(self, field.name) for field in fields(self))

    def at(self, times: Array) -> tuple[Array, Array]:
        """Return q and v, with further states behind v, at any times in the range.

        The integrator restarts from the stored state before each time, with the same integrator
        and tolerances (after a run that stored every step it repeats just that step), and its dense
        output gives the state.  So a run stores no more than its states and pays for values between
        them only when they are asked for, and they are as good as the states themselves.

        Args:
            times: Times [s], shape (m,), between ``t[0]`` and ``t[-1]``.

        Returns:
            Arrays of shapes (m, nq) and (m, nv + number of further states).
        """
        number = np.searchsorted(self.t, times, side="right") - 1
        q, v = self.q[number], self.v[number]
        between = np.flatnonzero(self.t[number] != times)
        if between.size:
            order = between[np.argsort(times[between], kind="stable")]
            states = self._between(np.ascontiguousarray(times[order]), number[order])
            nq = self.q.shape[1]
            q[order], v[order] = states[:, :nq], states[:, nq : nq + self.v.shape[1]]
        return q, v

    @property
    def stored_only(self) -> bool:
        """Whether there is no dense output: a law is not restorable."""
        return any(isinstance(use.kernel, MissingLaw) for law in self.laws for use in law.drives)

    def forces(self, t: Array, q: Array, v: Array) -> Array | None:
        """Return the joint forces of the laws in force, shape (m, nv); None: there was one law.

        Args:
            t: Times [s], shape (m,); at an event, the law is that after it.
            q: Configurations, shape (m, nq).
            v: Velocities and further states, shape (m, nv + number of these).
        """
        if self.recorded is not None and t is self.t:
            return self.recorded
        if self.law is None or not self.law.any():
            return None
        row = np.searchsorted(self.t, t, side="right") - 1
        number = self.law if t is self.t else self.law[row]
        tau = np.empty((len(t), self.equations.nv))
        for k in np.unique(number).tolist():
            rows = number == k
            tau[rows] = QuantitiesAlongRun(self.laws[k], t[rows], q[rows], v[rows]).tau()
        return tau

    @property
    def last_law(self) -> MotionEquations:
        """The equations of motion at the end."""
        return self.laws[0 if self.law is None else int(self.law[-1])]

    @property
    def laws(self) -> tuple[MotionEquations, ...]:
        """The equations of motion under each law; the first is that of the start."""
        return (self.equations,) if self.events is None else self.events.laws

    def _between(self, times: Array, number: Array) -> Array:
        """Return the states at increasing times, each behind stored state ``number``."""
        for law in self.laws:
            for callback in law.callbacks:
                callback.begin()
        work = workspace(self.equations, self.accuracy)
        control = work.control
        rows_t, rows = np.empty(times.size), np.empty((times.size, work.width))
        control.row_t, control.row_y = rows_t.ctypes.data, rows.ctypes.data
        control.times = times.ctypes.data
        control.pause = MOST_STEPS
        usual = float(self.t[-1] - self.t[0]) / max(self.statistics.steps, 1)
        every_step = self.statistics.steps == np.count_nonzero(np.diff(self.t))
        stored, first = np.unique(number, return_index=True)
        ends = np.append(first[1:], times.size)
        is_near = self._is_near(stored).tolist()
        for k, end, near in zip(stored.tolist(), ends.tolist(), is_near, strict=True):
            t, t_next = float(self.t[k]), float(self.t[k + 1])
            law = self.laws[0 if self.law is None else self.law[k]]
            if law is not work.equations:
                work.switch(law)
            work.begin(t, t_next, np.concatenate([self.q[k], self.v[k]]))
            if not work.integrator.is_fixed:
                control.h = t_next - t if every_step else min(usual, t_next - t)
            control.clear_most, control.caution = self._best_conditioning, int(near and every_step)
            control.n_times = end
            signal = work.run()
            if signal is not LoopSignal.FINISHED:
                status = explain(signal, work)
                raise PoinsotError(f"at: {status.message}") from status.error
        assert control.count == times.size, "a time was passed over"
        put_back(work)
        return rows

    def _is_near(self, number: Array) -> Array:
        """Return after which states a kinematic singularity is near.

        There steps are taken carefully again; see ``singularity_crossing.py``.
        """
        before, behind = self._conditioning(np.concatenate([number, number + 1])).reshape(2, -1)
        return np.asarray(np.minimum(before, behind) < NEAR * self._best_conditioning)

    @cached_property
    def _best_conditioning(self) -> float:
        """The best conditioning of the rows in a sample of states."""
        sample = np.linspace(0, self.t.size - 1, SAMPLE).astype(int)
        return float(self._conditioning(sample).max())

    def _conditioning(self, number: Array) -> Array:
        return conditioning_of_rows(self.equations, self.t[number], self.q[number], self.v[number])
