"""A writer of functions of the control block: its fields, calls, and loops over vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, TypeAlias

from poinsot.kernels.llvm.ir_value import Number, Value
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout
from poinsot.kernels.llvm.types import double
from poinsot.simulation.stepping.control import field_offset, field_type

EXPORTED: Final = (
    *("run", "derivative", "observe", "samples", "first_step", "update_states"),
    "impacts",
)
"""Functions that Python calls; all others are internal and may be called as is fastest."""

Row: TypeAlias = Mapping[int, float]
"""Coefficients by the number of the vector, zeros left out."""


class ControlWriter(IrWriter):
    """Collects the lines of one function, whose first argument is the control block ``%c``."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout, EXPORTED, ("ptr %c",))

    # Kernels

    def call(self, entry: Value) -> None:
        """Call a kernel that a table holds as function, inputs and outputs."""
        function, inputs, outputs = (self.read(entry, number, "ptr") for number in range(3))
        self.line(f"call void {function}(ptr {inputs}, ptr {outputs})")

    def call_kernel(self, number: int) -> None:
        """Call a kernel of the integrator."""
        self.call(self.put(f"getelementptr [3 x ptr], ptr {self.get('parts')}, i64 {number}"))

    # Fields of the control block

    def field(self, name: str) -> Value:
        """Return where a field is."""
        return self.put(f"getelementptr i8, ptr %c, i64 {field_offset(name)}")

    def get(self, name: str) -> Value:
        """Return the value of a field."""
        return self.put(f"load {field_type(name)}, ptr {self.field(name)}")

    def set(self, name: str, value: Number) -> None:
        """Store into a field."""
        text = double(value) if isinstance(value, float) else value
        address = self.field(name)
        self.line(f"store {field_type(name)} {text}, ptr {address}")

    def count(self, name: str) -> None:
        """Add one to a field."""
        self.set(name, self.get(name) + 1)

    def set_time(self, time: Value) -> None:
        """Set the time t_stage at which kernels are evaluated, in all lanes."""
        self.set("t_stage", time)
        if self.lanes.in_lanes:
            self.line(f"store {self.lanes.real} {self.splat(time)}, ptr {self.get('t_lanes')}")

    def buffer(self, number: int) -> Value:
        """Return where a buffer of the integrator starts."""
        return self.read(self.get("buffers"), number, "ptr")

    def get_each(self, name: str) -> Value:
        """Return the numbers of a field that each run has; in lanes, its plural says where."""
        address = self.get(f"{name}s") if self.lanes.in_lanes else self.field(name)
        return self.put(f"load {self.lanes.per_run}, ptr {address}")

    def set_each(self, name: str, value: Value | float) -> None:
        """Store into a field that each run has."""
        kind = self.lanes.per_run
        text = value if isinstance(value, Value) else self.lanes.number(value)
        if not self.lanes.in_lanes:
            return self.set(name, value)
        return self.line(f"store {kind} {text}, ptr {self.get(f'{name}s')}")


class VectorWriter(ControlWriter):
    """A writer of functions that loop over the entries of vectors."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.width = self.get("width")

    def vector(self, base: Value, number: int | Value) -> Value:
        """Return where a vector starts, in memory that holds vector after vector from ``base``."""
        return self.address(base, self.width * number)

    def vectors(self, base: Value, count: int) -> list[Value]:
        """Return where so many vectors start."""
        return [self.vector(base, number) for number in range(count)]

    def stages(self, *rows: Row) -> dict[int, Value]:
        """Return where the derivatives of the stages in these rows are."""
        k = self.get("k")
        return {s: self.vector(k, s) for s in sorted({s for row in rows for s in row})}

    @contextmanager
    def over(self, sums: int = 0) -> Iterator[list[Value]]:
        """Write a loop over the registers of a vector, with ``%i`` its first entry.

        Args:
            sums: How many sums to carry, from 0 on.  Put their new values in the list; behind the
                loop it holds the last ones.
        """
        real = self.lanes.real
        self.label("loop.begin")
        self.label("loop")
        self.line("%i = phi i64 [ 0, %loop.begin ], [ %i.next, %loop ]")
        phi_line = len(self.lines)
        carried = [self.value(f"%sum{number}", real) for number in range(sums)]
        new = list(carried)
        yield new
        self.lines[phi_line:phi_line] = [
            f"{name} = phi {real} [ zeroinitializer, %loop.begin ], [ {value}, %loop ]"
            for name, value in zip(carried, new, strict=True)
        ]
        self.line(f"%i.next = add i64 %i, {self.lanes.width}")
        self.branch(self.put(f"icmp ult i64 %i.next, {self.width}"), "loop", "loop.end")
        self.block("loop.end")

    def combination(self, row: Row, vectors: Mapping[int, Value]) -> Value:
        """Return the entries at ``%i`` of the sum of coefficient times vector.

        Two sums that alternate are ready in half the time of one.
        """
        sums: list[Value] = []
        for turn, (s, coefficient) in enumerate(row.items()):
            term = self.load(vectors[s]) * coefficient
            if turn < 2:
                sums.append(term)
            else:
                sums[turn % 2] = sums[turn % 2] + term
        return sums[0] if len(sums) == 1 else sums[0] + sums[1]
