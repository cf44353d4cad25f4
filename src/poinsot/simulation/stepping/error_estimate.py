"""The error of a step as one number, 1 at the limit, as LLVM IR text.

    norm = sqrt(1/n sum of (e_i / scale_i)²),     scale_i = atol + rtol max(|y_i|, |x_i|)

with the step from y to x and its estimated error e [HNW, section II.4].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping.control_writer import ControlWriter, Row, VectorWriter
from poinsot.simulation.stepping.vectors import stage_argument


def error_scale(w: VectorWriter) -> Callable[[Value, Value], Value]:
    """Return a writer of atol + rtol max(|a|, |b|)."""
    rtol, atol = w.splat(w.get("rtol")), w.splat(w.get("atol"))
    return lambda a, b: atol + rtol * abs(a).at_least(abs(b))


def root_mean_square(w: ControlWriter, squares: Value) -> Value:
    """Return the root of the mean over the entries of each run, of a register of squares."""
    return (w.per_run(squares) / w.each(w.get("n").to_double())).sqrt()


def row_errors(rows: Sequence[Row], layout: Layout) -> str:
    """Return ``double @error(c)``: of the step from y to x, by rows of a tableau.

    0 * x is added, which is NaN where x is not finite.

    Args:
        rows: Combinations of the k that estimate the error / h: one, or those of orders 5 and 3.
        layout: How vectors lie in registers.
    """
    w = VectorWriter(layout)
    y, x, h = w.get("y"), w.get("x"), w.get("h")
    scale = error_scale(w)
    stages = w.stages(*rows)
    with w.over(sums=len(rows)) as sums:
        now, then = w.load(y), w.load(x)
        size = scale(now, then)
        watch = then * 0.0
        for number, row in enumerate(rows):
            e = w.combination(row, stages) / size
            sums[number] = sums[number] + e * e + watch
    return w.returning(h * _norm(w, sums), "error")


def _norm(w: ControlWriter, squares: Sequence[Value]) -> Value:
    """Return the norm of one error, or of e5 and e3 together, e5² / sqrt(e5² + 0.01 e3²).

    The latter is that of DOP853 [HNW, section II.10].
    """
    if len(squares) == 1:
        return root_mean_square(w, squares[0])
    fifth, third = (w.reduced(total) for total in squares)
    both = fifth + third * 0.01
    both = both.equals(0.0).choose(1.0, both)  # without any error it is 0 / 1 in place of 0 / 0
    return fifth / (both * w.get("n").to_double()).sqrt()


def error_norm(number: int, layout: Layout) -> str:
    """Return ``double @error(c)``: norm of k[number] as the error of the step from y to x.

    0 * x is added, which is NaN where x is not finite.
    """
    w = VectorWriter(layout)
    y, x, error = w.get("y"), w.get("x"), w.vector(w.get("k"), number)
    scale = error_scale(w)
    with w.over(sums=1) as sums:
        now, then = w.load(y), w.load(x)
        e = w.load(error) / scale(now, then)
        sums[0] = sums[0] + e * e + then * 0.0
    return w.returning(root_mean_square(w, sums[0]), "error")


def no_error(layout: Layout) -> str:
    """Return ``@error(c)`` of steps without an estimate, of each run: 0, NaN if x is not finite."""
    w = VectorWriter(layout)
    x = w.get("x")
    with w.over(sums=1) as sums:
        sums[0] = sums[0] + w.load(x) * 0.0
    return w.returning(w.per_run(sums[0]), "error")


def error_along(rows: Sequence[Row], layout: Layout) -> list[str]:
    """Return ``double @error_along(c)`` and what it calls; x stays the end of the step.

    The end of the step and the ends that differ from it by the estimated errors are projected onto
    the constraints, and what they then differ by counts.

    Args:
        rows: Combinations of the k that estimate the error / h.
        layout: How vectors lie in registers.
    """
    count = len(rows)
    w = ControlWriter(layout)
    w.set_time(w.get("t") + w.get("h"))
    w.do("keep_end")
    for number in range(count + 1):
        if number:
            w.do(f"apart{number - 1}")
        w.do("project")
        w.do("keep_apart", number)
    w.do("take_end")
    return [
        _keep(layout),
        *[stage_argument(f"apart{number}", "z", row, layout) for number, row in enumerate(rows)],
        _differences(count, layout),
        w.returning(w.ask("double", "differences"), "error_along"),
    ]


def _keep(layout: Layout) -> str:
    """Return ``@keep_apart(c, number)``: x into the memory of dense output, not in use yet."""
    w = VectorWriter(layout)
    x = w.get("x")
    goal = w.vector(w.get("dense"), w.number("%number"))
    with w.over():
        w.store(w.load(x), goal)
    return w.define("keep_apart", "i64 %number")


def _differences(count: int, layout: Layout) -> str:
    """Return ``double @differences(c)``: norm of the stored states, less the first of them."""
    w = VectorWriter(layout)
    y, base = w.get("y"), w.get("dense")
    kept = w.vectors(base, count + 1)
    scale = error_scale(w)
    with w.over(sums=count) as sums:
        end = w.load(kept[0])
        size = scale(w.load(y), end)
        for number, state in enumerate(kept[1:]):
            e = (w.load(state) - end) / size
            sums[number] = sums[number] + e * e
    return w.returning(_norm(w, sums), "differences")
