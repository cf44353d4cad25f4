"""Events that nearly happen in a run: soon after its end, or their functions nearly touch zero.

Between two steps g is taken for the cubic through its values and rates at both ends; its extrema
are sought there, and the nearest to zero are computed again by dense output.  Of an extremum the
derivative is that at a fixed time, as dg/dt = 0 there (envelope theorem).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from poinsot.evaluate.expression import compiled_program
from poinsot.simulation.laws.equations import RATES, MotionEquations
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.running.status import Outcome
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.sensitivities.program_jacobian import along_states, rates
from poinsot.simulation.sensitivities.step_states import StepStates
from poinsot.spatial import Array

MOST = 16
"""Extrema of each event function, the nearest to zero, that are looked at."""
ROWS = 4096
"""Steps whose functions are computed side by side."""


class Approach(NamedTuple):
    """An event that nearly happens.

    Attributes:
        number: Of the event.
        t: When its function is nearest to zero [s].
        y: The state then, shape (n,).
        law: Number of the law in force then.
        value: Of its function.
        rate: Of its function, per second; 0 at an extremum.
    """

    number: int
    t: float
    y: Array
    law: int
    value: float
    rate: float

    @property
    def is_extremum(self) -> bool:
        """Whether it is an extremum within the run, not a value at its end."""
        return self.rate == 0.0


class NearEvents(NamedTuple):
    """Events that nearly happen, and what is near for each event of the run.

    Attributes:
        approaches: The events that nearly happen.
        sizes: The largest value of the function of each event at the steps, shape (events,).
        times: How long each takes for as much at its largest rate [s], shape (events,).
    """

    approaches: list[Approach]
    sizes: Array
    times: Array


class _Extremum(NamedTuple):
    """An extremum of a function within a step: how near it comes to zero, and where."""

    size: float
    t: float
    number: int
    law: int
    curvature: float


def approaches(
    run: Trajectory, states: StepStates, blocks: Iterable[tuple[int, int, int | None]]
) -> NearEvents:
    """Return the events that nearly happen.

    Args:
        run: The run.
        states: Those of all its steps.
        blocks: First row, last row and law of steps one after the other; None: an event.
    """
    events = run.events
    if events is None:
        return NearEvents([], np.zeros(0), np.zeros(0))
    sizes, fastest = np.zeros((2, len(events.actions)))
    nearest: list[list[_Extremum]] = [[] for _ in events.actions]
    for begin, end, law in blocks:
        if law is None:
            continue
        for first in range(begin, end, ROWS):
            rows = slice(first, min(first + ROWS, end) + 1)
            t, y = states.t[rows], states[rows]
            g, rate = _functions(events, events.laws[law], t, y)
            sizes = np.maximum(sizes, np.abs(g).max(axis=0))
            fastest = np.maximum(fastest, np.abs(rate).max(axis=0))
            for extremum in _extrema(law, t, g, rate):
                nearest[extremum.number].append(extremum)
            for number, listed in enumerate(nearest):
                nearest[number] = sorted(listed)[:MOST]
    chosen = [extremum for listed in nearest for extremum in listed]
    every = [*_refined(states, events, chosen), *_at_end(run, events, states)]
    times = np.divide(sizes, fastest, out=np.zeros(sizes.size), where=fastest > 0.0)
    return NearEvents(every, sizes, times)


def _functions(
    events: Events, equations: MotionEquations, t: Array, y: Array
) -> tuple[Array, Array]:
    """Return g and dg/dt of all events at states, shapes (N, events)."""
    f = rates(equations, t, y)
    qdot, a, further = np.split(f, equations.ends, axis=1)
    along = along_states(equations, t, y, a)
    value = along.computed(compiled_program(events.value))
    return value, along.computed(compiled_program(events.rate), {"qdot": qdot, RATES: further})


def _extrema(law: int, t: Array, g: Array, rate: Array) -> list[_Extremum]:
    """Return the extrema of all functions within steps, by cubic interpolation.

    With p(0) = g0, p(1) = g1, p'(0) = h g0' and p'(1) = h g1', p' = A s² + B s + C.
    """
    h = np.diff(t)[:, None]
    g0, g1, m0, m1 = g[:-1], g[1:], h * rate[:-1], h * rate[1:]
    A, B, C = 6 * (g0 - g1) + 3 * (m0 + m1), 6 * (g1 - g0) - 4 * m0 - 2 * m1, m0
    with np.errstate(all="ignore"):
        root = np.sqrt(B * B - 4 * A * C)
        far = -0.5 * (B + np.where(B < 0.0, -root, root))
        result = []
        for s in (far / A, C / far):
            inside = (s > 0.0) & (s < 1.0)
            for step, number in np.argwhere(inside).tolist():
                x, entry = float(s[step, number]), (step, number)
                p = g0[entry] + x * (C[entry] + x * (B[entry] / 2 + x * A[entry] / 3))
                bend = float((2 * A[entry] * x + B[entry]) / h[step, 0] ** 2)
                moment = float(t[step] + x * h[step, 0])
                result.append(_Extremum(abs(float(p)), moment, number, law, bend))
    return result


def _refined(states: StepStates, events: Events, chosen: list[_Extremum]) -> list[Approach]:
    """Return extrema with their states by dense output, g - (dg/dt)² / (2 d²g/dt²)."""
    if not chosen:
        return []
    y = states.at(np.array([extremum.t for extremum in chosen]))
    result = []
    for extremum, state in zip(chosen, y, strict=True):
        given = events.laws[extremum.law], np.array([extremum.t]), state[None]
        value, rate = (float(x[0, extremum.number]) for x in _functions(events, *given))
        bend = extremum.curvature
        least = value - (0.5 * rate**2 / bend if bend else 0.0)
        where = extremum.number, extremum.t, state, extremum.law
        result.append(Approach(*where, least, 0.0))
    return result


def _at_end(run: Trajectory, events: Events, states: StepStates) -> list[Approach]:
    """Return the events towards which functions move at the end of the run."""
    law, y = int(states.law[-1]), states[slice(-1, None)]
    t, stopped = states.t[-1:], run.status.outcome is Outcome.STOPPED
    over = {occurrence.name for occurrence in run.occurrences if occurrence.t == t[0] and stopped}
    (value,), (rate,) = _functions(events, events.laws[law], t, y)
    nears = (value * rate < 0.0) & (value * events.directions <= 0.0)
    return [
        Approach(number, float(t[0]), y[0], law, float(value[number]), float(rate[number]))
        for number in np.flatnonzero(nears).tolist()
        if events.actions[number].name not in over
    ]
