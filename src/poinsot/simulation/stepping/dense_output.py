"""Dense output: the polynomial of a step, and rows at the times a user wants, as LLVM IR text.

    y(t + s h) = y0 + s (f0 + (1 - s) (f1 + s (f2 + (1 - s) (f3 + ...)))),    0 <= s <= 1

with f0 = y1 - y0, f1 = h k0 - f0, f2 = f0 - h k1 - f1, a cubic that takes states y and derivatives
k at both ends, and further rows of the integrator [HNW, section II.6].
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping.control_writer import ControlWriter, Row, VectorWriter


def functions(n_dense: int, layout: Layout) -> list[str]:
    """Return ``@sample``, ``@interpolate`` and ``@samples``.

    Args:
        n_dense: Coefficients of the polynomial of a step.
        layout: How vectors lie in registers.
    """
    return [_sample(n_dense, layout), _interpolate(layout), _samples(layout)]


def polynomial(name: str, end: int, rows: tuple[Row, ...], layout: Layout) -> str:
    """Return ``@name(c)``: coefficients of the interpolating polynomial of a step.

    Args:
        name: Of the function: "dense" where nothing is to be done before.
        end: Number of the derivative at the end, k1.
        rows: Combinations of the k, times h, that follow; none: the polynomial is a cubic.
        layout: How vectors lie in registers.
    """
    w = VectorWriter(layout)
    y, z, h = w.get("y"), w.get("z"), w.splat(w.get("h"))
    base = w.get("dense")
    k = w.stages({0: 0.0, end: 0.0}, *rows)
    goals = w.vectors(base, 3 + len(rows))
    with w.over():
        f0 = w.load(z) - w.load(y)
        f1 = h * w.load(k[0]) - f0
        f2 = f0 - h * w.load(k[end]) - f1
        more = [h * w.combination(row, k) for row in rows]
        for value, goal in zip((f0, f1, f2, *more), goals, strict=True):
            w.store(value, goal)
    return w.define(name)


def _sample(n_dense: int, layout: Layout) -> str:
    """Return ``@sample(c, time)``: x = the polynomial at a time, projected onto the constraints."""
    w = VectorWriter(layout)
    y, x, base = w.get("y"), w.get("x"), w.get("dense")
    time = w.value("%time")
    fraction = (time - w.get("t")) / w.get("h")
    s, r = w.splat(fraction), w.splat(1.0 - fraction)
    f = w.vectors(base, n_dense)
    with w.over():
        total = w.load(f[-1])
        for number in range(n_dense - 2, -1, -1):
            total = w.load(f[number]) + (s if number % 2 else r) * total
        w.store(w.load(y) + s * total, x)
    w.set_time(time)
    w.do("project")
    return w.define("sample", "double %time")


def _interpolate(layout: Layout) -> str:
    """Return ``@interpolate(c)``: compute the polynomial of the step, unless it is there."""
    w = ControlWriter(layout)
    w.leave_if(w.get("has_dense").differs(0), "done", otherwise="dense")
    w.do("dense")
    w.set("has_dense", 1)
    w.label("done")
    return w.define("interpolate")


def _samples(layout: Layout) -> str:
    """Return ``@samples(c, end)``: rows for all times of the step up to ``end``."""
    w = ControlWriter(layout)
    end = w.value("%end")
    w.enter_if(_is_due(w, end), "dense", otherwise="done")
    w.do("interpolate")
    w.label("sample")
    time = w.read(w.get("times"), w.get("next_time"))
    w.do("sample", time)
    w.do("store_sample", time)
    w.count("next_time")
    w.leave_if(_is_due(w, end), "sample", otherwise="done")
    return w.define("samples", "double %end")


def _is_due(w: ControlWriter, end: Value) -> Value:
    """Return whether the next time to store is before the end of the step."""
    number, count = w.get("next_time"), w.get("n_times")
    some = number < count
    safe = some.choose(number, count - 1)
    return some & (w.read(w.get("times"), safe) <= end)
