"""The impact at one rough contact as a process along its normal impulse, as LLVM IR text.

Poisson's and Stronge's restitution as ``impacts/impact_process.py`` says in Python.  Where slip
keeps its direction, as in plane motion, a phase is a quadratic equation; where it turns, a
differential equation (``contact_slip.py``).
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping import contact_onset, contact_slip
from poinsot.simulation.stepping.contact_arrays import array
from poinsot.simulation.stepping.contact_slip import (
    ENDED,
    STILL,
    STUCK,
    growth_of,
    length,
    turns,
)
from poinsot.simulation.stepping.control_writer import ControlWriter

UNILATERAL, POISSON, STRONGE, PRINTED = range(4)
"""Numbers of the laws."""
PHASES = 50
"""Changes between slip and stick that an impact may have."""
REST = 1e-9
"""Closing, relative to the velocities before, and growth, relative to that without friction, that
count as none where slip has ended."""
INFINITE = float("inf")


def functions(layout: Layout) -> list[str]:
    """Return ``@impact_process`` and what it calls."""
    return [
        *contact_slip.functions(layout),
        contact_onset.function(layout),
        _advance(layout),
        _process(layout),
    ]


def _process(layout: Layout) -> str:
    """Return ``i1 @impact_process(c, e, friction, law)``: P of one point; whether it is found."""
    w = ControlWriter(layout)
    u, P, state = array(w, "w"), array(w, "P"), array(w, "slip")
    friction, e, law, three = w.value("%friction"), w.value("%e"), w.number("%law"), w.number("3")
    scale = abs(w.read(u, 0)).at_least(abs(w.read(u, 1))).at_least(abs(w.read(u, 2)))
    w.enter_if(w.read(u, 0) < 0.0, "closes", otherwise="no")
    w.copy(state, u, three)
    for k in range(3, contact_slip.STATE):
        w.write(0.0, state, k)
    what, goal = w.variable(0), w.variable(w.value("0.0"))
    with w.loop("phase", 0, PHASES):
        became = w.ask("i64", "advance_impact", friction, scale, what.value, goal.value)
        w.leave_if(became.equals(STUCK), "no", otherwise="moved")
        with w.when(became.equals(ENDED)):
            with w.when(what.value.differs(0)):
                w.copy(P, w.address(state, 3), three)
                w.give(w.value("1", "i1"))
                w.block("restored")
            impulse, work = w.read(state, 3), w.read(state, 6)
            goal.value = law.equals(POISSON).choose((1.0 + e) * impulse, (1.0 - e * e) * work)
            what.value = law
    w.go("no")
    w.block("no")
    arguments = "double %e", "double %friction", "i64 %law"
    return w.returning(w.value("0", "i1"), "impact_process", *arguments)


def _advance(layout: Layout) -> str:
    """Return ``i64 @advance_impact(c, friction, scale, what, goal)``: what became of the state.

    It goes on until the phase ends or slip does; ``what`` counts is 0 in compression, then the
    number of the law.
    """
    w = ControlWriter(layout)
    K = [[w.read(array(w, "K"), 3 * i + j) for j in range(3)] for i in range(3)]
    friction, scale, what, goal = (
        w.value("%friction"), w.value("%scale"), w.number("%what"), w.value("%goal"),
    )  # fmt: skip
    state = array(w, "slip")
    speeds = [w.read(state, k) for k in range(3)]
    slip = length(*speeds[1:])
    moves = slip > STILL * scale
    rubbing = array(w, "rubbing")
    with w.when(moves):
        for k, speed in enumerate(speeds[1:]):
            w.write(-(friction * speed / slip), rubbing, k)
    with w.when(~moves):
        w.do("friction_from_rest", friction)
    against = [w.read(rubbing, k) for k in range(2)]
    growth = growth_of(K, against)
    with w.when(moves & turns(speeds, growth)):
        w.give(w.ask("i64", "turning_slip", friction, scale, what, goal))
        w.block("turned")
    slowing = (speeds[1] * growth[1] + speeds[2] * growth[2]) / slip
    stop = (moves & (slowing < 0.0)).choose(-(slip / slowing), INFINITE)
    impulse, work = w.read(state, 3), w.read(state, 6)
    end = _end(what, (speeds[0], impulse, work), growth[0], goal)
    is_held = ~moves & (growth[0] <= REST * K[0][0]) & (abs(speeds[0]) <= REST * scale)
    held_end = what.equals(0).choose(
        0.0, (what.equals(STRONGE) & (goal > work)).choose(INFINITE, end)
    )
    end = is_held.choose(held_end, end)
    x = stop.at_most(end)
    w.enter_if(x < INFINITE, "ends", otherwise="endless")
    w.write(work + (speeds[0] * x + 0.5 * growth[0] * x * x), state, 6)
    stops = stop < end
    for k, (speed, rate) in enumerate(zip(speeds, growth, strict=True)):
        after = speed + rate * x
        w.write(stops.choose(0.0, after) if k else after, state, k)
    for k, rate in enumerate((w.value("1.0"), *against), 3):
        w.write(w.read(state, k) + rate * x, state, k)
    w.give((end <= stop).choose(ENDED, contact_slip.STRAIGHTENED))
    w.block("endless")
    arguments = "double %friction", "double %scale", "i64 %what", "double %goal"
    return w.returning(w.number(str(STUCK)), "advance_impact", *arguments)


def _end(what: Value, state: tuple[Value, Value, Value], growth: Value, goal: Value) -> Value:
    """Return how far the impulse goes until the phase ends, while w_n = a + growth x."""
    a, impulse, work = state
    compressed = (growth > 0.0).choose(-(a / growth), INFINITE)
    poisson = (goal - impulse).at_least(0.0)
    left = goal - work  # a x + growth x² / 2
    root = a * a + 2.0 * growth * left
    even = (a > 0.0).choose(left / a, INFINITE)
    bent = (root >= 0.0).choose((root.sqrt() - a) / growth, INFINITE)
    stronge = (left <= 0.0).choose(0.0, growth.equals(0.0).choose(even, bent))
    restored = what.equals(POISSON).choose(poisson, stronge)
    return what.equals(0).choose(compressed, restored)
