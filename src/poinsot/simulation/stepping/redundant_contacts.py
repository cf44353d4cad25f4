"""Impulses of least norm of smooth contacts that depend on each other, as LLVM IR text.

    Y Δ = after - u,    |Δ| least,        Yᵀ x = Δ,    |x| least

with the rows Y of the contacts in the metric of M.  Both come from reflections that decide the rank
of the rows themselves (``kernels/llvm/householder.py``), as ``impacts/nearest_vector.py`` does.
"""

from __future__ import annotations

from typing import Final

from poinsot.expr.rank_tolerances import RANK
from poinsot.kernels.llvm.householder import SHORTEST
from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.kernels.llvm.types import double
from poinsot.simulation.stepping.contact_arrays import array
from poinsot.simulation.stepping.control_writer import ControlWriter

MEMORY: Final = (
    "A", "B", "x", "y", "order", "diagonal", "factors", "members", "change"
)  # fmt: skip
"""Memory: that of ``SHORTEST``, the numbers of the points, and Δ."""
REACHED = 1e-12
"""How far a velocity after the impact may be from the wanted one, relative to those before."""


def functions(layout: Layout) -> list[str]:
    """Return ``@redundant_impulses``, ``@pushing_impulses`` and what they call."""
    return [_change(layout), _impulses(layout), _reaches(layout), _given(layout), _pushing(layout)]


def members(w: ControlWriter) -> Value:
    """Return where the numbers of the points are that depend on each other."""
    return _memory(w, "members")


def memory_sizes(n: int, nv: int, stride: int) -> tuple[int, ...]:
    """Return how many doubles each array has, of n contacts of a system with nv velocities."""
    most = max(n, nv)
    return (most + 1) * stride, most * stride, most, stride, 2 * most, most, most, n, nv


def _memory(w: ControlWriter, name: str) -> Value:
    return w.read(w.get("redundant"), MEMORY.index(name), "ptr")


def _call(w: ControlWriter, columns: Value, rows: Value) -> None:
    """Write x, the shortest for which so many columns of A combine to the next one."""
    sizes = f"i64 {w.get('redundant_stride')}, i64 {columns}, i64 {rows}, i64 {rows}"
    places = ", ".join(f"ptr {_memory(w, name)}" for name in MEMORY[2:7])
    matrices = f"ptr {_memory(w, 'A')}, ptr {_memory(w, 'B')}"
    w.line(f"call fastcc void @{SHORTEST}({matrices}, {sizes}, double {double(RANK)}, {places})")


def _cleared(w: ControlWriter, columns: Value) -> tuple[Value, Value]:
    """Write zeros into A, with the right side behind so many columns; return A and its stride."""
    A, stride = _memory(w, "A"), w.get("redundant_stride")
    with w.count_up(0, (columns + 1) * stride) as k:
        w.write(0.0, A, k)
    return A, stride


def _change(layout: Layout) -> str:
    """Return ``@wanted_change(c, s, count)``: the least Δ after which members open as wanted."""
    w = ControlWriter(layout)
    n, nv, count = w.number("%s") * 3, w.get("nv"), w.number("%count")
    A, stride = _cleared(w, nv)
    with w.count_up(0, count) as i:
        point = w.read(members(w), i, "i64")
        row = w.address(array(w, "Y"), point * 3 * nv)
        with w.count_up(0, nv) as j:
            w.write(w.read(row, j), A, j * stride + i)
        rate = w.ask("double", "contact_velocity", point * 3, n)
        w.write(w.read(array(w, "after"), point) - rate, A, nv * stride + i)
    _call(w, nv, count)
    w.copy(_memory(w, "change"), _memory(w, "x"), nv)
    return w.define("wanted_change", "i64 %s", "i64 %count")


def _impulses(layout: Layout) -> str:
    """Return ``@shortest_impulses(c, count)``: the least x of members that give Δ."""
    w = ControlWriter(layout)
    nv, count = w.get("nv"), w.number("%count")
    A, stride = _cleared(w, count)
    with w.count_up(0, count) as i:
        row = w.address(array(w, "Y"), w.read(members(w), i, "i64") * 3 * nv)
        w.copy(w.address(A, i * stride), row, nv)
    w.copy(w.address(A, count * stride), _memory(w, "change"), nv)
    _call(w, count, nv)
    return w.define("shortest_impulses", "i64 %count")


def _reaches(layout: Layout) -> str:
    """Return ``i1 @reaches(c, s, count, speed)``: whether x makes members open as wanted.

    x is added to P; what opens faster than it is to although it pushes does not count.
    """
    w = ControlWriter(layout)
    n, count, P, x = w.number("%s") * 3, w.number("%count"), array(w, "P"), _memory(w, "x")
    with w.count_up(0, count) as i:
        row = w.read(members(w), i, "i64") * 3
        w.write(w.read(P, row) + w.read(x, i), P, row)
    holds = w.variable(1)
    with w.count_up(0, count) as i:
        point = w.read(members(w), i, "i64")
        rate = w.ask("double", "contact_velocity", point * 3, n)
        beside = abs(rate - w.read(array(w, "after"), point))
        holds.value = (beside <= REACHED * w.value("%speed")).choose(holds.value, 0)
    return w.returning(holds.value.differs(0), "reaches", *_ARGUMENTS)


_ARGUMENTS = "i64 %s", "i64 %count", "double %speed"


def _given(layout: Layout) -> str:
    """Return ``i1 @redundant_impulses(c, s, count, speed)``: P of members, from what it is on.

    They may pull; whether all members open as they are to.
    """
    w = ControlWriter(layout)
    s, count = w.number("%s"), w.number("%count")
    w.do("wanted_change", s, count)
    w.do("shortest_impulses", count)
    holds = w.ask("i1", "reaches", s, count, w.value("%speed"))
    return w.returning(holds, "redundant_impulses", *_ARGUMENTS)


def _pushing(layout: Layout) -> str:
    """Return ``i1 @pushing_impulses(c, s, count, speed)``: P of s points, from ``least`` on.

    Members that would have to pull are left out, until the others push.  Whether all s points open
    as fast as they are to, and no faster where they push.
    """
    w = ControlWriter(layout)
    s, P, x, after = w.number("%s"), array(w, "P"), _memory(w, "x"), array(w, "after")
    with w.count_up(0, s) as point:
        w.write(w.read(array(w, "least"), point), P, point * 3)
    w.do("wanted_change", s, w.number("%count"))
    left, pulling = w.variable(w.number("%count")), w.variable(1)
    with w.loop("turn", 0, s):
        count = left.value
        w.do("shortest_impulses", count)
        kept, numbers = w.variable(0), members(w)
        with w.count_up(0, count) as i:
            pushes = ~(w.read(x, i) < 0.0)
            w.write(w.read(numbers, i, "i64"), numbers, kept.value, "i64")
            w.write(w.read(x, i), x, kept.value)
            kept.value = kept.value + pushes.to_whole()
        pulling.value = count - kept.value
        left.value = kept.value
        w.leave_if(pulling.value.equals(0), "pushes", otherwise="pulls")
    w.give(w.value("0", "i1"))
    w.block("pushes")
    holds = w.variable(w.ask("i1", "reaches", s, left.value, w.value("%speed")).to_whole())
    with w.count_up(0, s) as point:
        rate = w.ask("double", "contact_velocity", point * 3, s * 3)
        opens = rate >= w.read(after, point) - REACHED * w.value("%speed")
        holds.value = opens.choose(holds.value, 0)
    return w.returning(holds.value.differs(0), "pushing_impulses", *_ARGUMENTS)
