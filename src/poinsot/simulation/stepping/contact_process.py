"""The impact at one rough contact as a process along its normal impulse, as LLVM IR text.

Poisson's and Stronge's restitution as ``impacts/impact_process.py`` says in Python, where slip
keeps its direction, as in plane motion.  Where it turns, the process is a differential equation,
which is left to Python.
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout, Variable
from poinsot.simulation.stepping.control_writer import ControlWriter

NEWTON, POISSON, STRONGE = range(3)
"""Numbers of the laws."""
STILL = 1e-11
"""Slip that counts as none, relative to the velocities before."""
PHASES = 50
"""Changes between slip and stick that an impact may have."""
STRAIGHT = 1e-13
"""Part of its growth that a slip which keeps its direction may gain across it, by rounding."""
REGULAR = 1e-12
"""Determinant of K_tt, relative to the product of its diagonal, up to which its rank is one."""
LEAST = 1e-300
INFINITE = float("inf")


def function(layout: Layout) -> str:
    """Return ``i1 @impact_process(c, K, u, P, e, friction, law)``: P, and whether it is found.

    K is of the normal and two tangents, by rows, and u the velocities before it along them.
    """
    w = ControlWriter(layout)
    K = [[w.read("%K", 3 * i + j) for j in range(3)] for i in range(3)]
    u = [w.read("%u", k) for k in range(3)]
    friction = w.value("%friction")
    speeds, impulses = [w.variable(x) for x in u], [w.variable(u[0] * 0.0) for _ in range(3)]
    work, goal, restores = (w.variable(x) for x in (u[0] * 0.0, u[0] * 0.0, 0))
    scale = abs(u[0]).at_least(abs(u[1])).at_least(abs(u[2]))
    with w.when(~(u[0] < 0.0)):
        _give_up(w)
    with w.loop("phase", 0, PHASES):
        slip = _length(speeds[1].value, speeds[2].value)
        moves = slip > STILL * scale
        f = [w.variable(u[0] * 0.0) for _ in range(2)]
        with w.when(moves):
            for variable, speed in zip(f, speeds[1:], strict=True):
                variable.value = -(friction * speed.value / slip)
        with w.when(~moves):
            _from_rest(w, K, friction, f)
        rates = [x.value for x in f]
        growth = [row[0] + row[1] * rates[0] + row[2] * rates[1] for row in K]
        turning = abs(speeds[1].value * growth[2] - speeds[2].value * growth[1])
        most = abs(growth[0]).at_least(abs(growth[1])).at_least(abs(growth[2]))
        with w.when(moves & (turning > STRAIGHT * slip * most)):
            _give_up(w)
        slowing = (speeds[1].value * growth[1] + speeds[2].value * growth[2]) / slip
        stop = (moves & (slowing < 0.0)).choose(-(slip / slowing), INFINITE)
        state = speeds[0].value, impulses[0].value, work.value
        end = _end(w, restores.value.differs(0), state, growth[0], goal.value)
        x = stop.at_most(end)
        with w.when(~(x < INFINITE)):
            _give_up(w)
        work.value = work.value + (speeds[0].value * x + 0.5 * growth[0] * x * x)
        for speed, rate in zip(speeds, growth, strict=True):
            speed.value = speed.value + rate * x
        for impulse, rate in zip(impulses, (w.value("1.0"), *rates), strict=True):
            impulse.value = impulse.value + rate * x
        with w.when(stop < end):
            for speed in speeds[1:]:
                speed.value = u[0] * 0.0
        with w.when(end <= stop):
            with w.when(restores.value.differs(0)):
                for k, impulse in enumerate(impulses):
                    w.write(impulse.value, "%P", k)
                w.give(w.value("1", "i1"))
                w.block("unreachable")
            e, is_poisson = w.value("%e"), w.number("%law").equals(POISSON)
            wanted = (1.0 + e) * impulses[0].value, (1.0 - e * e) * work.value
            goal.value = is_poisson.choose(*wanted)
            restores.value = 1
    w.give(w.value("0", "i1"))
    w.block("never")
    arguments = "ptr %K", "ptr %u", "ptr %P", "double %e", "double %friction", "i64 %law"
    return w.returning(w.value("0", "i1"), "impact_process", *arguments)


def _from_rest(w: ControlWriter, K: list[list[Value]], friction: Value, f: list[Variable]) -> None:
    """Write the friction of a point that does not slip: what holds it, or against new slip."""
    determinant = K[1][1] * K[2][2] - K[1][2] * K[2][1]
    is_regular, trace = determinant > REGULAR * (K[1][1] * K[2][2]), K[1][1] + K[2][2]
    inverse = (
        (K[1][2] * K[2][0] - K[2][2] * K[1][0]) / determinant,
        (K[2][1] * K[1][0] - K[1][1] * K[2][0]) / determinant,
    )
    size = (trace * trace).at_least(LEAST)  # of rank one, as in plane motion: K⁺ = K / trace²
    plane = [-((row[1] * K[1][0] + row[2] * K[2][0]) / size) for row in K[1:]]
    holding = [is_regular.choose(*pair) for pair in zip(inverse, plane, strict=True)]
    sticks = _length(*holding) <= friction * (1.0 + 1e-12)
    with w.when(sticks):
        for variable, value in zip(f, holding, strict=True):
            variable.value = value
    with w.when(~sticks):
        size = _length(K[1][0], K[2][0])
        s = [K[1][0] / size, K[2][0] / size]
        against = [-(friction * x) for x in s]
        growth = [row[0] + row[1] * against[0] + row[2] * against[1] for row in K[1:]]
        across = abs(s[0] * growth[1] - s[1] * growth[0])
        grows = s[0] * growth[0] + s[1] * growth[1] > 0.0
        straight = across <= STRAIGHT * abs(growth[0]).at_least(abs(growth[1]))
        with w.when(~(grows & straight)):
            _give_up(w)
        for variable, value in zip(f, against, strict=True):
            variable.value = value


def _end(
    w: ControlWriter, restores: Value, state: tuple[Value, Value, Value], growth: Value, goal: Value
) -> Value:
    """Return how far the impulse goes until the phase ends, while w_n = a + growth x."""
    a, impulse, work = state
    compressed = (growth > 0.0).choose(-(a / growth), INFINITE)
    poisson = (goal - impulse).at_least(0.0)
    left = goal - work  # a x + growth x² / 2
    root = a * a + 2.0 * growth * left
    even = (a > 0.0).choose(left / a, INFINITE)
    bent = (root >= 0.0).choose((root.sqrt() - a) / growth, INFINITE)
    stronge = (left <= 0.0).choose(0.0, growth.equals(0.0).choose(even, bent))
    restored = w.number("%law").equals(POISSON).choose(poisson, stronge)
    return restores.choose(restored, compressed)


def _give_up(w: ControlWriter) -> None:
    w.give(w.value("0", "i1"))
    w.block(f"given.up{len(w.lines)}")


def _length(x: Value, y: Value) -> Value:
    return (x * x + y * y).sqrt()
