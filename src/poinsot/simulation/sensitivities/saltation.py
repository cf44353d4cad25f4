"""The derivatives of times of events, and of the jump of a state there.

At an event g(t*, y(t*)) = 0 the state becomes y⁺ = R(t*, y⁻), the reset projected onto the
constraints, and the rates change from f⁻ to f⁺.  With S the derivatives of y just before it and G
those of the parameters, those of the time and, at fixed times, of the state behind it are

    dt* = - (g_y S + g_p G) / (dg/dt),      S⁺ = R_y (S + f⁻ dt*) + R_p G + (R_t - f⁺) dt*
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.expression import compiled_program
from poinsot.expr import Program
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.sensitivities.program_jacobian import along_states, program_jacobian, rates
from poinsot.simulation.sensitivities.projected import projected
from poinsot.spatial import Array

SAME = 1e-8
"""Difference of velocities after an impact from those of a contact alone that is rounding."""


GRAZING = 1e-10
"""Rate of an event's function, relative to its terms, that is rounding: it touches zero."""


@dataclass(frozen=True)
class Saltation:
    """The derivatives at the events of a run.

    Attributes:
        events: Those of the run.
        names: Free parameters to differentiate by.
        resets: In place of resets that are Python functions, programs of the same velocities, by
            the names of events.
        where: Opens the message of an error.
    """

    events: Events
    names: tuple[str, ...]
    resets: Mapping[str, Program]
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
            for reset in (self.resets.get(action.name, action.reset), action.reset_states):
                if reset is not None and not isinstance(reset, Program):
                    raise ModelError(
                        f"{self.where}: what event {action.name!r} does has no derivative: it is a "
                        "Callback, or asks for quantities that are computed by loops; give a reset "
                        "that is traced"
                    )

    def time(self, number: int, law: int, t: float, y: Array) -> Array:
        """Return the derivatives of the time of an event by y and p, shape (n + p,).

        Args:
            number: Of the event.
            law: That before it.
            t: When [s].
            y: The state just before it, shape (n,).
        """
        equations, given = self.events.laws[law], (np.array([t]), y[None])
        row = program_jacobian(equations, self.events.value, self.names, *given)[0, number]
        terms = np.append(row[: y.size] * rates(equations, *given)[0], row[-1])
        rate = float(terms.sum())
        if not abs(rate) > GRAZING * float(np.abs(terms).sum()):
            raise ModelError(
                f"{self.where}: event {self.events.actions[number].name!r} at t = {t:g} s touches "
                "zero and does not cross it: its time has no derivative, and the number of events "
                "changes with what is varied; start elsewhere, or leave the event out"
            )
        return np.asarray(-row[:-1] / rate)

    def jump(self, number: int, laws: tuple[int, int], t: float, both: Array) -> Array:
        """Return the derivatives of the state after an event by that before and p, (n, n + p).

        Args:
            number: Of the event.
            laws: Before and after it.
            t: When [s].
            both: The states before and after it, shape (2, n).
        """
        n, time = both.shape[1], np.array([t])
        before, after = (self.events.laws[law] for law in laws)
        ahead, behind = (
            rates(law, time, state[None])[0]
            for law, state in zip((before, after), both, strict=True)
        )
        reset = self._reset(number, before, time, both)
        P = projected(after, self.names, time, both[1:])[1][0]
        moved = P[:, :n] @ reset
        moved[:, n:] += P[:, n:]
        change = moved[:, :n] @ ahead + moved[:, -1] - behind
        return np.asarray(moved[:, :-1] + np.outer(change, self.time(number, laws[0], t, both[0])))

    def _reset(self, number: int, law: MotionEquations, t: Array, both: Array) -> Array:
        """Return the derivatives of a reset by y, p and t, shape (n, n + p + 1)."""
        y, n, (nq, end) = both[:1], both.shape[1], law.ends
        action = self.events.actions[number]
        matrix = np.eye(n, n + len(self.names) + 1)
        program = self.resets.get(action.name, action.reset)
        if isinstance(program, Program):
            rows = slice(0 if action.resets_q else nq, end)
            matrix[rows] = program_jacobian(law, program, self.names, t, y)[0]
            after = along_states(law, t, y).computed(compiled_program(program))[0]
            off = np.abs(after - both[1, rows]).max(initial=0.0)
            if action.name in self.resets and not off <= SAME * (1.0 + np.abs(after).max()):
                raise ModelError(
                    f"{self.where}: at t = {t[0]:g} s contact {action.name!r} closes together with "
                    "others, which has no derivative; let one close at a time"
                )
        if isinstance(action.reset_states, Program):
            matrix[end:] = program_jacobian(law, action.reset_states, self.names, t, y)[0]
        return matrix
