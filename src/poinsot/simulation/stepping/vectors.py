"""The vector operations of the integrator, as LLVM IR text.

Every function takes the control block; all vectors are reached from there.  Loops take one register
at a time, and vectors are padded to whole registers.
"""

from __future__ import annotations

from collections.abc import Callable

from poinsot.simulation.stepping.ir_writer import IrWriter, Row


def declarations(lanes: int) -> str:
    """Return the declarations of intrinsics that these functions need."""
    real, suffix = f"<{lanes} x double>", f"v{lanes}f64"
    return "\n".join(
        [
            f"declare {real} @llvm.fabs.{suffix}({real})",
            f"declare double @llvm.vector.reduce.fadd.{suffix}(double, {real})",
            "declare double @llvm.fabs.f64(double)",
            "declare double @llvm.sqrt.f64(double)",
            "declare double @pow(double, double)",
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        ]
    )


def error_scale(w: IrWriter) -> Callable[[str, str], str]:
    """Return a writer of atol + rtol max(|a|, |b|), the scale of errors [HNW, section II.4]."""
    rtol, atol = w.splat(w.get("rtol")), w.splat(w.get("atol"))
    real, bits = w.lanes.real, w.lanes.bit

    def scale(first: str, second: str) -> str:
        a, b = w.intrinsic("fabs", first), w.intrinsic("fabs", second)
        above = w.put(f"fcmp ogt {real} {a}, {b}")
        size = w.put(f"select {bits} {above}, {real} {a}, {real} {b}")
        return w.arithmetic("fadd", atol, w.arithmetic("fmul", rtol, size))

    return scale


def error_norm(number: int, lanes: int) -> str:
    """Return ``double @error(c)``: norm of k[number] as the error of the step from y to x.

    0 * x is added, which is NaN where x is not finite.
    """
    w = vector_writer(lanes)
    y, x, error = w.get("y"), w.get("x"), w.vector(w.get("k"), number)
    scale_of = error_scale(w)
    with w.over(sums=["e"]) as totals:
        now, then = w.load(y), w.load(x)
        e = w.arithmetic("fdiv", w.load(error), scale_of(now, then))
        total = w.arithmetic("fadd", "%e", w.arithmetic("fmul", e, e))
        watch = w.arithmetic("fmul", then, w.lanes.number(0.0))
        totals.append(w.arithmetic("fadd", total, watch))
    count = w.get("n").to_double()
    mean = w.value("%e.total") / count
    w.line(f"ret double {mean.sqrt()}")
    return w.function("internal fastcc double @error(ptr %c)")


def no_error(lanes: int) -> str:
    """Return ``double @error(c)`` of steps without an estimate: 0, NaN if x is not finite."""
    w = vector_writer(lanes)
    w.line(f"ret double {w.reduced(not_finite(w))}")
    return w.function("internal fastcc double @error(ptr %c)")


def shift_squares(w: IrWriter) -> str:
    """Write the sum over all entries of (p - x)², each scaled as errors are; return its lanes."""
    x, p = w.get("x"), w.get("p")
    rtol, atol = w.splat(w.get("rtol")), w.splat(w.get("atol"))
    with w.over(sums=["e"]) as totals:
        before, after = w.load(x), w.load(p)
        size = w.intrinsic("fabs", before)
        scale = w.arithmetic("fadd", atol, w.arithmetic("fmul", rtol, size))
        e = w.arithmetic("fdiv", w.arithmetic("fsub", after, before), scale)
        totals.append(w.arithmetic("fadd", "%e", w.arithmetic("fmul", e, e)))
    return totals[0]


def not_finite(w: IrWriter) -> str:
    """Write the sum over all entries of 0 x, NaN where x is not finite; return its lanes."""
    x = w.get("x")
    with w.over(sums=["e"]) as totals:
        watch = w.arithmetic("fmul", w.load(x), w.lanes.number(0.0))
        totals.append(w.arithmetic("fadd", "%e", watch))
    return totals[0]


def copy(name: str, goal: str, source: str, lanes: int) -> str:
    """Return ``@name(c)``: goal = source."""
    w = vector_writer(lanes)
    target, origin = w.get(goal), w.get(source)
    with w.over():
        w.store(w.load(origin), target)
    w.line("ret void")
    return w.function(f"internal fastcc void @{name}(ptr %c)")


def shift_derivative(number: int, lanes: int) -> str:
    """Return ``@shift(c)``: k[0] = derivative at the end of the step."""
    w = vector_writer(lanes)
    k = w.get("k")
    end = w.vector(k, number)
    with w.over():
        w.store(w.load(end), k)
    w.line("ret void")
    return w.function("internal fastcc void @shift(ptr %c)")


def store_row(name: str, source: str, lanes: int) -> str:
    """Return ``@name(c, time)``: a vector becomes a row."""
    w = vector_writer(lanes)
    state, row = w.get(source), _row(w)
    with w.over():
        w.store(w.load(state), row)
    w.count("count")
    w.line("ret void")
    return w.function(f"internal fastcc void @{name}(ptr %c, double %time)")


def polynomial(end: int, rows: tuple[Row, ...], lanes: int) -> str:
    """Return ``@polynomial(c)``: coefficients of the interpolating polynomial of a step.

    f0 = y1 - y0, f1 = h k0 - f0, f2 = f0 - h k1 - f1 and the rows of the integrator
    [HNW, section II.6].

    Args:
        end: Number of the derivative at the end, k1.
        rows: Combinations of the k, times h, that follow; none: the polynomial is a cubic.
        lanes: Doubles in a register.
    """
    w = vector_writer(lanes)
    y, z, h = w.get("y"), w.get("z"), w.splat(w.get("h"))
    base = w.get("dense")
    k = stages(w, {s: 0.0 for row in ({0: 0.0, end: 0.0}, *rows) for s in row})
    f = [w.vector(base, number) for number in range(3 + len(rows))]
    with w.over():
        f0 = w.arithmetic("fsub", w.load(z), w.load(y))
        f1 = w.arithmetic("fsub", w.arithmetic("fmul", h, w.load(k[0])), f0)
        rest = w.arithmetic("fsub", f0, w.arithmetic("fmul", h, w.load(k[end])))
        f2 = w.arithmetic("fsub", rest, f1)
        more = [w.arithmetic("fmul", h, w.combination(row, k)) for row in rows]
        for value, target in zip((f0, f1, f2, *more), f, strict=True):
            w.store(value, target)
    w.line("ret void")
    return w.function("internal fastcc void @polynomial(ptr %c)")


def sample(n_dense: int, lanes: int) -> str:
    """Return ``@sample(c, time)``: x = the polynomial at a time, projected onto the constraints.

    y0 + s (f0 + (1 - s) (f1 + s (f2 + (1 - s) (f3 + ...)))) with s = (time - t) / h.
    """
    w = vector_writer(lanes)
    y, x, base = w.get("y"), w.get("x"), w.get("dense")
    fraction = (w.value("%time") - w.get("t")) / w.get("h")
    s, r = w.splat(fraction), w.splat(1.0 - fraction)
    f = [w.vector(base, number) for number in range(n_dense)]
    with w.over():
        total = w.load(f[-1])
        for number in range(n_dense - 2, -1, -1):
            factor = s if number % 2 else r
            total = w.arithmetic("fadd", w.load(f[number]), w.arithmetic("fmul", factor, total))
        w.store(w.arithmetic("fadd", w.load(y), w.arithmetic("fmul", s, total)), x)
    w.set("t_stage", "%time")
    w.line("call fastcc void @project(ptr %c)")
    w.line("ret void")
    return w.function("internal fastcc void @sample(ptr %c, double %time)")


def _row(w: IrWriter) -> str:
    """Store ``%time`` of the next row; return where its state goes."""
    count = w.get("count")
    address = w.put(f"getelementptr double, ptr {w.get('row_t')}, i64 {count}")
    w.line(f"store double %time, ptr {address}")
    offset = w.put(f"mul i64 {count}, %width")
    return w.put(f"getelementptr double, ptr {w.get('row_y')}, i64 {offset}")


def stages(w: IrWriter, row: Row) -> dict[int, str]:
    """Return where the derivatives of the stages in ``row`` are."""
    k = w.get("k")
    return {s: w.vector(k, s) for s in sorted(row)}


def vector_writer(lanes: int) -> IrWriter:
    """Return a writer with the length of vectors in ``%width``."""
    w = IrWriter(lanes)
    w.line(f"%width = bitcast i64 {w.get('width')} to i64")
    return w
