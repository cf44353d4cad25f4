"""``expr/numeric_basis.py`` in machine code: loops over rows whose number is data.

Vectors have a range outside which they are zero, so that rows of a few joints each cost what they
touch; rows that are zero, or whose remainder has become a direction, are empty.

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

from dataclasses import dataclass
from typing import Final

from poinsot.expr.rank_tolerances import DEPENDENT, DETERMINED, NEGLIGIBLE, SHORT_ROW, UNMISTAKABLE
from poinsot.kernels.llvm.loop_writer import LoopWriter
from poinsot.kernels.llvm.types import Lanes, double
from poinsot.kernels.llvm.vector_functions import product_ir, subtract_ir

PORTS: Final = (
    "values", "blocks", "ends", "nothing", "off", "target", "units", "rests", "solution", "memory"
)  # fmt: skip
SIZES: Final = ("n.blocks", "m", "n", "n.units", "solves")


def least_norm_ir(name: str, lanes: int, width: int) -> str:
    """Return ``@name(ports..., sizes...)`` and the functions that it calls.

    Args:
        name: Of the function.
        lanes: Number of states that lie side by side in every port but the constants.
        width: Doubles of a register.
    """
    w = LoopWriter()
    with w.loop("0", str(lanes)) as lane:
        _Solver(w, lane, lanes).write()
    arguments = [f"ptr %{port}" for port in PORTS] + [f"i64 %{size}" for size in SIZES]
    head = f"internal fastcc void @{name}({', '.join(arguments)})"
    return "\n".join([product_ir(name, width), subtract_ir(name, width), w.function(head)]).replace(
        "@own.", f"@{name}."
    )


def least_norm_declarations(width: int) -> set[str]:
    """Return the declarations of what the functions call besides each other."""
    lanes = Lanes(width)
    total = f"declare double @llvm.vector.reduce.fadd.{lanes.suffix}(double, {lanes.real})"
    return {total, "declare double @llvm.sqrt.f64(double)"}


@dataclass(frozen=True)
class _Vectors:
    """Rows of a matrix, each with the range outside which it is zero."""

    entries: str
    starts: str
    stops: str
    width: str


class _Solver:
    """Writes the solution for one lane."""

    def __init__(self, w: LoopWriter, lane: str, lanes: int) -> None:
        self._w, self._lane, self._lanes = w, lane, lanes
        self._free = "%memory"
        self._most = w.smaller("%m", "%n")
        self._rests = self._vectors("%m", "%n")
        self._basis = self._vectors(self._most, "%n")
        self._along = self._vectors(self._most, "%m")
        self._least, self._wanted = self._reserve("%m"), self._reserve(self._most)
        self._target = self._vectors("1", "%n")
        self._x, self._open = self._reserve("%m"), self._reserve("%m")
        self._rank, self._poison = w.variable(), w.variable("double")

    def write(self) -> None:
        """Write all of it."""
        w = self._w
        w.set(0, self._rank)
        self._load_rows()
        self._set_limits()
        start = w.variable()
        w.set(0, start)
        with w.loop("0", "%m") as row, w.when(w.whole("icmp eq", row, w.get(start))):
            end = self._index("%ends", row)
            self._direct(row, end)
            w.set(end, start)
        self._project("%target", "0")
        with w.when(w.whole("icmp ne", "%solves", 0)):
            self._solve()
        with w.loop("0", "%n.units") as k:
            self._project(self._index("%units", k), w.whole("add", k, 1))

    # Memory

    def _reserve(self, size: str) -> str:
        start = self._free
        self._free = self._w.place(start, size)
        return start

    def _vectors(self, count: str, width: str) -> _Vectors:
        entries = self._reserve(self._w.whole("mul", count, width))
        return _Vectors(entries, self._reserve(count), self._reserve(count), width)

    def _row(self, vectors: _Vectors, k: str) -> str:
        return self._w.row(vectors.entries, k, vectors.width)

    def _range(self, vectors: _Vectors, k: str) -> tuple[str, str]:
        w = self._w
        return w.get(w.place(vectors.starts, k)), w.get(w.place(vectors.stops, k))

    def _set_range(self, vectors: _Vectors, k: str, start: str, stop: str) -> None:
        w = self._w
        w.set(start, w.place(vectors.starts, k))
        w.set(stop, w.place(vectors.stops, k))

    def _widen(self, vectors: _Vectors, k: str, start: str, stop: str) -> None:
        first, last = self._range(vectors, k)
        self._set_range(vectors, k, self._w.smaller(first, start), self._w.larger(last, stop))

    def _clear(self, vectors: _Vectors, k: str) -> None:
        w = self._w
        row = self._row(vectors, k)
        with w.loop("0", vectors.width) as i:
            w.write(double(0.0), row, i)
        self._set_range(vectors, k, vectors.width, "0")

    def _index(self, base: str, k: str) -> str:
        return self._w.put(f"fptosi double {self._w.read(base, k)} to i64")

    def _lane_read(self, base: str, k: str) -> str:
        return self._w.read(base, self._in_lane(k))

    def _lane_write(self, value: str, base: str, k: str) -> None:
        self._w.write(value, base, self._in_lane(k))

    def _in_lane(self, k: str) -> str:
        return self._w.whole("add", self._w.whole("mul", k, self._lanes), self._lane)

    # Vectors

    def _product(self, a: _Vectors, i: str, b: _Vectors, j: str) -> str:
        """Return the product of two vectors, over the range that both have."""
        w = self._w
        (start, stop), (first, last) = self._range(a, i), self._range(b, j)
        return w.put(
            f"call fastcc double @own.product(ptr {self._row(a, i)}, ptr {self._row(b, j)}, "
            f"i64 {w.larger(start, first)}, i64 {w.smaller(stop, last)})"
        )

    def _subtract(self, a: _Vectors, i: str, factor: str, b: _Vectors, j: str) -> None:
        """Subtract a factor times vector j of b from vector i of a."""
        w = self._w
        with w.when(w.real("fcmp une", factor, double(0.0))):
            start, stop = self._range(b, j)
            w.line(
                f"call fastcc void @own.subtract(ptr {self._row(a, i)}, double {factor}, "
                f"ptr {self._row(b, j)}, i64 {start}, i64 {stop})"
            )
            self._widen(a, i, start, stop)

    # Steps

    def _load_rows(self) -> None:
        w = self._w
        with w.loop("0", "%m") as k:
            self._clear(self._rests, k)
        with w.loop("0", "%n.blocks") as b:
            block = w.row("%blocks", b, "5")
            index, row, column, rows, columns = (self._index(block, str(k)) for k in range(5))
            with w.loop("0", rows) as i:
                k = w.whole("add", row, i)
                to, source = self._row(self._rests, k), w.whole("mul", i, columns)
                source = w.whole("add", index, source)
                with w.loop("0", columns) as j:
                    value = self._lane_read("%values", w.whole("add", source, j))
                    w.write(value, to, w.whole("add", column, j))
                self._widen(self._rests, k, column, w.whole("add", column, columns))

    def _set_limits(self) -> None:
        """Write which rows are zero, and up to which squared remainder others are dependent."""
        w, zero = self._w, double(0.0)
        longest, total = w.variable("double"), w.variable("double")
        w.set(zero, longest, "double")
        w.set(zero, total, "double")
        nothing = w.read("%nothing", "0")
        nothing = w.real("fmul", nothing, nothing)
        with w.loop("0", "%m") as k:
            squared = self._product(self._rests, k, self._rests, k)
            w.set(w.real("fadd", w.get(total, "double"), squared), total, "double")
            is_zero = w.real("fcmp ole", squared, nothing)
            with w.when(is_zero):
                self._set_range(self._rests, k, "%n", "0")
            squared = w.put(f"select i1 {is_zero}, double {zero}, double {squared}")
            w.write(squared, self._least, k)
            w.set(self._maximum(squared, w.get(longest, "double")), longest, "double")
        sum_of_squares = w.get(total, "double")
        w.set(w.real("fsub", sum_of_squares, sum_of_squares), self._poison, "double")
        most = w.get(longest, "double")
        off = self._lane_read("%off", "0")
        off = w.real("fmul", off, off)
        with w.loop("0", "%m") as k:
            counted = self._maximum(w.read(self._least, k), self._times(most, NEGLIGIBLE**2))
            change = self._maximum(counted, self._times(most, SHORT_ROW**2))
            change = w.real("fmul", change, off)
            limit = self._times(counted, UNMISTAKABLE**2)
            is_less = w.real("fcmp olt", change, limit)
            change = w.put(f"select i1 {is_less}, double {change}, double {limit}")
            w.write(self._maximum(self._times(counted, DEPENDENT**2), change), self._least, k)

    def _times(self, a: str, factor: float) -> str:
        return self._w.real("fmul", a, double(factor))

    def _maximum(self, a: str, b: str) -> str:
        is_more = self._w.real("fcmp ogt", a, b)
        return self._w.put(f"select i1 {is_more}, double {a}, double {b}")

    def _direct(self, start: str, end: str) -> None:
        """Write the directions of one block of rows."""
        w = self._w
        rank = w.get(self._rank)
        with w.loop(start, end) as k, w.loop("0", rank) as d:
            self._project_row(k, d)
        searching, best, most = w.variable(), w.variable(), w.variable("double")
        w.set(1, searching)
        with w.loop(start, end), w.when(w.whole("icmp ne", w.get(searching), 0)):
            self._find(start, end, best, most)
            w.set(0, searching)
            row, squared = w.get(best), w.get(most, "double")
            some = w.real("fcmp ogt", squared, w.read(self._least, row))
            room = w.whole("icmp slt", w.get(self._rank), self._most)
            with w.when(w.put(f"and i1 {some}, {room}")):
                w.set(1, searching)
                self._add_direction(row, squared, start, end)

    def _find(self, start: str, end: str, best: str, most: str) -> None:
        """Write the search for the row with the largest remainder; -1 where none has one."""
        w = self._w
        w.set(start, best)
        w.set(double(-1.0), most, "double")
        with w.loop(start, end) as k:
            first, last = self._range(self._rests, k)
            with w.when(w.whole("icmp slt", first, last)):
                squared = self._product(self._rests, k, self._rests, k)
                with w.when(w.real("fcmp ogt", squared, w.get(most, "double"))):
                    w.set(squared, most, "double")
                    w.set(k, best)

    def _add_direction(self, row: str, squared: str, start: str, end: str) -> None:
        w = self._w
        d = w.get(self._rank)
        self._clear(self._along, d)
        self._clear(self._basis, d)
        inverse = w.real("fdiv", double(1.0), w.root(squared))
        source, to = self._row(self._rests, row), self._row(self._basis, d)
        first, last = self._range(self._rests, row)
        with w.loop(first, last) as i:
            w.write(w.real("fmul", inverse, w.read(source, i)), to, i)
        self._set_range(self._basis, d, first, last)
        with w.loop(start, end) as k:
            self._project_row(k, d)
        self._set_range(self._rests, row, "%n", "0")
        with w.loop("0", start) as k:  # remainders of rows that were dropped
            self._note(k, d)
        w.set(w.whole("add", d, 1), self._rank)

    def _project_row(self, k: str, d: str) -> None:
        factor = self._note(k, d)
        self._subtract(self._rests, k, factor, self._basis, d)

    def _note(self, k: str, d: str) -> str:
        """Write the component of row k along direction d where it is kept."""
        w = self._w
        factor = self._product(self._basis, d, self._rests, k)
        with w.when(w.real("fcmp une", factor, double(0.0))):
            w.write(factor, self._row(self._along, d), k)
            self._widen(self._along, d, k, w.whole("add", k, 1))
        return factor

    def _project(self, source: str, number: str) -> None:
        """Write the projection of the target, or of a unit vector given by its index."""
        w, zero = self._w, "0"
        self._clear(self._target, zero)
        if source == "%target":
            row = self._row(self._target, zero)
            with w.loop("0", "%n") as i:
                w.write(self._lane_read(source, i), row, i)
            self._set_range(self._target, zero, "0", "%n")
        else:
            w.write(double(1.0), self._row(self._target, zero), source)
            self._set_range(self._target, zero, source, w.whole("add", source, 1))
        with w.loop("0", w.get(self._rank)) as d:
            wanted = self._product(self._basis, d, self._target, zero)
            if source == "%target":
                w.write(wanted, self._wanted, d)
            self._subtract(self._target, zero, wanted, self._basis, d)
        row, first = self._row(self._target, zero), w.whole("mul", number, "%n")
        with w.loop("0", "%n") as i:
            value = w.real("fadd", w.read(row, i), w.get(self._poison, "double"))
            self._lane_write(value, "%rests", w.whole("add", first, i))

    def _solve(self) -> None:
        w = self._w
        with w.loop("0", "%m") as k:
            w.write(double(0.0), self._x, k)
            w.write(double(1.0), self._open, k)
        with w.loop("0", w.get(self._rank)) as d:
            row = self._row(self._along, d)
            start, stop = self._range(self._along, d)
            arguments = f"ptr {row}, ptr {self._x}, i64 {start}, i64 {stop}"
            known = w.put(f"call fastcc double @own.product({arguments})")
            wanted = w.real("fsub", w.read(self._wanted, d), known)
            with w.loop("0", d) as e:
                factor = self._product(self._along, e, self._along, d)
                self._subtract(self._along, d, factor, self._along, e)
            squared = self._product(self._along, d, self._along, d)
            inverse = w.real("fdiv", double(1.0), w.root(squared))
            step = w.real("fmul", inverse, wanted)
            start, stop = self._range(self._along, d)
            with w.loop(start, stop) as k:
                entry = w.real("fmul", inverse, w.read(row, k))
                w.write(entry, row, k)
                x = w.real("fadd", w.read(self._x, k), w.real("fmul", step, entry))
                w.write(x, self._x, k)
                left = w.real("fsub", w.read(self._open, k), w.real("fmul", entry, entry))
                w.write(left, self._open, k)
        with w.loop("0", "%m") as k:
            x = w.real("fadd", w.read(self._x, k), w.get(self._poison, "double"))
            self._lane_write(x, "%solution", k)
            closed = w.real("fcmp ole", w.read(self._open, k), double(DETERMINED**2))
            determined = w.put(f"uitofp i1 {closed} to double")
            self._lane_write(determined, "%solution", w.whole("add", k, "%m"))
