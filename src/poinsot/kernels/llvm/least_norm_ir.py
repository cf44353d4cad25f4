"""Least-norm solutions in machine code, as ``expr/numeric_basis.py`` finds them.

The item of a rolled program that calls it has the ports of ``row_basis_ir`` and others, in the
order of ``PORTS``, then the sizes.

    nothing    length up to which a row is zero
    target     what the rows are to combine to, n
    units      indices of unit vectors that are projected besides the target
    rests      what is left of the target, then of the unit vectors, without the space of the rows
    solution   the shortest combination, m, then 1 for each entry that is determined, else 0
    memory     for intermediate results: ``numeric_basis.memory_size``
    sizes      number of blocks, of rows m, of columns n, of unit vectors; whether to solve
"""

from __future__ import annotations

from typing import Final, final

from poinsot.expr.rank_tolerances import DETERMINED
from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout
from poinsot.kernels.llvm.ranged_vectors import Memory
from poinsot.kernels.llvm.row_basis_ir import AbstractRowBasis

PORTS: Final = (
    "values", "blocks", "ends", "nothing", "off", "target", "units", "rests", "solution", "memory"
)  # fmt: skip
SIZES: Final = ("n.blocks", "m", "n", "n.units", "solves")


def least_norm_ir(name: str, layout: Layout) -> str:
    """Return ``@name(ports..., sizes...)``, which calls ``ranged_functions``.

    Args:
        name: Of the function.
        layout: Whether each lane has a state of its own, side by side in every port but constants.
    """
    w = IrWriter(layout)
    _Solver(w).write()
    arguments = [f"ptr %{port}" for port in PORTS] + [f"i64 %{size}" for size in SIZES]
    return w.define(name, *arguments)


@final
class _Solver(AbstractRowBasis):
    """Writes the solution."""

    def __init__(self, w: IrWriter) -> None:
        memory = Memory(w, w.value("%memory", "ptr"))
        super().__init__(w, memory, w.number("%m"))
        m, n = self._m, self._n
        self._along = memory.vectors(m, m)
        self._target, self._x = (
            memory.vectors(w.number("1"), size)[w.number("0")] for size in (n, m)
        )
        self._wanted, self._open, self._left = (memory.numbers(m) for _ in range(3))
        self._n_left = w.variable(0)

    def write(self) -> None:
        """Write all of it."""
        w = self._w
        self._load_rows()
        nothing = w.read("%nothing", 0)
        total, _ = self._set_limits(w.each(nothing * nothing))
        poison = total - total  # NaN where some entry is
        self._direct_blocks()
        self._project_target(poison)
        with w.when(w.number("%solves").differs(0)):
            self._solve(poison)
        with w.count_up(0, w.number("%n.units")) as k:
            self._project_unit(k, poison)

    def _direct(self, start: Value, end: Value) -> None:
        w = self._w
        super()._direct(start, end)
        with w.count_up(start, end) as k, w.when(self._rests[k].is_some()):
            n_left = self._n_left.value
            w.write(k, self._left, n_left, "i64")
            self._n_left.value = n_left + 1

    def _begin(self, d: Value, best: Value, squared: Value) -> None:
        super()._begin(d, best, squared)
        self._along[d].clear()

    def _add_direction(self, best: Value, squared: Value, block: tuple[Value, Value]) -> None:
        w = self._w
        super()._add_direction(best, squared, block)
        last = self._rank.value - 1
        with w.count_up(0, self._n_left.value) as i:
            self._note(w.read(self._left, i, "i64"), last)

    def _note(self, k: Value, d: Value) -> Value:
        """Write the component where it is kept, too."""
        w = self._w
        factor = self._basis[d].product(self._rests[k])
        with w.when(w.some(factor.differs(0.0))):
            along = self._along[d]
            along.widen(k, k + 1)
            w.write_each(factor, along.entries, k)
        return factor

    def _project_target(self, poison: Value) -> None:
        w, target = self._w, self._target
        target.fill()
        with w.count_up(0, self._n) as i:
            w.write_each(w.read_each("%target", i), target.entries, i)
        self._project(w.number("0"), poison, self._wanted)

    def _project_unit(self, k: Value, poison: Value) -> None:
        w, target = self._w, self._target
        index = w.read("%units", k).to_whole()
        target.clear()
        target.widen(index, index + 1)
        w.write_each(w.per_run_number(1.0), target.entries, index)
        self._project(k + 1, poison)

    def _project(self, number: Value, poison: Value, wanted: Value | None = None) -> None:
        """Write what is left of the target without its components along the directions."""
        w, target = self._w, self._target
        with w.count_up(0, self._rank.value) as d:
            component = self._basis[d].product(target)
            if wanted is not None:
                w.write_each(component, wanted, d)
            target.add(-component, self._basis[d])
        target.widen_all()
        first = number * self._n
        with w.count_up(0, self._n) as i:
            w.write_each(w.read_each(target.entries, i) + poison, "%rests", first + i)

    def _solve(self, poison: Value) -> None:
        w, x = self._w, self._x
        x.fill()
        with x.over() as i:
            w.store(w.constant(1.0), self._open, i)
        with w.count_up(0, self._rank.value) as d:
            row = self._along[d]
            wanted = w.read_each(self._wanted, d) - row.product(x)
            with w.count_up(0, d) as e:
                earlier = self._along[e]
                row.add(-earlier.product(row), earlier)
            squared = row.product(row)
            inverse = (squared > 0.0).choose(1.0 / squared.sqrt(), 0.0)
            row.scale(inverse)
            x.add(inverse * wanted, row)
            with row.over() as i:
                entry = w.load(row.entries, i)
                w.store(w.load(self._open, i) - entry * entry, self._open, i)
        with w.count_up(0, self._m) as k:
            w.write_each(w.read_each(x.entries, k) + poison, "%solution", k)
            closed = w.read_each(self._open, k) <= DETERMINED**2
            determined = closed.choose(w.per_run_number(1.0), 0.0)
            w.write_each(determined, "%solution", self._m + k)
