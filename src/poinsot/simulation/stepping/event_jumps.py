"""Events that the compiled loop handles itself, as LLVM IR text.

``@handle`` takes the subinterval in which ``event_detection.py`` found a crossing.  The usual case
is one crossing of one event, whose velocities after it a program gives or which is only recorded,
or an impact at contacts (``contact_bounce.py``): then the state jumps here, as
``running/event_handler.py`` says in Python, and the run goes on.  All else is left to Python: other
events that cross together, NaN, events that stop the run or change its law, crossings that follow
each other without time between them or right behind the start of a step, the end of the run.

What happened is recorded as rows [event, time, created energy, state before, state after], which
Python collects when the loop returns.
"""

from __future__ import annotations

from enum import IntEnum

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.laws.signals import GAP
from poinsot.simulation.stepping import contact_bounce, event_roots, vectors
from poinsot.simulation.stepping.control_writer import ControlWriter
from poinsot.simulation.stepping.event_detection import (
    CLOSE,
    EPSILON,
    LOOKS,
    SAME,
    TOGETHER,
    ZERO,
)
from poinsot.simulation.stepping.step_control import LEAST_ERROR

HOP = 1e-12
"""Height of a bounce up to which a barrier stays closed."""
CROSSINGS = 4096
"""Crossings in one step up to which subintervals of it are bisected."""
HEAD = 3
"""Numbers in a record before the states."""
ROWS = 2
"""Rows that a jump stores: the states before and after it."""


class Handled(IntEnum):
    """What ``@handle`` has done."""

    NOT = 0
    JUMPED = 1
    RESTS = 2
    RECORDED = 3
    CROWDED = 4


class Does(IntEnum):
    """What an event does, as far as the compiled loop knows."""

    MORE = 0
    JUMP = 1
    BOUNCE = 2
    RECORD = 3


def functions(layout: Layout) -> list[str]:
    """Return ``@handle`` and what it calls."""
    return [
        vectors.copy("go_there", "y", "x", layout),
        vectors.store_row("store_state", "y", layout),
        *event_roots.functions(layout),
        *contact_bounce.functions(layout),
        _velocities(layout),
        _has_room(layout),
        _record(layout),
        _restart(layout),
        _sides(layout),
        _rests(layout),
        _deed(layout),
        _instant(layout),
        _jump(layout),
        _pass(layout),
        _handle(layout),
    ]


def _handle(layout: Layout) -> str:
    """Return ``i64 @handle(c)``: a ``Handled``, of the crossing in the subinterval under search."""
    w = ControlWriter(layout)
    level, count = w.get("depth") - 1, w.get("n_events")
    w.enter_if(w.get("has_jumps").differs(0), "known", otherwise="python")
    left, right = w.get("g_left"), w.address(w.get("end_g"), level * count)
    does = w.ask("i64", "deed")
    w.leave_if(does.equals(int(Does.MORE)), "python", otherwise="simple")
    w.enter_if(w.ask("i1", "has_room"), "room", otherwise="crowded")
    near = TOGETHER * w.get("h") + (4.0 * EPSILON) * abs(w.get("t_new"))
    b, t = w.read(w.get("ends"), level), w.ask("double", "instant", near)
    number = w.get("first_hit")
    w.leave_if(does.equals(int(Does.RECORD)), "record", otherwise="jumps")
    gap, later = w.get("t_hit") - w.get("t"), w.get("t_hit") + 2.0 * near
    is_soon = (gap <= SAME * abs(t)) | (gap < CLOSE * w.get("h"))
    is_shared = (b < later) & (later < w.get("t_new"))
    is_late = t + (2.0 * GAP) * (1.0 + abs(t)) >= w.get("t_goal")
    w.leave_if(is_soon | is_shared | is_late, "python", otherwise="usual")
    scale = abs(w.read(left, number)).at_least(abs(w.read(right, number)))
    w.give(w.ask("i64", "jump", number, t, scale, does))
    w.block("record")
    w.do("pass_crossing", number, t)
    w.give(int(Handled.RECORDED))
    w.block("crowded")
    w.give(int(Handled.CROWDED))
    w.block("python")
    return w.returning(w.number(str(int(Handled.NOT))), "handle")


def _deed(layout: Layout) -> str:
    """Return ``i64 @deed(c)``: what all events that cross in the subinterval do, a ``Does``.

    Several may bounce together; else there is one.
    """
    w = ControlWriter(layout)
    count, right = (
        w.get("n_events"),
        w.address(w.get("end_g"), (w.get("depth") - 1) * w.get("n_events")),
    )
    hits, common = w.variable(0), w.variable(int(Does.RECORD))
    with w.count_up(0, count) as i:
        value = w.read(right, i)
        with w.when(value.is_nan()):
            w.give(int(Does.MORE))
            w.block("unreachable")
        with w.when(value * w.read(w.get("new_side"), i) < 0.0):
            asked = value * w.read(w.get("direction"), i) >= 0.0
            does = asked.choose(w.read(w.get("does"), i, "i64"), int(Does.MORE))
            is_first = hits.value.equals(0)
            agrees = does.equals(int(Does.BOUNCE)) & common.value.equals(int(Does.BOUNCE))
            together = agrees.choose(int(Does.BOUNCE), int(Does.MORE))
            common.value = is_first.choose(does, together)
            hits.value = hits.value + 1
    return w.returning(hits.value.equals(0).choose(int(Does.MORE), common.value), "deed")


def _instant(layout: Layout) -> str:
    """Return ``double @instant(c, near)``: when the first of the events happens.

    Others happen with it that are not later by ``near``; the instant is that of the last of them,
    ``fired`` tells which they are, ``first_hit`` the first by number and ``t_hit`` its time.
    """
    w = ControlWriter(layout)
    count, side = w.get("n_events"), w.get("new_side")
    level = w.get("depth") - 1
    a, b, right = (
        w.get("t_clear"),
        w.read(w.get("ends"), level),
        w.address(w.get("end_g"), level * count),
    )
    roots, fired, first = w.get("roots"), w.get("fired"), w.variable(b)
    with w.count_up(0, count) as i:
        w.write(float("inf"), roots, i)
        with w.when(w.read(right, i) * w.read(side, i) < 0.0):
            root = w.ask("double", "crossing", a, b, i, w.read(side, i))
            w.write(root, roots, i)
            first.value = root.at_most(first.value)
    limit, last, number = first.value + w.value("%near"), w.variable(first.value), w.variable(-1)
    with w.count_up(0, count) as i:
        root = w.read(roots, i)
        happens = root <= limit
        w.write(happens.to_whole(), fired, i, "i64")
        last.value = happens.choose(root.at_least(last.value), last.value)
        number.value = (happens & (number.value < 0)).choose(i, number.value)
    w.set("first_hit", number.value)
    w.set("t_hit", first.value)
    return w.returning(last.value, "instant", "double %near")


def _jump(layout: Layout) -> str:
    """Return ``i64 @jump(c, number, t, scale, does)``: the state jumps, the step ends there."""
    w = ControlWriter(layout)
    number, t, nq = w.number("%number"), w.value("%t"), w.get("nq")
    w.do("observe", t)
    w.enter_if(w.ask("i1", "velocities_after", number, w.number("%does")), "found", otherwise="no")
    value = abs(w.read(w.get("g"), number))
    with w.when(w.get("n_times") > 0):
        w.do("samples", t)
        w.do("observe", t)
    w.count("accepted")
    w.do("go_there")
    w.do("record_before", number, t)
    stored = w.get("count")
    last = w.read(w.get("row_t"), stored.equals(0).choose(0, stored - 1))
    with w.when(stored.equals(0) | (last < t)):
        w.do("store_state", t)
    w.set("pause", w.get("pause") - ROWS)  # memory is for a row per step
    w.copy(w.address(w.get("y"), nq), w.get("after"), w.get("nv"))
    w.do("store_state", t)
    w.do("record_after")
    w.do("restart", t)
    zero = (w.value("%scale") * ZERO).at_least(2.0 * value)
    w.do("find_sides", number, zero)
    rests = w.variable(0)
    with w.count_up(0, w.get("n_events")) as i, w.when(w.read(w.get("fired"), i, "i64").differs(0)):
        with w.when(i.differs(number)):
            w.do("record_state", i, t)
        rests.value = w.ask("i1", "rests", i).choose(1, rests.value)
    w.give(rests.value.differs(0).choose(int(Handled.RESTS), int(Handled.JUMPED)))
    w.block("no")
    arguments = "i64 %number", "double %t", "double %scale", "i64 %does"
    return w.returning(w.number(str(int(Handled.NOT))), "jump", *arguments)


def _pass(layout: Layout) -> str:
    """Return ``@pass_crossing(c, number, t)``: it is recorded, and the search goes on behind it."""
    w = ControlWriter(layout)
    number, t = w.number("%number"), w.value("%t")
    w.do("observe", t)
    w.do("record_state", number, t)
    level, count, side = w.get("depth") - 1, w.get("n_events"), w.get("new_side")
    right = w.address(w.get("end_g"), level * count)
    with w.loop("i", 0, count):
        old, now = w.read(side, "%i"), w.read(right, "%i")
        w.write((now > 0.0).choose(1.0, (now < 0.0).choose(-1.0, old)), side, "%i")
    w.set("t_clear", w.read(w.get("ends"), level))
    w.set("depth", level)
    w.count("crossings")
    w.set("looks", (w.get("crossings") < CROSSINGS).choose(0, LOOKS))
    return w.define("pass_crossing", "i64 %number", "double %t")


def _velocities(layout: Layout) -> str:
    """Return ``i1 @velocities_after(c, number, does)``: into ``after``; whether they are there."""
    w = ControlWriter(layout)
    number = w.number("%number")
    w.set("created", 0.0)
    w.leave_if(w.number("%does").equals(int(Does.BOUNCE)), "contact", otherwise="program")
    w.call(w.address(w.get("jumps"), number, "[3 x ptr]"))
    after = w.get("after")
    is_finite = w.value("%finite", "i1")
    with w.loop("i", 0, w.get("nv"), carry={"finite": ("i1", "1")}) as carried:
        entry = w.read(after, "%i")
        carried["finite"] = is_finite & (entry - entry).equals(0.0)
    w.give(is_finite)
    w.block("contact")
    result = w.ask("i1", "bounce")
    return w.returning(result, "velocities_after", "i64 %number", "i64 %does")


def _has_room(layout: Layout) -> str:
    """Return ``i1 @has_room(c)``: for a record, and for rows of it and of the steps to come."""
    w = ControlWriter(layout)
    tried = w.get("accepted") + w.get("rejected")
    is_timed = w.get("n_times") > 0
    steps = is_timed.choose(w.get("n_times") - w.get("next_time"), w.get("pause") - tried)
    rows = w.get("count") + steps + ROWS <= w.get("capacity")
    records = w.get("n_records") + w.get("n_events") <= w.get("most_records")
    return w.returning(rows & records, "has_room")


def _record(layout: Layout) -> str:
    """Return functions that record an event: its state before and after, or the same twice."""
    texts = []
    for name, source in (("record_before", "y"), ("record_state", "x")):
        w = ControlWriter(layout)
        n, row = w.get("n"), _row(w)
        w.write(w.number("%number").to_double(), row, 0)
        w.write(w.value("%t"), row, 1)
        w.write(w.get("created") if source == "y" else 0.0, row, 2)
        w.copy(w.address(row, HEAD), w.get(source), n)
        w.copy(w.address(row, n + HEAD), w.get(source), n)
        if source == "x":
            w.count("n_records")
        texts.append(w.define(name, "i64 %number", "double %t"))
    w = ControlWriter(layout)
    w.copy(w.address(_row(w), w.get("n") + HEAD), w.get("y"), w.get("n"))
    w.count("n_records")
    return "\n".join([*texts, w.define("record_after")])


def _row(w: ControlWriter) -> Value:
    """Return where the next record goes."""
    return w.address(w.get("records"), w.get("n_records") * (w.get("n") * 2 + HEAD))


def _restart(layout: Layout) -> str:
    """Return ``@restart(c, t)``: a step starts at a time from y; ``Workspace.restart``."""
    w = ControlWriter(layout)
    t = w.value("%t")
    w.set("t", t)
    for name in ("waiting", "has_dense", "just_rejected", "not_finite", "careful"):
        w.set(name, 0)
    w.set("last_error", LEAST_ERROR)
    w.set("clear", 0.0)
    w.set("clear_last", 0.0)
    w.set("t_left", float("nan"))
    w.do("start")
    w.set_time(t)
    w.do("derivative", 0)
    w.set("started", 1)
    return w.define("restart", "double %t")


def _sides(layout: Layout) -> str:
    """Return ``@find_sides(c, number, zero)``: those of all functions behind a jump.

    A function at zero is on the side to which it moves; the one that has crossed is there up to
    ``zero``, others if they are 0.  Barriers are above.
    """
    w = ControlWriter(layout)
    w.call(w.get("watch"))
    w.call(w.get("rate_table"))
    g, rate, side = w.get("g"), w.get("event_rates"), w.get("side")
    with w.loop("i", 0, w.get("n_events")):
        limit = w.number("%i").equals(w.number("%number")).choose(w.value("%zero"), 0.0)
        value = w.read(g, "%i")
        value = (abs(value) <= limit).choose(w.read(rate, "%i"), value)
        sign = (value > 0.0).choose(1.0, (value < 0.0).choose(-1.0, 0.0))
        is_barrier = w.read(w.get("barrier"), "%i", "i64").differs(0)
        w.write(is_barrier.choose(1.0, sign), side, "%i")
    return w.define("find_sides", "i64 %number", "double %zero")


def _rests(layout: Layout) -> str:
    """Return ``i1 @rests(c, number)``: whether a barrier is at zero, at rest and pressed."""
    w = ControlWriter(layout)
    number = w.number("%number")
    is_barrier = w.read(w.get("barrier"), number, "i64").differs(0)
    w.enter_if(is_barrier, "barrier", otherwise="free")
    w.call(w.get("second_table"))
    rate = w.read(w.get("event_rates"), number)
    second = w.read(w.get("event_seconds"), number)
    w.give((second < 0.0) & (rate * abs(rate) <= second * (-2.0 * HOP)))
    w.block("free")
    return w.returning(w.value("0", "i1"), "rests", "i64 %number")
