"""Orthogonal bases of rows in machine code, as ``expr/numeric_basis.py`` makes them.

Loops over rows whose number is data.  Of many states there is one in each lane, and all go through
the loops together: rows are chosen and dropped by masks, and what no lane needs is skipped.  Of one
state the registers hold entries of a row.  Vectors have a range outside which they are zero, so
that rows of a few joints each cost what they touch; rows that are zero, or whose remainder has
become a direction, are empty.

Routines read these ports, and ``n.blocks``, ``m`` and ``n`` among their sizes.

    values     the memory that the blocks of the rows lie in
    blocks     for each: index in values, first row, first column, number of rows and of columns
    ends       for each row the end of its block, in which the largest remainder comes first
    off        relative error of the rows
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from poinsot.expr.rank_tolerances import DEPENDENT, NEGLIGIBLE, SHORT_ROW, UNMISTAKABLE
from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import IrWriter
from poinsot.kernels.llvm.ranged_vectors import Memory


class AbstractRowBasis(ABC):
    """Writes the directions of rows.

    Args:
        w: The writer.
        memory: For intermediate results.
        most: Number of directions at most.
    """

    def __init__(self, w: IrWriter, memory: Memory, most: Value) -> None:
        self._w, m, n = w, w.number("%m"), w.number("%n")
        self._m, self._n = m, n
        self._rests, self._basis = memory.vectors(m, n), memory.vectors(most, n)
        self._least, self._live = memory.numbers(m), memory.numbers(m)
        self._rank = w.variable(0)

    @abstractmethod
    def _note(self, k: Value, d: Value) -> Value:
        """Write and return the component of row k along direction d."""

    def _limit(self, k: Value) -> Value:
        """Write and return the squared remainder up to which row k is dependent."""
        return self._w.read_each(self._least, k)

    def _begin(self, d: Value, best: Value, squared: Value) -> None:
        """Write an empty direction, of row ``best`` with this squared remainder; none is -1."""
        self._basis[d].clear()

    def _add(self, factor: Value, k: Value, d: Value) -> None:
        """Write: a factor times row k is added to direction d."""
        self._basis[d].add(factor, self._rests[k])

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

    def _set_limits(self, nothing: Value) -> tuple[Value, Value]:
        """Write which rows are zero, and up to which squared remainder others are dependent.

        Args:
            nothing: Square of the length up to which a row is zero, in each run.

        Returns:
            The sum of the squared lengths, and the largest of them, in each run.
        """
        w = self._w
        longest, total = w.variable(w.per_run_number(0.0)), w.variable(w.per_run_number(0.0))
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
        return total.value, most

    def _drop(self, k: Value, is_done: Value) -> None:
        """Write: the remainder of a row is zero from now on, and empty if it is in all lanes."""
        w = self._w
        with w.when(w.some(is_done)):
            left, rest = is_done.choose(0.0, w.read_each(self._live, k)), self._rests[k]
            w.write_each(left, self._live, k)
            rest.scale(left)
            with w.when(w.none(left > 0.0)):
                rest.clear()

    def _direct_blocks(self) -> None:
        """Write the directions of all blocks of rows, in order."""
        w, start = self._w, self._w.variable(0)
        with w.count_up(0, self._m) as row, w.when(row.equals(start.value)):
            end = self._end(row)
            self._direct(row, end)
            start.value = end

    def _end(self, row: Value) -> Value:
        """Write and return the end of the block of rows that begins with this one."""
        return self._w.read("%ends", row).to_whole()

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
            limit.value = above.choose(self._limit(k), limit.value)
        return best.value, most.value, limit.value

    def _add_direction(self, best: Value, squared: Value, block: tuple[Value, Value]) -> None:
        w = self._w
        d = self._rank.value
        self._begin(d, best, squared)
        inverse = 1.0 / squared.sqrt()
        with w.count_up(*block) as k:
            is_best = best.equals(w.each(k.to_double()))
            self._add(is_best.choose(inverse, 0.0), k, d)
        with w.count_up(*block) as k, w.when(self._rests[k].is_some()):
            self._project_row(k, d)
            self._drop(k, best.equals(w.each(k.to_double())))
        self._rank.value = d + 1

    def _project_row(self, k: Value, d: Value) -> None:
        self._rests[k].add(-self._note(k, d), self._basis[d])
