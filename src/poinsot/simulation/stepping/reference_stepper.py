"""The stepper in plain Python: the definition that the compiled one is tested against.

As the interpreter is of the kernels.  It knows explicit Runge-Kutta methods (``Explicit``),
Rosenbrock methods (``reference_rosenbrock.py``) and variational ones (``reference_symplectic.py``),
error control, fixed steps, the projection onto constraints, dense output, events
(``reference_events.py``) and steps across singularities (``reference_crossing.py``).
Operations are those of the compiled one and in its order, so where that does not fuse products and
sums, both have the same bits.  It is slow, and nothing but tests calls it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from poinsot.simulation.stepping.event_detection import CLOSE, SAME, START, ZERO
from poinsot.simulation.stepping.fixed_steps import FixedSteps
from poinsot.simulation.stepping.projection import PROJECTIONS
from poinsot.simulation.stepping.reference_crossing import ReferenceCrossing
from poinsot.simulation.stepping.reference_events import ReferenceEvents, SearchOutcome, TakenStep
from poinsot.simulation.stepping.reference_vectors import combination, total
from poinsot.simulation.stepping.step_control import (
    FIRST_FACTOR,
    LEAST_ERROR,
    RETREAT,
    SAFETY,
    SHORT,
    SMALL,
    STILL,
)
from poinsot.simulation.stepping.stepper import JUMP, LARGEST_SHIFT, REACH
from poinsot.spatial import Array

Rate: TypeAlias = Callable[[float, Array], Array]
"""(t, y) -> dy/dt."""
Projection: TypeAlias = Callable[[float, Array], tuple[Array, float]]
"""(t, y) -> a state nearer to those that obey the constraints, and their conditioning."""


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
        velocities: Where in y the velocities are.
        quaternions: Where in y each quaternion starts.
        lanes: Doubles in a register, which sums over entries depend on.
        events: What to look for.
        h: The step to try next [s].
        accepted: Steps that were taken.
        rejected: Steps that were tried in vain.
        n_careful: Steps that were taken, with care, near a singularity.
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
    velocities: slice = field(default_factory=lambda: slice(0, 0))
    quaternions: tuple[int, ...] = ()
    lanes: int = 1
    events: ReferenceEvents | None = None
    h: float = field(init=False)
    accepted: int = field(init=False, default=0)
    rejected: int = field(init=False, default=0)
    n_careful: int = field(init=False, default=0)
    rows: list[tuple[float, Array]] = field(init=False)
    is_stopped: bool = field(init=False, default=False)
    _taken: int = field(init=False, default=0)
    _shift: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self._crossing = ReferenceCrossing(self.integrator.gap)
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
        self._crossing.restart()
        self._k0 = self._derivative(self.t, self.y)
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
            self.h = self._crossing.plan(self.h)
            h, t_new = self._step_to_try()
            k, x = self._stages(h)
            error = (self._error_along if self._crossing.is_careful else self._error)(k, x, h)
            if not error <= 1.0:
                self._reject(h, error)
                continue
            x = self.projected(t_new, x)
            if not (self._shift <= LARGEST_SHIFT and self._crossing.is_well_conditioned):
                self._reject(h, JUMP)
                continue
            self._crossing.record(h)
            self.n_careful += self._crossing.is_careful
            step = self._complete(k, x, h, t_new)
            outcome = None if self.events is None else self.events.search(step)
            if self.events is None or outcome is None or not outcome.acts:
                self._accept(step, k[self.integrator.end], error, outcome)
                return step
            gap = outcome.first - self.t
            if not self.integrator.is_fixed and SAME * abs(outcome.first) < gap < CLOSE * h:
                self.h, self.rejected = 3.0 * gap, self.rejected + 1  # looked at more closely
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
            k.append(self._derivative(self.t + h * node, self.y + h * combination(row, k)))
        x = self.y + h * combination(tableau.solution, k)
        if tableau.end_in_error:
            x = self._careful(self.t + h, x)
            k.append(self.rate(self.t + h, x))
        return k, x

    def _derivative(self, t: float, x: Array) -> Array:
        return self.rate(t, self._careful(t, x))

    def _careful(self, t: float, x: Array) -> Array:
        """Return a stage, projected onto the constraints near a singularity."""
        return self.projected(t, x) if self._crossing.is_careful else x

    def _error(self, k: list[Array], x: Array, h: float) -> float:
        """Return the norm of the error of a step, 1 at the limit [HNW, sections II.4 and II.10]."""
        rows = self.integrator.tableau.errors
        if not np.isfinite(x).all():
            return np.nan
        if not rows:
            return 0.0
        scale = self._scale(np.maximum(np.abs(self.y), np.abs(x)))
        return h * self._norm_of_errors([combination(row, k) / scale for row in rows])

    def _error_along(self, k: list[Array], x: Array, h: float) -> float:
        """Return the norm of the error along motions that the constraints allow."""
        t = self.t + h
        end = self.projected(t, x)
        scale = self._scale(np.maximum(np.abs(self.y), np.abs(end)))
        others = [x + h * combination(row, k) for row in self.integrator.tableau.errors]
        return self._norm_of_errors([(self.projected(t, y) - end) / scale for y in others])

    def _norm_of_errors(self, errors: list[Array]) -> float:
        """Return the norm of one error, or of those of orders 5 and 3 [HNW, section II.10]."""
        squares, n = [total(e**2, self.lanes) for e in errors], self.y.size
        if len(squares) == 1:
            return math.sqrt(squares[0] / n)
        fifth, third = squares
        return fifth / math.sqrt((fifth + third * 0.01 or 1.0) * n)

    def _complete(self, k: list[Array], x: Array, h: float, t_new: float) -> TakenStep:
        """Return a step, the derivative at its end known, with its polynomial."""
        end = self.integrator.end
        if len(k) == end or self._moves:
            k[end:] = [self._derivative(t_new, x)]
        f = self._coefficients(k, x, h)
        slack = self._scale if self._moves else np.zeros_like
        return TakenStep(self.t, h, t_new, self.y, x, f, self.projected, slack)

    def _coefficients(self, k: list[Array], x: Array, h: float) -> list[Array]:
        """Return the coefficients of the polynomial of a step [HNW, section II.6]."""
        tableau, k = self.integrator.tableau, list(k)
        for node, row in zip(tableau.more_nodes, tableau.more_stages, strict=True):
            k.append(self._derivative(self.t + h * node, self.y + h * combination(row, k)))
        return [*self._cubic(k, x, h), *(h * combination(row, k) for row in tableau.dense)]

    def _cubic(self, k: list[Array], x: Array, h: float) -> list[Array]:
        """Return those of the cubic with the states and derivatives of both ends."""
        f0 = x - self.y
        f1 = h * k[0] - f0
        return [f0, f1, f0 - h * k[self.integrator.end] - f1]

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
            self.h = max(self.h, self._crossing.h_usual)
        self._just_rejected = False

    def _act(self, events: ReferenceEvents, step: TakenStep, outcome: SearchOutcome) -> None:
        """Go to events in the same instant, and on from the state after them."""
        t = max(crossing.t for crossing in outcome.acts)
        events.happened += outcome.recorded
        self.accepted += int(t > self.t)
        self.t, self.y, self.h = t, step(t), step.h
        if self.rows[-1][0] < t:
            self.rows.append((t, self.y))
        here = events.pass_zero(t, outcome)
        zero = np.maximum(ZERO * outcome.scale, 2.0 * np.abs(events.value(t, self.y)))
        fired = sorted(crossing.number for crossing in outcome.acts)
        while fired and not self.is_stopped:
            jumped = self._fire(events, fired)
            self._begin()
            given = t, self.y, self._k0, np.where(here, zero, 0.0)
            fired = [] if jumped else events.turned_back(*given, here)
            if jumped:
                events.begin(*given)

    def _fire(self, events: ReferenceEvents, fired: list[int]) -> bool:
        """Apply events in the order listed; say whether the state has changed."""
        jumped, law = False, events.law
        for number in fired:
            reset, switch = events.resets[number], events.switches[number]
            if reset is not None:
                self.y, jumped = reset(self.t, self.y), True
            law = law if switch is None else switch
            events.happened.append((self.t, number))
            self.is_stopped |= events.is_last(number)
        if jumped or law != events.law:
            self.rows.append((self.t, self.y))
        if law != events.law:
            events.law, self.rate = law, events.laws[law]
        return jumped

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
        y, crossing, self._shift = self._normalised(y), self._crossing, 0.0
        if self.constrain is None:
            return y
        for _ in range(PROJECTIONS):
            moved, crossing.new = self.constrain(t, y)
            self._shift += self._norm((moved - y) / self._scale(y))
            y = self._normalised(moved)
        for _ in range(2 if crossing.is_near(crossing.new) else 0):
            moved, crossing.new = self.constrain(t, y)
            y[self.velocities] = moved[self.velocities]
        return y

    def _normalised(self, y: Array) -> Array:
        y = y.copy()
        for start in self.quaternions:
            w, i, j, k = y[start : start + 4].tolist()
            y[start : start + 4] /= math.sqrt(w * w + i * i + j * j + k * k)
        return y

    def _norm(self, x: Array) -> float:
        return math.sqrt(total(x * x, self.lanes) / x.size)
