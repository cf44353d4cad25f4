"""A writer of functions with loops and branches as LLVM IR text, over arrays of doubles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class LoopWriter:
    """Collects the lines of one function; whole numbers are i64, and so are variables."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._variables: list[str] = []
        self._names = 0

    def function(self, head: str) -> str:
        """Return the function; ``head`` is all before the brace."""
        text = "\n  ".join([*self._variables, *self._lines, "ret void"])
        return f"define {head} nounwind {{\nentry:\n  {text}\n}}\n"

    def line(self, text: str) -> None:
        """Add an instruction without result."""
        self._lines.append(text)

    def put(self, instruction: str) -> str:
        """Add an instruction and return the name of its result."""
        name = f"%t{self._name()}"
        self.line(f"{name} = {instruction}")
        return name

    def variable(self, kind: str = "i64") -> str:
        """Return the address of a new variable."""
        name = f"%v{self._name()}"
        self._variables.append(f"{name} = alloca {kind}")
        return name

    @contextmanager
    def loop(self, start: str, stop: str) -> Iterator[str]:
        """Write a loop over the whole numbers from start on, below stop; it may be empty."""
        name = f"loop{self._name()}"
        index = f"%{name}.index"
        self._label(f"{name}.begin")
        self._label(name)
        self.line(f"{index} = phi i64 [ {start}, %{name}.begin ], [ {index}.next, %{name}.last ]")
        self._branch(self.put(f"icmp slt i64 {index}, {stop}"), f"{name}.body", f"{name}.end")
        self.line(f"{name}.body:")
        yield index
        self._label(f"{name}.last")
        self.line(f"{index}.next = add i64 {index}, 1")
        self.line(f"br label %{name}")
        self.line(f"{name}.end:")

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        """Write what happens only where a condition holds."""
        name = f"when{self._name()}"
        self._branch(condition, name, f"{name}.end")
        self.line(f"{name}:")
        yield
        self._label(f"{name}.end")

    # Whole numbers

    def whole(self, operation: str, a: str, b: str | int) -> str:
        """Return ``operation`` (add, sub, mul, icmp slt, ...) of two whole numbers."""
        return self.put(f"{operation} i64 {a}, {b}")

    def get(self, address: str, kind: str = "i64") -> str:
        """Return what lies at an address."""
        return self.put(f"load {kind}, ptr {address}")

    def set(self, value: str | int, address: str, kind: str = "i64") -> None:
        """Store at an address."""
        self.line(f"store {kind} {value}, ptr {address}")

    def smaller(self, a: str, b: str) -> str:
        """Return the smaller of two whole numbers."""
        return self.put(f"select i1 {self.whole('icmp slt', a, b)}, i64 {a}, i64 {b}")

    def larger(self, a: str, b: str) -> str:
        """Return the larger of two whole numbers."""
        return self.put(f"select i1 {self.whole('icmp sgt', a, b)}, i64 {a}, i64 {b}")

    # Doubles

    def real(self, operation: str, a: str, b: str) -> str:
        """Return ``operation`` (fadd, fmul, fcmp ogt, ...) of two doubles."""
        return self.put(f"{operation} double {a}, {b}")

    def root(self, a: str) -> str:
        """Return the square root."""
        return self.put(f"call double @llvm.sqrt.f64(double {a})")

    def place(self, base: str, index: str) -> str:
        """Return the address of an entry of an array of numbers of eight bytes."""
        return self.put(f"getelementptr double, ptr {base}, i64 {index}")

    def read(self, base: str, index: str) -> str:
        """Return an entry of an array of doubles."""
        return self.get(self.place(base, index), "double")

    def write(self, value: str, base: str, index: str) -> None:
        """Store an entry of an array of doubles."""
        self.set(value, self.place(base, index), "double")

    def row(self, base: str, number: str, width: str) -> str:
        """Return the address of a row of a matrix."""
        return self.place(base, self.whole("mul", number, width))

    def _name(self) -> int:
        self._names += 1
        return self._names

    def _label(self, name: str) -> None:
        self._lines += [f"br label %{name}", f"{name}:"]

    def _branch(self, condition: str, yes: str, no: str) -> None:
        self.line(f"br i1 {condition}, label %{yes}, label %{no}")
