"""The impact at contacts that touch in a run, as LLVM IR text.

What is not simple is left to Python: points that are held or overlap, a mass matrix that is
singular, velocities off the constraints, contacts whose laws differ where they act at once.
Impulses, and what they do to velocities, are those of ``contact_jump.py``; energy that a law
creates is noted in ``created``.
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping import contact_jump
from poinsot.simulation.stepping.contact_arrays import WHOLE, array
from poinsot.simulation.stepping.contact_jump import GAPS, MASS, RATES, ROWS, written
from poinsot.simulation.stepping.contact_process import POISSON, STRONGE
from poinsot.simulation.stepping.control_writer import ControlWriter

TOUCH = 1e-9
"""Gap at which contacts touch, in the unit of their constraint [m or rad]."""
DEEP = 1e-6
"""Overlap above the rounding error of a closed contact."""
GROWN = 1e-9
"""Growth of the kinetic energy that counts as rounding, relative to it."""
OFF = 1e-9
"""Rate of a constraint [m/s, rad/s], relative to 1 and the largest velocity, that is rounding."""


def functions(layout: Layout) -> list[str]:
    """Return ``@bounce`` and what it calls."""
    return [
        *contact_jump.functions(layout),
        _touching(layout),
        _is_consistent(layout),
        _created(layout),
        _bounce(layout),
    ]


def _touching(layout: Layout) -> str:
    """Return ``i64 @touching(c)``: how many contacts touch, their numbers in ``touch``; or 0.

    0 too where one overlaps, or several act at once and have no law in common.
    """
    w = ControlWriter(layout)
    gaps, touch = w.address(written(w, GAPS), w.get("first_gap")), array(w, "touch")
    count, sound = w.variable(0), w.variable(1)
    law, order = w.variable(0), w.variable(0)
    with w.count_up(0, w.get("n_contacts")) as i:
        gap = w.read(gaps, i)
        with w.when(~(gap > TOUCH)):  # or NaN
            w.write(i, touch, count.value, "i64")
            count.value = count.value + 1
            sound.value = (gap >= -DEEP).choose(sound.value, 0)
            own = [w.read(w.get(field), i, "i64") for field in WHOLE]
            for common, value in zip((law, order), own, strict=True):
                common.value = count.value.equals(1).choose(value, common.value)
            in_turn = order.value.differs(0)  # then each may have a law of its own
            agrees = order.value.equals(own[1]) & (in_turn | law.value.equals(own[0]))
            sound.value = agrees.choose(sound.value, 0)
    at_once = (count.value > 1) & order.value.equals(0)
    fits = sound.value.differs(0) & ~(at_once & law.value.equals(STRONGE))
    w.set("compresses", (at_once & law.value.equals(POISSON)).to_whole())
    return w.returning(fits.choose(count.value, 0), "touching")


def _is_consistent(layout: Layout) -> str:
    """Return ``i1 @is_consistent(c)``: whether velocities obey the constraints."""
    w = ControlWriter(layout)
    rates, v = written(w, RATES), w.address(w.get("x"), w.get("nq"))
    with w.loop("k", 0, w.get("nv"), carry={"most": ("double", "1.0")}) as after:
        after["most"] = abs(w.read(v, "%k")).at_least(w.value("%most"))
    every = w.value("%all", "i1")
    with w.loop("i", 0, w.get("first_gap"), carry={"all": ("i1", "1")}) as after:
        after["all"] = every & (abs(w.read(rates, "%i")) <= OFF * w.value("%most"))
    return w.returning(every, "is_consistent")


def _created(layout: Layout) -> str:
    """Return ``double @created_energy(c, n)``: the work of n impulses, 0 unless above rounding."""
    w = ControlWriter(layout)
    n, nv, M = w.number("%n"), w.get("nv"), written(w, MASS)
    work = w.value("%work")
    with w.loop("i", 0, n, carry={"work": ("double", "0.0")}) as after:
        speeds = w.read(array(w, "w"), "%i") + w.ask(
            "double", "contact_velocity", w.number("%i"), n
        )
        after["work"] = work + 0.5 * (w.read(array(w, "P"), "%i") * speeds)
    v, energy = w.address(w.get("x"), w.get("nq")), w.variable(w.value("0.0"))
    with w.count_up(0, nv) as j:  # of Lᵀ v
        entry = w.variable(w.value("0.0"))
        with w.count_up(j, nv) as i:
            entry.value = entry.value + w.read(M, i * nv + j) * w.read(v, i)
        energy.value = energy.value + 0.5 * (entry.value * entry.value)
    created = (work > GROWN * energy.value).choose(work, 0.0)
    return w.returning(created, "created_energy", "i64 %n")


def _bounce(layout: Layout) -> str:
    """Return ``i1 @bounce(c)``: v⁺ of the state x into ``after``; whether that holds."""
    w = ControlWriter(layout)
    nv, after = w.get("nv"), w.get("after")
    _call(w, GAPS)
    s = w.ask("i64", "touching")
    w.enter_if(s > 0, "touches", otherwise="no")
    _call(w, RATES)
    w.enter_if(w.ask("i1", "is_consistent"), "consistent", otherwise="no")
    _call(w, ROWS)
    _call(w, MASS)
    w.enter_if(w.ask("i1", "contact_jump", s), "found", otherwise="no")
    w.set("created", w.ask("double", "created_energy", s * 3))
    w.do("contact_change", s * 3)
    v, finite = w.address(w.get("x"), w.get("nq")), w.value("%finite", "i1")
    with w.loop("i", 0, nv, carry={"finite": ("i1", "1")}) as carried:
        entry = w.read(v, "%i") + w.read(after, "%i")
        w.write(entry, after, "%i")
        carried["finite"] = finite & (entry - entry).equals(0.0)
    w.give(finite)
    w.block("no")
    return w.returning(w.value("0", "i1"), "bounce")


def _call(w: ControlWriter, number: int) -> None:
    w.call(w.address(w.get("contact_kernels"), number, "[3 x ptr]"))
