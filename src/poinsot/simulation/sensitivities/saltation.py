"""The derivatives of times of events, and of the jump of a state there.

At an event g(t*, y(t*)) = 0 the state becomes y⁺ = R(t*, y⁻), the reset projected onto the
constraints, and the rates change from f⁻ to f⁺.  With S the derivatives of y just before it and G
those of the parameters, those of the time and, at fixed times, of the state behind it are

    dt* = - (g_y S + g_p G) / (dg/dt),      S⁺ = R_y (S + f⁻ dt*) + R_p G + (R_t - f⁺) dt*

Of events at the same time R is what they do one after the other, impacts of several contacts being
one map.  It holds for variations that keep them simultaneous, g_y S + g_p G + (dg/dt) dt* = 0 for
all of them; of others the limits are those of one event after the other (``Instant.one_by_one``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.expression import compiled_program
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.expr import Program
from poinsot.simulation.laws.equations import STATES, MotionEquations
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.sensitivities.impact_reset import Acting, ImpactChange, ImpactReset
from poinsot.simulation.sensitivities.program_jacobian import along_states, program_jacobian, rates
from poinsot.simulation.sensitivities.projected import chained, projected
from poinsot.spatial import Array

SAME = 1e-8
"""Difference of states behind events in another order that is rounding."""

GRAZING = 1e-10
"""Rate of an event's function, relative to its terms, that is rounding: it touches zero."""


class Change(NamedTuple):
    """What one event does to the state.

    Attributes:
        number: Of the event.
        before: The state before it, shape (n,).
        after: The state after it, shape (n,).
    """

    number: int
    before: Array
    after: Array


class Transition(NamedTuple):
    """The derivatives of a state after events by that before them, and when they hold.

    Attributes:
        matrix: Those by y and p, shape (n, n + p).
        conditions: What must vanish of variations of y and p, so that all that happens at this time
            still happens at the same time, shape (k, n + p); none of single events.
        terms: Sizes of the terms whose sum each of these is, shape (k, n + p).
        numbers: Of all events that take part.
    """

    matrix: Array
    conditions: Array
    terms: Array
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Saltation:
    """The derivatives at the events of a run.

    Attributes:
        events: Those of the run.
        names: Free parameters to differentiate by.
        impacts: In place of resets that are Python functions, by the names of events.
        where: Opens the message of an error.
    """

    events: Events
    names: tuple[str, ...]
    impacts: Mapping[str, ImpactReset]
    where: str

    def check(self) -> None:
        """Reject events that have no derivatives.

        Raises:
            ModelError: The message names the event and the remedy.
        """
        if self.events.staged is not None:
            raise ModelError(
                f"{self.where}: functions of events ask for quantities that are computed by loops, "
                "which is not differentiated; write them with q and v"
            )
        for action in self.events.actions:
            for reset in (action.reset, action.reset_states):
                is_known = reset is None or isinstance(reset, Program)
                if not is_known and action.name not in self.impacts:
                    raise ModelError(
                        f"{self.where}: what event {action.name!r} does has no derivative: it is a "
                        "Callback, or asks for quantities that are computed by loops; give a reset "
                        "that is traced"
                    )

    def number(self, name: str) -> int:
        """Return the number of an event."""
        return [action.name for action in self.events.actions].index(name)

    def value(self, number: int, law: int, t: float, y: Array) -> Array:
        """Return the derivatives of the function of an event by y and p, shape (n + p,)."""
        return self._row(number, law, t, y)[:-1]

    def time(self, number: int, law: int, t: float, y: Array) -> Array:
        """Return the derivatives of the time of an event by y and p, shape (n + p,).

        Args:
            number: Of the event.
            law: That before it.
            t: When [s].
            y: The state just before it, shape (n,).
        """
        row = self._row(number, law, t, y)
        terms = self._terms(row, law, t, y)
        rate = float(terms.sum())
        if not abs(rate) > GRAZING * float(np.abs(terms).sum()):
            raise ModelError(
                f"{self.where}: event {self.events.actions[number].name!r} at t = {t:g} s touches "
                "zero and does not cross it: its time has no derivative, and the number of events "
                "changes with what is varied; start elsewhere, or leave the event out"
            )
        return np.asarray(-row[:-1] / rate)

    def jump(
        self, changes: Sequence[Change], laws: tuple[int, int], t: float, *, alone: bool = False
    ) -> Transition:
        """Return the derivatives of the state after events at the same time by that before them.

        Args:
            changes: What each does, in order; the first one gives the time.
            laws: Before and after them.
            t: When [s].
            alone: Whether contacts that touch too do not take part in an impact.
        """
        start, n, count = changes[0].before, changes[0].before.size, len(self.names) + 1
        time = np.array([t])
        before, after = (self.events.laws[law] for law in laws)
        ahead = rates(before, time, start[None])[0]
        behind = rates(after, time, changes[-1].after[None])[0]
        moved, together = np.eye(n, n + count)[None], [change.number for change in changes]
        for change in changes:
            reset, acting = self._reset(change, before, time, alone=alone)
            moved = chained(reset[None], moved, count)
            moved = chained(projected(after, self.names, time, change.after[None])[1], moved, count)
            together += [number for number in acting if number not in together]
        (matrix,) = moved
        jumps = matrix[:, :n] @ ahead + matrix[:, -1] - behind
        first = self.time(together[0], laws[0], t, start)
        slopes, shifts = np.zeros((2, len(together) - 1, first.size))
        for k, number in enumerate(together[1:]):
            row = self._row(number, laws[0], t, start)
            slopes[k], shifts[k] = row[:-1], self._terms(row, laws[0], t, start).sum() * first
        matrix = matrix[:, :-1] + np.outer(jumps, first)
        return Transition(matrix, slopes + shifts, np.abs(slopes) + np.abs(shifts), tuple(together))

    def one_by_one(
        self, changes: Sequence[Change], order: Sequence[int], laws: tuple[int, int], t: float
    ) -> Array | None:
        """Return the derivatives where events happen one after the other, shape (n, n + p).

        None where the state behind them is another one then.

        Args:
            changes: What each does, in the order of the run.
            order: Numbers of the events, the first one first.
            laws: Before and after them.
            t: When [s].
        """
        state, law, total = changes[0].before, laws[0], None
        for number in order:
            action = self.events.actions[number]
            after = self._alone(number, self.events.laws[law], t, state)
            then = action.law if action.law >= 0 else law
            step = Change(number, state, after)
            matrix = self.jump([step], (law, then), t, alone=True).matrix
            total = (
                matrix if total is None else chained(matrix[None], total[None], len(self.names))[0]
            )
            state, law = after, then
        off = np.abs(state - changes[-1].after).max()
        return None if law != laws[1] or not off <= SAME * (1.0 + np.abs(state).max()) else total

    def _row(self, number: int, law: int, t: float, y: Array) -> Array:
        """Return the derivatives of the function of an event by y, p and t, shape (n + p + 1,)."""
        given = self.events.value, self.names, np.array([t]), y[None]
        return np.asarray(program_jacobian(self.events.laws[law], *given)[0, number])

    def _terms(self, row: Array, law: int, t: float, y: Array) -> Array:
        """Return the terms of dg/dt, shape (n + 1,)."""
        f = rates(self.events.laws[law], np.array([t]), y[None])[0]
        return np.append(row[: y.size] * f, row[-1])

    def _alone(self, number: int, law: MotionEquations, t: float, y: Array) -> Array:
        """Return the state after one event alone, shape (n,)."""
        time, action = np.array([t]), self.events.actions[number]
        q, v, states = np.split(y, law.ends)
        if action.name in self.impacts:
            own = self._impact_change(action.name, action.name, (t, q, v))
            if own is None:
                program = self.impacts[action.name].program(((action.name, True),))
                v = along_states(law, time, y[None]).computed(compiled_program(program))[0]
            else:
                v = own.after
            after = np.concatenate([q, v, states])
        else:
            given = {"t": time, "q": q, "v": v, STATES: states, PARAMETERS: law.parameters}
            after = self.events.after(number, given)
        return np.asarray(projected(law, self.names, time, after[None])[0][0])

    def _reset(
        self, change: Change, law: MotionEquations, t: Array, *, alone: bool
    ) -> tuple[Array, list[int]]:
        """Return the derivatives of a reset by y, p and t, (n, n + p + 1), and what takes part."""
        y, n, (nq, end) = change.before[None], change.before.size, law.ends
        action, acting = self.events.actions[change.number], list[int]()
        matrix, program = np.eye(n, n + len(self.names) + 1), action.reset
        if action.name in self.impacts:
            impact, state = self.impacts[action.name], np.split(change.before, (nq, end))
            moment = float(t[0]), state[0], state[1]
            own = self._impact_change(action.name, action.name if alone else None, moment)
            if own is not None:
                self._check_after(change, law, t, own.after)
                by = np.r_[:end, n : matrix.shape[1]]
                matrix[nq:end, by] = own.matrix
                return matrix, [self.number(name) for name in own.acting]
            pushing: Acting = ((action.name, True),)
            if not alone:
                pushing = impact.acting(*moment)
            acting = [self.number(name) for name, _ in pushing]
            program = impact.program(pushing) if pushing else None
            after = change.before[nq:end]
            if program is not None:
                along = along_states(law, t, change.before[None])
                after = along.computed(compiled_program(program))[0]
            self._check_after(change, law, t, after)
        if isinstance(program, Program):
            rows = slice(0 if action.resets_q else nq, end)
            matrix[rows] = program_jacobian(law, program, self.names, t, y)[0]
        if isinstance(action.reset_states, Program):
            matrix[end:] = program_jacobian(law, action.reset_states, self.names, t, y)[0]
        return matrix, acting

    def _impact_change(
        self, name: str, alone: str | None, state: tuple[float, Array, Array]
    ) -> ImpactChange | None:
        """Return what an impact with friction, or by another law than Newton's, does to changes."""
        try:
            return self.impacts[name].change(state, alone, self.names)
        except ModelError as error:
            raise ModelError(
                f"{self.where}: at t = {state[0]:g} s, contact {name!r}: {error}"
            ) from None

    def _check_after(self, change: Change, law: MotionEquations, t: Array, expected: Array) -> None:
        """Reject impacts that have done something else than what is differentiated."""
        velocities = slice(*law.ends)
        off = np.abs(expected - change.after[velocities]).max()
        if not off <= SAME * (1.0 + np.abs(expected).max()):
            name = self.events.actions[change.number].name
            raise ModelError(
                f"{self.where}: at t = {t[0]:g} s contact {name!r} closes together with others, "
                "and their impact has several answers, which is not differentiated; let one close "
                "at a time, or give the contacts less friction"
            )
