"""A writer of functions as LLVM IR text: names, fields of the control block, loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final, TypeAlias

from poinsot.kernels.llvm.types import Lanes
from poinsot.simulation.stepping.control import field_offset, field_type
from poinsot.simulation.stepping.ir_value import Value, kind_of

NOTHING: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({})

Row: TypeAlias = Mapping[int, float]
"""Coefficients by the number of the vector, zeros left out."""


class IrWriter:
    """Collects the lines of one function, whose first argument is the control block ``%c``."""

    def __init__(self, lanes: int) -> None:
        self.lanes = Lanes(lanes)
        self.lines: list[str] = []
        self._names = 0

    def function(self, head: str) -> str:
        """Return the function; ``head`` is all before the brace."""
        text = "\n  ".join(self.lines)
        return f"define {head} nounwind {{\nentry:\n  {text}\n}}\n"

    def line(self, text: str) -> None:
        """Add an instruction without result."""
        self.lines.append(text)

    def put(self, instruction: str) -> Value:
        """Add an instruction and return its result."""
        self._names += 1
        name = f"%t{self._names}"
        self.lines.append(f"{name} = {instruction}")
        return self.value(name, kind_of(instruction))

    def value(self, name: str, kind: str = "double") -> Value:
        """Return a value that has a name already: an argument, or what a loop carries."""
        return Value(name, kind, self.put)

    def label(self, name: str) -> None:
        """Begin a block; the one before it falls through."""
        self.lines += [f"br label %{name}", f"{name}:"]

    def block(self, name: str) -> None:
        """Begin a block that is reached by branches only."""
        self.lines.append(f"{name}:")

    def branch(self, condition: str, yes: str, no: str) -> None:
        """Go to one of two blocks."""
        self.line(f"br i1 {condition}, label %{yes}, label %{no}")

    @contextmanager
    def loop(
        self,
        name: str,
        start: str,
        stop: str,
        step: int = 1,
        carry: Mapping[str, tuple[str, str]] = NOTHING,
    ) -> Iterator[dict[str, str]]:
        """Write a loop over the whole numbers ``%name`` from start on, below stop; it may be empty.

        Args:
            name: Of the number; no other loop of the function may have it.
            start: First number.
            stop: Number before which to end.
            step: From one number to the next.
            carry: Type and first value of the names that change from turn to turn.  Put their next
                values in the dictionary; behind the loop the names hold the last ones.
        """
        after: dict[str, str] = {}
        self.label(f"{name}.begin")
        self.label(f"{name}.head")
        self.line(f"%{name} = phi i64 [ {start}, %{name}.begin ], [ %{name}.next, %{name}.last ]")
        phi_line = len(self.lines)
        self.branch(self.put(f"icmp slt i64 %{name}, {stop}"), f"{name}.body", f"{name}.end")
        self.block(f"{name}.body")
        yield after
        self.label(f"{name}.last")
        self.line(f"%{name}.next = add i64 %{name}, {step}")
        self.line(f"br label %{name}.head")
        self.lines[phi_line:phi_line] = [
            f"%{key} = phi {kind} [ {first}, %{name}.begin ], [ {after[key]}, %{name}.last ]"
            for key, (kind, first) in carry.items()
        ]
        self.block(f"{name}.end")

    # Fields of the control block

    def get(self, field: str) -> Value:
        """Return the value of a field."""
        address = self.put(f"getelementptr i8, ptr %c, i64 {field_offset(field)}")
        return self.put(f"load {field_type(field)}, ptr {address}")

    def set(self, field: str, value: str) -> None:
        """Store into a field."""
        address = self.put(f"getelementptr i8, ptr %c, i64 {field_offset(field)}")
        self.line(f"store {field_type(field)} {value}, ptr {address}")

    def count(self, field: str) -> None:
        """Add one to a field."""
        self.set(field, self.put(f"add i64 {self.get(field)}, 1"))

    def buffer(self, number: int) -> Value:
        """Return where a buffer of the integrator starts."""
        address = self.put(f"getelementptr ptr, ptr {self.get('buffers')}, i64 {number}")
        return self.put(f"load ptr, ptr {address}")

    def call_kernel(self, number: int) -> None:
        """Call a kernel of the integrator."""
        self.call(self.put(f"getelementptr [3 x ptr], ptr {self.get('parts')}, i64 {number}"))

    def call(self, entry: str) -> None:
        """Call a kernel that a table holds as function, inputs and outputs."""
        pointers = []
        for number in range(3):
            address = self.put(f"getelementptr ptr, ptr {entry}, i64 {number}")
            pointers.append(self.put(f"load ptr, ptr {address}"))
        self.line(f"call void {pointers[0]}(ptr {pointers[1]}, ptr {pointers[2]})")

    # Doubles

    def address(self, base: str, index: str) -> Value:
        """Return where an entry of an array of doubles is."""
        return self.put(f"getelementptr double, ptr {base}, i64 {index}")

    def read(self, base: str, index: str) -> Value:
        """Return an entry of an array of doubles."""
        return self.put(f"load double, ptr {self.address(base, index)}")

    def write(self, value: str, base: str, index: str) -> None:
        """Store an entry of an array of doubles."""
        self.line(f"store double {value}, ptr {self.address(base, index)}")

    # Vectors

    def vector(self, base: str, number: int) -> Value:
        """Return where a vector starts, in memory that holds vector after vector from ``base``."""
        offset = self.put(f"mul i64 %width, {number}")
        return self.put(f"getelementptr double, ptr {base}, i64 {offset}")

    @contextmanager
    def over(self, sums: Sequence[str] = ()) -> Iterator[list[str]]:
        """Write a loop over the registers of ``%width`` entries, with ``%i`` its first entry.

        Args:
            sums: Vector accumulators to carry, named so.  Put their new values in the list; behind
                the loop their totals are in ``%{name}.total``.
        """
        new: list[str] = []
        real = self.lanes.real
        self.label("loop.begin")
        self.label("loop")
        self.line("%i = phi i64 [ 0, %loop.begin ], [ %i.next, %loop ]")
        phi_line = len(self.lines)
        yield new
        phis = [
            f"%{name} = phi {real} [ zeroinitializer, %loop.begin ], [ {value}, %loop ]"
            for name, value in zip(sums, new, strict=True)
        ]
        self.lines[phi_line:phi_line] = phis
        self.line(f"%i.next = add i64 %i, {self.lanes.width}")
        more = self.put("icmp ult i64 %i.next, %width")
        self.branch(more, "loop", "loop.end")
        self.block("loop.end")
        for name, value in zip(sums, new, strict=True):
            self.line(f"%{name}.total = bitcast double {self.reduced(value)} to double")

    def reduced(self, value: str) -> Value:
        """Return the sum of the lanes of a vector."""
        real, suffix = self.lanes.real, self.lanes.suffix
        return self.put(
            f"call reassoc double @llvm.vector.reduce.fadd.{suffix}(double -0.0, {real} {value})"
        )

    def load(self, base: str, index: str = "%i") -> Value:
        """Return the entries of a vector from ``index`` on that fill a register."""
        return self.put(f"load {self.lanes.real}, ptr {self.address(base, index)}, align 8")

    def store(self, value: str, base: str, index: str = "%i") -> None:
        """Store a register into a vector from ``index`` on."""
        self.line(f"store {self.lanes.real} {value}, ptr {self.address(base, index)}, align 8")

    def splat(self, value: str) -> Value:
        """Return a double in every lane."""
        real = self.lanes.real
        first = self.put(f"insertelement {real} poison, double {value}, i32 0")
        mask = f"<{self.lanes.width} x i32> zeroinitializer"
        return self.put(f"shufflevector {real} {first}, {real} poison, {mask}")

    def arithmetic(self, op: str, a: str, b: str) -> Value:
        """Return ``op`` (fadd, fsub, fmul or fdiv) of two vectors; products and sums may fuse."""
        flag = "" if op == "fdiv" else " contract"
        return self.put(f"{op}{flag} {self.lanes.real} {a}, {b}")

    def intrinsic(self, name: str, a: str) -> Value:
        """Return an intrinsic function of one vector."""
        real = self.lanes.real
        return self.put(f"call {real} @llvm.{name}.{self.lanes.suffix}({real} {a})")

    def combination(self, row: Row, vectors: dict[int, str]) -> Value:
        """Return the entries at ``%i`` of the sum of coefficient times vector.

        Two sums that alternate are ready in half the time of one.
        """
        sums: list[Value] = []
        for turn, (s, coefficient) in enumerate(row.items()):
            number = self.lanes.number(coefficient)
            term = self.arithmetic("fmul", self.load(vectors[s]), number)
            if turn < 2:
                sums.append(term)
            else:
                sums[turn % 2] = self.arithmetic("fadd", sums[turn % 2], term)
        return sums[0] if len(sums) == 1 else self.arithmetic("fadd", sums[0], sums[1])
