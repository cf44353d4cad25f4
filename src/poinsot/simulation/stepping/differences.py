"""The Jacobian of the equations of motion by finite differences, as LLVM IR text.

For equations without formulas: callbacks.  By the state, central differences,
(f(y + d) - f(y - d)) / 2d; by time, forward differences, which do not see a jump at the start of
the step, (4 f(t + d) - 3 f(t) - f(t + 2 d)) / 2d.  The relative error of both is about 1e-10.
"""

from __future__ import annotations

import sys

from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping.control_writer import ControlWriter, VectorWriter

SHIFT = sys.float_info.epsilon ** (1.0 / 3.0)
"""Increment of an entry of the state, relative to the larger of it and 1."""
AHEAD = 1e-4
"""Increment of the time, as part of the step."""


def functions(slopes: int, mass: int, slot: int, layout: Layout) -> list[str]:
    """Return ``@differences(c)``: the Jacobian at the state y, and 1 as the mass matrix.

    Args:
        slopes: Number of the buffer for the Jacobian, n rows of n + 1.
        mass: Number of the buffer for the mass matrix.
        slot: Number of the first of two k that are free.
        layout: How vectors lie in registers.
    """
    return [
        _shifted(layout),
        _column(slopes, slot, layout),
        _last_column(slopes, slot, layout),
        _differences(mass, slot, layout),
    ]


def _differences(mass: int, slot: int, layout: Layout) -> str:
    w = ControlWriter(layout)
    n, nv, y = w.get("n"), w.get("nv"), w.get("y")
    t, h = w.get("t"), w.get("h")
    w.set_time(t)
    j = w.number("%j")
    with w.loop("j", 0, n):
        shift = abs(w.read(y, j)).at_least(1.0) * SHIFT
        w.do("shifted", j, shift, slot)
        w.do("shifted", j, -shift, slot + 1)
        w.do("column", j, shift)
    w.do("start")
    ahead = h * AHEAD
    time = t
    for number in (slot, slot + 1):
        time = time + ahead
        w.set_time(time)
        w.do("derivative", number)
    w.do("last_column", ahead)
    matrix = w.buffer(mass)
    with w.loop("i", 0, nv):
        w.write(1.0, matrix, w.number("%i") * (nv + 1))
    return w.define("differences")


def _shifted(layout: Layout) -> str:
    """Return ``@shifted(c, j, shift, number)``: k[number] with entry j of y shifted."""
    w = ControlWriter(layout)
    w.do("start")
    x = w.get("x")
    w.write(w.read(x, "%j") + w.value("%shift"), x, "%j")
    w.do("normalise", x)
    w.do("derivative", w.number("%number"))
    return w.define("shifted", "i64 %j", "double %shift", "i64 %number")


def _column(slopes: int, slot: int, layout: Layout) -> str:
    """Return ``@column(c, j, shift)``: column j of the Jacobian."""
    w = VectorWriter(layout)
    n, k, matrix = w.get("n"), w.get("k"), w.buffer(slopes)
    up, down = w.vector(k, slot), w.vector(k, slot + 1)
    scale = 0.5 / w.value("%shift")
    columns, i = n + 1, w.number("%i")
    with w.loop("i", 0, n):
        change = w.read(up, i) - w.read(down, i)
        w.write(change * scale, matrix, i * columns + w.number("%j"))
    return w.define("column", "i64 %j", "double %shift")


def _last_column(slopes: int, slot: int, layout: Layout) -> str:
    """Return ``@last_column(c, ahead)``: the derivatives by time."""
    w = VectorWriter(layout)
    n, k, matrix = w.get("n"), w.get("k"), w.buffer(slopes)
    near, far = w.vector(k, slot), w.vector(k, slot + 1)
    scale = 0.5 / w.value("%ahead")
    columns, i = n + 1, w.number("%i")
    with w.loop("i", 0, n):
        start = w.read(k, i)
        change = (w.read(near, i) - start) * 4.0 - (w.read(far, i) - start)
        w.write(change * scale, matrix, i * columns + n)
    return w.define("last_column", "double %ahead")
