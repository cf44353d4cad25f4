"""Points hit one after the other, as LLVM IR text (``impacts/sequential_impact.py``).

The one that closes fastest is hit first, as if it were alone, until none closes.
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping.contact_arrays import ALONE, IN_USE, array, of_contact
from poinsot.simulation.stepping.control_writer import ControlWriter

LEAST = 1e-13
"""Rate of closing that counts as none, relative to the fastest before."""
MOST = 20_000
"""Impacts in a sequence."""


def function(layout: Layout) -> str:
    """Return ``i1 @contact_sequence(c, s)``: P of s points; whether some were hit, and it ended."""
    w = ControlWriter(layout)
    s, K, P, u = w.number("%s"), array(w, "K"), array(w, "P"), array(w, "w")
    n, speed, hits = s * 3, w.variable(w.value("0.0")), w.variable(0)
    alone = {name: array(w, name, ALONE) for name in ("touch", "K", "w", "after", "P")}
    with w.count_up(0, n) as k:
        w.write(0.0, P, k)
        speed.value = abs(w.read(u, k)).at_least(speed.value)
    with w.loop("hit", 0, MOST):
        fastest, number = w.variable(-(LEAST * speed.value)), w.variable(-1)
        with w.count_up(0, s) as point:
            rate = w.ask("double", "contact_velocity", point * 3, n)
            is_faster = rate < fastest.value
            fastest.value = is_faster.choose(rate, fastest.value)
            number.value = is_faster.choose(point, number.value)
        w.leave_if(number.value < 0, "ended", otherwise="closes")
        point = number.value
        for i in range(3):
            row = point * 3 + i
            w.write(w.ask("double", "contact_velocity", row, n), alone["w"], i)
            for j in range(3):
                w.write(w.read(K, row * n + point * 3 + j), alone["K"], 3 * i + j)
        wanted = -(of_contact(w, "restitutions", point) * fastest.value)
        w.write(wanted.at_least(0.0), alone["after"], 0)
        w.write(w.read(array(w, "touch"), point, "i64"), alone["touch"], 0, "i64")
        several = w.get(IN_USE)
        w.set(IN_USE, w.get(ALONE))
        is_solved = w.ask("i1", "point_impulses")
        w.set(IN_USE, several)
        with w.when(~is_solved):
            w.give(w.value("0", "i1"))
            w.block("unreachable")
        for i in range(3):
            row = point * 3 + i
            w.write(w.read(P, row) + w.read(alone["P"], i), P, row)
        hits.value = hits.value + 1
    w.give(w.value("0", "i1"))
    w.block("ended")
    return w.returning(hits.value > 0, "contact_sequence", "i64 %s")
