"""Event detection in the stepper, as LLVM IR text.

An event is a function of the state whose sign matters.  ``side`` holds the signs that count, 1 or
-1, or 0 where none is known yet.  A step is searched in subintervals, from its start to its end,
and undecided ones (``event_bounds.py``) are bisected.  Still to be searched are those from
``t_clear`` to the last of ``depth`` ends, from there to the one before it, and so on.
"""

from __future__ import annotations

from typing import Final

from poinsot.simulation.stepping import event_bounds
from poinsot.simulation.stepping.ir_writer import IrWriter

__all__ = ["DEPTH", "functions"]

DEPTH: Final = 64
"""Most bisections of a step: shorter subintervals are below the resolution of doubles."""


def functions(n_dense: int, lanes: int) -> list[str]:
    """Return the functions that the stepper needs for events.

    Args:
        n_dense: Coefficients of the polynomial of a step.
        lanes: Doubles in a register.
    """
    return [_observe(lanes), *event_bounds.functions(n_dense, lanes), _begin(lanes), _watch(lanes)]


def _observe(lanes: int) -> str:
    """Return ``@observe(c, time)``: the state in the step at a time into x, its events into g."""
    w = IrWriter(lanes)
    w.branch(w.put(f"fcmp oeq double %time, {w.get('t')}"), "start", "later")
    w.block("start")
    w.line("call fastcc void @start(ptr %c)")
    w.set("t_stage", "%time")
    w.line("br label %evaluate")
    w.block("later")
    w.branch(w.put(f"fcmp oeq double %time, {w.get('t_new')}"), "end", "between")
    w.block("end")
    w.line("call fastcc void @take_end(ptr %c)")
    w.set("t_stage", "%time")
    w.line("br label %evaluate")
    w.block("between")
    w.line("call fastcc void @interpolate(ptr %c)")
    w.line("call fastcc void @sample(ptr %c, double %time)")
    w.label("evaluate")
    w.call(w.get("watch"))
    w.line("ret void")
    return w.function("void @observe(ptr %c, double %time)")


def _begin(lanes: int) -> str:
    """Return ``@begin_watch(c)``: all of the step is still to be searched."""
    w = IrWriter(lanes)
    size = w.put(f"shl i64 {w.get('n_events')}, 3")
    old, new = w.get("side"), w.get("new_side")
    w.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {new}, ptr {old}, i64 {size}, i1 0)")
    w.set("t_clear", w.get("t"))
    w.set("looks", "0")
    w.set("depth", "0")
    _push(w, w.get("t_new"))
    w.line("ret void")
    return w.function("internal fastcc void @begin_watch(ptr %c)")


def _push(w: IrWriter, end: str) -> None:
    """Write: push a subinterval that ends there."""
    depth = w.get("depth")
    w.write(end, w.get("ends"), depth)
    is_known = w.put(f"getelementptr i64, ptr {w.get('end_known')}, i64 {depth}")
    w.line(f"store i64 0, ptr {is_known}")
    w.set("depth", depth + 1)


def _watch(lanes: int) -> str:
    """Return ``i1 @watch(c)``: whether there is an event in the rest of the step.

    If so, it is in the subinterval from ``t_clear`` to the last of the ends; else sides are kept.
    """
    w = IrWriter(lanes)
    w.label("next")
    depth = w.get("depth")
    w.branch(depth > 0, "look", "none")
    w.block("look")
    level = depth - 1
    a, b = w.get("t_clear"), w.read(w.get("ends"), level)
    verdict = w.put(f"call fastcc i64 @piece(ptr %c, double {a}, double {b}, i64 {level})")
    w.branch(verdict.equals(event_bounds.CLEAR), "clear", "open")
    w.block("clear")
    w.set("t_clear", b)
    w.set("depth", level)
    w.line("br label %next")
    w.block("open")
    w.branch(verdict.equals(event_bounds.CROSSED), "found", "halve")
    w.block("halve")
    length = b - a
    _push(w, (a + (0.5 * length)))
    w.count("looks")
    w.line("br label %next")
    w.block("none")
    size = w.put(f"shl i64 {w.get('n_events')}, 3")
    old, new = w.get("side"), w.get("new_side")
    w.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {old}, ptr {new}, i64 {size}, i1 0)")
    w.line("ret i1 0")
    w.block("found")
    w.line("ret i1 1")
    return w.function("internal fastcc i1 @watch(ptr %c)")
