"""The Jacobian of the equations of motion by finite differences, as LLVM IR text.

For equations without formulas: rolled ones, callbacks, samples.  By the state, central differences,
(f(y + d) - f(y - d)) / 2d; by time, forward differences, which do not see a jump at the start of
the step, (4 f(t + d) - 3 f(t) - f(t + 2 d)) / 2d.  The relative error of both is about 1e-10.
"""

from __future__ import annotations

import sys

from poinsot.kernels.llvm.types import double
from poinsot.simulation.stepping import vectors
from poinsot.simulation.stepping.ir_writer import IrWriter

SHIFT = sys.float_info.epsilon ** (1.0 / 3.0)
"""Increment of an entry of the state, relative to the larger of it and 1."""
AHEAD = 1e-4
"""Increment of the time, as part of the step."""


def functions(slopes: int, mass: int, slot: int, lanes: int) -> list[str]:
    """Return ``@differences(c)``: the Jacobian at the state y, and 1 as the mass matrix.

    Args:
        slopes: Number of the buffer for the Jacobian, n rows of n + 1.
        mass: Number of the buffer for the mass matrix.
        slot: Number of the first of two k that are free.
        lanes: Doubles in a register.
    """
    return [
        _shifted(lanes),
        _column(slopes, slot, lanes),
        _last_column(slopes, slot, lanes),
        _differences(mass, slot, lanes),
    ]


def _differences(mass: int, slot: int, lanes: int) -> str:
    w = IrWriter(lanes)
    n, nv, y = w.get("n"), w.get("nv"), w.get("y")
    t, h = w.get("t"), w.get("h")
    w.set("t_stage", t)
    with w.loop("j", "0", n):
        entry = abs(w.read(y, "%j"))
        shift = (entry.at_least(1.0)) * SHIFT
        w.line(f"call fastcc void @shifted(ptr %c, i64 %j, double {shift}, i64 {slot})")
        back = w.put(f"fneg double {shift}")
        w.line(f"call fastcc void @shifted(ptr %c, i64 %j, double {back}, i64 {slot + 1})")
        w.line(f"call fastcc void @column(ptr %c, i64 %j, double {shift})")
    w.line("call fastcc void @start(ptr %c)")
    ahead = h * AHEAD
    time = t
    for number in (slot, slot + 1):
        time = time + ahead
        w.set("t_stage", time)
        w.line(f"call void @derivative(ptr %c, i64 {number})")
    w.line(f"call fastcc void @last_column(ptr %c, double {ahead})")
    matrix = w.buffer(mass)
    with w.loop("i", "0", nv):
        index = w.put(f"mul i64 %i, {w.put(f'add i64 {nv}, 1')}")
        w.write(double(1.0), matrix, index)
    w.line("ret void")
    return w.function("internal fastcc void @differences(ptr %c)")


def _shifted(lanes: int) -> str:
    """Return ``@shifted(c, j, shift, number)``: k[number] with entry j of y shifted."""
    w = IrWriter(lanes)
    w.line("call fastcc void @start(ptr %c)")
    x = w.get("x")
    w.write(w.read(x, "%j") + w.value("%shift"), x, "%j")
    w.line(f"call fastcc void @normalise(ptr %c, ptr {x})")
    w.line("call void @derivative(ptr %c, i64 %number)")
    w.line("ret void")
    return w.function("internal fastcc void @shifted(ptr %c, i64 %j, double %shift, i64 %number)")


def _column(slopes: int, slot: int, lanes: int) -> str:
    """Return ``@column(c, j, shift)``: column j of the Jacobian."""
    w = vectors.vector_writer(lanes)
    n, k, matrix = w.get("n"), w.get("k"), w.buffer(slopes)
    up, down = w.vector(k, slot), w.vector(k, slot + 1)
    scale = 0.5 / w.value("%shift")
    columns = n + 1
    with w.loop("i", "0", n):
        index = w.put(f"add i64 {w.put(f'mul i64 %i, {columns}')}, %j")
        change = w.read(up, "%i") - w.read(down, "%i")
        w.write(change * scale, matrix, index)
    w.line("ret void")
    return w.function("internal fastcc void @column(ptr %c, i64 %j, double %shift)")


def _last_column(slopes: int, slot: int, lanes: int) -> str:
    """Return ``@last_column(c, ahead)``: the derivatives by time."""
    w = vectors.vector_writer(lanes)
    n, k, matrix = w.get("n"), w.get("k"), w.buffer(slopes)
    near, far = w.vector(k, slot), w.vector(k, slot + 1)
    scale = 0.5 / w.value("%ahead")
    columns = n + 1
    with w.loop("i", "0", n):
        index = w.put(f"mul i64 %i, {columns}") + n
        start = w.read(k, "%i")
        first = w.read(near, "%i") - start
        second = w.read(far, "%i") - start
        change = (first * 4.0) - second
        w.write(change * scale, matrix, index)
    w.line("ret void")
    return w.function("internal fastcc void @last_column(ptr %c, double %ahead)")
