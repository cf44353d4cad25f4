"""A writer of functions as LLVM IR text: names, loops, branches, memory and registers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final, final

from poinsot.kernels.llvm.ir_value import Number, Value, kind_of
from poinsot.kernels.llvm.types import Lanes, double

NOTHING: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({})


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


class Variable:
    """A variable of a function that is being written: its value is loaded and stored.

    Args:
        w: The writer.
        address: Where it is.
        kind: The type of its values.
    """

    def __init__(self, w: IrWriter, address: Value, kind: str) -> None:
        self._w, self._address, self.kind = w, address, kind

    @property
    def value(self) -> Value:
        """What it is here."""
        return self._w.put(f"load {self.kind}, ptr {self._address}")

    @value.setter
    def value(self, value: Value | int) -> None:
        self._w.line(f"store {self.kind} {value}, ptr {self._address}")


class IrWriter:
    """Collects the lines of one function.

    Args:
        layout: How vectors lie in registers.
        exported: Functions that Python calls; others are internal, called as is fastest.
        context: Arguments that every function has first and passes on, with their types.
        attributes: Of the function.
    """

    def __init__(
        self, layout: Layout, exported: Sequence[str] = (), context: Sequence[str] = (),
        attributes: str = "nounwind",
    ) -> None:  # fmt: skip
        self.exported, self.context, self._attributes = exported, context, attributes
        self.lanes = layout
        self.lines: list[str] = []
        self._variables: list[str] = []
        self._names = 0

    def define(self, name: str, *arguments: str) -> str:
        """Return the function without a result; arguments are given with their types."""
        self.line("ret void")
        return self._function("void", name, arguments)

    def returning(self, result: Value, name: str, *arguments: str) -> str:
        """Return the function, which ends with a result."""
        self.give(result)
        return self._function(result.kind, name, arguments)

    def _function(self, kind: str, name: str, arguments: Sequence[str]) -> str:
        text = "\n  ".join([*self._variables, *self.lines])
        linkage = "" if name in self.exported else "internal fastcc "
        typed = ", ".join([*self.context, *arguments])
        head = f"define {linkage}{kind} @{name}({typed}) {self._attributes}"
        return f"{head} {{\nentry:\n  {text}\n}}\n"

    def line(self, text: str) -> None:
        """Add an instruction without result."""
        self.lines.append(text)

    def put(self, instruction: str) -> Value:
        """Add an instruction and return its result."""
        name = f"%{self._fresh('t')}"
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

    # Calls, branches and loops

    def do(self, name: str, *arguments: Value | int) -> None:
        """Call a function."""
        self.line(self._call("void", name, arguments))

    def ask(self, kind: str, name: str, *arguments: Value | int) -> Value:
        """Return the result of a function, of a type."""
        return self.put(self._call(kind, name, arguments))

    def _call(self, kind: str, name: str, arguments: Sequence[Value | int]) -> str:
        typed = [f"{x.kind if isinstance(x, Value) else 'i64'} {x}" for x in arguments]
        how = "call" if name in self.exported else "call fastcc"
        return f"{how} {kind} @{name}({', '.join([*self.context, *typed])})"

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

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        """Write what runs only where a condition holds."""
        name = self._fresh("when")
        with self.where(condition, name, f"{name}.end"):
            yield

    @contextmanager
    def count_up(self, start: Number, stop: Number, step: int = 1) -> Iterator[Value]:
        """Write a loop over the whole numbers from start on, below stop; it may be empty."""
        name = self._fresh("loop")
        with self.loop(name, start, stop, step):
            yield self.number(f"%{name}")

    def _fresh(self, kind: str) -> str:
        self._names += 1
        return f"{kind}{self._names}"

    # Memory

    def variable(self, first: Value | int) -> Variable:
        """Return a variable of the function, set to a first value here."""
        address = self.value(f"%{self._fresh('variable')}", "ptr")
        variable = Variable(self, address, first.kind if isinstance(first, Value) else "i64")
        self._variables.append(f"{address} = alloca {variable.kind}")
        variable.value = first
        return variable

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

    def in_register(self, number: Value) -> Value:
        """Return a number of each run in a register, for the entries that are there."""
        return number if self.lanes.in_lanes else self.splat(number)

    def per_run_number(self, number: float) -> Value:
        """Return a number of Python for each run."""
        kind = self.lanes.per_run
        return self.value(Value.constant(number, kind), kind)

    def some(self, bits: Value) -> Value:
        """Return whether the bit of some run is set."""
        return self.any(bits) if self.lanes.in_lanes else bits

    def none(self, bits: Value) -> Value:
        """Return whether the bits of all runs are not set."""
        return ~self.some(bits)

    def read_each(self, base: str, index: str | int) -> Value:
        """Return the entry of each run in an array of them."""
        kind = self.lanes.per_run
        return self.put(f"load {kind}, ptr {self.address(base, index, kind)}, align 8")

    def write_each(self, value: str, base: str, index: str | int) -> None:
        """Store the entry of each run in an array of them."""
        kind = self.lanes.per_run
        self.line(f"store {kind} {value}, ptr {self.address(base, index, kind)}, align 8")


def intrinsics(layout: Layout) -> str:
    """Return the declarations of all that values and writers call."""
    real, suffix = layout.real, layout.suffix
    return "\n".join(
        [
            f"declare {real} @llvm.fabs.{suffix}({real})",
            f"declare {real} @llvm.sqrt.{suffix}({real})",
            f"declare double @llvm.vector.reduce.fadd.{suffix}(double, {real})",
            "declare double @llvm.fabs.f64(double)",
            "declare double @llvm.sqrt.f64(double)",
            "declare double @pow(double, double)",
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        ]
    )
