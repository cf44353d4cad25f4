"""The vector operations of the integrator, as LLVM IR text.

Every function takes the control block; all vectors are reached from there.  Loops take one register
at a time, and vectors are padded to whole registers.
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping.control_writer import Row, VectorWriter


def copy(name: str, goal: str, source: str, layout: Layout, number: int = 0) -> str:
    """Return ``@name(c)``: goal = source, of several vectors there the one of this number."""
    w = VectorWriter(layout)
    target, origin = w.get(goal), w.vector(w.get(source), number)
    with w.over():
        w.store(w.load(origin), target)
    return w.define(name)


def store_row(name: str, source: str, layout: Layout) -> str:
    """Return ``@name(c, time)``: a vector becomes a row."""
    w = VectorWriter(layout)
    state, count = w.get(source), w.get("count")
    w.write("%time", w.get("row_t"), count)
    row = w.address(w.get("row_y"), count * w.width)
    with w.over():
        w.store(w.load(state), row)
    w.count("count")
    return w.define(name, "double %time")


def stage_argument(name: str, start: str, row: Row, layout: Layout) -> str:
    """Return ``@name(c)``: x = start + h sum of row[s] k[s]."""
    w = VectorWriter(layout)
    origin, x, h = w.get(start), w.get("x"), w.get("h")
    stages = w.stages(row)
    step = w.splat(h)
    with w.over():
        total = w.combination(row, stages)
        w.store(w.load(origin) + step * total, x)
    return w.define(name)
