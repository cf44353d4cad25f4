"""The part of the stepper that watches for events, as LLVM IR text.

An event is a function of the state whose sign matters.  ``side`` holds the signs that count, 1 or
-1, or 0 where none is known yet; a step is looked at in some places between its ends.
"""

from __future__ import annotations

from poinsot.kernels.llvm.types import double
from poinsot.simulation.writer import Writer

PLACES = 8
"""Where events are looked for in a step: at its end, and at so many less one places before it."""


def functions(lanes: int) -> list[str]:
    """Return the functions that the stepper needs for events."""
    return [_observe(lanes), _crossed(lanes), _watch(lanes)]


def _observe(lanes: int) -> str:
    """Return ``@observe(c, time)``: the state in the step at a time into x, its events into g."""
    w = Writer(lanes)
    w.line("call fastcc void @interpolate(ptr %c)")
    w.branch(w.put(f"fcmp oeq double %time, {w.get('t_new')}"), "end", "between")
    w.block("end")
    w.line("call fastcc void @take_end(ptr %c)")
    w.set("t_stage", "%time")
    w.line("br label %evaluate")
    w.block("between")
    w.line("call fastcc void @sample(ptr %c, double %time)")
    w.label("evaluate")
    table = w.get("watch")
    parts = []
    for number in range(3):
        place = w.put(f"getelementptr ptr, ptr {table}, i64 {number}")
        parts.append(w.put(f"load ptr, ptr {place}"))
    w.line(f"call void {parts[0]}(ptr {parts[1]}, ptr {parts[2]})")
    w.line("ret void")
    return w.function("void @observe(ptr %c, double %time)")


def _crossed(lanes: int) -> str:
    """Return ``i1 @crossed(c)``: whether an event in g is on the other side than before.

    The other side counts in the direction that is asked for only, and what is no number counts.
    """
    w = Writer(lanes)
    g, side, direction, count = (w.get(name) for name in ("g", "new_side", "direction", "n_events"))
    w.label("begin")
    w.label("event")
    w.line("%i = phi i64 [ 0, %begin ], [ %next, %event ]")
    w.line("%found = phi i1 [ 0, %begin ], [ %any, %event ]")
    places = [w.put(f"getelementptr double, ptr {base}, i64 %i") for base in (g, side, direction)]
    value, old, way = (w.put(f"load double, ptr {place}") for place in places)
    back = w.put(f"fcmp olt double {w.binary('fmul', value, old)}, {double(0.0)}")
    asked = w.put(f"fcmp oge double {w.binary('fmul', value, way)}, {double(0.0)}")
    hit = w.put(f"and i1 {back}, {asked}")
    none = w.put(f"fcmp uno double {value}, {value}")
    w.line(f"%any = or i1 %found, {w.put(f'or i1 {hit}, {none}')}")
    below = w.put(f"fcmp olt double {value}, {double(0.0)}")
    above = w.put(f"fcmp ogt double {value}, {double(0.0)}")
    new = w.put(f"select i1 {below}, double {double(-1.0)}, double {old}")
    new = w.put(f"select i1 {above}, double {double(1.0)}, double {new}")
    w.line(f"store double {new}, ptr {places[1]}")
    w.line("%next = add i64 %i, 1")
    w.branch(w.put(f"icmp slt i64 %next, {count}"), "event", "done")
    w.block("done")
    w.line("ret i1 %any")
    return w.function("internal fastcc i1 @crossed(ptr %c)")


def _watch(lanes: int) -> str:
    """Return ``i1 @watch(c)``: whether an event happens in the step; if none, sides are kept."""
    w = Writer(lanes)
    size = w.put(f"shl i64 {w.get('n_events')}, 3")
    old, new = w.get("side"), w.get("new_side")
    w.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {new}, ptr {old}, i64 {size}, i1 0)")
    t, h, end = w.get("t"), w.get("h"), w.get("t_new")
    w.label("begin")
    w.label("look")
    w.line("%i = phi i64 [ 1, %begin ], [ %next, %more ]")
    part = w.binary("fdiv", w.put("sitofp i64 %i to double"), double(float(PLACES)))
    place = w.binary("fadd", t, w.binary("fmul", h, part))
    is_last = w.put(f"icmp eq i64 %i, {PLACES}")
    time = w.put(f"select i1 {is_last}, double {end}, double {place}")
    w.line(f"call void @observe(ptr %c, double {time})")
    w.branch(w.put("call fastcc i1 @crossed(ptr %c)"), "found", "more")
    w.block("more")
    w.line("%next = add i64 %i, 1")
    w.branch(w.put(f"icmp sle i64 %next, {PLACES}"), "look", "none")
    w.block("none")
    w.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {old}, ptr {new}, i64 {size}, i1 0)")
    w.line("ret i1 0")
    w.block("found")
    w.line("ret i1 1")
    return w.function("internal fastcc i1 @watch(ptr %c)")
