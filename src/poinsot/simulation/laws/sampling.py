"""Sampled states in runs: when they are computed and take effect, and the program that does it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from poinsot.evaluate.expression import compiled_program, law_value
from poinsot.expr import as_expr, fresh_symbols, select, symbol
from poinsot.expr.staged_program import program_of, recorded_stages
from poinsot.model import Mechanism, SampledState
from poinsot.simulation.laws.equations import Use
from poinsot.simulation.laws.event_symbols import event_symbols
from poinsot.simulation.laws.signals import GAP
from poinsot.spatial import Array

DUE: Final = "due"
"""What says which clocks strike: 1 or 0 for each."""
SAMPLED_STATES: Final = "sampled states"
"""What all further states are then."""


class Clock(NamedTuple):
    """Equally spaced times: delay + k every [s], for all whole numbers k."""

    every: float
    delay: float = 0.0

    def times(self, start: float, end: float) -> Array:
        """Return those from start to end, both but for rounding included."""
        slack = GAP * (1.0 + max(abs(start), abs(end)))
        first = math.ceil((start - slack - self.delay) / self.every)
        last = math.floor((end + slack - self.delay) / self.every)
        return np.asarray(self.delay + self.every * np.arange(first, last + 1))


@lru_cache(maxsize=64)
def clocks_of(mechanism: Mechanism) -> tuple[Clock, ...]:
    """Return the clocks of the sampled states: of each when it is computed, and takes effect."""
    clocks = []
    for state in _sampled(mechanism):
        clocks.append(Clock(state.every))
        if state.delay > 0.0:
            clocks.append(Clock(state.every, state.delay))
    return tuple(clocks)


@lru_cache(maxsize=64)
def sampling(mechanism: Mechanism) -> Use:
    """Return what computes all further states at a sampling time.

    It reads t, q, v, tau, the states, parameters and which clocks strike.  All updates read what
    was before any of them.
    """
    sizes = {"t": 1, "q": mechanism.nq, "v": mechanism.nv, "tau": mechanism.nv}
    symbols = {key: fresh_symbols(key, size) for key, size in sizes.items()}
    due = fresh_symbols(DUE, len(clocks_of(mechanism)))
    strikes = iter(due)
    after: dict[str, Any] = {name: symbol(name) for name in mechanism.state_values}
    with recorded_stages() as stages:
        values = [law_value(mechanism, x, "update", symbols) for x in _sampled(mechanism)]
    for state, value in zip(_sampled(mechanism), values, strict=True):
        goal = state.next_name if state.delay > 0.0 else state.name
        after[goal] = select(next(strikes), as_expr(value), symbol(goal))
        if state.delay > 0.0:
            after[state.name] = select(next(strikes), symbol(goal), symbol(state.name))
    inputs = {**symbols, DUE: due, **event_symbols(mechanism)}
    outputs = {SAMPLED_STATES: np.array(list(after.values()), dtype=object)}
    program = program_of(inputs, outputs, stages)
    reads = tuple(port.name for port in program.inputs)
    return Use(compiled_program(program), reads, SAMPLED_STATES)


def with_clocks(
    clocks: tuple[Clock, ...], breaks: tuple[Array, Array], start: float, end: float
) -> tuple[Array, Array, Array]:
    """Return when steps are to end, the last times before, and which clocks strike then.

    Args:
        clocks: The clocks.
        breaks: Times at which signals break [s], increasing, and the last times before them.
        start: When the run starts [s].
        end: When it ends [s].

    Returns:
        Arrays of shapes (n,), (n,) and (n, number of clocks).
    """
    listed = [clock.times(start, end) for clock in clocks]
    times = np.concatenate([breaks[0], *listed])
    firsts = np.concatenate([np.nextafter(breaks[1], np.inf), *listed])
    which = np.repeat(np.arange(-1, len(clocks)), [breaks[0].size, *(x.size for x in listed)])
    order = np.argsort(times, kind="stable")
    times, firsts, which = times[order], firsts[order], which[order]
    apart = np.diff(times) > GAP * (1.0 + np.abs(times[1:]))
    group = np.concatenate([np.zeros(min(times.size, 1), int), np.cumsum(apart)])
    last = np.append(apart, True)[: times.size]
    first = np.append(True, apart)[: times.size]
    due = np.zeros((int(last.sum()), len(clocks)))
    strikes = which >= 0
    due[group[strikes], which[strikes]] = 1.0
    return times[last], np.nextafter(firsts[first], -np.inf), due


def _sampled(mechanism: Mechanism) -> list[SampledState]:
    return [state for state in mechanism.states if isinstance(state, SampledState)]
