"""The jump of velocities by impulses at contacts, as LLVM IR text.

    Δv = L⁻ᵀ Yᵀ P,      Yᵀ = (1 - C⁺ C) L⁻¹ Aᵀ,      C = J L⁻ᵀ,      M = L Lᵀ

with the rows A of the contacts and J of loops and constraints; of a tree C is nothing.  C⁺ comes
from reflections with a decision of rank, since rows may depend on each other
(``kernels/llvm/householder.py``); the impulses P are those of ``contact_impulses.py``.
"""

from __future__ import annotations

import sys

from poinsot.expr.rank_tolerances import RANK
from poinsot.kernels.llvm.householder import SHORTEST, householder_functions
from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.kernels.llvm.types import double
from poinsot.simulation.stepping import contact_impulses
from poinsot.simulation.stepping.contact_arrays import array, friction_of
from poinsot.simulation.stepping.control_writer import ControlWriter

ROUNDING = 64.0 * sys.float_info.epsilon
"""Rate of closing that counts as none, relative to the velocities it is made of."""
GAPS, RATES, ROWS, MASS = range(4)
"""Numbers of the kernels of contacts, and of what they write."""
HELD_ARRAYS = ("A", "B", "columns", "x", "y", "order", "diagonal", "factors")
"""Memory of ``@hold``: that of ``SHORTEST``, and the columns of Cᵀ."""


def functions(layout: Layout) -> list[str]:
    """Return ``@contact_jump``, ``@contact_change`` and what they call."""
    return [
        householder_functions(layout),
        _dot(layout),
        _factor(layout),
        _forward(layout),
        _hold(layout),
        _rows_of_contact(layout),
        _wanted_rate(layout),
        *contact_impulses.functions(layout),
        _jump(layout),
        _change(layout),
    ]


def written(w: ControlWriter, number: int) -> Value:
    """Return where the result of a kernel is."""
    return w.read(w.get("contact_values"), number, "ptr")


def _jump(layout: Layout) -> str:
    """Return ``i1 @contact_jump(c, s)``: P of s points that touch; whether it is found.

    From M, rows and rates, where kernels have written them; L takes the place of M.
    """
    w = ControlWriter(layout)
    s, nv, M = w.number("%s"), w.get("nv"), written(w, MASS)
    w.enter_if(w.ask("i1", "factor_mass", M, nv), "regular", otherwise="no")
    moves = w.variable(1)
    with w.count_up(0, s) as point:
        moves.value = w.ask("i1", "contact_rows", point).choose(moves.value, 0)
    w.enter_if(moves.value.differs(0), "moves", otherwise="no")
    Y, K, n = array(w, "Y"), array(w, "K"), s * 3
    with w.count_up(0, n) as i, w.count_up(0, i + 1) as j:
        rows = w.address(Y, i * nv), w.address(Y, j * nv)
        entry = w.ask("double", "dot", *rows, nv)
        w.write(entry, K, i * n + j)
        w.write(entry, K, j * n + i)
    w.give(w.ask("i1", "contact_impulses", s))
    w.block("no")
    return w.returning(w.value("0", "i1"), "contact_jump", "i64 %s")


def _change(layout: Layout) -> str:
    """Return ``@contact_change(c, n)``: Δv by n impulses, in ``after``."""
    w = ControlWriter(layout)
    n, nv, after = w.number("%n"), w.get("nv"), w.get("after")
    Y, P = array(w, "Y"), array(w, "P")
    with w.count_up(0, nv) as i:
        w.write(0.0, after, i)
    with w.count_up(0, n) as k:
        impulse, row = w.read(P, k), w.address(Y, k * nv)
        with w.count_up(0, nv) as i:
            w.write(w.read(after, i) + impulse * w.read(row, i), after, i)
    w.do("upper_solution", written(w, MASS), nv, after)
    return w.define("contact_change", "i64 %n")


def _dot(layout: Layout) -> str:
    """Return ``double @dot(c, a, b, n)``."""
    w = ControlWriter(layout)
    total = w.value("%total")
    with w.loop("i", 0, "%n", carry={"total": ("double", "0.0")}) as after:
        after["total"] = total + w.read("%a", "%i") * w.read("%b", "%i")
    return w.returning(total, "dot", "ptr %a", "ptr %b", "i64 %n")


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
    rows, L = written(w, ROWS), w.value("%L", "ptr")
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


def _rows_of_contact(layout: Layout) -> str:
    """Return ``i1 @contact_rows(c, point)``: rows and velocities of one; whether it can move."""
    w = ControlWriter(layout)
    point, nv, M = w.number("%point"), w.get("nv"), written(w, MASS)
    contact = w.read(array(w, "touch"), point, "i64")
    first, moves = w.read(w.get("contact_rows"), contact, "i64"), w.variable(0)
    for k in range(3):
        entry, number = point * 3 + k, first + k
        goal = w.address(array(w, "Y"), entry * nv)
        is_there = friction_of(w, point) > 0.0 if k else w.value("1", "i1")
        w.write(0.0, array(w, "w"), entry)
        with w.count_up(0, nv) as i:
            w.write(0.0, goal, i)
        with w.when(is_there):
            row = w.address(written(w, ROWS), number * nv)
            w.do("lower_solution", M, row, nv, goal)
            free = w.ask("double", "dot", goal, goal, nv)
            with w.when(w.get("first_gap") > 0):
                w.do("hold", M, goal)
            size = w.ask("double", "dot", goal, goal, nv)
            if not k:
                moves.value = (size > RANK * RANK * free).to_whole()
                w.do("wanted_rate", point, contact, row)
            w.write(w.read(written(w, RATES), number), array(w, "w"), entry)
    return w.returning(moves.value.differs(0), "contact_rows", "i64 %point")


def _wanted_rate(layout: Layout) -> str:
    """Return ``@wanted_rate(c, point, contact, row)``: how fast it is to open at least.

    max(0, -e u), unless it closes by rounding only; e is 0 where it is compressed first.
    """
    w = ControlWriter(layout)
    point, contact, nv = w.number("%point"), w.number("%contact"), w.get("nv")
    rate = w.read(written(w, RATES), w.read(w.get("contact_rows"), contact, "i64"))
    v, total = w.address(w.get("x"), w.get("nq")), w.value("%total")
    with w.loop("i", 0, nv, carry={"total": ("double", "0.0")}) as after:
        after["total"] = total + abs(w.read("%row", "%i")) * abs(w.read(v, "%i"))
    least = ROUNDING * (total + abs(rate))
    given = w.read(w.get("restitutions"), contact)
    e = w.get("compresses").differs(0).choose(0.0, given)
    wanted = (-(e * rate)).at_least(0.0) - rate
    wanted = (wanted > least).choose(wanted, wanted.at_most(0.0))
    w.write(rate + wanted, array(w, "after"), point)
    return w.define("wanted_rate", "i64 %point", "i64 %contact", "ptr %row")
