"""The impact at one smooth contact, as LLVM IR text.

    v⁺ = v - (1 + e) (ġ / |y|²) L⁻ᵀ y,      y = (1 - C⁺ C) L⁻¹ aᵀ,      C = J L⁻ᵀ,      M = L Lᵀ

with a = ∂g/∂q̇ of the gap g and the rows J of loops and constraints: of a tree y = L⁻¹ aᵀ and
|y|² = a M⁻¹ aᵀ.  C⁺ comes from reflections with a decision of rank, since rows may depend on each
other (``kernels/llvm/householder.py``).  What is not that simple is left to Python: another contact
that touches, one that opens, friction, a mass matrix that is singular, velocities off the
constraints.
"""

from __future__ import annotations

from poinsot.expr.rank_tolerances import RANK
from poinsot.kernels.llvm.householder import SHORTEST, householder_functions
from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.kernels.llvm.types import double
from poinsot.simulation.stepping.control_writer import ControlWriter

TOUCH = 1e-9
"""Gap at which contacts touch, in the unit of their constraint [m or rad]."""
DEEP = 1e-6
"""Overlap above the rounding error of a closed contact."""
OFF = 1e-9
"""Rate of a constraint [m/s, rad/s], relative to 1 and the largest velocity, that is rounding."""
GAPS, RATES, ROWS, MASS = range(4)
"""Numbers of the kernels of contacts, and of what they write."""
HELD_ARRAYS = ("A", "B", "columns", "x", "y", "order", "diagonal", "factors")
"""Memory of ``@hold``: that of ``SHORTEST``, and the columns of Cᵀ."""


def functions(layout: Layout) -> list[str]:
    """Return ``@bounce`` and what it calls."""
    return [
        householder_functions(layout),
        _dot(layout),
        _is_alone(layout),
        _is_consistent(layout),
        _factor(layout),
        _forward(layout),
        _hold(layout),
        _bounce(layout),
    ]


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


def _is_consistent(layout: Layout) -> str:
    """Return ``i1 @is_consistent(c)``: whether velocities obey the constraints."""
    w = ControlWriter(layout)
    rates, v = _written(w, RATES), w.address(w.get("x"), w.get("nq"))
    with w.loop("k", 0, w.get("nv"), carry={"most": ("double", "1.0")}) as after:
        after["most"] = abs(w.read(v, "%k")).at_least(w.value("%most"))
    every = w.value("%all", "i1")
    with w.loop("i", 0, w.get("first_gap"), carry={"all": ("i1", "1")}) as after:
        after["all"] = every & (abs(w.read(rates, "%i")) <= OFF * w.value("%most"))
    return w.returning(every, "is_consistent")


def _forward(layout: Layout) -> str:
    """Return ``@lower_solution(c, L, row, n, y)``: y = L⁻¹ rowᵀ."""
    w = ControlWriter(layout)
    n = w.number("%n")
    with w.count_up(0, n) as i:
        below = w.address("%L", i * n)
        rest = w.read("%row", i) - w.ask("double", "dot", below, w.value("%y", "ptr"), i)
        w.write(rest / w.read(below, i), "%y", i)
    return w.define("lower_solution", "ptr %L", "ptr %row", "i64 %n", "ptr %y")


def _hold(layout: Layout) -> str:
    """Return ``@hold(c, L, y)``: y becomes (1 - C⁺ C) y."""
    w = ControlWriter(layout)
    m, nv, stride = w.get("first_gap"), w.get("nv"), w.get("held_stride")
    held = w.get("held")
    arrays = {name: w.read(held, k, "ptr") for k, name in enumerate(HELD_ARRAYS)}
    A, columns, x, y = arrays["A"], arrays["columns"], arrays["x"], w.value("%y", "ptr")
    rows, L = _written(w, ROWS), w.value("%L", "ptr")
    with w.count_up(0, m) as j:
        w.do("lower_solution", L, w.address(rows, j * nv), nv, w.address(columns, j * stride))
    w.copy(A, columns, m * stride)
    right = w.address(A, m * stride)
    with w.count_up(0, stride) as i:
        w.write(0.0, right, i)
    w.copy(right, y, nv)
    sizes = f"i64 {stride}, i64 {m}, i64 {nv}, i64 {nv}, double {double(RANK)}"
    memory = ", ".join(f"ptr {arrays[name]}" for name in HELD_ARRAYS[3:])
    w.line(f"call fastcc void @{SHORTEST}(ptr {A}, ptr {arrays['B']}, {sizes}, {memory})")
    with w.count_up(0, m) as j:
        factor, column = w.read(x, j), w.address(columns, j * stride)
        with w.count_up(0, nv) as i:
            w.write(w.read(y, i) - factor * w.read(column, i), y, i)
    return w.define("hold", "ptr %L", "ptr %y")


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
    w.enter_if((rate < 0.0) & w.ask("i1", "is_consistent"), "closing", otherwise="no")
    _call(w, ROWS)
    _call(w, MASS)
    row, M = w.address(_written(w, ROWS), number * nv), _written(w, MASS)
    w.enter_if(w.ask("i1", "factor_mass", M, nv), "regular", otherwise="no")
    w.do("lower_solution", M, row, nv, after)
    free = w.ask("double", "dot", after, after, nv)
    with w.when(w.get("first_gap") > 0):
        w.do("hold", M, after)
    size = w.ask("double", "dot", after, after, nv)
    moves = (size > RANK * RANK * free) & (size - size).equals(0.0)
    w.enter_if(moves, "moves", otherwise="no")
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
