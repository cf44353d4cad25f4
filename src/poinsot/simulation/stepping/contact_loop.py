"""Impacts at many states, as LLVM IR text: ``@impacts`` of arrays that kernels have written.

Of each state M, the rows and rates of all contacts, which touch, and the velocities before it.  The
impulses are those of ``contact_jump.py``; where none are found the state is left to Python.
"""

from __future__ import annotations

from functools import lru_cache

from poinsot.expr.rank_tolerances import RANK
from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout, intrinsics
from poinsot.kernels.llvm.library import Library, load_library
from poinsot.kernels.llvm.target import Target
from poinsot.simulation.stepping import contact_jump
from poinsot.simulation.stepping.contact_arrays import array
from poinsot.simulation.stepping.contact_jump import MASS, RATES, ROWS
from poinsot.simulation.stepping.control_writer import ControlWriter

GIVEN = ("rows", "rates", "masses", "velocities")
"""Arrays that are read, of all states: (R, n), (R,), (n, n), which is overwritten, and (n,)."""
MADE = ("impulses", "changes", "pivots", "solved")
"""Arrays that are written: (3 s,), (n,), (1,) and, of int64, (1,)."""


@lru_cache(maxsize=1)
def compiled() -> Library:
    """Return the machine code of impacts at many states, which exports ``impacts``."""
    target = Target.of_loops()
    layout = Layout(target.width)
    functions = [
        intrinsics(layout), *contact_jump.functions(layout), _pivot(layout), _impacts(layout),
    ]  # fmt: skip
    return load_library("\n".join(functions), ("impacts",), {}, target)


def _impacts(layout: Layout) -> str:
    """Return ``void @impacts(c, states, n_rows, ...)``, with arrays ``GIVEN`` and ``MADE``."""
    w = ControlWriter(layout)
    s, nv, n_rows = w.get("n_contacts"), w.get("nv"), w.number("%n_rows")
    values, n = w.get("contact_values"), s * 3
    rows, rates, masses, velocities = (w.value(f"%{name}", "ptr") for name in GIVEN)
    impulses, changes, pivots, solved = (w.value(f"%{name}", "ptr") for name in MADE)
    with w.count_up(0, w.number("%states")) as k:
        w.write(w.address(rows, k * n_rows * nv), values, ROWS, "ptr")
        w.write(w.address(rates, k * n_rows), values, RATES, "ptr")
        w.write(w.address(masses, k * nv * nv), values, MASS, "ptr")
        w.set("x", w.address(velocities, k * nv))
        w.set("after", w.address(changes, k * nv))
        goal = w.address(impulses, k * n)
        closes = _closes(w, w.address(rates, k * n_rows), s)
        w.write((~closes).to_whole(), solved, k, "i64")
        w.write(1.0, pivots, k)
        with w.when(~closes):
            with w.count_up(0, n) as i:
                w.write(0.0, goal, i)
            with w.count_up(0, nv) as i:
                w.write(0.0, w.get("after"), i)
        with w.when(closes):
            is_solved = w.ask("i1", "contact_jump", s)
            w.write(is_solved.to_whole(), solved, k, "i64")
            with w.when(is_solved):
                w.copy(goal, array(w, "P"), n)
                w.do("contact_change", n)
                w.write(w.ask("double", "least_pivot", n), pivots, k)
    arguments = [f"ptr %{name}" for name in (*GIVEN, *MADE)]
    return w.define("impacts", "i64 %states", "i64 %n_rows", *arguments)


def _closes(w: ControlWriter, rates: Value, s: Value) -> Value:
    """Return whether a point closes."""
    count = w.variable(0)
    with w.count_up(0, s) as point:
        rate = w.read(rates, w.read(w.get("contact_rows"), point, "i64"))
        count.value = count.value + (~(rate >= 0.0)).to_whole()
    return count.value > 0


def _pivot(layout: Layout) -> str:
    """Return ``double @least_pivot(c, n)``: of K by its diagonal, of the n rows that can move.

    The squared sine of the angle between a row and those before it: where it is nothing, impulses
    are not unique.
    """
    w = ControlWriter(layout)
    n, K, L, least = w.number("%n"), array(w, "K"), array(w, "pivots"), w.variable(w.value("1.0"))
    with w.count_up(0, n) as j:
        point = j - w.put(f"urem i64 {j}, 3")
        most = w.read(K, point * n + point)
        for k in (1, 2):
            most = most.at_least(w.read(K, (point + k) * n + point + k))
        row, size = w.address(L, j * n), w.read(K, j * n + j)
        squared = size - w.ask("double", "dot", row, row, j)
        moves = size > RANK * RANK * most
        ratio = moves.choose(squared / size, 1.0)
        least.value = (ratio < least.value).choose(ratio, least.value)
        diagonal = (moves & (squared > 0.0)).choose(squared, 1.0).sqrt()
        w.write(diagonal, row, j)
        with w.count_up(j + 1, n) as i:
            other = w.address(L, i * n)
            entry = w.read(K, i * n + j) - w.ask("double", "dot", other, row, j)
            w.write(moves.choose(entry / diagonal, 0.0), other, j)
    return w.returning(least.value, "least_pivot", "i64 %n")
