"""Slip that turns while the normal impulse p grows in one point, as LLVM IR text.

    dw/dp = K (1, -μ w_t / |w_t|),      dp = |w_t| dτ

By τ the equations have no quotient, are of degree one in w, and change w_t by no more than a factor
exp(Lτ), L = |K_tn| + μ |K_tt|: steps of one length do, by the formulas of order eight of
``integrators/dp8.py``.  ``impacts/impact_process.py`` takes SciPy's integrator over p.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import add

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping.contact_arrays import array
from poinsot.simulation.stepping.control_writer import ControlWriter, Row
from poinsot.simulation.stepping.integrators.dp8 import SOLUTION, STAGES

STILL = 1e-11
"""Slip that counts as none, relative to the velocities before."""
STRAIGHT = 1e-13
"""Part of its growth that a slip which keeps its direction may gain across it, by rounding."""
LENGTH = 0.125
"""Length of a step, by 1 / L."""
STEPS = 4000
"""Steps after which it is given up."""
REFINED = 60
"""Attempts at the length of the last step."""
CLOSE = 1e-15
"""Change of that length, relative to a whole step, by which it is found."""
STATE = 7
"""Numbers of a state: w and P (3,), and the work of the normal impulse."""
STUCK, ENDED, STRAIGHTENED = range(3)
"""What became of it: no end was found, the phase ended, or the slip stopped or does not turn."""
TINY = 1e-300


def functions(layout: Layout) -> list[str]:
    """Return ``@turning_slip`` and what it calls."""
    return [_slip_step(layout), _missing(layout), _turning_slip(layout)]


def turns(speeds: list[Value], growth: list[Value]) -> Value:
    """Return whether slip gains more across its direction than rounding."""
    turning = abs(speeds[1] * growth[2] - speeds[2] * growth[1])
    most = abs(growth[0]).at_least(abs(growth[1])).at_least(abs(growth[2]))
    return turning > STRAIGHT * length(*speeds[1:]) * most


def length(x: Value, y: Value) -> Value:
    """Return the length of a vector in the tangent plane."""
    return (x * x + y * y).sqrt()


def growth_of(K: list[list[Value]], f: list[Value]) -> list[Value]:
    """Return dw/dp = K (1, f)."""
    return [row[0] + row[1] * f[0] + row[2] * f[1] for row in K]


def _matrix(w: ControlWriter) -> list[list[Value]]:
    K = array(w, "K")
    return [[w.read(K, 3 * i + j) for j in range(3)] for i in range(3)]


def _slip_step(layout: Layout) -> str:
    """Return ``@slip_step(c, friction, h, state, goal)``: a state further on by h in τ."""
    w = ControlWriter(layout)
    K, friction, h = _matrix(w), w.value("%friction"), w.value("%h")
    before = [w.read("%state", k) for k in range(STATE)]

    def rates(y: list[Value]) -> list[Value]:
        """Return rates of P and of the work, for what P has grown by."""
        n, *t = [
            start + (row[0] * y[0] + row[1] * y[1] + row[2] * y[2])
            for start, row in zip(before, K, strict=False)
        ]
        slip = length(*t)
        return [slip, *(-(friction * x) for x in t), slip * n]

    def combined(row: Row, stages: Mapping[int, list[Value]]) -> list[Value]:
        sums: list[Value] = []
        for k in range(4):
            terms = [stages[s][k] * coefficient for s, coefficient in row.items()]
            sums.append(h * reduce(add, terms))
        return sums

    stages = {0: rates([h * 0.0] * 4)}
    for s in range(1, 12):
        stages[s] = rates(combined(STAGES[s], stages))
    grown = combined(SOLUTION, stages)
    for i, (start, row) in enumerate(zip(before[:3], K, strict=True)):
        w.write(start + (row[0] * grown[0] + row[1] * grown[1] + row[2] * grown[2]), "%goal", i)
    for k, (start, growth) in enumerate(zip(before[3:], grown, strict=True)):
        w.write(start + growth, "%goal", 3 + k)
    return w.define("slip_step", "double %friction", "double %h", "ptr %state", "ptr %goal")


def _missing(layout: Layout) -> str:
    """Return ``double @past_the_end(c, state, what, goal)``: not negative where a phase ends.

    What counts by ``what``: 0: w_n; 1: P_n, 2: the work, less the goal.
    """
    w = ControlWriter(layout)
    what, goal = w.number("%what"), w.value("%goal")
    rate, impulse, work = (w.read("%state", k) for k in (0, 3, 6))
    later = what.equals(1).choose(impulse, work) - goal
    arguments = "ptr %state", "i64 %what", "double %goal"
    return w.returning(what.equals(0).choose(rate, later), "past_the_end", *arguments)


def _turning_slip(layout: Layout) -> str:
    """Return ``i64 @turning_slip(c, friction, scale, what, goal)``: what became of it.

    The state in ``slip`` goes on until the phase ends, or slip stops or does not turn any more.
    """
    w = ControlWriter(layout)
    K, friction, what, goal = _matrix(w), w.value("%friction"), w.number("%what"), w.value("%goal")
    state, size = array(w, "slip"), w.number(str(STATE))
    later = w.address(state, STATE)
    stiffness = (K[1][1] * K[1][1] + 2.0 * (K[1][2] * K[1][2]) + K[2][2] * K[2][2]).sqrt()
    h = LENGTH / (length(K[1][0], K[2][0]) + friction * stiffness).at_least(TINY)
    with w.loop("step", 0, STEPS):
        speeds = [w.read(state, k) for k in range(3)]
        slip = length(*speeds[1:])
        with w.when(slip <= (0.5 * STILL) * w.value("%scale")):
            for k in (1, 2):
                w.write(0.0, state, k)
            w.give(STRAIGHTENED)
            w.block("stopped")
        against = [-(friction * (x / slip)) for x in speeds[1:]]
        with w.when(~turns(speeds, growth_of(K, against))):
            w.give(STRAIGHTENED)
            w.block("straight")
        ended = w.ask("double", "past_the_end", state, what, goal) >= 0.0
        w.leave_if(ended, "ended", otherwise="goes.on")
        w.do("slip_step", friction, h, state, later)
        past = w.ask("double", "past_the_end", later, what, goal)
        w.leave_if(~(past < 0.0), "last", otherwise="whole")
        w.copy(state, later, size)
    w.give(STUCK)
    w.block("last")
    low, high, advance = w.variable(w.value("0.0")), w.variable(h), w.variable(h)
    with w.loop("attempt", 0, REFINED):
        w.do("slip_step", friction, advance.value, state, later)
        past = w.ask("double", "past_the_end", later, what, goal)
        low.value = (past < 0.0).choose(advance.value, low.value)
        high.value = (past < 0.0).choose(high.value, advance.value)
        n, *t = [w.read(later, k) for k in range(3)]
        slip = length(*t)
        closing = K[0][0] * slip - friction * (K[0][1] * t[0] + K[0][2] * t[1])
        slope = what.equals(0).choose(closing, what.equals(1).choose(slip, slip * n))
        guess, middle = advance.value - past / slope, 0.5 * (low.value + high.value)
        inside = (guess > low.value) & (guess < high.value)
        better = inside.choose(guess, middle)
        is_close = abs(better - advance.value) <= CLOSE * h
        advance.value = better
        w.leave_if(is_close, "found", otherwise="not.yet")
    w.go("found")
    w.block("found")
    w.copy(state, later, size)
    w.go("ended")
    w.block("ended")
    arguments = "double %friction", "double %scale", "i64 %what", "double %goal"
    return w.returning(w.number(str(ENDED)), "turning_slip", *arguments)
