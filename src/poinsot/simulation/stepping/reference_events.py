"""Events in plain Python: the definition of what the stepper finds in a step.

A step is searched in subintervals from its start to its end, and undecided ones are bisected; in
one with a crossing the zero is located, and the first event that acts ends the step there.  See
docs/theory/events.md, and ``event_detection.py`` for the three tests of a subinterval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.simulation.stepping.event_detection import (
    CLEAR,
    CROSSED,
    EPSILON,
    LOOKS,
    PLACES,
    SHORTEST,
    SLACK,
    TOGETHER,
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


class Crossing(NamedTuple):
    """A crossing: when, of which event, and whether in the requested direction."""

    t: float
    number: int
    in_direction: bool


class SearchOutcome(NamedTuple):
    """What happens in a step.

    Attributes:
        recorded: Times and numbers of events that are only recorded.
        side: On which side of zero each function is behind them, or before all that act.
        first: When the first event that acts happens [s].
        acts: The events in the same instant, that one among them; none: no event acts.
        crossings: All crossings nearby, in either direction.
        near: How far apart events in the same instant may be [s].
        scale: The largest values of all functions nearby.
    """

    recorded: list[tuple[float, int]]
    side: Array
    first: float = np.nan
    acts: tuple[Crossing, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    near: float = 0.0
    scale: Array | float = 0.0

    @staticmethod
    def of(
        recorded: list[tuple[float, int]], side: Array, first: float, crossings: list[Crossing],
        near: float, scale: Array,
    ) -> SearchOutcome:  # fmt: skip
        """Return what happens where the first event that acts does so at a time."""
        hits, begin = [crossing for crossing in crossings if crossing.in_direction], first - near
        acts = tuple(hit for hit in hits if begin <= hit.t <= begin + 2.0 * near)
        earlier = [hit[:2] for hit in hits if hit.t < begin]
        return SearchOutcome(recorded + earlier, side, first, acts, tuple(crossings), near, scale)


@dataclass
class ReferenceEvents:
    """Events of one run, and what has happened.

    Attributes:
        value: (t, y) -> functions g of the events, shape (n,).
        rate: (t, y, dy/dt) -> their rates.
        bounds: What encloses both on a subinterval; None: eighths of a step are compared.
        directions: In which each crosses: 1, -1, or 0 for either.
        resolutions: Length down to which subintervals are bisected [s].
        resets: (t, y) -> the state after each event; None: it changes none.
        stops: Which end the run, when they happen for so many times; 0: never.
        switches: Number of the law from each event on; None: that in force.
        laws: The derivatives of the state under all laws.
        law: Number of the law in force.
        side: On which side of zero each is: 1 or -1.
        happened: Times and numbers of the events so far.
    """

    value: Callable[[float, Array], Array]
    rate: Callable[[float, Array, Array], Array]
    bounds: Bounds | None
    directions: Array
    resolutions: Array
    resets: list[Callable[[float, Array], Array] | None]
    stops: list[int]
    switches: list[int | None]
    laws: list[Callable[[float, Array], Array]]
    law: int = field(init=False, default=0)
    side: Array = field(init=False)
    happened: list[tuple[float, int]] = field(init=False, default_factory=list)

    def search(self, step: TakenStep) -> SearchOutcome:
        """Return what happens in a step, up to the first event that does more than be recorded."""
        side, start, ends, looks = self.side.copy(), step.t, [step.t_new], 0
        near = TOGETHER * step.h + 4.0 * EPSILON * abs(step.t_new)
        recorded: list[tuple[float, int]] = []
        while ends:
            end = ends[-1]
            verdict = self._verdict(step, (start, end), side, looks)
            if verdict == UNCERTAIN:
                ends.append(start + 0.5 * (end - start))
                looks += 1
                continue
            if verdict == CROSSED:
                crossings, behind, scale = self._crossings(step, (start, end), side)
                first = self._first_that_acts(crossings, recorded)
                if first is not None:
                    if end < first + 2.0 * near < step.t_new:
                        crossings += self._crossings(step, (end, first + 2.0 * near), behind)[0]
                    return SearchOutcome.of(recorded, side, first, crossings, near, scale)
                recorded += [crossing[:2] for crossing in crossings if crossing.in_direction]
                side, looks = behind, 0
            start = ends.pop()
        return SearchOutcome(recorded, side)

    def _first_that_acts(
        self, crossings: list[Crossing], recorded: list[tuple[float, int]]
    ) -> float | None:
        """Return when the first event happens that does more than be recorded, if one does."""
        counts = Counter(number for _, number in (*self.happened, *recorded))
        for t, number, in_direction in crossings:
            counts[number] += in_direction
            changes = self.resets[number] is not None or self.switches[number] is not None
            if in_direction and (changes or 0 < self.stops[number] <= counts[number]):
                return t
        return None

    def is_last(self, number: int) -> bool:
        """Say whether an event has happened so often that it ends the run."""
        return 0 < self.stops[number] <= [other for _, other in self.happened].count(number)

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

    def _crossings(
        self, step: TakenStep, interval: tuple[float, float], side: Array
    ) -> tuple[list[Crossing], Array, Array]:
        """Return the crossings of a subinterval, the sides behind it and scales of values."""
        before, g = (self.value(time, step(time)) for time in interval)

        def time(number: int) -> float:
            def value(t: float) -> float:
                return float(side[number] * self.value(t, step(t))[number])

            return crossing(value, *interval)

        crossings = [
            Crossing(time(number), number, bool(g[number] * self.directions[number] >= 0.0))
            for number in np.flatnonzero(g * side < 0.0).tolist()
        ]
        behind = np.where(g == 0.0, side, np.sign(g))
        return sorted(crossings), behind, np.maximum(np.abs(before), np.abs(g))

    def begin(self, t: float, y: Array, derivative: Array, zero: Array) -> None:
        """Set on which side each function is: that to which it moves, if it is at zero.

        Args:
            t: Time [s].
            y: State.
            derivative: Its derivative.
            zero: Up to this functions are at zero, shape (n,).
        """
        g = self.value(t, y)
        sides = np.sign(np.where(np.abs(g) <= zero, self.rate(t, y, derivative), g))
        self.side = np.nan_to_num(sides)

    def pass_zero(self, t: float, outcome: SearchOutcome) -> NDArray[np.bool_]:
        """Set the sides behind all crossings up to an instant; return which functions are there."""
        self.side, near = outcome.side.copy(), outcome.near
        passed = [crossing.number for crossing in outcome.crossings if crossing.t <= t + near]
        np.multiply.at(self.side, passed, -1.0)
        numbers = [x.number for x in outcome.crossings if abs(x.t - t) <= 2.0 * near]
        return np.isin(np.arange(self.side.size), numbers)

    def turned_back(
        self, t: float, y: Array, derivative: Array, zero: Array, here: NDArray[np.bool_]
    ) -> list[int]:
        """Set the sides under a new law; return events that it turns back in the same instant.

        Args:
            t: Time [s].
            y: State.
            derivative: Its derivative.
            zero: Up to this functions are at zero, shape (n,).
            here: Which functions have just crossed zero, shape (n,).
        """
        old = self.side
        self.begin(t, y, derivative, zero)
        new, changes = self.side, here & (self.side != 0.0)
        self.side = np.where((old == 0.0) | changes, new, old)
        back = changes & (new * old < 0.0) & (new * self.directions >= 0.0)
        return list(np.flatnonzero(back).tolist())
