"""Consistency checks between the numbers of a checkpoint.

Compiled code relies on them: a goal in the past, or a count out of range, would lead it past the
end of its memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import numpy as np

from poinsot.io.native.node import Node
from poinsot.simulation.running.event_handler import EventHandler
from poinsot.simulation.running.run_in_progress import RunInProgress
from poinsot.simulation.stepping.stepper import REACH
from poinsot.spatial import Array

__all__ = ["check_control", "check_events", "check_goals", "check_rows"]

_Must: TypeAlias = Callable[[str, bool, str], None]
"""Refuses a number, by its name, if something does not hold, and says what must be."""

FLAGS: Final = ("started", "just_rejected", "not_finite", "last", "caution", "careful")
"""Numbers that are 0 or 1."""
ROUNDING: Final = 1e-9
"""Part of a step by which the sum of fixed steps may be off."""
MANY: Final = 2**53
"""Counts are below this."""
NEEDS_ROWS: Final = ("caution", "careful")
"""Flags of systems with loops or constraints."""


def check_rows(run: RunInProgress, t: Array, y: Array, node: Node) -> None:
    """Reject rows whose times do not increase, or that are not those of the run.

    Args:
        run: The run, as its plan says.
        t: Their times [s], shape (n,).
        y: Their states, shape (n, nq + nv).
        node: Where they are in the file.
    """
    if (np.diff(t) < 0.0).any():
        raise node.error("must be increasing times")
    plan = run.plan
    if t.size and not plan.start <= t[0] <= t[-1] <= plan.end:
        raise node.error(f"must be times from {plan.start:g} to {plan.end:g} s")
    if plan.times is None and (t.size == 0 or t[0] != plan.start or (y[0] != run.start).any()):
        raise node.error("must begin with the start")


def check_control(
    run: RunInProgress, numbers: Mapping[str, float], nodes: Mapping[str, Node]
) -> None:
    """Reject numbers of the control block that do not fit the run, or each other.

    Args:
        run: The run, as its plan says and with its rows.
        numbers: What is to be set, by name.
        nodes: Where each is in the file.
    """
    control, plan = run.work.control, run.plan

    def must(name: str, holds: bool, what: str) -> None:
        if not holds:
            raise nodes[name].must_be(what)

    for name in FLAGS:
        must(name, numbers[name] in (0, 1), "0 or 1")
        if name in NEEDS_ROWS:
            must(name, numbers[name] == 0 or control.n_projections > 0, "0 without constraints")
    for name in ("t_end", "h_floor", "count"):
        must(name, numbers[name] == getattr(control, name), f"{getattr(control, name)!r} here")
    for name in ("accepted", "rejected", "evaluations", "equal_steps"):
        must(name, numbers[name] < MANY, f"below {MANY}")
    tried = numbers["accepted"] + numbers["rejected"]
    must("accepted", tried <= plan.max_steps, f"so that at most {plan.max_steps} steps are tried")
    t = numbers["t"]
    must("t", plan.start <= t <= plan.end, f"from {plan.start:g} to {plan.end:g}")
    _check_stored(run, numbers, must)
    for name in ("h", "h_equal", "error", "last_error", "h_usual", "h_last"):
        must(name, numbers[name] >= 0.0, "a number from 0 on")
    must("h", numbers["h"] > 0.0 or t == plan.end, "positive")
    must("last_error", math.isfinite(numbers["last_error"]), "finite")
    if run.work.integrator.is_fixed:
        _check_equal_steps(run, numbers, must)


def check_goals(
    run: RunInProgress, numbers: Mapping[str, float], nodes: Mapping[str, Node]
) -> None:
    """Reject goals of steps that differ from those of the law in force, set in its workspace."""
    control = run.work.control
    for name in ("next_break", "t_goal", "t_edge"):
        expected = getattr(control, name)
        if numbers[name] != expected and numbers["t"] < run.plan.end:
            raise nodes[name].must_be(f"{expected!r} here")


def check_events(
    run: RunInProgress, event_handler: EventHandler, nodes: Mapping[str, Node]
) -> None:
    """Reject occurrences that do not fit the events of the run, or its rows.

    Args:
        run: The run with its rows and numbers.
        event_handler: The events so far.
        nodes: Nodes of the file, by key.
    """
    names = [action.name for action in event_handler.events.actions]
    counts = list(event_handler.events.counted) or [0] * len(names)
    begin, last = run.plan.start, run.work.control.t
    for occurrence in event_handler.occurrences:
        if occurrence.name not in names:
            raise nodes["occurrences"].error(f"has the unknown event {occurrence.name!r:.60}")
        if not begin <= occurrence.t <= last:
            raise nodes["occurrences"].error(f"has an event at {occurrence.t:g} s, beyond the run")
        counts[names.index(occurrence.name)] += 1
    if counts != event_handler.counts:
        raise nodes["counts"].error(f"must be {counts}, as the events listed say")
    rows = [row for row, _ in event_handler.switches]
    if rows != sorted(rows) or (rows and rows[-1] >= run.work.control.count):
        raise nodes["switches"].error("must be at rows of the run, in order")
    if not event_handler.last_time <= last:
        raise nodes["last_time"].must_be(f"a time up to {last:g}")
    if event_handler.at_once >= MANY:
        raise nodes["at_once"].must_be(f"below {MANY}")


def _check_stored(run: RunInProgress, numbers: Mapping[str, float], must: _Must) -> None:
    """Reject a time that does not fit the stored rows."""
    t, times = numbers["t"], run.plan.times
    rows, _ = run.rows.stored()
    if times is None:
        must("t", t == rows[-1], f"that of the last row, {rows[-1]!r}")
        return
    must("t", rows.size == 0 or t >= rows[-1], "not before the last row")
    passed = int(np.searchsorted(times, t, side="right"))
    must("next_time", numbers["next_time"] == passed, f"{passed}, the times to store up to t")
    must("count", rows.size >= passed, f"at least {passed}")


def _check_equal_steps(run: RunInProgress, numbers: Mapping[str, float], must: _Must) -> None:
    """Reject fixed steps that do not lead to the time of the run."""
    asked, t, first = run.accuracy.step, numbers["t"], numbers["t_first"]
    assert asked is not None, "an integrator with a fixed step has one"
    equal = numbers["h_equal"]
    must("h_equal", 0.0 < equal <= asked * (1.0 + ROUNDING), f"a step up to {asked:g}")
    must("t_first", run.plan.start <= first <= t, "a time from the start to t")
    must("h", numbers["h"] <= REACH * equal * (1.0 + ROUNDING), f"a step up to {REACH * equal:g}")
    most = (numbers["equal_steps"] + ROUNDING) * REACH * equal + ROUNDING * abs(t)
    least = (numbers["equal_steps"] - 1.0 - ROUNDING) * equal - ROUNDING * abs(t)
    must("equal_steps", least <= t - first <= most, "the steps since t_first")
