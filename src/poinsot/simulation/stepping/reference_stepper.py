"""The stepper in plain Python: the definition that the compiled one is tested against.

As the interpreter is of the kernels.  It knows explicit Runge-Kutta methods (``Explicit``), and
Rosenbrock methods (``reference_rosenbrock.py``), error control, equal steps, the projection onto
constraints, dense output and events (``reference_events.py``); each formula is one line.
Operations are those of the compiled one and in its order, so where that does not fuse products and
sums, both have the same bits.  It is slow, and nothing but tests calls it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from poinsot.simulation.stepping.control_writer import Row
from poinsot.simulation.stepping.event_detection import CLOSE, SAME, START, ZERO
from poinsot.simulation.stepping.fixed_steps import FixedSteps
from poinsot.simulation.stepping.projection import PROJECTIONS
from poinsot.simulation.stepping.reference_events import ReferenceEvents, SearchOutcome, TakenStep
from poinsot.simulation.stepping.step_control import (
    FIRST_FACTOR,
    LEAST_ERROR,
    RETREAT,
    SAFETY,
    SHORT,
    SMALL,
    STILL,
)
from poinsot.simulation.stepping.stepper import REACH
from poinsot.spatial import Array

Rate: TypeAlias = Callable[[float, Array], Array]
"""(t, y) -> dy/dt."""
Projection: TypeAlias = Callable[[float, Array], Array]
"""(t, y) -> a state nearer to those that obey the constraints."""


@dataclass
class ReferenceStepper:
    """One run, step by step.

    Attributes:
        integrator: The method.
        rate: Derivative of the state.
        t: Time [s].
        y: State, shape (n,).
        t_end: When the run ends [s].
        rtol: Relative tolerance of a step.
        atol: Absolute one.
        step: Length of the steps at most [s] where the method does not choose them.
        constrain: One Newton step towards the constraints; None: there are none.
        quaternions: Where in y each quaternion starts.
        lanes: Doubles in a register, which sums over entries depend on.
        events: What to look for; events in the same instant are not known here.
        h: The step to try next [s].
        accepted: Steps that were taken.
        rejected: Steps that were tried in vain.
        rows: Times and states so far; two where an event has changed the state.
        is_stopped: Whether an event has ended the run.
    """

    integrator: Any
    rate: Rate
    t: float
    y: Array
    t_end: float
    rtol: float = 0.0
    atol: float = 0.0
    step: float = 0.0
    constrain: Projection | None = None
    quaternions: tuple[int, ...] = ()
    lanes: int = 1
    events: ReferenceEvents | None = None
    h: float = field(init=False)
    accepted: int = field(init=False, default=0)
    rejected: int = field(init=False, default=0)
    rows: list[tuple[float, Array]] = field(init=False)
    is_stopped: bool = field(init=False, default=False)
    _taken: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._begin()
        if not self.integrator.is_fixed:
            self.h = self._first_step()
        self.rows = [(self.t, self.y)]
        if self.events is not None:
            late = START * max(self.t_end - self.t, abs(self.t))
            rates = self.events.rate(self.t, self.y, self._k0)
            self.events.begin(self.t, self.y, self._k0, late * np.abs(rates))

    def _begin(self) -> None:
        """Set that steps start here: nothing is known of those before."""
        self._k0 = self.rate(self.t, self.y)
        self._last_error, self._just_rejected = LEAST_ERROR, False
        if self.integrator.is_fixed:
            self._start, self._taken = self.t, 0
            self.h = FixedSteps(self.t, self.t_end, self.step).step

    @property
    def is_finished(self) -> bool:
        """Whether the end is reached, or an event has stopped the run."""
        return self.is_stopped or self.t >= self.t_end

    def advance(self) -> TakenStep:
        """Take the next step that is good, or the part of it up to an event that acts."""
        while True:
            h, t_new = self._step_to_try()
            k, x = self._stages(h)
            error = self._error(k, x, h)
            if not error <= 1.0:
                self._reject(h, error)
                continue
            step = self._complete(k, x, h, t_new)
            outcome = None if self.events is None else self.events.search(step)
            if self.events is None or outcome is None or outcome.acts is None:
                self._accept(step, k[self.integrator.end], error, outcome)
                return step
            gap = outcome.acts[0] - self.t
            if not self.integrator.is_fixed and SAME * abs(outcome.acts[0]) < gap < CLOSE * h:
                self.h, self.rejected = 4.0 * gap, self.rejected + 1  # looked at more closely
                continue
            self._act(self.events, step, outcome)
            return step

    def _step_to_try(self) -> tuple[float, float]:
        """Return the step and when it ends: the rest where hardly more is left."""
        last = self.t + self.h * REACH >= self.t_end
        t_new = self.t + self.h
        if self.integrator.is_fixed:  # products, so that rounding stays small
            t_new = self._start + (self._taken + 1) * self.h
        return (self.t_end - self.t, self.t_end) if last else (self.h, t_new)

    def _stages(self, h: float) -> tuple[list[Array], Array]:
        """Return the derivatives of the stages, and the end of the step.

        k[s] = f(t + c[s] h, y + h sum of a[s][j] k[j]),      x = y + h sum of b[j] k[j]
        """
        tableau, k = self.integrator.tableau, [self._k0]
        for node, row in list(zip(tableau.nodes, tableau.stages, strict=True))[1:]:
            k.append(self.rate(self.t + h * node, self.y + h * combination(row, k)))
        x = self.y + h * combination(tableau.solution, k)
        if tableau.end_in_error:
            k.append(self.rate(self.t + h, x))
        return k, x

    def _error(self, k: list[Array], x: Array, h: float) -> float:
        """Return the norm of the error of a step, 1 at the limit [HNW, sections II.4 and II.10]."""
        rows = self.integrator.tableau.errors
        if not np.isfinite(x).all():
            return np.nan
        if not rows:
            return 0.0
        scale = self._scale(np.maximum(np.abs(self.y), np.abs(x)))
        squares = [self._total((combination(row, k) / scale) ** 2) for row in rows]
        if len(rows) == 1:
            return h * math.sqrt(squares[0] / x.size)
        fifth, third = squares
        return h * (fifth / math.sqrt((fifth + third * 0.01 or 1.0) * x.size))

    def _complete(self, k: list[Array], x: Array, h: float, t_new: float) -> TakenStep:
        """Return a step with its end on the constraints and its polynomial [HNW, section II.6]."""
        end, tableau = self.integrator.end, self.integrator.tableau
        x = self.projected(t_new, x)
        if len(k) == end or self._moves:
            k[end:] = [self.rate(t_new, x)]
        k = list(k)
        for node, row in zip(tableau.more_nodes, tableau.more_stages, strict=True):
            k.append(self.rate(self.t + h * node, self.y + h * combination(row, k)))
        f0 = x - self.y
        f1 = h * k[0] - f0
        f2 = f0 - h * k[end] - f1
        f = [f0, f1, f2, *(h * combination(row, k) for row in tableau.dense)]
        slack = self._scale if self._moves else np.zeros_like
        return TakenStep(self.t, h, t_new, self.y, x, f, self.projected, slack)

    def _accept(
        self, step: TakenStep, derivative: Array, error: float, outcome: SearchOutcome | None
    ) -> None:
        """Go to the end of a step and choose the next one."""
        self.t, self.y, self._k0 = step.t_new, step.x, derivative
        self.accepted, self._taken = self.accepted + 1, self._taken + 1
        self.rows.append((self.t, self.y))
        if self.events is not None and outcome is not None:
            self.events.side = outcome.side
            self.events.happened += outcome.recorded
        if self.integrator.step_control is not None:
            self._next_step(step.h, error)
        self._just_rejected = False

    def _act(self, events: ReferenceEvents, step: TakenStep, outcome: SearchOutcome) -> None:
        """Go to an event, and on from the state after it."""
        assert outcome.acts is not None
        assert outcome.scale is not None
        t, number = outcome.acts
        events.happened += [*outcome.recorded, outcome.acts]
        self.accepted += int(t > self.t)
        self.t, self.y, self.h = t, step(t), step.h
        self.rows.append((t, self.y))
        reset, zero = events.resets[number], np.zeros(outcome.scale.size)
        zero[number] = max(ZERO * outcome.scale[number], 2.0 * abs(events.value(t, self.y)[number]))
        self.is_stopped = events.stops[number]
        if reset is not None:
            self.y = reset(t, self.y)
            self.rows.append((t, self.y))
        self._begin()
        events.begin(t, self.y, self._k0, zero)

    def _next_step(self, h: float, error: float) -> None:
        """h_new = h safety last_error**beta / error**alpha, within bounds [HNW2, section IV.2]."""
        control = self.integrator.step_control
        assert control is not None
        divisor = error**control.alpha / self._last_error**control.beta * (1.0 / SAFETY)
        most = FIRST_FACTOR if self.accepted == 1 else control.most_factor
        self.h = h / max(min(divisor, 1.0 / control.least_factor), 1.0 / most)
        if self._just_rejected:
            self.h = min(self.h, h)
        self._last_error = max(error, LEAST_ERROR)

    def _reject(self, h: float, error: float) -> None:
        control = self.integrator.step_control
        assert control is not None
        divisor = min(error**control.alpha * (1.0 / SAFETY), 1.0 / control.least_factor)
        self.h = h / divisor if error < math.inf else h * RETREAT
        self._just_rejected, self.rejected = True, self.rejected + 1

    def _first_step(self) -> float:
        """Return a step whose error will be small [HNW, section II.4, starting step size]."""
        scale, rest = self._scale(self.y), self.t_end - self.t
        state, rate = self._norm(self.y / scale), self._norm(self._k0 / scale)
        h = min(SHORT if min(state, rate) < SMALL else 0.01 * (state / rate), rest)
        change = self.rate(self.t + h, self.y + h * self._k0) - self._k0
        most = max(rate, self._norm(change / scale) / h)
        if most <= STILL:
            return max(h * 1e-3, SHORT)
        return min(math.pow(0.01 / most, 1.0 / self.integrator.order), h * 100.0)

    def _scale(self, y: Array) -> Array:
        """Return what errors of a state are measured by [HNW, section II.4]."""
        return np.asarray(self.atol + self.rtol * np.abs(y))

    @property
    def _moves(self) -> bool:
        """Whether the end of a step is moved."""
        return self.constrain is not None or len(self.quaternions) > 0

    def projected(self, t: float, y: Array) -> Array:
        """Return a state with unit quaternions, projected onto the constraints."""
        y = self._normalised(y)
        for _ in range(PROJECTIONS if self.constrain is not None else 0):
            assert self.constrain is not None
            y = self._normalised(self.constrain(t, y))
        return y

    def _normalised(self, y: Array) -> Array:
        y = y.copy()
        for start in self.quaternions:
            w, i, j, k = y[start : start + 4].tolist()
            y[start : start + 4] /= math.sqrt(w * w + i * i + j * j + k * k)
        return y

    def _norm(self, x: Array) -> float:
        return math.sqrt(self._total(x * x) / x.size)

    def _total(self, entries: Array) -> float:
        """Return a sum over entries: that of registers, then of their halves."""
        padded = np.concatenate([entries, np.zeros(-entries.size % self.lanes)])
        total = sum(padded.reshape(-1, self.lanes), np.zeros(self.lanes))
        while total.size > 1:
            total = total[: total.size // 2] + total[total.size // 2 :]
        return float(total[0])


def combination(row: Row, k: list[Array]) -> Array:
    """Return the sum of coefficient times vector, as two sums that alternate."""
    terms = [k[stage] * weight for stage, weight in row.items()]
    sums = [sum(terms[first + 2 :: 2], terms[first]) for first in range(min(2, len(terms)))]
    return sums[0] if len(sums) == 1 else sums[0] + sums[1]
