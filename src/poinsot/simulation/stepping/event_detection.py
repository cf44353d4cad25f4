"""Event detection in the stepper, as LLVM IR text.

An event is a function g of the state whose sign matters.  ``side`` holds the signs that count, 1 or
-1, or 0 where none is known yet.  A step is searched in subintervals, from its start to its end,
and undecided ones are bisected.  Still to be searched are those from ``t_clear`` to the last of
``depth`` ends, from there to the one before it, and so on.

On a subinterval [a, b] the polynomial of the step and its rate lie in balls (``expr/bounds.py``),
and so do the functions g of events and their rates.  There is no crossing where the ball of g
excludes zero, where g is monotonic with the same sign at both ends, and where it cannot fall to
zero and rise again in time: with rates from lo < 0 to hi > 0 and g positive, where
hi g(a) - lo g(b) + lo hi (b - a) > 0.  With a change of sign there is one crossing where g is
monotonic.
"""

from __future__ import annotations

import sys
from typing import Final

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping.control_writer import ControlWriter, VectorWriter
from poinsot.simulation.stepping.error_estimate import error_scale

DEPTH: Final = 64
"""Most bisections of a step: shorter subintervals are below the resolution of doubles."""
PLACES: Final = 8
"""A step is searched in at least so many subintervals, unless bounds exclude events there."""
LOOKS: Final = 4096
"""Most bisections between two crossings; beyond, subintervals are h / ``PLACES`` at least."""
CLEAR, CROSSED, UNCERTAIN = range(3)
"""Verdict on a subinterval."""
SHORTEST: Final = 2.0**-49
"""Part of the time below which a subinterval cannot be bisected."""
SLACK: Final = 10.0
"""Errors of a step by which projected states may be off its polynomial."""
ZERO = 1e-12
"""Part of the largest value in a step below which a function that has crossed zero is there."""
EPSILON = sys.float_info.epsilon
TOGETHER = 1e-10
"""Part of a step within which events are simultaneous."""
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
    search = _piece(layout), _box(n_dense, layout), _excluded(layout), _ends(layout)
    return [_observe(layout), *search, _judged(layout), _begin(layout), _watch(layout)]


def _observe(layout: Layout) -> str:
    """Return ``@observe(c, time)``: the state in the step at a time into x, its events into g."""
    w = ControlWriter(layout)
    time = w.value("%time")
    w.enter_if(time.equals(w.get("t")), "start", otherwise="later")
    w.do("start")
    w.set_time(time)
    w.go("evaluate")
    w.block("later")
    w.enter_if(time.equals(w.get("t_new")), "end", otherwise="between")
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
    w = ControlWriter(layout)
    w.copy(w.get("new_side"), w.get("side"), w.get("n_events"))
    w.set("t_clear", w.get("t"))
    w.set("looks", 0)
    w.set("crossings", 0)
    w.set("depth", 0)
    _push(w, w.get("t_new"))
    return w.define("begin_watch")


def _push(w: ControlWriter, end: Value) -> None:
    """Write: push a subinterval that ends there."""
    depth = w.get("depth")
    w.write(end, w.get("ends"), depth)
    w.write("0", w.get("end_known"), depth, "i64")
    w.set("depth", depth + 1)


def _watch(layout: Layout) -> str:
    """Return ``i1 @watch(c)``: whether there is an event in the rest of the step.

    If so, it is in the subinterval from ``t_clear`` to the last of the ends; else sides are kept.
    """
    w = ControlWriter(layout)
    w.label("next")
    depth = w.get("depth")
    w.enter_if(depth > 0, "look", otherwise="none")
    level = depth - 1
    a, b = w.get("t_clear"), w.read(w.get("ends"), level)
    verdict = w.ask("i64", "piece", a, b, level)
    w.enter_if(verdict.equals(CLEAR), "clear", otherwise="open")
    w.set("t_clear", b)
    w.set("depth", level)
    w.go("next")
    w.block("open")
    w.leave_if(verdict.equals(CROSSED), "found", otherwise="halve")
    _push(w, a + 0.5 * (b - a))
    w.count("looks")
    w.go("next")
    w.block("none")
    w.copy(w.get("side"), w.get("new_side"), w.get("n_events"))
    w.line("ret i1 0")
    w.block("found")
    return w.returning(w.value("1", "i1"), "watch")


def _piece(layout: Layout) -> str:
    """Return ``i64 @piece(c, a, b, level)``: verdict on a subinterval; ``level`` is its index."""
    w = ControlWriter(layout)
    table, a, b, level = w.get("bounds"), w.value("%a"), w.value("%b"), w.number("%level")
    w.enter_if(w.put(f"icmp ne ptr {table}, null"), "bounded", otherwise="points")
    w.do("box", a, b)
    w.call(table)
    w.leave_if(w.ask("i1", "excluded"), "clear", otherwise="rates")
    w.call(w.address(table, 1, "[3 x ptr]"))
    w.label("points")
    w.do("ends", a, b, level)
    verdict = w.ask("i64", "judged", b - a, level)
    w.enter_if(verdict.equals(CLEAR), "passed", otherwise="told")
    w.set("t_left", b)
    w.label("told")
    w.give(verdict)
    w.block("clear")
    return w.returning(w.number(str(CLEAR)), "piece", "double %a", "double %b", "i64 %level")


def _box(n_dense: int, layout: Layout) -> str:
    """Return ``@box(c, a, b)``: balls of the time, of the polynomial and of its rate on it.

    As in ``dense_output.py``, T = f[k] + u T with u = s or 1 - s, and D its derivative by s.
    """
    w = VectorWriter(layout)
    w.do("interpolate")
    t, h, y, box = w.get("t"), w.get("h"), w.get("y"), w.get("box")
    a, b = w.value("%a"), w.value("%b")
    first, last = ((end - t) / h for end in (a, b))
    middle = 0.5 * (first + last)
    radius = 0.5 * (last - first)
    w.set("t_mid", 0.5 * (a + b))
    w.set("t_rad", 0.5 * (b - a))
    moves = w.get("n_quaternions") + w.get("n_projections")
    slack = w.splat((moves > 0).choose(SLACK, 0.0))
    s, r = w.splat(middle), w.splat(1.0 - middle)
    width, rate = w.splat(radius), w.splat(1.0 / h)
    s_most, r_most = (factor + width for factor in (s, r))
    f = w.vectors(w.get("dense"), n_dense)
    goals = w.vectors(box, 4)
    scale = error_scale(w)

    def product(factor: Value, most: Value, mid: Value, rad: Value) -> tuple[Value, Value]:
        """Return factor times a ball, where factor has the radius ``width``."""
        spread = width * abs(mid)
        return factor * mid, spread + most * rad

    with w.over():
        zero = w.constant(0.0)
        T, T_rad, D, D_rad = w.load(f[-1]), zero, zero, zero
        for number in range(n_dense - 2, -1, -1):
            u, most = (s, s_most) if number % 2 else (r, r_most)
            slope, slope_rad = product(u, most, D, D_rad)
            D = slope + T if number % 2 else slope - T
            D_rad = slope_rad + T_rad
            T, T_rad = product(u, most, T, T_rad)
            T = w.load(f[number]) + T
        x, x_rad = product(s, s_most, T, T_rad)
        x = w.load(y) + x
        d, d_rad = product(s, s_most, D, D_rad)
        d, d_rad = d + T, d_rad + T_rad
        off = slack * scale(x, x)
        x_rad, d_rad = x_rad + off, d_rad + off
        w.store(x, goals[0])
        w.store(x_rad, goals[1])
        w.store(rate * d, goals[2])
        w.store(rate * d_rad, goals[3])
    return w.define("box", "double %a", "double %b")


def _excluded(layout: Layout) -> str:
    """Return ``i1 @excluded(c)``: whether no ball of an event holds zero, all on their sides."""
    w = ControlWriter(layout)
    side, bound, count = w.get("new_side"), w.get("bound"), w.get("n_events")
    radii = w.address(bound, count)
    every = w.value("%all", "i1")
    with w.loop("i", 0, count, carry={"all": ("i1", "1")}) as after:
        value = w.read(side, "%i") * w.read(bound, "%i")
        away = value > w.read(radii, "%i")
        after["all"] = every & away
    return w.returning(every, "excluded")


def _ends(layout: Layout) -> str:
    """Return ``@ends(c, a, b, level)``: events at the ends of a subinterval, if unknown."""
    w = ControlWriter(layout)
    a, b, level, count = w.value("%a"), w.value("%b"), w.number("%level"), w.get("n_events")
    w.leave_if(w.get("t_left").equals(a), "left.known", otherwise="left")
    w.do("observe", a)
    w.copy(w.get("g_left"), w.get("g"), count)
    w.set("t_left", a)
    w.label("left.known")
    known = w.address(w.get("end_known"), level, "i64")
    w.leave_if(w.put(f"load i64, ptr {known}").differs(0), "done", otherwise="right")
    w.do("observe", b)
    w.copy(w.address(w.get("end_g"), level * count), w.get("g"), count)
    w.line(f"store i64 1, ptr {known}")
    w.label("done")
    return w.define("ends", "double %a", "double %b", "i64 %level")


def _judged(layout: Layout) -> str:
    """Return ``i64 @judged(c, length, level)``: verdict on a subinterval.

    Without a crossing in the requested direction, sides become those at its end.
    """
    w = ControlWriter(layout)
    names = ("g_left", "new_side", "direction", "resolution", "bound", "n_events")
    left, side, direction, resolution, bound, count = (w.get(name) for name in names)
    length, level = w.value("%length"), w.number("%level")
    right = w.address(w.get("end_g"), level * count)
    balls = [w.address(bound, count * k) for k in range(4)]
    eighth = w.get("h") / float(PLACES)
    least = (abs(w.get("t")) + abs(w.get("t_new"))) * SHORTEST
    few = w.get("looks") < LOOKS
    is_open, hit = w.value("%open", "i1"), w.value("%hit", "i1")
    with w.loop("i", 0, count, carry={"open": ("i1", "0"), "hit": ("i1", "0")}) as after:
        s, ga, gb = (w.read(base, "%i") for base in (side, left, right))
        mid, rad, rate, rate_rad = (w.read(base, "%i") for base in balls)
        finest = few.choose(w.read(resolution, "%i").at_most(eighth), eighth)
        is_short = length <= finest.at_least(least)
        before, behind = s * ga, s * gb
        crossed = behind < 0.0
        slope = s * rate
        low, high = slope - rate_rad, slope + rate_rad
        turns = high * before - low * behind + (low * high) * length > 0.0
        is_decided = (abs(mid) > rad) | ((low >= 0.0) | (high <= 0.0))
        is_decided = (is_decided | (turns & ~crossed)) | s.equals(0.0)
        none = gb.is_nan()
        done = is_short | (is_decided & ~none)
        after["open"] = is_open | ~done
        asked = gb * w.read(direction, "%i") >= 0.0
        after["hit"] = hit | ((crossed & asked) | none)
    w.leave_if(is_open, "uncertain", otherwise="certain")
    w.leave_if(hit, "crossed", otherwise="clear")
    with w.loop("k", 0, count):
        old, now = w.read(side, "%k"), w.read(right, "%k")
        w.write((now > 0.0).choose(1.0, (now < 0.0).choose(-1.0, old)), side, "%k")
        w.write(now, left, "%k")
    w.give(CLEAR)
    w.block("crossed")
    w.give(CROSSED)
    w.block("uncertain")
    return w.returning(w.number(str(UNCERTAIN)), "judged", "double %length", "i64 %level")
