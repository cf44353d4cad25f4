"""Impulses of contacts that touch at one instant, as LLVM IR text.

    w⁺ = w + K P,      K = Y Yᵀ

with Y the rows of the contacts (three of one with friction, else one) in the metric of M: the laws
of ``impacts/collision_law.py``.  One smooth point is a quotient, one that sticks a linear equation
and one rough point by another law than Newton's a process (``contact_process.py``); else impulses
are projected (``contact_complementarity.py``), by Poisson's law in two phases, given one after the
other (``contact_sequence.py``), or by Newton's law as printed solved for.  What takes long or is
singular is left to Python.
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping import (
    contact_complementarity,
    contact_process,
    contact_sequence,
)
from poinsot.simulation.stepping.contact_arrays import array, friction_of, of_contact
from poinsot.simulation.stepping.contact_process import POISSON, PRINTED, UNILATERAL
from poinsot.simulation.stepping.control_writer import ControlWriter

OPEN = 1e-12
"""Rate at which a point may close after its impact, relative to the velocities before."""
CLEAR = 1e-10
"""Pivot of the impulse matrix above which machine code is as good as floats with ranks."""


def functions(layout: Layout) -> list[str]:
    """Return ``@contact_impulses`` and what it calls."""
    return [
        *contact_complementarity.functions(layout),
        *contact_process.functions(layout),
        contact_sequence.function(layout),
        _slip(layout, "reverse_slip"),
        _slip(layout, "restore_slip"),
        _of_one(layout),
        _in_two_phases(layout),
        _printed(layout),
        _impulses(layout),
    ]


def _slip(layout: Layout, name: str) -> str:
    """Return ``@reverse_slip(c, s)`` or ``@restore_slip(c, s)``, of s points.

    The first makes slip what friction would have to hold, w_t + e_t w_t: friction opposes the slip
    after the impact less its reversed part (``CollisionLaw`` in ``impacts/collision_law.py``).
    The second makes it the slip before the impact again.
    """
    w = ControlWriter(layout)
    speeds = array(w, "w")
    with w.count_up(0, w.number("%s")) as point:
        factor = 1.0 + of_contact(w, "reversals", point)
        factor = factor if name == "reverse_slip" else 1.0 / factor
        for k in (1, 2):
            w.write(factor * w.read(speeds, point * 3 + k), speeds, point * 3 + k)
    return w.define(name, "i64 %s")


def _of_one(layout: Layout) -> str:
    """Return ``i1 @point_impulses(c)``: P of one point that closes; whether it is found."""
    w = ControlWriter(layout)
    K, u, P, zero = array(w, "K"), array(w, "w"), array(w, "P"), w.number("0")
    friction = friction_of(w, zero)
    w.leave_if(friction > 0.0, "rough", otherwise="smooth")
    missing = w.read(array(w, "after"), 0) - w.read(u, 0)
    w.write(missing / w.read(K, 0), P, 0)
    for k in (1, 2):
        w.write(0.0, P, k)
    w.give(missing > 0.0)
    w.block("rough")
    law = of_contact(w, "contact_laws", zero)
    by_velocities = law.equals(UNILATERAL) | law.equals(PRINTED)
    w.leave_if(by_velocities, "velocities", otherwise="process")
    e = of_contact(w, "restitutions", zero)
    w.enter_if(w.ask("i1", "impact_process", e, friction, law), "ended", otherwise="no")
    scale = abs(w.read(u, 0)).at_least(abs(w.read(u, 1))).at_least(abs(w.read(u, 2)))
    w.give(w.ask("double", "contact_velocity", zero, w.number("3")) >= -(OPEN * scale))
    w.block("velocities")
    w.do("reverse_slip", 1)
    with w.when(w.ask("i1", "sticking")):
        w.do("restore_slip", 1)
        w.give(w.value("1", "i1"))
        w.block("stuck")
    w.write(0.0, array(w, "least"), 0)
    is_solved = w.ask("i1", "complementary", w.number("1"))
    w.do("restore_slip", 1)
    w.give(is_solved)
    w.block("no")
    return w.returning(w.value("0", "i1"), "point_impulses")


def _in_two_phases(layout: Layout) -> str:
    """Return ``i1 @poisson_impulses(c, s)``: P of s points at once, by Poisson's law.

    Compression ends where no gap closes; restitution gives e times its impulses, or more where a
    gap would close by that (Ch. Glocker, F. Pfeiffer, Nonlinear Dyn. 7, 1995).
    """
    w = ControlWriter(layout)
    s, P, u, least = w.number("%s"), array(w, "P"), array(w, "w"), array(w, "least")
    n = s * 3
    before = array(w, "first")
    pressed = w.address(before, n)
    w.enter_if(w.ask("i1", "complementary", s), "pressed", otherwise="no")
    w.copy(before, u, n)
    w.copy(pressed, P, n)
    with w.count_up(0, n) as k:
        w.write(w.ask("double", "contact_velocity", k, n), array(w, "solution"), k)
    w.copy(u, array(w, "solution"), n)
    with w.count_up(0, s) as point:
        given = of_contact(w, "restitutions", point) * w.read(pressed, point * 3)
        w.write(given, least, point)
        w.write(0.0, array(w, "after"), point)
    is_solved = w.ask("i1", "complementary", s)
    w.copy(u, before, n)
    with w.count_up(0, n) as k:
        w.write(w.read(P, k) + w.read(pressed, k), P, k)
    w.give(is_solved)
    w.block("no")
    return w.returning(w.value("0", "i1"), "poisson_impulses", "i64 %s")


def _printed(layout: Layout) -> str:
    """Return ``i1 @printed_impulses(c, s)``: P of s smooth points that all obey Newton's law.

    K P = H, the rates after it less those before [Zhang1996, (3.27), (3.30)].  Points that open,
    have friction or depend on each other are left to Python, which may refuse them.
    """
    w = ControlWriter(layout)
    s, K, L, P = w.number("%s"), array(w, "K"), array(w, "factors"), array(w, "P")
    solution, fits = array(w, "solution"), w.variable(1)
    with w.count_up(0, s) as i:
        is_rough, opens = friction_of(w, i) > 0.0, w.read(array(w, "w"), i * 3) > 0.0
        fits.value = (is_rough | opens).choose(0, fits.value)
        w.write(w.read(array(w, "after"), i) - w.read(array(w, "w"), i * 3), solution, i)
        with w.count_up(0, s) as j:
            w.write(w.read(K, (i * 3) * (s * 3) + j * 3), L, i * s + j)
    w.enter_if(w.ask("i1", "factor_mass", L, s), "regular", otherwise="no")
    with w.count_up(0, s) as i:
        pivot, size = w.read(L, i * s + i), w.read(K, (i * 3) * (s * 3) + i * 3)
        fits.value = (pivot * pivot >= CLEAR * size).choose(fits.value, 0)
    w.enter_if(fits.value.differs(0), "fits", otherwise="no")
    w.do("lower_solution", L, solution, s, solution)
    w.do("upper_solution", L, s, solution)
    with w.count_up(0, s) as i:
        w.write(w.read(solution, i), P, i * 3)
        for k in (1, 2):
            w.write(0.0, P, i * 3 + k)
    w.give(w.value("1", "i1"))
    w.block("no")
    return w.returning(w.value("0", "i1"), "printed_impulses", "i64 %s")


def _impulses(layout: Layout) -> str:
    """Return ``i1 @contact_impulses(c, s)``: P of s points; whether it is found."""
    w = ControlWriter(layout)
    s, zero = w.number("%s"), w.number("0")
    with w.count_up(0, s) as point:
        w.write(0.0, array(w, "least"), point)
    w.leave_if(s.equals(1), "one", otherwise="several")
    law, order = (of_contact(w, f"contact_{key}s", zero) for key in ("law", "order"))
    w.leave_if(order.differs(0), "sequence", otherwise="at_once")
    w.leave_if(law.equals(POISSON), "poisson", otherwise="velocities")
    w.leave_if(law.equals(PRINTED), "printed", otherwise="unilateral")
    w.do("reverse_slip", s)
    is_solved = w.ask("i1", "complementary", s)
    w.do("restore_slip", s)
    w.give(is_solved)
    w.block("printed")
    w.give(w.ask("i1", "printed_impulses", s))
    w.block("poisson")
    w.give(w.ask("i1", "poisson_impulses", s))
    w.block("sequence")
    w.give(w.ask("i1", "contact_sequence", s))
    w.block("one")
    return w.returning(w.ask("i1", "point_impulses"), "contact_impulses", "i64 %s")
