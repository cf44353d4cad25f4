"""Impulses that push and stay in the cone of friction, as LLVM IR text.

    w⁺ = w + K P,      0 ≤ P_n - least  ⟂  w⁺_n - after ≥ 0,      |P_t| ≤ μ P_n,  against w⁺_t

One point that sticks is a linear equation.  Else impulses are projected in turn, those along
the normal, then those across onto the disc of radius μ P_n (P. Alart, A. Curnier, Comput. Methods
Appl. Mech. Eng. 92, 1991), until they stay.  Of smooth points that tells which push, and their
equations are solved to rounding; where they depend on each other (``redundant_contacts.py``), by
impulses of least norm.
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping import redundant_contacts
from poinsot.simulation.stepping.contact_arrays import array, friction_of
from poinsot.simulation.stepping.control_writer import ControlWriter

SWEEPS = 2000
"""Projections of every point, at most."""
CONVERGED = 1e-14
"""Change of a velocity, relative to those before, by which projections have ended."""
TINY = 1e-300
FURTHER = 16
"""Sweeps after that, which take what is left to rounding where projections converge fast."""
CLEAR = 1e-10
"""Pivot of the impulse matrix above which machine code is as good as floats with ranks."""
TIGHT = 1e-10
"""Rate above the wanted one, relative to those before, up to which a point opens as it is to."""
OPEN = 1e-12
"""Rate of a point without impulse below the wanted one, relative to those before."""
STUCK = 1e-12
"""Part of μ P_n by which friction that sticks may be larger, by rounding."""


def functions(layout: Layout) -> list[str]:
    """Return ``@sticking``, ``@complementary`` and what they call."""
    return [
        _velocity(layout),
        _back(layout),
        _sticking(layout),
        _project(layout),
        _sweeps(layout),
        *redundant_contacts.functions(layout),
        _is_regular(layout),
        _tight(layout),
        _solved(layout),
        _complementary(layout),
    ]


def _velocity(layout: Layout) -> str:
    """Return ``double @contact_velocity(c, row, n)``: w + K P, of one row of n."""
    w = ControlWriter(layout)
    row, n = w.number("%row"), w.number("%n")
    K = w.address(array(w, "K"), row * n)
    moved = w.ask("double", "dot", K, array(w, "P"), n)
    return w.returning(w.read(array(w, "w"), row) + moved, "contact_velocity", "i64 %row", "i64 %n")


def _back(layout: Layout) -> str:
    """Return ``@upper_solution(c, L, n, y)``: y becomes L⁻ᵀ y."""
    w = ControlWriter(layout)
    n = w.number("%n")
    with w.count_up(0, n) as step:
        k = n - 1 - step
        below = w.address("%L", k * n)
        entry = w.read("%y", k) / w.read(below, k)
        w.write(entry, "%y", k)
        with w.count_up(0, k) as i:
            w.write(w.read("%y", i) - w.read(below, i) * entry, "%y", i)
    return w.define("upper_solution", "ptr %L", "i64 %n", "ptr %y")


def _sticking(layout: Layout) -> str:
    """Return ``i1 @sticking(c)``: P of one point that sticks, and whether it pushes in its cone.

    K P = (after - u_n, -u_t), by the factors of K, which is copied.
    """
    w = ControlWriter(layout)
    K, P, u = array(w, "factors"), array(w, "P"), array(w, "w")
    w.copy(K, array(w, "K"), w.number("9"))
    w.enter_if(w.ask("i1", "is_regular", K, 3), "regular", otherwise="no")
    zero = w.number("0")
    w.write(w.read(array(w, "after"), 0) - w.read(u, 0), P, 0)
    for k in (1, 2):
        w.write(-w.read(u, k), P, k)
    w.do("lower_solution", K, P, 3, P)
    w.do("upper_solution", K, 3, P)
    across = (w.read(P, 1) * w.read(P, 1) + w.read(P, 2) * w.read(P, 2)).sqrt()
    bound = friction_of(w, zero) * w.read(P, 0)
    w.give((w.read(P, 0) >= 0.0) & (across <= bound * (1.0 + STUCK)))
    w.block("no")
    return w.returning(w.value("0", "i1"), "sticking")


def _project(layout: Layout) -> str:
    """Return ``double @project_impulse(c, point, n)``: the largest change of a velocity by it."""
    w = ControlWriter(layout)
    point, n, P = w.number("%point"), w.number("%n"), array(w, "P")
    row = point * 3
    stiffness = w.read(array(w, "K"), row * n + row)
    normal = w.read(P, row)
    away = w.ask("double", "contact_velocity", row, n) - w.read(array(w, "after"), point)
    pushed = (normal - away / stiffness).at_least(w.read(array(w, "least"), point))
    w.write(pushed, P, row)
    change = w.variable(abs(pushed - normal) * stiffness)
    friction = friction_of(w, point)
    with w.when(friction > 0.0):
        K = array(w, "K")
        both = [row + 1, row + 2]
        inertia = w.read(K, both[0] * n + both[0]) + w.read(K, both[1] * n + both[1])
        inertia = inertia.at_least(TINY)
        before = [w.read(P, k) for k in both]
        slips = [w.ask("double", "contact_velocity", k, n) for k in both]
        trial = [x - slip / inertia for x, slip in zip(before, slips, strict=True)]
        size, bound = (trial[0] * trial[0] + trial[1] * trial[1]).sqrt(), friction * pushed
        factor = (size <= bound).choose(1.0, bound / size.at_least(TINY))
        for k, x, old in zip(both, trial, before, strict=True):
            w.write(x * factor, P, k)
            change.value = change.value.at_least(abs(x * factor - old) * inertia)
    return w.returning(change.value, "project_impulse", "i64 %point", "i64 %n")


def _sweeps(layout: Layout) -> str:
    """Return ``i1 @sweeps(c, s, speed)``: projections of s points; whether they have ended."""
    w = ControlWriter(layout)
    s, left = w.number("%s"), w.variable(FURTHER)
    with w.loop("sweep", 0, SWEEPS):
        most = w.variable(w.value("0.0"))
        with w.count_up(0, s) as point:
            change = w.ask("double", "project_impulse", point, s * 3)
            most.value = change.at_least(most.value)
        has_ended = most.value <= CONVERGED * w.value("%speed")
        left.value = has_ended.choose(left.value - 1, FURTHER)
        w.leave_if(left.value.equals(0), "settled", otherwise="moves")
    w.give(w.value("0", "i1"))
    w.block("settled")
    return w.returning(w.value("1", "i1"), "sweeps", "i64 %s", "double %speed")


def _solved(layout: Layout) -> str:
    """Return ``i1 @solved(c, s, speed)``: P of the smooth points that push, to rounding.

    Whether they push, and the others open as fast as they are to.  Where the equations of all that
    open as they are to are not regular, impulses are not unique, and those of least norm are taken.
    """
    w = ControlWriter(layout)
    s, P, K, after = w.number("%s"), array(w, "P"), array(w, "K"), array(w, "after")
    pushing, L, solution = (array(w, name) for name in ("pushing", "factors", "solution"))
    least, count, n = array(w, "least"), w.variable(0), s * 3
    tight = w.ask("i64", "tight_points", s, w.value("%speed"))
    with w.count_up(0, s) as point:
        pushes = w.read(P, point * 3) > w.read(least, point)
        with w.when(pushes):
            w.write(point, pushing, count.value, "i64")
            w.write(0.0, P, point * 3)
            count.value = count.value + 1
    size = count.value
    with w.count_up(0, size) as i:
        row = w.read(pushing, i, "i64") * 3
        wanted = w.read(after, w.read(pushing, i, "i64"))
        w.write(wanted - w.ask("double", "contact_velocity", row, n), solution, i)
        with w.count_up(0, size) as j:
            column = w.read(pushing, j, "i64") * 3
            w.write(w.read(K, row * n + column), L, i * size + j)
    w.enter_if(size.equals(tight), "all", otherwise="redundant")
    w.enter_if(w.ask("i1", "is_regular", L, size), "regular", otherwise="redundant")
    w.do("lower_solution", L, solution, size, solution)
    w.do("upper_solution", L, size, solution)
    holds = w.variable(1)
    with w.count_up(0, size) as i:
        impulse, point = w.read(solution, i), w.read(pushing, i, "i64")
        holds.value = (impulse > w.read(least, point)).choose(holds.value, 0)
        w.write(impulse, P, point * 3)
    with w.count_up(0, s) as point:
        rate = w.ask("double", "contact_velocity", point * 3, n)
        opens = rate >= w.read(after, point) - OPEN * w.value("%speed")
        holds.value = opens.choose(holds.value, 0)
    w.give(holds.value.differs(0))
    w.block("redundant")
    pushes = w.ask("i1", "pushing_impulses", s, tight, w.value("%speed"))
    return w.returning(pushes, "solved", "i64 %s", "double %speed")


def _tight(layout: Layout) -> str:
    """Return ``i64 @tight_points(c, s, speed)``: how many open as they are to, now ``members``."""
    w = ControlWriter(layout)
    s, count, members = w.number("%s"), w.variable(0), redundant_contacts.members(w)
    with w.count_up(0, s) as point:
        rate = w.ask("double", "contact_velocity", point * 3, s * 3)
        is_tight = rate - w.read(array(w, "after"), point) <= TIGHT * w.value("%speed")
        with w.when(is_tight):
            w.write(point, members, count.value, "i64")
            count.value = count.value + 1
    return w.returning(count.value, "tight_points", "i64 %s", "double %speed")


def _is_regular(layout: Layout) -> str:
    """Return ``i1 @is_regular(c, K, n)``: whether no pivot of K is small; L takes its place."""
    w = ControlWriter(layout)
    n, K, sizes = w.number("%n"), w.value("%K", "ptr"), array(w, "pivots")
    with w.count_up(0, n) as i:
        w.write(w.read(K, i * n + i), sizes, i)
    w.enter_if(w.ask("i1", "factor_mass", K, n), "positive", otherwise="no")
    clear = w.variable(1)
    with w.count_up(0, n) as i:
        pivot = w.read(K, i * n + i)
        is_clear = pivot * pivot >= CLEAR * w.read(sizes, i)
        clear.value = is_clear.choose(clear.value, 0)
    w.give(clear.value.differs(0))
    w.block("no")
    return w.returning(w.value("0", "i1"), "is_regular", "ptr %K", "i64 %n")


def _complementary(layout: Layout) -> str:
    """Return ``i1 @complementary(c, s)``: P of s points from ``least`` on; whether it is found."""
    w = ControlWriter(layout)
    s, P, least = w.number("%s"), array(w, "P"), array(w, "least")
    n, is_rough, speed = s * 3, w.variable(0), w.variable(w.value("0.0"))
    with w.count_up(0, n) as k:
        w.write(0.0, P, k)
    with w.count_up(0, s) as point:
        w.write(w.read(least, point), P, point * 3)
        is_rough.value = (friction_of(w, point) > 0.0).choose(1, is_rough.value)
    with w.count_up(0, n) as k:
        before, pushed = w.read(array(w, "w"), k), w.ask("double", "contact_velocity", k, n)
        speed.value = abs(before).at_least(abs(pushed - before)).at_least(speed.value)
    w.enter_if(w.ask("i1", "sweeps", s, speed.value), "ended", otherwise="no")
    w.leave_if(is_rough.value.equals(0), "smooth", otherwise="rough")
    w.give(w.value("1", "i1"))
    w.block("smooth")
    w.give(w.ask("i1", "solved", s, speed.value))
    w.block("no")
    return w.returning(w.value("0", "i1"), "complementary", "i64 %s")
