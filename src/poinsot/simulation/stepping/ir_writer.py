"""A writer of functions as LLVM IR text: names, fields of the control block, calls and loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final, TypeAlias, final

from poinsot.kernels.llvm.types import Lanes, double
from poinsot.simulation.stepping.control import field_offset, field_type
from poinsot.simulation.stepping.ir_value import Number, Value, kind_of

NOTHING: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({})
EXPORTED: Final = ("run", "derivative", "observe", "samples", "first_step")
"""Functions that Python calls; all others are internal and may be called as is fastest."""

Row: TypeAlias = Mapping[int, float]
"""Coefficients by the number of the vector, zeros left out."""


@final
class Layout(Lanes):
    """How vectors lie in registers: entry after entry of one run, or one run in each lane.

    Args:
        width: Doubles in a register.
        in_lanes: Whether there are ``width`` runs, and a register holds an entry of each.
    """

    def __init__(self, width: int, *, in_lanes: bool = False) -> None:
        super().__init__(width)
        self.in_lanes = in_lanes
        self.runs = width if in_lanes else 1
        self.per_run = self.real if in_lanes else "double"
        """Type of a number that each run has."""


class IrWriter:
    """Collects the lines of one function, whose first argument is the control block ``%c``."""

    def __init__(self, layout: Layout) -> None:
        self.lanes = layout
        self.lines: list[str] = []
        self._names = 0

    def define(self, name: str, *arguments: str) -> str:
        """Return the function of the control block and more arguments, with their types."""
        return self.function(f"void @{name}({', '.join(('ptr %c', *arguments))})")

    def returning(self, result: Value, name: str, *arguments: str) -> str:
        """Return the function, which ends with a result."""
        self.give(result)
        return self.function(f"{result.kind} @{name}({', '.join(('ptr %c', *arguments))})")

    def function(self, head: str) -> str:
        """Return the function with its lines; ``head`` is its type, name and arguments."""
        name = head.split("@")[1].split("(", maxsplit=1)[0]
        if head.startswith("void "):
            self.line("ret void")
        text = "\n  ".join(self.lines)
        kind = "" if name in EXPORTED else "internal fastcc "
        return f"define {kind}{head} nounwind {{\nentry:\n  {text}\n}}\n"

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

    def number(self, name: str) -> Value:
        """Return a whole number that has a name already."""
        return Value(name, "i64", self.put)

    def give(self, result: Number) -> None:
        """End the function with a result; a number of Python is a whole one."""
        self.line(f"ret {result.kind if isinstance(result, Value) else 'i64'} {result}")

    # Calls and branches

    def do(self, name: str, *arguments: Value | int) -> None:
        """Call a function of the control block."""
        self.line(self._call("void", name, arguments))

    def ask(self, kind: str, name: str, *arguments: Value | int) -> Value:
        """Return the result of a function of the control block, of a type."""
        return self.put(self._call(kind, name, arguments))

    @staticmethod
    def _call(kind: str, name: str, arguments: Sequence[Value | int]) -> str:
        typed = [f"{x.kind if isinstance(x, Value) else 'i64'} {x}" for x in arguments]
        how = "call" if name in EXPORTED else "call fastcc"
        return f"{how} {kind} @{name}({', '.join(['ptr %c', *typed])})"

    def call(self, entry: Value) -> None:
        """Call a kernel that a table holds as function, inputs and outputs."""
        function, inputs, outputs = (self.read(entry, number, "ptr") for number in range(3))
        self.line(f"call void {function}(ptr {inputs}, ptr {outputs})")

    def call_kernel(self, number: int) -> None:
        """Call a kernel of the integrator."""
        self.call(self.put(f"getelementptr [3 x ptr], ptr {self.get('parts')}, i64 {number}"))

    def label(self, name: str) -> None:
        """Begin a block; the one before it falls through."""
        self.lines += [f"br label %{name}", f"{name}:"]

    def block(self, name: str) -> None:
        """Begin a block that is reached by branches only."""
        self.lines.append(f"{name}:")

    def go(self, name: str) -> None:
        """Go to a block."""
        self.line(f"br label %{name}")

    def branch(self, condition: str, yes: str, no: str) -> None:
        """Go to one of two blocks."""
        self.line(f"br i1 {condition}, label %{yes}, label %{no}")

    def enter_if(self, condition: Value, name: str, *, otherwise: str) -> None:
        """Begin a block where a condition holds; go to another one where it does not."""
        self.branch(condition, name, otherwise)
        self.block(name)

    def leave_if(self, condition: Value, name: str, *, otherwise: str) -> None:
        """Go to a block where a condition holds; begin another one where it does not."""
        self.branch(condition, name, otherwise)
        self.block(otherwise)

    @contextmanager
    def where(self, condition: Value, name: str, end: str) -> Iterator[None]:
        """Write a block that runs where a condition holds; ``end`` comes after it either way."""
        self.enter_if(condition, name, otherwise=end)
        yield
        self.label(end)

    @contextmanager
    def loop(
        self,
        name: str,
        start: Number | str,
        stop: Number | str,
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
        self.branch(self.number(f"%{name}") < self.number(str(stop)), f"{name}.body", f"{name}.end")
        self.block(f"{name}.body")
        yield after
        self.label(f"{name}.last")
        self.line(f"%{name}.next = add i64 %{name}, {step}")
        self.go(f"{name}.head")
        self.lines[phi_line:phi_line] = [
            f"%{key} = phi {kind} [ {first}, %{name}.begin ], [ {after[key]}, %{name}.last ]"
            for key, (kind, first) in carry.items()
        ]
        self.block(f"{name}.end")

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

    # Memory

    def address(self, base: str, index: str | int, kind: str = "double") -> Value:
        """Return where an entry of an array is."""
        return self.put(f"getelementptr {kind}, ptr {base}, i64 {index}")

    def read(self, base: str, index: str | int, kind: str = "double") -> Value:
        """Return an entry of an array."""
        return self.put(f"load {kind}, ptr {self.address(base, index, kind)}")

    def write(self, value: str | float, base: str, index: str | int, kind: str = "double") -> None:
        """Store an entry of an array."""
        text = double(value) if isinstance(value, float) else value
        self.line(f"store {kind} {text}, ptr {self.address(base, index, kind)}")

    def copy(self, goal: Value, source: Value, count: Value) -> None:
        """Copy so many doubles."""
        size = self.put(f"shl i64 {count}, 3")
        self.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {goal}, ptr {source}, i64 {size}, i1 0)")

    # Registers

    def load(self, base: str, index: str = "%i") -> Value:
        """Return the entries of a vector from ``index`` on that fill a register."""
        return self.put(f"load {self.lanes.real}, ptr {self.address(base, index)}, align 8")

    def store(self, value: str, base: str, index: str = "%i") -> None:
        """Store a register into a vector from ``index`` on."""
        self.line(f"store {self.lanes.real} {value}, ptr {self.address(base, index)}, align 8")

    def constant(self, number: float) -> Value:
        """Return a number in every lane."""
        return self.value(self.lanes.number(number), self.lanes.real)

    def splat(self, value: Value) -> Value:
        """Return a double, or a whole number, in every lane."""
        kind = f"<{self.lanes.width} x {value.kind}>"
        first = self.put(f"insertelement {kind} poison, {value.kind} {value}, i32 0")
        mask = f"<{self.lanes.width} x i32> zeroinitializer"
        return self.put(f"shufflevector {kind} {first}, {kind} poison, {mask}")

    def reduced(self, value: Value) -> Value:
        """Return the sum of the lanes of a register."""
        real, suffix = self.lanes.real, self.lanes.suffix
        return self.put(
            f"call reassoc double @llvm.vector.reduce.fadd.{suffix}(double -0.0, {real} {value})"
        )

    def any(self, bits: Value) -> Value:
        """Return whether one of the bits of the lanes is set."""
        width = self.lanes.width
        mask = self.put(f"bitcast {bits.kind} {bits} to i{width}")
        return self.put(f"icmp ne i{width} {mask}, 0")

    # Numbers that each run has: one, or one in each lane

    def per_run(self, total: Value) -> Value:
        """Return the sum over the entries of each run, of a register of sums over entries."""
        return total if self.lanes.in_lanes else self.reduced(total)

    def each(self, number: Value) -> Value:
        """Return a number for each run."""
        return self.splat(number) if self.lanes.in_lanes else number

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


class VectorWriter(IrWriter):
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
