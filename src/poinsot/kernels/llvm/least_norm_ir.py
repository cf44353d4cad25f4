"""``expr/numeric_basis.py`` in machine code: loops over rows whose number is data.

Of many states there is one in each lane, and all go through the loops together: rows are chosen
and dropped by masks, and what no lane needs is skipped.  Of one state the registers hold entries of
a row.  Vectors have a range outside which they are zero, so that rows of a few joints each cost
what they touch; rows that are zero, or whose remainder has become a direction, are empty.

The item of a rolled program that calls it has these ports, in order, then the sizes.

    values     the memory that the blocks of the rows lie in
    blocks     for each: index in values, first row, first column, number of rows and of columns
    ends       for each row the end of its block, in which the largest remainder comes first
    nothing    length up to which a row is zero
    off        relative error of the rows
    target     what the rows are to combine to, n
    units      indices of unit vectors that are projected besides the target
    rests      what is left of the target, then of the unit vectors, without the space of the rows
    solution   the shortest combination, m, then 1 for each entry that is determined, else 0
    memory     for intermediate results: ``numeric_basis.memory_size``
    sizes      number of blocks, of rows m, of columns n, of unit vectors; whether to solve
"""

from __future__ import annotations

from typing import Final

from poinsot.expr.rank_tolerances import DEPENDENT, DETERMINED, NEGLIGIBLE, SHORT_ROW, UNMISTAKABLE
from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout
from poinsot.kernels.llvm.ranged_vectors import Memory

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


class _Solver:
    """Writes the solution.

    Args:
        w: The writer.
    """

    def __init__(self, w: IrWriter) -> None:
        self._w, m, n = w, w.number("%m"), w.number("%n")
        memory = Memory(w, w.value("%memory", "ptr"))
        self._m, self._n = m, n
        self._rests, self._basis = memory.vectors(m, n), memory.vectors(m, n)
        self._along = memory.vectors(m, m)
        self._target, self._x = (
            memory.vectors(w.number("1"), size)[w.number("0")] for size in (n, m)
        )
        self._least, self._live, self._wanted, self._open, self._left = (
            memory.numbers(m) for _ in range(5)
        )
        self._rank, self._n_left = w.variable(0), w.variable(0)

    def write(self) -> None:
        """Write all of it."""
        w = self._w
        self._load_rows()
        poison = self._set_limits()
        start = w.variable(0)
        with w.count_up(0, self._m) as row, w.when(row.equals(start.value)):
            end = w.read("%ends", row).to_whole()
            self._direct(row, end)
            start.value = end
        self._project_target(poison)
        with w.when(w.number("%solves").differs(0)):
            self._solve(poison)
        with w.count_up(0, w.number("%n.units")) as k:
            self._project_unit(k, poison)

    def _load_rows(self) -> None:
        w = self._w
        with w.count_up(0, self._m) as k:
            self._rests[k].clear()
        with w.count_up(0, w.number("%n.blocks")) as b:
            block = w.address("%blocks", b * 5)
            index, row, column, rows, columns = (w.read(block, k).to_whole() for k in range(5))
            with w.count_up(0, rows) as i:
                rest, source = self._rests[row + i], index + i * columns
                rest.widen(column, column + columns)
                with w.count_up(0, columns) as j:
                    w.write_each(w.read_each("%values", source + j), rest.entries, column + j)

    def _set_limits(self) -> Value:
        """Write which rows are zero, and up to which squared remainder others are dependent.

        Returns:
            0, or NaN where some entry is NaN, in each run.
        """
        w = self._w
        longest, total = w.variable(w.per_run_number(0.0)), w.variable(w.per_run_number(0.0))
        nothing = w.read("%nothing", 0)
        nothing = w.each(nothing * nothing)
        with w.count_up(0, self._m) as k:
            squared = self._rests[k].product(self._rests[k])
            total.value = total.value + squared
            is_zero = squared <= nothing
            w.write_each(w.per_run_number(1.0), self._live, k)
            self._drop(k, is_zero)
            squared = is_zero.choose(0.0, squared)
            w.write_each(squared, self._least, k)
            longest.value = squared.at_least(longest.value)
        most, off = longest.value, w.read_each("%off", 0)
        off = off * off
        with w.count_up(0, self._m) as k:
            counted = w.read_each(self._least, k).at_least(most * NEGLIGIBLE**2)
            change = counted.at_least(most * SHORT_ROW**2) * off
            change = change.at_most(counted * UNMISTAKABLE**2)
            w.write_each((counted * DEPENDENT**2).at_least(change), self._least, k)
        sum_of_squares = total.value
        return sum_of_squares - sum_of_squares

    def _drop(self, k: Value, is_done: Value) -> None:
        """Write: the remainder of a row is zero from now on, and empty if it is in all lanes."""
        w = self._w
        with w.when(w.some(is_done)):
            left, rest = is_done.choose(0.0, w.read_each(self._live, k)), self._rests[k]
            w.write_each(left, self._live, k)
            rest.scale(left)
            with w.when(w.none(left > 0.0)):
                rest.clear()

    def _direct(self, start: Value, end: Value) -> None:
        """Write the directions of one block of rows."""
        w = self._w
        rank = self._rank.value
        with (
            w.count_up(start, end) as k,
            w.when(self._rests[k].is_some()),
            w.count_up(0, rank) as d,
        ):
            self._project_row(k, d)
        searching = w.variable(1)
        with w.count_up(start, end), w.when(searching.value.differs(0)):
            best, most, limit = self._largest(start, end)
            kept = most > limit
            searching.value = 0
            with w.when(w.some(kept)):
                searching.value = 1
                self._add_direction(kept.choose(best, -1.0), most, (start, end))
        with w.count_up(start, end) as k, w.when(self._rests[k].is_some()):
            n_left = self._n_left.value
            w.write(k, self._left, n_left, "i64")
            self._n_left.value = n_left + 1

    def _largest(self, start: Value, end: Value) -> tuple[Value, Value, Value]:
        """Write the search for the row with the largest remainder; -1 where none has one.

        Returns:
            Its number as a double, the square of its remainder, and up to which it is dependent.
        """
        w = self._w
        best, most, limit = (w.variable(w.per_run_number(x)) for x in (-1.0, 0.0, 0.0))
        with w.count_up(start, end) as k:
            squared = self._rests[k].product(self._rests[k])
            above = squared > most.value
            best.value = above.choose(w.each(k.to_double()), best.value)
            most.value = above.choose(squared, most.value)
            limit.value = above.choose(w.read_each(self._least, k), limit.value)
        return best.value, most.value, limit.value

    def _add_direction(self, best: Value, squared: Value, block: tuple[Value, Value]) -> None:
        w = self._w
        d = self._rank.value
        self._along[d].clear()
        direction = self._basis[d]
        direction.clear()
        inverse = 1.0 / squared.sqrt()
        with w.count_up(*block) as k:
            is_best = best.equals(w.each(k.to_double()))
            direction.add(is_best.choose(inverse, 0.0), self._rests[k])
        with w.count_up(*block) as k, w.when(self._rests[k].is_some()):
            self._project_row(k, d)
            self._drop(k, best.equals(w.each(k.to_double())))
        with w.count_up(0, self._n_left.value) as i:
            self._note(w.read(self._left, i, "i64"), d)
        self._rank.value = d + 1

    def _project_row(self, k: Value, d: Value) -> None:
        self._rests[k].add(-self._note(k, d), self._basis[d])

    def _note(self, k: Value, d: Value) -> Value:
        """Write the component of row k along direction d where it is kept."""
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
