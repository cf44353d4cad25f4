"""The shortest motions that constraints demand, well-conditioned rows first, in machine code.

Of rows R the shortest w with R w as demanded, in the rows that are independent, as
``expr/numeric_basis.py`` finds it with ``clear``: each row alone is taken if its remainder is
large; then the others, block by block.  The demand is projected along with its row, so that the
component of w along a direction is what is left of the demand of the row it comes from.

The item of a rolled program that calls it has the ports of ``row_basis_ir`` and others, in the
order of ``PORTS``, then the sizes.

    demand        for each of two motions R w, m
    motion        each w, n
    conditioning  the smallest remainder of an independent row, relative to the longest row
    sizes         number of blocks, of rows m, of columns n
"""

from __future__ import annotations

from typing import Final, final

from poinsot.expr.rank_tolerances import PRODUCT_ROUNDING, WELL_CONDITIONED
from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout
from poinsot.kernels.llvm.ranged_vectors import Memory, padded
from poinsot.kernels.llvm.row_basis_ir import AbstractRowBasis

PORTS: Final = ("values", "blocks", "ends", "off", "demand", "motion", "conditioning")
SIZES: Final = ("n.blocks", "m", "n")
SELDOM: Final = "nounwind noinline optnone cold"
"""Compiled quickly, and away from other code, among which it would cost all calls 8 %: every
projection has it, and few states need it.  Loops over entries, which take the time, are in
functions of their own."""


def shortest_motion_ir(name: str, layout: Layout) -> str:
    """Return ``@name(ports..., sizes...)``, which calls ``ranged_functions``.

    Args:
        name: Of the function.
        layout: Whether each lane has a state of its own, side by side in every port but constants.
    """
    w = IrWriter(layout, attributes=SELDOM)
    doubles = _memory_size(w, w.number("%m"), w.number("%n"))
    memory = w.ask("ptr", "poinsot.memory", doubles * 8)
    _Solver(w, Memory(w, memory)).write()
    w.line(f"call void @free(ptr {memory})")
    arguments = [f"ptr %{port}" for port in PORTS] + [f"i64 %{size}" for size in SIZES]
    return w.define(name, *arguments)


def _memory_size(w: IrWriter, m: Value, n: Value) -> Value:
    """Return the doubles that the solver keeps.

    There may be 2 m directions: what one lane takes in the first turn another takes in the second.
    """
    vectors = m * 3 + 1
    rows, directions = padded(w, m) * 6, padded(w, m * 2) * 3
    return (padded(w, n) + 2) * vectors + rows + directions


@final
class _Solver(AbstractRowBasis):
    """Writes the solution."""

    def __init__(self, w: IrWriter, memory: Memory) -> None:
        super().__init__(w, memory, w.number("%m") * 2)
        m = self._m
        self._squares, self._noise, *self._demands = (memory.numbers(m) for _ in range(4))
        self._inherited, *self._components = (memory.numbers(m * 2) for _ in range(3))
        self._motion = memory.vectors(w.number("1"), self._n)[w.number("0")]
        self._floor = w.variable(w.per_run_number(0.0))
        self._smallest = w.variable(w.per_run_number(0.0))
        self._is_first = w.variable(1)

    def write(self) -> None:
        """Write all of it."""
        w = self._w
        self._load_rows()
        with w.count_up(0, self._m) as k:
            w.write_each(self._rests[k].product(self._rests[k]), self._squares, k)
            w.write_each(w.per_run_number(0.0), self._noise, k)
            for motion, demand in enumerate(self._demands):
                w.write_each(w.read_each("%demand", self._m * motion + k), demand, k)
        _, longest = self._set_limits(w.per_run_number(0.0))
        self._smallest.value, self._floor.value = longest, longest * WELL_CONDITIONED**2
        with w.count_up(0, 2):
            self._direct_blocks()
            self._floor.value, self._is_first.value = w.per_run_number(0.0), 0
        for motion in range(len(self._demands)):
            self._combine(motion)
        conditioning = (longest > 0.0).choose((self._smallest.value / longest).sqrt(), 1.0)
        w.write_each(conditioning, "%conditioning", 0)

    def _end(self, row: Value) -> Value:
        """Write the end of a block; in the first turn every row stands alone."""
        return self._is_first.value.differs(0).choose(row + 1, super()._end(row))

    def _limit(self, k: Value) -> Value:
        """Write the limit of this turn, or the rounding error of products that it has inherited."""
        inherited = self._w.read_each(self._noise, k) * PRODUCT_ROUNDING
        return super()._limit(k).at_least(self._floor.value).at_least(inherited)

    def _begin(self, d: Value, best: Value, squared: Value) -> None:
        w, smallest = self._w, self._smallest.value
        super()._begin(d, best, squared)
        self._smallest.value = (best >= 0.0).choose(squared.at_most(smallest), smallest)
        for numbers in (self._inherited, *self._components):
            w.write_each(w.per_run_number(0.0), numbers, d)

    def _add(self, factor: Value, k: Value, d: Value) -> None:
        """Write: the demand of the row goes to that of the direction, and its square likewise."""
        super()._add(factor, k, d)
        self._increase(self._inherited, d, factor * factor * self._w.read_each(self._squares, k))
        for component, demand in zip(self._components, self._demands, strict=True):
            self._increase(component, d, factor * self._w.read_each(demand, k))

    def _note(self, k: Value, d: Value) -> Value:
        w = self._w
        factor = self._basis[d].product(self._rests[k])
        self._increase(self._noise, k, factor * factor * w.read_each(self._inherited, d))
        for component, demand in zip(self._components, self._demands, strict=True):
            self._increase(demand, k, -factor * w.read_each(component, d))
        return factor

    def _increase(self, numbers: Value, index: Value, change: Value) -> None:
        self._w.write_each(self._w.read_each(numbers, index) + change, numbers, index)

    def _combine(self, motion: int) -> None:
        """Write the sum of the directions, each times its component."""
        w = self._w
        self._motion.fill()
        with w.count_up(0, self._rank.value) as d:
            self._motion.add(w.read_each(self._components[motion], d), self._basis[d])
        with w.count_up(0, self._n) as i:
            entry = w.read_each(self._motion.entries, i)
            w.write_each(entry, "%motion", self._n * motion + i)
