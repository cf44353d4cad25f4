"""Bounds that exclude or isolate events on subintervals of a step, as LLVM IR text.

On a subinterval [a, b] the polynomial of the step and its rate lie in balls (``expr/bounds.py``),
and so do the functions g of events and their rates.  There is no crossing where the ball of g
excludes zero, where g is monotonic with the same sign at both ends, and where it cannot fall to
zero and rise again in time: with rates from lo < 0 to hi > 0 and g positive, where
hi g(a) - lo g(b) + lo hi (b - a) > 0.  With a change of sign there is one crossing where g is
monotonic.
"""

from __future__ import annotations

from typing import Final

from poinsot.kernels.llvm.types import double
from poinsot.simulation.stepping import vectors
from poinsot.simulation.stepping.ir_value import Value
from poinsot.simulation.stepping.ir_writer import IrWriter

__all__ = ["CLEAR", "CROSSED", "LOOKS", "PLACES", "UNCERTAIN", "functions"]

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


def functions(n_dense: int, lanes: int) -> list[str]:
    """Return the functions that search subintervals of a step.

    Args:
        n_dense: Coefficients of the polynomial.
        lanes: Doubles in a register.
    """
    return [_box(n_dense, lanes), _excluded(lanes), _ends(lanes), _judged(lanes), _piece(lanes)]


def _box(n_dense: int, lanes: int) -> str:
    """Return ``@box(c, a, b)``: balls of the time, of the polynomial and of its rate on it.

    As in ``vectors.sample``, T = f[k] + u T with u = s or 1 - s, and D its derivative by s.
    """
    w = vectors.vector_writer(lanes)
    w.line("call fastcc void @interpolate(ptr %c)")
    t, h, y, box = w.get("t"), w.get("h"), w.get("y"), w.get("box")
    a, b = w.value("%a"), w.value("%b")
    first, last = ((end - t) / h for end in (a, b))
    middle = 0.5 * (first + last)
    radius = 0.5 * (last - first)
    w.set("t_mid", 0.5 * (a + b))
    w.set("t_rad", 0.5 * (b - a))
    moves = w.get("n_quaternions") + w.get("n_projections")
    beside = moves > 0
    slack = w.splat(beside.choose(w.value(double(SLACK)), 0.0))
    s, r = w.splat(middle), w.splat(1.0 - middle)
    width, rate = w.splat(radius), w.splat(1.0 / h)
    s_most, r_most = (w.arithmetic("fadd", factor, width) for factor in (s, r))
    f = [w.vector(w.get("dense"), number) for number in range(n_dense)]
    goals = [w.vector(box, number) for number in range(4)]
    scale_of = vectors.error_scale(w)

    def product(factor: str, most: str, mid: str, rad: str) -> tuple[Value, Value]:
        """Return factor times a ball, where factor has the radius ``width``."""
        spread = w.arithmetic("fmul", width, w.intrinsic("fabs", mid))
        return w.arithmetic("fmul", factor, mid), w.arithmetic(
            "fadd", spread, w.arithmetic("fmul", most, rad)
        )

    with w.over():
        zero = w.value(w.lanes.number(0.0), w.lanes.real)
        T, T_rad, D, D_rad = w.load(f[-1]), zero, zero, zero
        for number in range(n_dense - 2, -1, -1):
            u, most = (s, s_most) if number % 2 else (r, r_most)
            slope, slope_rad = product(u, most, D, D_rad)
            D = w.arithmetic("fadd" if number % 2 else "fsub", slope, T)
            D_rad = w.arithmetic("fadd", slope_rad, T_rad)
            T, T_rad = product(u, most, T, T_rad)
            T = w.arithmetic("fadd", w.load(f[number]), T)
        x, x_rad = product(s, s_most, T, T_rad)
        x = w.arithmetic("fadd", w.load(y), x)
        d, d_rad = product(s, s_most, D, D_rad)
        d, d_rad = w.arithmetic("fadd", d, T), w.arithmetic("fadd", d_rad, T_rad)
        off = w.arithmetic("fmul", slack, scale_of(x, x))
        x_rad, d_rad = w.arithmetic("fadd", x_rad, off), w.arithmetic("fadd", d_rad, off)
        for value, target in zip((x, x_rad), goals[:2], strict=True):
            w.store(value, target)
        for value, target in zip((d, d_rad), goals[2:], strict=True):
            w.store(w.arithmetic("fmul", rate, value), target)
    w.line("ret void")
    return w.function("internal fastcc void @box(ptr %c, double %a, double %b)")


def _excluded(lanes: int) -> str:
    """Return ``i1 @excluded(c)``: whether no ball of an event holds zero, all on their sides."""
    w = IrWriter(lanes)
    side, bound, count = w.get("new_side"), w.get("bound"), w.get("n_events")
    radii = w.address(bound, count)
    with w.loop("i", "0", count, carry={"all": ("i1", "1")}) as after:
        value = w.read(side, "%i") * w.read(bound, "%i")
        away = value > w.read(radii, "%i")
        after["all"] = w.put(f"and i1 %all, {away}")
    w.line("ret i1 %all")
    return w.function("internal fastcc i1 @excluded(ptr %c)")


def _ends(lanes: int) -> str:
    """Return ``@ends(c, a, b, level)``: events at the ends of a subinterval, if unknown."""
    w = IrWriter(lanes)
    count = w.get("n_events")
    size = w.put(f"shl i64 {count}, 3")
    w.branch(w.put(f"fcmp oeq double {w.get('t_left')}, %a"), "left.known", "left")
    w.block("left")
    w.line("call void @observe(ptr %c, double %a)")
    g, left = w.get("g"), w.get("g_left")
    w.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {left}, ptr {g}, i64 {size}, i1 0)")
    w.set("t_left", "%a")
    w.label("left.known")
    is_known = w.put(f"getelementptr i64, ptr {w.get('end_known')}, i64 %level")
    w.branch(w.put(f"load i64, ptr {is_known}").differs(0), "done", "right")
    w.block("right")
    w.line("call void @observe(ptr %c, double %b)")
    goal = w.address(w.get("end_g"), w.put(f"mul i64 %level, {count}"))
    w.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {goal}, ptr {w.get('g')}, i64 {size}, i1 0)")
    w.line(f"store i64 1, ptr {is_known}")
    w.label("done")
    w.line("ret void")
    return w.function("internal fastcc void @ends(ptr %c, double %a, double %b, i64 %level)")


def _judged(lanes: int) -> str:
    """Return ``i64 @judged(c, length, level)``: verdict on a subinterval.

    Without a crossing in the requested direction, sides become those at its end.
    """
    w = IrWriter(lanes)
    names = ("g_left", "new_side", "direction", "resolution", "bound", "n_events")
    left, side, direction, resolution, bound, count = (w.get(name) for name in names)
    right = w.address(w.get("end_g"), w.put(f"mul i64 %level, {count}"))
    balls = [w.address(bound, (count * k)) for k in range(4)]
    eighth = w.get("h") / float(PLACES)
    times = [abs(w.get(name)) for name in ("t", "t_new")]
    least = (times[0] + times[1]) * SHORTEST
    few = w.get("looks") < LOOKS
    with w.loop("i", "0", count, carry={"open": ("i1", "0"), "hit": ("i1", "0")}) as after:
        s, ga, gb = (w.read(base, "%i") for base in (side, left, right))
        mid, rad, rate, rate_rad = (w.read(base, "%i") for base in balls)
        wanted = w.read(resolution, "%i").at_most(eighth)
        finest = few.choose(wanted, eighth)
        is_short = w.value("%length") <= finest.at_least(least)
        before, after_it = (s * ga), (s * gb)
        crossed = after_it < 0.0
        slope = s * rate
        low, high = slope - rate_rad, slope + rate_rad
        turns = _turns(w, before, after_it, low, high)
        size = abs(mid)
        is_decided = size > rad
        is_decided = w.put(f"or i1 {is_decided}, {_one_way(w, low, high)}")
        no_turn = turns & w.put(f"xor i1 {crossed}, 1")
        is_decided = w.put(f"or i1 {is_decided}, {no_turn}")
        none = w.put(f"fcmp uno double {gb}, {gb}")
        number = w.put(f"xor i1 {none}, 1")
        undecided = w.put(f"fcmp oeq double {s}, {double(0.0)}")
        is_decided = w.put(f"or i1 {is_decided}, {undecided}")
        done = w.put(f"or i1 {is_short}, {w.put(f'and i1 {is_decided}, {number}')}")
        after["open"] = w.put(f"or i1 %open, {w.put(f'xor i1 {done}, 1')}")
        way = gb * w.read(direction, "%i")
        asked = way >= 0.0
        is_hit = crossed & asked
        after["hit"] = w.put(f"or i1 %hit, {w.put(f'or i1 {is_hit}, {none}')}")
    w.branch("%open", "uncertain", "certain")
    w.block("certain")
    w.branch("%hit", "crossed", "clear")
    w.block("clear")
    with w.loop("k", "0", count):
        old, now = w.read(side, "%k"), w.read(right, "%k")
        below = now < 0.0
        above = now > 0.0
        new = below.choose(-1.0, old)
        w.write(above.choose(1.0, new), side, "%k")
        w.write(now, left, "%k")
    w.line(f"ret i64 {CLEAR}")
    for name, value in (("crossed", CROSSED), ("uncertain", UNCERTAIN)):
        w.block(name)
        w.line(f"ret i64 {value}")
    return w.function("internal fastcc i64 @judged(ptr %c, double %length, i64 %level)")


def _one_way(w: IrWriter, low: Value, high: Value) -> Value:
    """Return whether a function with rates between these only rises, or only falls."""
    rises = low >= 0.0
    return w.put(f"or i1 {rises}, {high <= 0.0}")


def _turns(w: IrWriter, before: Value, after: Value, low: Value, high: Value) -> Value:
    """Return whether a positive function turns back before zero: see the head of this file."""
    fall = (low * high) * w.value("%length")
    ends = (high * before) - (low * after)
    return (ends + fall) > 0.0


def _piece(lanes: int) -> str:
    """Return ``i64 @piece(c, a, b, level)``: verdict on a subinterval; ``level`` is its index."""
    w = IrWriter(lanes)
    table = w.get("bounds")
    w.branch(w.put(f"icmp ne ptr {table}, null"), "bounded", "points")
    w.block("bounded")
    w.line("call fastcc void @box(ptr %c, double %a, double %b)")
    w.call(table)
    w.branch(w.put("call fastcc i1 @excluded(ptr %c)"), "clear", "rates")
    w.block("rates")
    w.call(w.put(f"getelementptr [3 x ptr], ptr {table}, i64 1"))
    w.label("points")
    w.line("call fastcc void @ends(ptr %c, double %a, double %b, i64 %level)")
    length = w.value("%b") - w.value("%a")
    verdict = w.put(f"call fastcc i64 @judged(ptr %c, double {length}, i64 %level)")
    w.branch(verdict.equals(CLEAR), "passed", "told")
    w.block("passed")
    w.set("t_left", "%b")
    w.label("told")
    w.line(f"ret i64 {verdict}")
    w.block("clear")
    w.line(f"ret i64 {CLEAR}")
    return w.function("internal fastcc i64 @piece(ptr %c, double %a, double %b, i64 %level)")
