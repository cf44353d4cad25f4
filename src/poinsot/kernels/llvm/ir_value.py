"""Values of LLVM IR with operators: a formula writes its instructions as it is evaluated.

``h / (error**alpha / last**beta)`` of values appends ``call @pow``, ``fdiv`` and so on to the
function that is being written, and is the value of the last of them.  A value is a number or a
register of numbers side by side, and formulas are the same for both; numbers of Python are in every
lane then.  A value is its name, so that it goes into instructions that are written as text, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Self, TypeAlias

from poinsot.kernels.llvm.types import double

Number: TypeAlias = "Value | float | int"

_FLOAT: Final = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_WHOLE: Final = {"+": "add", "-": "sub", "*": "mul"}
_FLOAT_IS: Final = {
    **{"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"},
    **{"not <=": "ugt", "unordered": "uno"},
}
_WHOLE_IS: Final = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
_TYPE: Final = r"(<[^>]*>|[^\s,]+)"
_RESULT: Final = (
    re.compile(rf"(?:load|phi|fneg)(?: volatile)? {_TYPE}[, ]"),
    re.compile(r"extractvalue \{ (\w+),"),
    re.compile(rf"(?:fadd|fsub|fmul|fdiv|add|sub|mul|and|or|xor|shl)(?: contract)? {_TYPE} "),
    re.compile(rf"select (?:<[^>]*>|i1) \S+, {_TYPE} "),
    re.compile(rf"(?:sitofp|uitofp|fptosi|zext|bitcast|ptrtoint|inttoptr) .* to {_TYPE}$"),
    re.compile(rf"call (?:reassoc |fastcc )?{_TYPE} @"),
    re.compile(rf"(?:insertelement|shufflevector) {_TYPE} "),
    re.compile(rf"[fi]cmp \w+ {_TYPE} "),
)
"""How instructions begin, and the type of their results; of the last one, of what it compares."""


def kind_of(instruction: str) -> str:
    """Return the type of the result of an instruction; nothing where it does not tell.

    >>> kind_of("fadd double %a, %b"), kind_of("icmp eq i64 %i, 0"), kind_of("load i64, ptr %p")
    ('double', 'i1', 'i64')
    """
    if instruction.startswith("getelementptr "):
        return "ptr"
    for begins in _RESULT:
        start = begins.match(instruction)
        if start:
            return _bits(start[1]) if begins is _RESULT[-1] else start[1]
    return ""


def _bits(kind: str) -> str:
    """Return the type of what compares values of a type."""
    return re.sub(r"double|ptr|i\d+", "i1", kind)


class Value(str):
    """The name of a value, its type, and what appends an instruction and names its result.

    Comparisons give values of type i1, so they are no order of names; equality of names stays.
    Sums and products of registers may be fused, those of single numbers are not.
    """

    kind: str
    put: Callable[[str], Value]

    def __new__(cls, name: str, kind: str, put: Callable[[str], Value]) -> Self:
        """Return a value.

        Args:
            name: Its name, or a constant.
            kind: Its type: "double", "i64", "i1" or "ptr", or of a register "<4 x double>" or so.
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

    def __neg__(self) -> Value:
        return self.put(f"fneg {self.kind} {self}")

    def __pow__(self, exponent: float) -> Value:
        return self.put(f"call double @pow(double {self}, double {double(exponent)})")

    def __abs__(self) -> Value:
        return self._intrinsic("fabs")

    def __lt__(self, other: Number) -> Value:  # type: ignore[override]
        return self._is("<", other)

    def __le__(self, other: Number) -> Value:  # type: ignore[override]
        return self._is("<=", other)

    def __gt__(self, other: Number) -> Value:  # type: ignore[override]
        return self._is(">", other)

    def __ge__(self, other: Number) -> Value:  # type: ignore[override]
        return self._is(">=", other)

    def __and__(self, other: Value) -> Value:
        return self.put(f"and {self.kind} {self}, {other}")

    def __or__(self, other: Value) -> Value:
        return self.put(f"or {self.kind} {self}, {other}")

    def __invert__(self) -> Value:
        return self.put(f"xor {self.kind} {self}, 1")

    def equals(self, other: Number) -> Value:
        """Return whether two values are equal."""
        return self._is("==", other)

    def differs(self, other: Number) -> Value:
        """Return whether a number is another one, or NaN."""
        return self._is("!=", other)

    def exceeds(self, other: Number) -> Value:
        """Return whether a number is larger than another, or one of them is NaN."""
        return self._is("not <=", other)

    def is_nan(self) -> Value:
        """Return whether a number is NaN."""
        return self._is("unordered", self)

    def choose(self, yes: Number, no: Number) -> Value:
        """Return one value where this one holds, else the other."""
        usual = "double" if isinstance(yes, float) else "i64"
        kind = next((x.kind for x in (yes, no) if isinstance(x, Value)), usual)
        first, second = (self.constant(x, kind) for x in (yes, no))
        return self.put(f"select {self.kind} {self}, {kind} {first}, {kind} {second}")

    def at_most(self, other: Number) -> Value:
        """Return the smaller of two numbers; the other if one is NaN."""
        return (self < other).choose(self, other)

    def at_least(self, other: Number) -> Value:
        """Return the larger of two numbers; the other if one is NaN."""
        return (self > other).choose(self, other)

    def sqrt(self) -> Value:
        """Return the root."""
        return self._intrinsic("sqrt")

    def to_double(self) -> Value:
        """Return a whole number as a double."""
        return self.put(f"sitofp i64 {self} to double")

    def to_whole(self) -> Value:
        """Return a double without its fraction; of a condition 1 where it holds, else 0."""
        how = "fptosi" if self.kind == "double" else "zext"
        return self.put(f"{how} {self.kind} {self} to i64")

    def _intrinsic(self, name: str) -> Value:
        suffix = re.sub(r"<(\d+) x double>", r"v\1f64", self.kind).replace("double", "f64")
        return self.put(f"call {self.kind} @llvm.{name}.{suffix}({self.kind} {self})")

    def _of(self, sign: str, other: Number) -> Value:
        op = (_FLOAT if self._is_double() else _WHOLE)[sign]
        if self.kind.startswith("<") and op in ("fadd", "fsub", "fmul"):
            op = f"{op} contract"
        return self.put(f"{op} {self.kind} {self}, {self.constant(other, self.kind)}")

    def _is(self, sign: str, other: Number) -> Value:
        op = f"fcmp {_FLOAT_IS[sign]}" if self._is_double() else f"icmp {_WHOLE_IS[sign]}"
        return self.put(f"{op} {self.kind} {self}, {self.constant(other, self.kind)}")

    def _is_double(self) -> bool:
        number = self.kind.removesuffix(">").rsplit(" ", 1)[-1]
        if number not in ("double", "i64"):
            raise TypeError(f"{self!s} has type {self.kind!r}: no number to compute with")
        return number == "double"

    def _constant(self, number: Number) -> Value:
        return Value(self.constant(number, self.kind), self.kind, self.put)

    @staticmethod
    def constant(number: Number, kind: str) -> str:
        """Return a number as a constant of a type, in every lane."""
        if isinstance(number, str):
            return number
        text = double(float(number)) if "double" in kind else str(number)
        if not kind.startswith("<"):
            return text
        scalar = kind.removesuffix(">").rsplit(" ", 1)[-1]
        return f"splat ({scalar} {text})"

    __hash__ = str.__hash__
