"""When a function of an event crosses zero in a pending step, as LLVM IR text.

The same operations as in ``root_finding.py``, which says what they are.
"""

from __future__ import annotations

import sys

from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping.control_writer import ControlWriter
from poinsot.simulation.stepping.root_finding import HALVINGS, MOST


def functions(layout: Layout) -> list[str]:
    """Return ``@crossing`` and what it calls."""
    return [_value(layout), _root(layout), _crossing(layout)]


def _value(layout: Layout) -> str:
    """Return ``double @value(c, time, number, side)``: a function, positive on its side."""
    w = ControlWriter(layout)
    w.do("observe", w.value("%time"))
    result = w.value("%side") * w.read(w.get("g"), "%number")
    return w.returning(result, "value", "double %time", "i64 %number", "double %side")


def _root(layout: Layout) -> str:
    """Return ``double @root(c, a, b, number, side)``: where it changes its sign between a and b."""
    w = ControlWriter(layout)
    number, side = w.number("%number"), w.value("%side")
    ends = [w.variable(w.value(name)) for name in ("%a", "%b")]
    values = [w.variable(w.ask("double", "value", end.value, number, side)) for end in ends]
    sizes = [w.variable(abs(value.value)) for value in values]
    slow, stays, exact = w.variable(0), w.variable(0), w.variable(ends[0].value)
    (a, b), (fa, fb), (at_a, at_b) = ends, values, sizes
    with w.loop("turn", 0, MOST):
        width = abs(b.value - a.value)
        least = abs(a.value).at_least(abs(b.value)) * (2.0 * sys.float_info.epsilon)
        w.leave_if(width <= least * 2.0, "nearest", otherwise="wide")
        rise = fb.value - fa.value
        is_straight = (slow.value < 2) & rise.differs(0.0) & (rise - rise).equals(0.0)
        chord = (a.value * fb.value - b.value * fa.value) / rise
        c = is_straight.choose(chord, a.value + 0.5 * (b.value - a.value))
        low, high = a.value.at_most(b.value) + least, a.value.at_least(b.value) - least
        c = c.at_least(low).at_most(high)
        fc = w.ask("double", "value", c, number, side)
        exact.value = c
        w.leave_if(fc.equals(0.0), "zero", otherwise="apart")
        is_right = w.put(f"xor i1 {fc > 0.0}, {fa.value > 0.0}")
        is_left = ~is_right
        for is_same, near, far, mark in (
            (is_left, (a, fa, at_a), fb, 1),
            (is_right, (b, fb, at_b), fa, -1),
        ):
            with w.when(is_same):
                far.value = stays.value.equals(mark).choose(0.5 * far.value, far.value)
                for variable, value in zip(near, (c, fc, abs(fc)), strict=True):
                    variable.value = value
                stays.value = mark
        is_slow = abs(b.value - a.value) > 0.5 * width
        slow.value = is_slow.choose(slow.value + 1, 0)
    w.label("nearest")
    w.give((at_a.value <= at_b.value).choose(a.value, b.value))
    w.block("zero")
    arguments = "double %a", "double %b", "i64 %number", "double %side"
    return w.returning(exact.value, "root", *arguments)


def _crossing(layout: Layout) -> str:
    """Return ``double @crossing(c, left, right, number, side)``.

    Where a function falls below zero that is negative at ``right``.
    """
    w = ControlWriter(layout)
    left, right, number, side = (
        w.value("%left"), w.value("%right"), w.number("%number"), w.value("%side"),
    )  # fmt: skip
    start, fraction = w.variable(left), w.variable(w.value("1.0"))
    with w.loop("halving", 1, HALVINGS):
        is_above = w.ask("double", "value", start.value, number, side) > 0.0
        with w.when(is_above):
            w.give(w.ask("double", "root", start.value, right, number, side))
            w.block("unreachable")
        fraction.value = fraction.value * 0.5
        start.value = left + (right - left) * fraction.value
        w.leave_if(start.value.equals(left), "none", otherwise="again")
    w.label("none")
    arguments = "double %left", "double %right", "i64 %number", "double %side"
    return w.returning(left, "crossing", *arguments)
