"""Event detection in the stepper, as LLVM IR text.

An event is a function of the state whose sign matters.  ``side`` holds the signs that count, 1 or
-1, or 0 where none is known yet.  A step is searched in subintervals, from its start to its end,
and undecided ones (``event_bounds.py``) are bisected.  Still to be searched are those from
``t_clear`` to the last of ``depth`` ends, from there to the one before it, and so on.
"""

from __future__ import annotations

from typing import Final

from poinsot.simulation.stepping import event_bounds
from poinsot.simulation.stepping.ir_value import Value
from poinsot.simulation.stepping.ir_writer import IrWriter, Layout

__all__ = ["CLOSE", "DEPTH", "SAME", "START", "ZERO", "functions"]

DEPTH: Final = 64
"""Most bisections of a step: shorter subintervals are below the resolution of doubles."""
ZERO = 1e-12
"""Part of the largest value in a step below which a function that has crossed zero is there."""
SAME = 1e-12
"""Relative time between events up to which they count as Zeno behaviour."""
CLOSE = 0.01
"""Part of a step from its start within which an event is located again, in a shorter step."""
START = 1e-13
"""Part of the duration, or of the time at the start if that is more, within which a function that
crosses zero is there at the start."""


def functions(n_dense: int, layout: Layout) -> list[str]:
    """Return the functions that the stepper needs for events.

    Args:
        n_dense: Coefficients of the polynomial of a step.
        layout: How vectors lie in registers.
    """
    bounds = event_bounds.functions(n_dense, layout)
    return [_observe(layout), *bounds, _begin(layout), _watch(layout)]


def _observe(layout: Layout) -> str:
    """Return ``@observe(c, time)``: the state in the step at a time into x, its events into g."""
    w = IrWriter(layout)
    time = w.value("%time")
    w.branch(time.equals(w.get("t")), "start", "later")
    w.block("start")
    w.do("start")
    w.set_time(time)
    w.go("evaluate")
    w.block("later")
    w.branch(time.equals(w.get("t_new")), "end", "between")
    w.block("end")
    w.do("take_end")
    w.set_time(time)
    w.go("evaluate")
    w.block("between")
    w.do("interpolate")
    w.do("sample", time)
    w.label("evaluate")
    w.call(w.get("watch"))
    return w.define("observe", "double %time")


def _begin(layout: Layout) -> str:
    """Return ``@begin_watch(c)``: all of the step is still to be searched."""
    w = IrWriter(layout)
    w.copy(w.get("new_side"), w.get("side"), w.get("n_events"))
    w.set("t_clear", w.get("t"))
    w.set("looks", 0)
    w.set("depth", 0)
    _push(w, w.get("t_new"))
    return w.define("begin_watch")


def _push(w: IrWriter, end: Value) -> None:
    """Write: push a subinterval that ends there."""
    depth = w.get("depth")
    w.write(end, w.get("ends"), depth)
    w.write("0", w.get("end_known"), depth, "i64")
    w.set("depth", depth + 1)


def _watch(layout: Layout) -> str:
    """Return ``i1 @watch(c)``: whether there is an event in the rest of the step.

    If so, it is in the subinterval from ``t_clear`` to the last of the ends; else sides are kept.
    """
    w = IrWriter(layout)
    w.label("next")
    depth = w.get("depth")
    w.branch(depth > 0, "look", "none")
    w.block("look")
    level = depth - 1
    a, b = w.get("t_clear"), w.read(w.get("ends"), level)
    verdict = w.ask("i64", "piece", a, b, level)
    w.branch(verdict.equals(event_bounds.CLEAR), "clear", "open")
    w.block("clear")
    w.set("t_clear", b)
    w.set("depth", level)
    w.go("next")
    w.block("open")
    w.branch(verdict.equals(event_bounds.CROSSED), "found", "halve")
    w.block("halve")
    _push(w, a + 0.5 * (b - a))
    w.count("looks")
    w.go("next")
    w.block("none")
    w.copy(w.get("side"), w.get("new_side"), w.get("n_events"))
    w.line("ret i1 0")
    w.block("found")
    return w.returning(w.value("1", "i1"), "watch")
