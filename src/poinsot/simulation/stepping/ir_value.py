"""Values of LLVM IR with operators: a formula writes its instructions as it is evaluated.

``h / (error**alpha / last**beta)`` of values appends ``call @pow``, ``fdiv`` and so on to the
function that is being written, and is the value of the last of them.  A value is its name, so that
it goes into instructions that are written as text, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Self, TypeAlias

from poinsot.kernels.llvm.types import double

__all__ = ["Value", "kind_of"]

Number: TypeAlias = "Value | float | int"

_FLOAT: Final = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_WHOLE: Final = {"+": "add", "-": "sub", "*": "mul"}
_FLOAT_IS: Final = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq"}
_WHOLE_IS: Final = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
_RESULT: Final = (
    (re.compile(r"[fi]cmp "), "i1"),
    (re.compile(r"getelementptr "), "ptr"),
    (re.compile(r"load (?:volatile )?(\S+),"), None),
    (re.compile(r"phi (\S+) "), None),
    (re.compile(r"extractvalue \{ (\w+),"), None),
    (re.compile(r"(?:fadd|fsub|fmul|fdiv|add|sub|mul|and|or|shl) (\S+) "), None),
    (re.compile(r"select i1 \S+, (\S+) "), None),
    (re.compile(r"(?:sitofp|zext|bitcast) .* to (\S+)$"), None),
    (re.compile(r"call (?:reassoc |fastcc )?(\S+) @"), None),
)
"""How instructions begin, and the type of their results; None: the first group is it."""


def kind_of(instruction: str) -> str:
    """Return the type of the result of an instruction; nothing where it does not tell.

    >>> kind_of("fadd double %a, %b"), kind_of("icmp eq i64 %i, 0"), kind_of("load i64, ptr %p")
    ('double', 'i1', 'i64')
    """
    for begins, kind in _RESULT:
        start = begins.match(instruction)
        if start:
            return start[1] if kind is None else kind
    return ""


class Value(str):
    """The name of a value, its type, and what appends an instruction and names its result.

    Comparisons give values of type i1, so they are no order of names; equality of names stays.
    """

    kind: str
    put: Callable[[str], Value]

    def __new__(cls, name: str, kind: str, put: Callable[[str], Value]) -> Self:
        """Return a value.

        Args:
            name: Its name, or a constant.
            kind: Its type: "double", "i64", "i1" or "ptr".
            put: Appends an instruction.
        """
        value = super().__new__(cls, name)
        value.kind, value.put = kind, put
        return value

    def __add__(self, other: Number) -> Value:  # type: ignore[override]
        return self._of("+", other)

    def __sub__(self, other: Number) -> Value:
        return self._of("-", other)

    def __mul__(self, other: Number) -> Value:  # type: ignore[override]
        return self._of("*", other)

    def __truediv__(self, other: Number) -> Value:
        return self._of("/", other)

    def __radd__(self, other: Number) -> Value:
        return self._constant(other)._of("+", self)

    def __rsub__(self, other: Number) -> Value:
        return self._constant(other)._of("-", self)

    def __rmul__(self, other: Number) -> Value:  # type: ignore[override]
        return self._constant(other)._of("*", self)

    def __rtruediv__(self, other: Number) -> Value:
        return self._constant(other)._of("/", self)

    def __pow__(self, exponent: float) -> Value:
        return self.put(f"call double @pow(double {self}, double {double(exponent)})")

    def __abs__(self) -> Value:
        return self.put(f"call double @llvm.fabs.f64(double {self})")

    def __lt__(self, other: Number) -> Value:  # type: ignore[override]
        return self._is("<", other)

    def __le__(self, other: Number) -> Value:  # type: ignore[override]
        return self._is("<=", other)

    def __gt__(self, other: Number) -> Value:  # type: ignore[override]
        return self._is(">", other)

    def __ge__(self, other: Number) -> Value:  # type: ignore[override]
        return self._is(">=", other)

    def __and__(self, other: Value) -> Value:
        return self.put(f"and i1 {self}, {other}")

    def equals(self, other: Number) -> Value:
        """Return whether two values are equal."""
        return self._is("==", other)

    def differs(self, other: int) -> Value:
        """Return whether a whole number is another one."""
        return self._is("!=", other)

    def choose(self, yes: Number, no: Number) -> Value:
        """Return one value where this one holds, else the other."""
        kind = next(x.kind for x in (yes, no) if isinstance(x, Value))
        first, second = (x if isinstance(x, Value) else self._text(x, kind) for x in (yes, no))
        return self.put(f"select i1 {self}, {kind} {first}, {kind} {second}")

    def at_most(self, other: Number) -> Value:
        """Return the smaller of two numbers; the other if one is NaN."""
        return (self < other).choose(self, other)

    def at_least(self, other: Number) -> Value:
        """Return the larger of two numbers; the other if one is NaN."""
        return (self > other).choose(self, other)

    def sqrt(self) -> Value:
        """Return the root."""
        return self.put(f"call double @llvm.sqrt.f64(double {self})")

    def to_double(self) -> Value:
        """Return a whole number as a double."""
        return self.put(f"sitofp i64 {self} to double")

    def _of(self, sign: str, other: Number) -> Value:
        op = (_FLOAT if self._is_double() else _WHOLE)[sign]
        return self.put(f"{op} {self.kind} {self}, {self._text(other, self.kind)}")

    def _is(self, sign: str, other: Number) -> Value:
        if self._is_double():
            return self.put(f"fcmp {_FLOAT_IS[sign]} double {self}, {self._text(other, 'double')}")
        return self.put(f"icmp {_WHOLE_IS[sign]} {self.kind} {self}, {other}")

    def _is_double(self) -> bool:
        if self.kind not in ("double", "i64"):
            raise TypeError(f"{self!s} has type {self.kind!r}: no number to compute with")
        return self.kind == "double"

    def _constant(self, number: Number) -> Value:
        return Value(self._text(number, self.kind), self.kind, self.put)

    @staticmethod
    def _text(number: Number, kind: str) -> str:
        if isinstance(number, str):
            return number
        return double(float(number)) if kind == "double" else str(number)

    __hash__ = str.__hash__
