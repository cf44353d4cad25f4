"""The parts of the integrator that work on vectors, as LLVM IR text.

Every function takes the control block; all vectors are reached from there.  Loops take one register
at a time, and vectors are padded to whole registers.
"""

from __future__ import annotations

from poinsot.kernels.llvm.types import double
from poinsot.simulate.tableau import Row, Tableau
from poinsot.simulate.writer import Writer


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


def stage_argument(name: str, row: Row, lanes: int) -> str:
    """Return ``@name(c)``: x = y + h sum of row[s] k[s]."""
    w = _vector_writer(lanes)
    y, x, h = w.get("y"), w.get("x"), w.get("h")
    stages = _stages(w, row)
    step = w.splat(h)
    with w.over():
        total = w.combination(row, stages)
        w.store(w.arithmetic("fadd", w.load(y), w.arithmetic("fmul", step, total)), x)
    w.line("ret void")
    return w.function(f"internal fastcc void @{name}(ptr %c)")


def error_norm(tableau: Tableau, lanes: int) -> str:
    """Return ``double @error(c)``: norm of the error of the step from y to x, 1 at the limit.

    The scale of entry i is atol + rtol max(|y|, |x|) [HNW, section II.4].
    0 * x is added, which is NaN where x is not finite.
    """
    w = _vector_writer(lanes)
    y, x, h, n = w.get("y"), w.get("x"), w.get("h"), w.get("n")
    rtol, atol = w.splat(w.get("rtol")), w.splat(w.get("atol"))
    stages = _stages(w, {s: 0.0 for row in tableau.errors for s in row})
    names = [f"e{number}" for number in range(len(tableau.errors))]
    real, bits = w.lanes.real, w.lanes.bit
    with w.over(sums=names) as totals:
        now, then = w.load(y), w.load(x)
        a, b = w.intrinsic("fabs", now), w.intrinsic("fabs", then)
        above = w.put(f"fcmp ogt {real} {a}, {b}")
        size = w.put(f"select {bits} {above}, {real} {a}, {real} {b}")
        scale = w.arithmetic("fadd", atol, w.arithmetic("fmul", rtol, size))
        watch = w.arithmetic("fmul", then, w.lanes.number(0.0))
        for name, row in zip(names, tableau.errors, strict=True):
            e = w.arithmetic("fdiv", w.combination(row, stages), scale)
            total = w.arithmetic("fadd", f"%{name}", w.arithmetic("fmul", e, e))
            totals.append(w.arithmetic("fadd", total, watch))
    count = w.put(f"sitofp i64 {n} to double")
    w.line(f"ret double {_norm(w, names, h, count)}")
    return w.function("internal fastcc double @error(ptr %c)")


def _norm(w: Writer, names: list[str], h: str, count: str) -> str:
    if len(names) == 1:
        mean = w.binary("fdiv", f"%{names[0]}.total", count)
        return w.binary("fmul", h, w.put(f"call double @llvm.sqrt.f64(double {mean})"))
    fifth, third = (f"%{name}.total" for name in names)
    both = w.binary("fadd", fifth, w.binary("fmul", third, double(0.01)))
    # Without any error it is 0 / 1 in place of 0 / 0.
    both = w.put(f"select i1 {w.put(f'fcmp oeq double {both}, 0.0')}, double 1.0, double {both}")
    root = w.put(f"call double @llvm.sqrt.f64(double {w.binary('fmul', both, count)})")
    return w.binary("fmul", h, w.binary("fdiv", fifth, root))


def shift_norm(lanes: int) -> str:
    """Return ``double @shift_size(c)``: norm of p - x, scaled as errors are."""
    w = _vector_writer(lanes)
    x, p, n = w.get("x"), w.get("p"), w.get("n")
    rtol, atol = w.splat(w.get("rtol")), w.splat(w.get("atol"))
    with w.over(sums=["e"]) as totals:
        before, after = w.load(x), w.load(p)
        size = w.intrinsic("fabs", before)
        scale = w.arithmetic("fadd", atol, w.arithmetic("fmul", rtol, size))
        e = w.arithmetic("fdiv", w.arithmetic("fsub", after, before), scale)
        totals.append(w.arithmetic("fadd", "%e", w.arithmetic("fmul", e, e)))
    count = w.put(f"sitofp i64 {n} to double")
    mean = w.binary("fdiv", "%e.total", count)
    w.line(f"ret double {w.put(f'call double @llvm.sqrt.f64(double {mean})')}")
    return w.function("internal fastcc double @shift_size(ptr %c)")


def copy(name: str, goal: str, source: str, lanes: int) -> str:
    """Return ``@name(c)``: goal = source."""
    w = _vector_writer(lanes)
    to, of = w.get(goal), w.get(source)
    with w.over():
        w.store(w.load(of), to)
    w.line("ret void")
    return w.function(f"internal fastcc void @{name}(ptr %c)")


def shift_derivative(tableau: Tableau, lanes: int) -> str:
    """Return ``@shift(c)``: k[0] = derivative at the end of the step."""
    w = _vector_writer(lanes)
    k = w.get("k")
    end = w.vector(k, tableau.n_stages)
    with w.over():
        w.store(w.load(end), k)
    w.line("ret void")
    return w.function("internal fastcc void @shift(ptr %c)")


def store_row(lanes: int) -> str:
    """Return ``@store_row(c)``: the end of the step becomes a row."""
    w = _vector_writer(lanes)
    end, row = w.get("z"), _row(w)
    with w.over():
        w.store(w.load(end), row)
    w.count("count")
    w.line("ret void")
    return w.function("internal fastcc void @store_row(ptr %c, double %time)")


def polynomial(tableau: Tableau, lanes: int) -> str:
    """Return ``@polynomial(c)``: coefficients of the interpolating polynomial of a step.

    f0 = y1 - y0, f1 = h k0 - f0, f2 = f0 - h k1 - f1 and the rows of the method
    [HNW, section II.6].
    """
    w = _vector_writer(lanes)
    y, z, h = w.get("y"), w.get("z"), w.splat(w.get("h"))
    end, base = tableau.n_stages, w.get("dense")
    stages = _stages(w, {s: 0.0 for row in ({0: 0.0, end: 0.0}, *tableau.dense) for s in row})
    f = [w.vector(base, number) for number in range(tableau.n_dense)]
    with w.over():
        f0 = w.arithmetic("fsub", w.load(z), w.load(y))
        f1 = w.arithmetic("fsub", w.arithmetic("fmul", h, w.load(stages[0])), f0)
        rest = w.arithmetic("fsub", f0, w.arithmetic("fmul", h, w.load(stages[end])))
        f2 = w.arithmetic("fsub", rest, f1)
        more = [w.arithmetic("fmul", h, w.combination(row, stages)) for row in tableau.dense]
        for value, place in zip((f0, f1, f2, *more), f, strict=True):
            w.store(value, place)
    w.line("ret void")
    return w.function("internal fastcc void @polynomial(ptr %c)")


def sample_row(tableau: Tableau, lanes: int) -> str:
    """Return ``ptr @sample_row(c, time)``: the polynomial at a time becomes a row.

    y0 + s (f0 + (1 - s) (f1 + s (f2 + (1 - s) (f3 + ...)))) with s = (time - t) / h.
    """
    w = _vector_writer(lanes)
    y, base, row = w.get("y"), w.get("dense"), _row(w)
    part = w.binary("fdiv", w.binary("fsub", "%time", w.get("t")), w.get("h"))
    s, r = w.splat(part), w.splat(w.binary("fsub", double(1.0), part))
    f = [w.vector(base, number) for number in range(tableau.n_dense)]
    with w.over():
        total = w.load(f[-1])
        for number in range(tableau.n_dense - 2, -1, -1):
            factor = s if number % 2 else r
            total = w.arithmetic("fadd", w.load(f[number]), w.arithmetic("fmul", factor, total))
        w.store(w.arithmetic("fadd", w.load(y), w.arithmetic("fmul", s, total)), row)
    w.count("count")
    w.line(f"ret ptr {row}")
    return w.function("internal fastcc ptr @sample_row(ptr %c, double %time)")


def _row(w: Writer) -> str:
    """Store ``%time`` of the next row; return where its state goes."""
    count = w.get("count")
    place = w.put(f"getelementptr double, ptr {w.get('row_t')}, i64 {count}")
    w.line(f"store double %time, ptr {place}")
    offset = w.put(f"mul i64 {count}, %width")
    return w.put(f"getelementptr double, ptr {w.get('row_y')}, i64 {offset}")


def _stages(w: Writer, row: Row) -> dict[int, str]:
    """Return where the derivatives of the stages in ``row`` are."""
    k = w.get("k")
    return {s: w.vector(k, s) for s in sorted(row)}


def _vector_writer(lanes: int) -> Writer:
    w = Writer(lanes)
    w.line(f"%width = bitcast i64 {w.get('width')} to i64")
    return w
