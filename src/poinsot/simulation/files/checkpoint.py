"""A run in progress as a tree of plain values, from which it resumes bit for bit.

Between steps the stepper depends on its state y, the derivative k[0] there and numbers of its
control block; everything else in its workspace is recomputed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np

from poinsot.errors import PoinsotError, ProgramError
from poinsot.expr.program_tree import number_from_tree, number_tree
from poinsot.io.native.node import Node
from poinsot.model import Mechanism
from poinsot.simulation.files.saved_callbacks import callback_tree
from poinsot.simulation.files.saved_simulation import (
    Tree,
    accuracy_from_tree,
    accuracy_tree,
    checked_array,
    equations_from_tree,
    equations_tree,
    plan_from_tree,
    plan_tree,
    whole_number,
)
from poinsot.simulation.files.saved_trajectory import (
    events_from_tree,
    events_tree,
    occurrences_from_tree,
    occurrences_tree,
    status_from_tree,
    status_tree,
)
from poinsot.simulation.laws.callback import Callback
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.running import checks
from poinsot.simulation.running.event_handler import EventHandler
from poinsot.simulation.running.run_in_progress import RunInProgress
from poinsot.simulation.running.status import Status
from poinsot.simulation.stepping.control import field_type
from poinsot.simulation.stepping.stepper import REACH
from poinsot.spatial import Array

KEYS: Final = (
    *("equations", "accuracy", "plan", "start", "events", "control", "y", "derivative", "rows"),
    *("happened", "spent", "status"),
)
"""Keys of a run in progress in a file."""

KEPT: Final = (
    *("t", "h", "t_new", "t_end", "t_goal", "t_edge", "h_floor", "h_equal", "t_first", "error"),
    *("last_error", "accepted", "rejected", "evaluations", "started", "just_rejected"),
    *("not_finite", "last", "fixed_steps", "next_break", "next_time", "count", "h_usual", "h_last"),
    *("clear", "clear_last", "clear_new", "clear_most", "caution", "careful"),
)
"""Numbers of the control block that persist between steps."""

MADE: Final = (
    *("t_stage", "t_before", "h_most", "rtol", "atol", "shift", "n", "nq", "nv", "width", "pause"),
    *(
        "waiting",
        "has_dense",
        "n_quaternions",
        "n_kernels",
        "n_projections",
        "n_events",
        "n_breaks",
        "n_clocks",
    ),
    *("n_times", "n_rows", "n_runs", "out_row", "stride_q", "stride_v", "total", "first", "past"),
    *("loaded", "n_spread", "n_known", "n_parts", "n_signals", "t_clear", "t_left", "t_mid"),
    *("t_rad", "depth", "looks", "crossings", "has_jumps", "rests", "crowded", "n_records"),
    *("most_records", "capacity", "first_gap", "first_hit", "t_hit", "n_contacts", "held_stride"),
    *("compresses", "created", "redundant_stride"),
)
"""Numbers of the control block that are recomputed."""

_HAPPENED: Final = ("occurrences", "counts", "switches", "last_time", "last_fired", "at_once")


def refuse_callbacks(equations: MotionEquations, events: Events | None) -> None:
    """Reject callbacks: a file cannot hold them, nor their memory."""
    laws = (equations,) if events is None else events.laws
    called = [kernel.callback for law in laws for kernel in law.callbacks]
    resets = () if events is None else (action.reset for action in events.actions)
    called += [
        reset for reset in resets if isinstance(reset, Callback) and callback_tree(reset) is None
    ]
    if called:
        raise PoinsotError(
            f"simulate: a checkpoint cannot hold {called[0]!r}, which Python calls; write it so "
            "that it can be traced, or simulate without a checkpoint"
        )


def checkpoint_tree(run: RunInProgress, status: Status | None) -> Tree:
    """Return a run between two steps, and how it ended if it has."""
    control, n, events = run.work.control, run.work.control.n, run.event_handler
    t, y = run.rows.stored()
    return {
        "equations": equations_tree(run.equations),
        "accuracy": accuracy_tree(run.accuracy),
        "plan": plan_tree(run.plan),
        "start": run.start,
        "events": None if events is None else events_tree(events.events),
        "control": {name: _number(name, getattr(control, name)) for name in KEPT},
        "y": run.work.y[:n].copy(),
        "derivative": run.work.k[0, :n].copy(),
        "rows": {"t": t.copy(), "y": y[:, :n].copy()},
        "happened": None if events is None else _events_state_tree(events, n),
        "spent": run.spent,
        "status": None if status is None else status_tree(status),
    }


def resumed(
    mechanism: Mechanism, nodes: dict[str, Node], max_steps: int | None
) -> tuple[RunInProgress, Status | None]:
    """Return the run that ``checkpoint_tree`` wrote, and how it ended if it did.

    Args:
        mechanism: The bodies, constants folded in (``Mechanism.bound``).
        nodes: Nodes of the file, by key.
        max_steps: Most steps to try, in place of what the file says.
    """
    n = mechanism.n_state
    equations = equations_from_tree(mechanism, nodes["equations"])
    plan = plan_from_tree(nodes["plan"])
    if max_steps is not None:
        plan = replace(plan, max_steps=max_steps)
    events = None
    if nodes["events"].value is not None:
        events = events_from_tree(mechanism, equations, nodes["events"])
    start = checked_array(nodes["start"], (n,))
    run = RunInProgress(equations, start, accuracy_from_tree(nodes["accuracy"]), plan, events)
    happened = None
    if run.event_handler is not None:
        happened = _set_events(mechanism, run.event_handler, nodes["happened"])
    elif nodes["happened"].value is not None:
        raise nodes["happened"].must_be("null where there are no events")
    _set_rows(run, nodes["rows"], n)
    _set_control(run, nodes["control"].fields(KEPT, KEPT))
    if run.event_handler is not None and happened is not None:
        check_events(run, run.event_handler, happened)
    run.work.y[:n] = checked_array(nodes["y"], (n,))
    run.work.k[0, :n] = checked_array(nodes["derivative"], (n,))
    if plan.times is None and (run.rows.stored()[1][-1, :n] != run.work.y[:n]).any():
        raise nodes["y"].error("must be the last row")
    run.spent = checks.not_negative("spent", float(nodes["spent"].number()))
    if nodes["status"].value is None:
        return run, None
    status = status_from_tree(nodes["status"])
    if status.time != run.t:
        raise nodes["status"].error(f"must be of t = {run.t!r} s")
    return run, status


def _number(name: str, value: float) -> float | str:
    return value if field_type(name) == "i64" else number_tree(value)


def _set_rows(run: RunInProgress, node: Node, n: int) -> None:
    given = node.fields(("t", "y"), ("t", "y"))
    t = checked_array(given["t"], (None,))
    y = np.zeros((t.size, run.work.width))
    y[:, :n] = checked_array(given["y"], (t.size, n))
    check_rows(run, t, y[:, :n], given["t"])
    run.rows.restore(t, y)


def _set_control(run: RunInProgress, given: dict[str, Node]) -> None:
    control = run.work.control
    most = {"next_time": control.n_times, "next_break": control.n_breaks}
    numbers: dict[str, float] = {}
    for name in KEPT:
        if field_type(name) == "i64":
            numbers[name] = whole_number(given[name], 0, most.get(name))
            continue
        try:
            numbers[name] = number_from_tree(given[name].value)
        except ProgramError as error:
            raise given[name].error(str(error)) from None
    check_control(run, numbers, given)
    control.t = numbers["t"]
    run.work.goals.find()
    check_goals(run, numbers, given)
    for name in KEPT:
        setattr(control, name, numbers[name])


def _events_state_tree(event_handler: EventHandler, n: int) -> Tree:
    return {
        "occurrences": occurrences_tree(event_handler.occurrences, n),
        "counts": list(event_handler.counts),
        "switches": [list(pair) for pair in event_handler.switches],
        "last_time": number_tree(event_handler.last_time),
        "last_fired": list(event_handler.last_fired),
        "at_once": event_handler.at_once,
        "side": event_handler.side.copy(),
    }


def _set_events(mechanism: Mechanism, event_handler: EventHandler, node: Node) -> dict[str, Node]:
    given = node.fields((*_HAPPENED, "side"), (*_HAPPENED, "side"))
    n_events, n_laws = len(event_handler.events.actions), len(event_handler.events.laws)
    event_handler.occurrences = occurrences_from_tree(mechanism, given["occurrences"])
    counts = [whole_number(count, 0) for count in given["counts"].entries()]
    if len(counts) != n_events:
        raise given["counts"].error(f"must have one number for each of {n_events} events")
    event_handler.counts = counts
    for switch in given["switches"].entries():
        pair = switch.entries()
        if len(pair) != 2:
            raise switch.must_be("a row and a law")
        event_handler.switches.append(
            (whole_number(pair[0], 0), whole_number(pair[1], 0, n_laws - 1))
        )
    try:
        event_handler.last_time = number_from_tree(given["last_time"].value)
    except ProgramError as error:
        raise given["last_time"].error(str(error)) from None
    event_handler.last_fired = [
        whole_number(index, 0, n_events - 1) for index in given["last_fired"].entries()
    ]
    event_handler.at_once = whole_number(given["at_once"], 0)
    side = checked_array(given["side"], (n_events,))
    if not np.isin(side, (-1.0, 0.0, 1.0)).all():
        raise given["side"].error("must hold -1, 0 and 1")
    event_handler.restore(side)
    return given


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
    moving = slice(run.equations.ends[1])  # sampled states may change at the start
    first = t.size and t[0] == plan.start and (y[0, moving] == run.start[moving]).all()
    if plan.times is None and not first:
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
    for name in ("accepted", "rejected", "evaluations", "fixed_steps"):
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
    most = (numbers["fixed_steps"] + ROUNDING) * REACH * equal + ROUNDING * abs(t)
    least = (numbers["fixed_steps"] - 1.0 - ROUNDING) * equal - ROUNDING * abs(t)
    must("fixed_steps", least <= t - first <= most, "the steps since t_first")
