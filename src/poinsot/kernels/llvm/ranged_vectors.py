"""Vectors that are zero outside a range, as LLVM IR: products and sums cost what is not zero.

Of many states each lane has one, and an entry is a register; of one state a register holds entries.
Ranges are those of doubles in memory, in whole registers, and the same for all lanes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from poinsot.expr.numeric_basis import PADDING
from poinsot.kernels.llvm.ir_value import Number, Value
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout

PRODUCT, ADD, WIDEN = "ranged.product", "ranged.add", "ranged.widen"


def ranged_functions(layout: Layout) -> str:
    """Return the functions that operations on vectors call."""
    return f"{_product(layout)}\n{_add(layout)}\n{_widen(layout)}"


def _product(layout: Layout) -> str:
    """Return ``@ranged.product(a, b, start, stop)``: the product of two vectors in a range."""
    w = IrWriter(layout)
    total = w.value("%sum", layout.real)
    carry = {"sum": (layout.real, "zeroinitializer")}
    with w.loop("i", "%start", "%stop", layout.width, carry) as after:
        after["sum"] = total + w.load("%a") * w.load("%b")
    return w.returning(w.per_run(total), PRODUCT, "ptr %a", "ptr %b", "i64 %start", "i64 %stop")


def _add(layout: Layout) -> str:
    """Return ``@ranged.add(a, factor, b, start, stop)``: a + factor b in the place of a."""
    w = IrWriter(layout)
    factor = w.in_register(w.value("%factor", layout.per_run))
    with w.loop("i", "%start", "%stop", layout.width):
        w.store(w.load("%a") + factor * w.load("%b"), "%a")
    number = f"{layout.per_run} %factor"
    return w.define(ADD, "ptr %a", number, "ptr %b", "i64 %start", "i64 %stop")


def _widen(layout: Layout) -> str:
    """Return ``@ranged.widen(a, ends, start, stop)``: a range includes another, with zeros."""
    w = IrWriter(layout)
    zero, start, stop = w.constant(0.0), w.number("%start"), w.number("%stop")
    first, last = w.read("%ends", 0, "i64"), w.read("%ends", 1, "i64")
    is_empty = last <= first
    first, last = is_empty.choose(start, first), is_empty.choose(start, last)
    for ends in ((start, first), (last, stop)):
        with w.count_up(*ends, w.lanes.width) as i:
            w.store(zero, "%a", i)
    w.write(first.at_most(start), "%ends", 0, "i64")
    w.write(last.at_least(stop), "%ends", 1, "i64")
    return w.define(WIDEN, "ptr %a", "ptr %ends", "i64 %start", "i64 %stop")


class Memory:
    """Memory that is given out from a start on.

    Args:
        w: The writer.
        start: Where it starts.
    """

    def __init__(self, w: IrWriter, start: Value) -> None:
        self._w, self._free = w, start

    def numbers(self, count: Value) -> Value:
        """Return where so many numbers of each run, or whole numbers, have their place."""
        return self._reserve(padded(self._w, count))

    def vectors(self, count: Value, n_entries: Value) -> RangedVectors:
        """Return so many vectors."""
        size = padded(self._w, n_entries)
        entries, ranges = self._reserve(size * count), self._reserve(count * 2)
        return RangedVectors(self._w, entries, ranges, size)

    def _reserve(self, size: Value) -> Value:
        start = self._free
        self._free = self._w.address(start, size)
        return start


@dataclass(frozen=True)
class RangedVectors:
    """Vectors one after the other.

    Attributes:
        w: The writer.
        entries: Where the first one starts.
        ranges: Where the ranges are.
        size: Doubles of a vector.
    """

    w: IrWriter
    entries: Value
    ranges: Value
    size: Value

    def __getitem__(self, k: Value) -> RangedVector:
        row, ends = self.w.address(self.entries, self.size * k), self.w.address(self.ranges, k * 2)
        return RangedVector(self.w, row, ends, self.size)


@dataclass(frozen=True)
class RangedVector:
    """One of them.

    Attributes:
        w: The writer.
        entries: Where it starts.
        ends: Where its range is.
        size: Its doubles.
    """

    w: IrWriter
    entries: Value
    ends: Value
    size: Value

    @property
    def range(self) -> tuple[Value, Value]:
        """The doubles from the first on, below the second; all others are zero."""
        return self.w.read(self.ends, 0, "i64"), self.w.read(self.ends, 1, "i64")

    def set_range(self, start: Number, stop: Number) -> None:
        """Write: what is outside is zero from now on."""
        for number, end in enumerate((start, stop)):
            self.w.write(str(end), self.ends, number, "i64")

    def is_some(self) -> Value:
        """Return whether its range is not empty."""
        start, stop = self.range
        return start < stop

    def clear(self) -> None:
        """Write: all is zero."""
        self.set_range(self.size, 0)

    def fill(self) -> None:
        """Write zeros, as numbers to be overwritten."""
        self.clear()
        self.widen_all()

    def widen(self, start: Value, stop: Value) -> None:
        """Write: the range includes these entries, with zeros where nothing was."""
        width, runs = self.w.lanes.width, self.w.lanes.runs
        self._widen(
            _down(self.w, start * runs, width), _down(self.w, stop * runs + (width - 1), width)
        )

    def _widen(self, start: Value, stop: Value) -> None:
        self.w.do(WIDEN, self.entries, self.ends, start, stop)

    def widen_all(self) -> None:
        """Write: the range is the whole vector."""
        self._widen(self.w.number("0"), self.size)

    @contextmanager
    def over(self) -> Iterator[Value]:
        """Write a loop over the registers of its range."""
        with self.w.count_up(*self.range, self.w.lanes.width) as i:
            yield i

    def scale(self, factor: Value) -> None:
        """Write: it is multiplied by a factor of each run."""
        factors = self.w.in_register(factor)
        with self.over() as i:
            self.w.store(self.w.load(self.entries, i) * factors, self.entries, i)

    def product(self, other: RangedVector) -> Value:
        """Return the product of two vectors, of each run."""
        (start, stop), (first, last) = self.range, other.range
        both = start.at_least(first), stop.at_most(last)
        return self.w.ask(self.w.lanes.per_run, PRODUCT, self.entries, other.entries, *both)

    def add(self, factor: Value, other: RangedVector) -> None:
        """Write: a factor of each run times another vector is added, unless it is 0 in all."""
        w = self.w
        with w.when(w.some(factor.differs(0.0))):
            ends = other.range
            self._widen(*ends)
            w.do(ADD, self.entries, factor, other.entries, *ends)


def padded(w: IrWriter, count: Value) -> Value:
    """Return the doubles of so many entries of each run, in whole registers."""
    return _down(w, count * w.lanes.runs + (PADDING - 1), PADDING)


def _down(w: IrWriter, number: Value, factor: int) -> Value:
    """Return the largest multiple of a power of two up to a number."""
    return w.put(f"and i64 {number}, {-factor}")
