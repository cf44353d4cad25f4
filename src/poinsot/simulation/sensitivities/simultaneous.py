"""Events at one instant of a run: derivatives over all of them, and whether their order changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.simulation.laws.event import Occurrence
from poinsot.simulation.sensitivities.projected import Pair
from poinsot.simulation.sensitivities.saltation import Change, Saltation, Transition
from poinsot.spatial import Array

APART = 1e-6
"""Difference of the times of simultaneous events, relative to its terms, that is rounding."""
NONE = 1e-14
"""Derivative of a state of size 1 that is rounding, where all terms are."""


class OrderChange(NamedTuple):
    """Simultaneous events whose order changes with what is varied.

    Attributes:
        events: Their names.
        t: When [s].
        is_continuous: Whether the state behind them is the same in either order: derivatives are
            one-sided then, those of an increase; if not there are none.
    """

    events: tuple[str, ...]
    t: float
    is_continuous: bool


@dataclass(frozen=True, eq=False)
class Instant:
    """What happens at one time.

    Attributes:
        saltation: The derivatives at events.
        changes: What each event does to the state, in order.
        laws: Before and after them.
        t: When [s].
    """

    saltation: Saltation
    changes: tuple[Change, ...]
    laws: tuple[int, int]
    t: float

    @staticmethod
    def of(
        saltation: Saltation, occurrences: Sequence[Occurrence], laws: tuple[int, int], *,
        again: bool,
    ) -> Instant:  # fmt: skip
        """Return what occurrences at one time are.

        Args:
            saltation: The derivatives at events.
            occurrences: The events at the time, in order.
            laws: Before and after them.
            again: Whether events have followed at the same time once more.
        """
        t, actions = occurrences[0].t, saltation.events.actions
        changes = []
        for occurrence in occurrences:
            number = saltation.number(occurrence.name)
            if actions[number].resets or actions[number].law >= 0:
                before = occurrence.q_before, occurrence.v_before, occurrence.states_before
                after = occurrence.q, occurrence.v, occurrence.states
                states = (np.concatenate([q, v, [*s.values()]]) for q, v, s in (before, after))
                changes.append(Change(number, *states))
        if again:
            names = ", ".join(repr(occurrence.name) for occurrence in occurrences)
            raise ModelError(
                f"{saltation.where}: events {names} at t = {t:g} s make each other happen without "
                "time going on, which has no derivative; let one event do all of it"
            )
        return Instant(saltation, tuple(changes), laws, t)

    @cached_property
    def jump(self) -> Transition:
        """The derivatives over all events at once."""
        return self.saltation.jump(self.changes, self.laws, self.t)

    def backward(self, weights: Array) -> Pair | None:
        """Return weights before the events and the gradient by parameters; None: go forwards.

        Args:
            weights: Of the entries of the state behind them, shape (n,).
        """
        if self.jump.conditions.size:
            return None
        n, matrix = weights.size, self.jump.matrix
        return weights @ matrix[:, :n], weights @ matrix[:, n:]

    def forward(self, S: Array, varied: Array) -> tuple[Array, dict[int, OrderChange]]:
        """Return derivatives behind the events, and the columns that change their order.

        Args:
            S: Those before them, shape (n, m).
            varied: Those of the parameters, shape (p, m).
        """
        columns, changed = np.concatenate([S, varied]), dict[int, OrderChange]()
        behind: Array = self.jump.matrix @ columns
        jump = self.jump
        start = np.abs(self.changes[0].before)
        least = NONE * (jump.terms[:, : start.size] @ (1.0 + start))[:, None]
        apart = np.abs(jump.conditions @ columns) > APART * (jump.terms @ np.abs(columns)) + least
        for column in np.flatnonzero(apart.any(axis=0)).tolist():
            behind[:, column], change = self._either_order(columns[:, column])
            if change is not None:
                changed[column] = change
        return behind, changed

    def _either_order(self, direction: Array) -> tuple[Array, OrderChange | None]:
        """Return the derivatives along a direction that lets events happen one after the other."""
        numbers = [change.number for change in self.changes]
        start, (n, t) = self.changes[0].before, (self.changes[0].before.size, self.t)
        moments = [self.saltation.time(k, self.laws[0], t, start) @ direction for k in numbers]
        order = np.argsort(moments, kind="stable").tolist()
        actions = self.saltation.events.actions
        names = tuple(actions[number].name for number in self.jump.numbers)
        sides = []
        for listed in (order, order[::-1]):
            matrix = self._one_by_one(tuple(numbers[k] for k in listed))
            sides.append(np.full(n, np.nan) if matrix is None else matrix @ direction)
        if np.isnan(sides).any():
            return np.full(n, np.nan), OrderChange(names, t, is_continuous=False)
        off = np.abs(sides[0] - sides[1]).max()
        same = off <= APART * np.abs(sides).max()
        return sides[0], None if same else OrderChange(names, t, is_continuous=True)

    def _one_by_one(self, order: tuple[int, ...]) -> Array | None:
        if len(order) < 2:  # with contacts that were closed already
            return None
        return self.saltation.one_by_one(self.changes, order, self.laws, self.t)
