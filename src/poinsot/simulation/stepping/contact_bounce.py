"""The impact at one smooth contact of a tree, as LLVM IR text.

    v⁺ = v - (1 + e) (ġ / (J M⁻¹ Jᵀ)) M⁻¹ Jᵀ,      J = ∂g/∂q̇ of the gap g

with M = L Lᵀ [Golub2013, 4.2].  What is not that simple is left to Python: another contact that
touches, one that opens, constraints, friction, a mass matrix that is singular.
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping.control_writer import ControlWriter

TOUCH = 1e-9
"""Gap at which contacts touch, in the unit of their constraint [m or rad]."""
DEEP = 1e-6
"""Overlap above the rounding error of a closed contact."""
GAPS, RATES, ROWS, MASS = range(4)
"""Numbers of the kernels of contacts, and of what they write."""


def functions(layout: Layout) -> list[str]:
    """Return ``@bounce`` and what it calls."""
    return [_dot(layout), _is_alone(layout), _factor(layout), _bounce(layout)]


def _dot(layout: Layout) -> str:
    """Return ``double @dot(c, a, b, n)``."""
    w = ControlWriter(layout)
    total = w.value("%total")
    with w.loop("i", 0, "%n", carry={"total": ("double", "0.0")}) as after:
        after["total"] = total + w.read("%a", "%i") * w.read("%b", "%i")
    return w.returning(total, "dot", "ptr %a", "ptr %b", "i64 %n")


def _is_alone(layout: Layout) -> str:
    """Return ``i1 @is_alone(c, contact)``: whether a contact touches and no other does."""
    w = ControlWriter(layout)
    gaps, contact = w.address(_written(w, GAPS), w.get("first_gap")), w.number("%contact")
    every = w.value("%all", "i1")
    with w.loop("i", 0, w.get("n_contacts"), carry={"all": ("i1", "1")}) as after:
        gap, is_it = w.read(gaps, "%i"), w.number("%i").equals(contact)
        touches = (gap >= -DEEP) & (gap <= TOUCH)
        after["all"] = every & ((is_it & touches) | (~is_it & (gap > TOUCH)))
    return w.returning(every, "is_alone", "i64 %contact")


def _factor(layout: Layout) -> str:
    """Return ``i1 @factor_mass(c, M, n)``: L in the place of M; whether M is positive definite."""
    w = ControlWriter(layout)
    n = w.number("%n")
    with w.count_up(0, n) as j:
        row = w.address("%M", j * n)
        squared = w.read(row, j) - w.ask("double", "dot", row, row, j)
        with w.when(~(squared > 0.0)):
            w.give(w.value("0", "i1"))
            w.block("unreachable")
        diagonal = squared.sqrt()
        w.write(diagonal, row, j)
        with w.count_up(j + 1, n) as i:
            other = w.address("%M", i * n)
            entry = w.read(other, j) - w.ask("double", "dot", other, row, j)
            w.write(entry / diagonal, other, j)
    return w.returning(w.value("1", "i1"), "factor_mass", "ptr %M", "i64 %n")


def _bounce(layout: Layout) -> str:
    """Return ``i1 @bounce(c, contact)``: v⁺ of the state x into ``after``; whether that holds."""
    w = ControlWriter(layout)
    contact, nv, after = w.number("%contact"), w.get("nv"), w.get("after")
    restitution = w.read(w.get("restitutions"), contact)
    w.leave_if(restitution.is_nan(), "no", otherwise="smooth")
    _call(w, GAPS)
    w.enter_if(w.ask("i1", "is_alone", contact), "alone", otherwise="no")
    _call(w, RATES)
    number = w.get("first_gap") + contact
    rate = w.read(_written(w, RATES), number)
    w.enter_if(rate < 0.0, "closing", otherwise="no")
    _call(w, ROWS)
    _call(w, MASS)
    row, M = w.address(_written(w, ROWS), number * nv), _written(w, MASS)
    w.enter_if(w.ask("i1", "factor_mass", M, nv), "regular", otherwise="no")
    with w.count_up(0, nv) as i:
        below = w.address(M, i * nv)
        rest = w.read(row, i) - w.ask("double", "dot", below, after, i)
        w.write(rest / w.read(below, i), after, i)
    size = w.ask("double", "dot", after, after, nv)  # J M⁻¹ Jᵀ
    w.enter_if((size > 0.0) & (size - size).equals(0.0), "moves", otherwise="no")
    with w.count_up(0, nv) as step:
        k = nv - 1 - step
        below = w.address(M, k * nv)
        entry = w.read(after, k) / w.read(below, k)
        w.write(entry, after, k)
        with w.count_up(0, k) as i:
            w.write(w.read(after, i) - w.read(below, i) * entry, after, i)
    v, factor = w.address(w.get("x"), w.get("nq")), (1.0 + restitution) * rate / size
    with w.count_up(0, nv) as i:
        w.write(w.read(v, i) - factor * w.read(after, i), after, i)
    w.give(w.value("1", "i1"))
    w.block("no")
    return w.returning(w.value("0", "i1"), "bounce", "i64 %contact")


def _call(w: ControlWriter, number: int) -> None:
    w.call(w.address(w.get("contact_kernels"), number, "[3 x ptr]"))


def _written(w: ControlWriter, number: int) -> Value:
    """Return where the result of a kernel is."""
    return w.read(w.get("contact_values"), number, "ptr")
