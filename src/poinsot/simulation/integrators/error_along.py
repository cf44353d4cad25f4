"""The error of an explicit step along motions that the constraints allow."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from poinsot.kernels.llvm.types import double
from poinsot.simulation import vectors
from poinsot.simulation.ir_value import Value
from poinsot.simulation.ir_writer import IrWriter, Row

Norm = Callable[[IrWriter, list[str], Value, Value], Value]
"""(writer, names of sums of squares, factor, number of entries) -> norm of errors."""


def error_along(rows: Sequence[Row], norm: Norm, lanes: int) -> list[str]:
    """Return ``double @error_along(c)`` and what it calls; x stays the end of the step.

    The end of the step and the ends that differ from it by the estimated errors are put on the
    constraints, and what they then differ by counts.

    Args:
        rows: Combinations of the k that estimate the error / h.
        norm: What makes one number of them.
        lanes: Doubles in a register.
    """
    return [
        _keep(lanes),
        *[_apart(number, row, lanes) for number, row in enumerate(rows)],
        _differences(len(rows), norm, lanes),
        _error_along(len(rows), lanes),
    ]


def _error_along(count: int, lanes: int) -> str:
    w = IrWriter(lanes)
    w.set("t_stage", w.get("t") + w.get("h"))
    w.line("call fastcc void @keep_end(ptr %c)")
    for number in range(count + 1):
        if number:
            w.line(f"call fastcc void @apart{number - 1}(ptr %c)")
        w.line("call fastcc void @project(ptr %c)")
        w.line(f"call fastcc void @keep_apart(ptr %c, i64 {number})")
    w.line("call fastcc void @take_end(ptr %c)")
    w.line(f"ret double {w.put('call fastcc double @differences(ptr %c)')}")
    return w.function("internal fastcc double @error_along(ptr %c)")


def _apart(number: int, row: Row, lanes: int) -> str:
    """Return ``@apart<number>(c)``: x = z + h sum of row[s] k[s]."""
    w = vectors.vector_writer(lanes)
    z, x, h = w.get("z"), w.get("x"), w.get("h")
    stages, step = vectors.stages(w, row), w.splat(h)
    with w.over():
        total = w.combination(row, stages)
        w.store(w.arithmetic("fadd", w.load(z), w.arithmetic("fmul", step, total)), x)
    w.line("ret void")
    return w.function(f"internal fastcc void @apart{number}(ptr %c)")


def _keep(lanes: int) -> str:
    """Return ``@keep_apart(c, number)``: x into the memory of dense output, not in use yet."""
    w = vectors.vector_writer(lanes)
    x, offset = w.get("x"), w.put("mul i64 %width, %number")
    goal = w.put(f"getelementptr double, ptr {w.get('dense')}, i64 {offset}")
    with w.over():
        w.store(w.load(x), goal)
    w.line("ret void")
    return w.function("internal fastcc void @keep_apart(ptr %c, i64 %number)")


def _differences(count: int, norm: Norm, lanes: int) -> str:
    """Return ``double @differences(c)``: norm of the stored states, less the first of them."""
    w = vectors.vector_writer(lanes)
    y, base, n = w.get("y"), w.get("dense"), w.get("n")
    kept = [w.vector(base, number) for number in range(count + 1)]
    scale_of = vectors.error_scale(w)
    names = [f"e{number}" for number in range(count)]
    with w.over(sums=names) as totals:
        end = w.load(kept[0])
        scale = scale_of(w.load(y), end)
        for name, state in zip(names, kept[1:], strict=True):
            e = w.arithmetic("fdiv", w.arithmetic("fsub", w.load(state), end), scale)
            totals.append(w.arithmetic("fadd", f"%{name}", w.arithmetic("fmul", e, e)))
    size = n.to_double()
    w.line(f"ret double {norm(w, names, w.value(double(1.0)), size)}")
    return w.function("internal fastcc double @differences(ptr %c)")
