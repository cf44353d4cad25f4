"""One run in progress, which can be advanced and inspected at any time."""

from __future__ import annotations

import time
from typing import final

from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.running.event_handler import EventHandler
from poinsot.simulation.running.jump_memory import RECORDS
from poinsot.simulation.running.run_plan import Accuracy, Plan
from poinsot.simulation.running.status import Statistics, Status
from poinsot.simulation.running.stored_states import StoredStates
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.running.workspace import put_back, workspace
from poinsot.simulation.stepping.control import LoopSignal
from poinsot.simulation.stepping.event_jumps import ROWS
from poinsot.spatial import Array


@final
class RunInProgress:
    """The compiled integrator, its memory and the rows it has stored.

    How often it returns to Python in between changes no bit of its results.

    Args:
        equations: What to integrate.
        state: [q, v] at the start, shape (nq + nv,).
        accuracy: How.
        plan: How far, and what to store.
        events: What to look for; the first of their laws are the equations.
    """

    def __init__(
        self,
        equations: MotionEquations,
        state: Array,
        accuracy: Accuracy,
        plan: Plan,
        events: Events | None = None,
    ) -> None:
        self.equations, self.start, self.accuracy, self.plan = equations, state, accuracy, plan
        self._callbacks = equations.callbacks
        if events is not None:
            self._callbacks = tuple(kernel for law in events.laws for kernel in law.callbacks)
        for callback in self._callbacks:
            callback.begin()
        asked = time.perf_counter()
        self.work = workspace(equations, accuracy)
        begun = time.perf_counter()
        self.work.begin(plan.start, plan.end, state)
        if not plan.sampled:
            self.work.sample_start()
        if not self.work.integrator.is_fixed:
            self.work.control.h = plan.first_step or self.work.first_step()
        self.rows = StoredStates(self.work, plan)
        self.spent = time.perf_counter() - begun
        self.event_handler = None if events is None else EventHandler(events, self.work, self.rows)
        self.ended: Status | None = None
        self.preparation = time.perf_counter() - asked - self.spent

    @property
    def t(self) -> float:
        """The time that has been reached [s]."""
        return self.work.control.t

    @property
    def may_try(self) -> int:
        """How many steps it may still try."""
        control = self.work.control
        return self.plan.max_steps - control.accepted - control.rejected

    @property
    def calls_python(self) -> bool:
        """Whether functions of the user may run between steps or in them."""
        return self.event_handler is not None or len(self._callbacks) > 0

    def advance(self, steps: int) -> LoopSignal:
        """Try so many steps, within the limit, and return the signal of the integrator.

        Events are handled, and it returns after those with an action; one that ends the run sets
        ``ended``.
        """
        begun = time.perf_counter()
        control, steps = self.work.control, min(steps, self.may_try)
        self.rows.make_room(steps)
        control.pause = control.accepted + control.rejected + steps
        signal = self._run()
        while signal is LoopSignal.EVENT and self.event_handler is not None and self.ended is None:
            if control.crowded:
                left = control.pause - control.accepted - control.rejected
                self.rows.make_room(left, ROWS * RECORDS)
            else:
                self.ended = self.event_handler.handle()
            if self.ended is None and control.waiting:
                signal = self._run()
            elif self.ended is None:
                signal = LoopSignal.PAUSED
        self.spent += time.perf_counter() - begun
        return signal

    def _run(self) -> LoopSignal:
        """Let the compiled loop run, and collect the events that it has handled."""
        signal = self.work.run()
        if self.work.control.n_records and self.event_handler is not None:
            self.event_handler.collect()
        return signal

    def prolong(self, plan: Plan) -> None:
        """Go on to the end of a longer plan that is the same up to here."""
        self.plan = plan
        if self.work.goals.prolong(plan.start, plan.end, self.accuracy.step):
            self.work.sample_start()
            self.work.x[:] = self.work.y
            self.work.derivative(self.t, 0)
        if self.work.control.h <= 0.0:
            self.work.control.h = self.work.first_step()
        self.rows.prolong(plan.times)

    def close(self) -> None:
        """Return the workspace to the pool; the run cannot be used any more."""
        self.rows.give_back()
        put_back(self.work)

    def trajectory(self, status: Status) -> Trajectory:
        """Return the trajectory so far; a run that did not reach its end keeps its last state."""
        event_handler = self.event_handler
        if not status.ok:
            self.rows.drop_not_finite()
            self.rows.keep_last()
        t, y = self.rows.stored()
        nq, n = self.equations.nq, self.equations.n
        return Trajectory(
            t.copy(), y[:, :nq].copy(), y[:, nq:n].copy(), status, self._statistics(),
            self.equations, self.accuracy, self.plan, self.start,
            None if event_handler is None else event_handler.events,
            () if event_handler is None else tuple(event_handler.occurrences),
            None if event_handler is None else event_handler.laws(t.size),
            created=() if event_handler is None else tuple(event_handler.created),
        )  # fmt: skip

    def _statistics(self) -> Statistics:
        control, callbacks = self.work.control, self._callbacks
        return Statistics(
            control.accepted,
            control.rejected,
            control.evaluations,
            self.spent,
            sum([callback.calls for callback in callbacks]),
            sum([callback.seconds for callback in callbacks]),
            self.preparation,
        )
