"""Events in plain Python: the definition of what the stepper finds in a step.

A step is searched in subintervals from its start to its end, and undecided ones are bisected; in
one with a crossing the zero is located, and the first event that acts ends the step there.  See
docs/theory/events.md, and ``event_detection.py`` for the three tests of a subinterval.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from poinsot.simulation.stepping.event_detection import (
    CLEAR,
    CROSSED,
    LOOKS,
    PLACES,
    SHORTEST,
    SLACK,
    UNCERTAIN,
)
from poinsot.simulation.stepping.root_finding import crossing
from poinsot.spatial import Array


class Balls(NamedTuple):
    """Midpoints and radii on a subinterval: of the time, the state and the rate of the state."""

    time: tuple[float, float]
    state: tuple[Array, Array]
    rate: tuple[Array, Array]


@dataclass(frozen=True)
class TakenStep:
    """A step that is taken, and the polynomial of its states.

    y + s (f0 + (1 - s) (f1 + s (f2 + (1 - s) (f3 + ...)))),      s = (time - t) / h

    Attributes:
        t: When it begins [s].
        h: Its length [s].
        t_new: When it ends [s].
        y: State at its start.
        x: State at its end.
        f: Coefficients.
        project: What moves states between the ends onto the constraints.
        slack: How far that may be, as a function of the state.
    """

    t: float
    h: float
    t_new: float
    y: Array
    x: Array
    f: list[Array]
    project: Callable[[float, Array], Array]
    slack: Callable[[Array], Array]

    def __call__(self, time: float) -> Array:
        """Return the state at a time."""
        if time in (self.t, self.t_new):
            return self.y if time == self.t else self.x
        s = (time - self.t) / self.h
        total = self.f[-1]
        for number in range(len(self.f) - 2, -1, -1):
            total = self.f[number] + (s if number % 2 else 1.0 - s) * total
        return self.project(time, self.y + s * total)

    def balls(self, a: float, b: float) -> Balls:
        """Return what encloses the polynomial and its rate between two times."""
        first, last = (a - self.t) / self.h, (b - self.t) / self.h
        s, radius = 0.5 * (first + last), 0.5 * (last - first)
        zero = np.zeros(self.y.size)

        def product(u: float, mid: Array, rad: Array) -> tuple[Array, Array]:
            return u * mid, radius * np.abs(mid) + (u + radius) * rad

        T, T_rad, D, D_rad = self.f[-1], zero, zero, zero
        for number in range(len(self.f) - 2, -1, -1):
            u = s if number % 2 else 1.0 - s
            slope, slope_rad = product(u, D, D_rad)
            D, D_rad = (slope + T if number % 2 else slope - T), slope_rad + T_rad
            T, T_rad = product(u, T, T_rad)
            T = self.f[number] + T
        x, x_rad = product(s, T, T_rad)
        d, d_rad = product(s, D, D_rad)
        x, d, d_rad = self.y + x, d + T, d_rad + T_rad
        off, rate = SLACK * self.slack(x), 1.0 / self.h
        times = 0.5 * (a + b), 0.5 * (b - a)
        return Balls(times, (x, x_rad + off), (rate * d, rate * (d_rad + off)))


Bounds: TypeAlias = Callable[[Balls], tuple[Array, Array, Array, Array]]
"""Midpoints and radii of the functions of events, and of their rates."""


class SearchOutcome(NamedTuple):
    """What happens in a step.

    Attributes:
        recorded: Times and numbers of events that are only recorded.
        side: On which side of zero each function is behind them.
        acts: Time and number of the event that acts; None: there is none in the step.
        scale: The largest values of all functions nearby.
    """

    recorded: list[tuple[float, int]]
    side: Array
    acts: tuple[float, int] | None = None
    scale: Array | None = None


@dataclass
class ReferenceEvents:
    """Events of one run, and what has happened.

    Attributes:
        value: (t, y) -> functions g of the events, shape (n,).
        rate: (t, y, dy/dt) -> their rates.
        bounds: What encloses both on a subinterval; None: eighths of a step are compared.
        directions: In which each crosses: 1, -1, or 0 for either.
        resolutions: Length down to which subintervals are bisected [s].
        resets: (t, y) -> the state after each event; None: it is only recorded.
        stops: Which end the run.
        side: On which side of zero each is: 1 or -1.
        happened: Times and numbers of the events so far.
    """

    value: Callable[[float, Array], Array]
    rate: Callable[[float, Array, Array], Array]
    bounds: Bounds | None
    directions: Array
    resolutions: Array
    resets: list[Callable[[float, Array], Array] | None]
    stops: list[bool]
    side: Array = field(init=False)
    happened: list[tuple[float, int]] = field(init=False, default_factory=list)

    def search(self, step: TakenStep) -> SearchOutcome:
        """Return what happens in a step, up to the first event that does more than be recorded."""
        side, start, ends, looks = self.side.copy(), step.t, [step.t_new], 0
        recorded: list[tuple[float, int]] = []
        while ends:
            end = ends[-1]
            verdict = self._verdict(step, (start, end), side, looks)
            if verdict == UNCERTAIN:
                ends.append(start + 0.5 * (end - start))
                looks += 1
                continue
            if verdict == CROSSED:
                g = self.value(start, step(start)), self.value(end, step(end))
                for t, number in self._located(step, (start, end), side, g[1]):
                    if self.stops[number] or self.resets[number] is not None:
                        return SearchOutcome(recorded, side, (t, number), np.maximum(*np.abs(g)))
                    recorded.append((t, number))
                side, looks = np.where(g[1] == 0.0, side, np.sign(g[1])), 0
            start = ends.pop()
        return SearchOutcome(recorded, side)

    def _verdict(
        self, step: TakenStep, interval: tuple[float, float], side: Array, looks: int
    ) -> int:
        """Return whether a subinterval is clear, has a crossing, or is to be bisected.

        A clear one has no crossing in the requested direction; sides become those at its end.
        """
        a, b = interval
        mid = rad = rate = rate_rad = np.full(side.size, np.nan)
        if self.bounds is not None:
            mid, rad, rate, rate_rad = self.bounds(step.balls(a, b))
            if (side * mid > rad).all():
                return CLEAR
        ga, gb = (self.value(time, step(time)) for time in interval)
        eighth, least = step.h / PLACES, (abs(step.t) + abs(step.t_new)) * SHORTEST
        is_fine = self.bounds is not None and looks < LOOKS
        finest = np.minimum(self.resolutions, eighth) if is_fine else eighth
        is_short = b - a <= np.maximum(finest, least)
        before, behind, slope = side * ga, side * gb, side * rate
        low, high = slope - rate_rad, slope + rate_rad
        turns = high * before - low * behind + (low * high) * (b - a) > 0.0
        is_monotonic, is_excluded = (low >= 0.0) | (high <= 0.0), np.abs(mid) > rad
        is_decided = is_excluded | is_monotonic | (turns & ~(behind < 0.0)) | (side == 0.0)
        if not (is_short | (is_decided & ~np.isnan(gb))).all():
            return UNCERTAIN
        if ((behind < 0.0) & (gb * self.directions >= 0.0) | np.isnan(gb)).any():
            return CROSSED
        side[:] = np.where(gb > 0.0, 1.0, np.where(gb < 0.0, -1.0, side))
        return CLEAR

    def _located(
        self, step: TakenStep, interval: tuple[float, float], side: Array, g: Array
    ) -> list[tuple[float, int]]:
        """Return when functions cross zero in the requested direction, the first one first."""
        crossed = np.flatnonzero((g * side < 0.0) & (g * self.directions >= 0.0)).tolist()

        def time(number: int) -> float:
            def value(t: float) -> float:
                return float(side[number] * self.value(t, step(t))[number])

            return crossing(value, *interval)

        return sorted((time(number), number) for number in crossed)

    def begin(self, t: float, y: Array, derivative: Array, zero: Array) -> None:
        """Set on which side each function is: that to which it moves, if it is at zero.

        Args:
            t: Time [s].
            y: State.
            derivative: Its derivative.
            zero: Up to this functions are at zero, shape (n,).
        """
        g = self.value(t, y)
        self.side = np.sign(np.where(np.abs(g) <= zero, self.rate(t, y, derivative), g))
