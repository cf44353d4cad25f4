"""Damped steps of least squares by the normal equations, as LLVM IR.

The step of least |J x + φ|² + w² |x|² obeys [Nocedal2006, (10.34)]

    (Jᵀ J + w² 1) x = -Jᵀ φ.

Squares of J lose half of the digits, which a damping w² far above rounding makes up for; without
one the step comes from reflections of J itself (``kernels/llvm/householder.py``), at some five
times the cost.  The matrix is positive definite, so that elimination needs no pivots; pivot k is
eliminated from all other rows at once [Golub2013, 3.2], which leaves a diagonal, and whole
registers of a column are combined each time.
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout
from poinsot.kernels.llvm.ranged_vectors import padded

DAMPED_STEP, ROW_SUM = "damped.step", "damped.row_sum"


def damped_step_functions(layout: Layout) -> str:
    """Return ``@damped.step`` and what it calls."""
    return f"{_row_sum(layout)}\n{_damped_step(layout)}"


def _damped_step(layout: Layout) -> str:
    """Return ``@damped.step(J, phi, m, n, squared, G, diagonal, x)``, ``squared`` being w².

    J lies row by row, each filled up with zeros to whole registers.  G is memory for n + 1 columns
    as long as these rows, the diagonal for n numbers.
    """
    w = IrWriter(layout)
    m, n, J, squared = w.number("%m"), w.number("%n"), w.value("%J", "ptr"), w.value("%squared")
    size = padded(w, n)
    right = w.address("%G", n * size)
    with w.count_up(0, n) as j:
        column = w.address("%G", j * size)
        w.do(ROW_SUM, J, size, w.address(J, j), size, m, column)
        w.write(w.read(column, j) + squared, column, j)
    w.do(ROW_SUM, J, size, w.value("%phi", "ptr"), w.number("1"), m, right)
    with w.count_up(0, n) as k:
        column = w.address("%G", k * size)
        pivot = w.read(column, k)
        w.write(pivot, "%diagonal", k)
        inverse = 1.0 / pivot
        with w.count_up(k + 1, n + 1) as j:
            other = w.address("%G", j * size)
            factor = w.splat(w.read(other, k) * inverse)
            with w.count_up(0, size, layout.width) as i:
                remains = w.load(other, i) - factor * _without(w, column, i, k)
                w.store(remains, other, i)
    with w.count_up(0, n) as k:
        w.write(-(w.read(right, k) / w.read("%diagonal", k)), "%x", k)
    arguments = "ptr %J", "ptr %phi", "i64 %m", "i64 %n", "double %squared", "ptr %G"
    return w.define(DAMPED_STEP, *arguments, "ptr %diagonal", "ptr %x")


def _without(w: IrWriter, column: Value, i: Value, k: Value) -> Value:
    """Return a register of a column, with 0 for entry k."""
    width = w.lanes.width
    numbers = ", ".join(f"i64 {lane}" for lane in range(width))
    kind = f"<{width} x i64>"
    is_entry = w.splat(k - i).equals(w.value(f"<{numbers}>", kind))
    return is_entry.choose(w.constant(0.0), w.load(column, i))


def _row_sum(layout: Layout) -> str:
    """Return ``@damped.row_sum(J, size, factors, stride, m, goal)``: Σ of factors times rows."""
    w = IrWriter(layout)
    size, stride = w.number("%size"), w.number("%stride")
    with w.count_up(0, size, layout.width) as i:
        total, carry = w.value("%total", layout.real), (layout.real, "zeroinitializer")
        with w.loop("row", 0, "%m", carry={"total": carry}) as after:
            row = w.number("%row")
            factor = w.splat(w.read("%factors", row * stride))
            after["total"] = total + factor * w.load("%J", row * size + i)
        w.store(total, "%goal", i)
    arguments = "ptr %J", "i64 %size", "ptr %factors", "i64 %stride", "i64 %m", "ptr %goal"
    return w.define(ROW_SUM, *arguments)
