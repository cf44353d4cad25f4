"""Routines as functions of C99; what C and CUDA share."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from poinsot.errors import PoinsotError
from poinsot.expr import Op, Port, Program
from poinsot.kernels.export.dialect import ARITHMETIC, Dialect, decimal
from poinsot.kernels.export.listing import StatementListing
from poinsot.kernels.export.routine import Routine
from poinsot.kernels.spilled_values import spill_slots

LONGEST_FUNCTION: Final = 2000
"""Steps per function; compile time grows faster than the length."""

_CHOICES: Final[Mapping[Op, tuple[str, str, str]]] = {
    # operation: name, parameters, result; each gives NaN where it reads one
    Op.MIN: ("smaller", "a, b", "a != a ? a : (b != b ? b : (a < b ? a : b))"),
    Op.MAX: ("larger", "a, b", "a != a ? a : (b != b ? b : (a > b ? a : b))"),
    Op.SIGN: ("sign", "a", "a != a ? a : ({real})((a > 0) - (a < 0))"),
    Op.LESS: ("less", "a, b", "a != a ? a : (b != b ? b : ({real})(a < b))"),
    Op.LESS_EQUAL: ("less_equal", "a, b", "a != a ? a : (b != b ? b : ({real})(a <= b))"),
    Op.EQUAL: ("equal", "a, b", "a != a ? a : (b != b ? b : ({real})(a == b))"),
    Op.SELECT: ("choice", "c, a, b", "c != c ? c : (c != 0 ? a : b)"),
}

_MATH: Final[Mapping[Op, str]] = {
    Op.SQRT: "sqrt",
    Op.SIN: "sin",
    Op.COS: "cos",
    Op.TAN: "tan",
    Op.ASIN: "asin",
    Op.ACOS: "acos",
    Op.ATAN2: "atan2",
    Op.EXP: "exp",
    Op.FLOOR: "floor",
    Op.LOG: "log",
    Op.POW: "pow",
    Op.ABS: "fabs",
}


@dataclass(frozen=True)
class CStyle:
    """What differs between C and CUDA, double and single precision.

    Attributes:
        real: The type of all numbers: ``double`` or ``float``.
        prefix: Begins the names of all functions.
        public: Stands before functions that others call.
        private: Stands before the others.
    """

    real: str
    prefix: str
    public: str
    private: str

    def dialect(self) -> Dialect:
        """Return how operations are written."""
        suffix = "f" if self.real == "float" else ""
        calls = {op: name + suffix for op, name in _MATH.items()}
        calls |= {op: f"{self.prefix}_{name}" for op, (name, _, _) in _CHOICES.items()}
        assign = f"const {self.real} {{}} = {{}};"
        return Dialect(self.number, calls, assign, "{} = {};", ARITHMETIC)

    def number(self, value: float) -> str:
        """Return a number as a constant of the type."""
        if self.real == "float":
            value = _single(value)
        if math.isnan(value):
            return "NAN"
        if math.isinf(value):
            return "INFINITY" if value > 0 else "-INFINITY"
        if self.real == "double":
            return decimal(value)
        text = f"{value:.9g}"
        return text + ("f" if "." in text or "e" in text else ".0f")

    def choices(self, programs: Sequence[Program]) -> list[str]:
        """Return the functions of choices and comparisons that occur in programs, one per line."""
        used = {op for program in programs for op in program.counts}
        lines = []
        for op, (name, parameters, result) in _CHOICES.items():
            if op in used:
                listed = ", ".join(
                    f"{self.real} {parameter}" for parameter in parameters.split(", ")
                )
                body = result.format(real=self.real)
                head = f"{self.private}{self.real} {self.prefix}_{name}({listed})"
                lines.append(f"{head} {{ return {body}; }}")
        return lines

    def name(self, routine: Routine) -> str:
        """Return the name of the function."""
        return f"{self.prefix}_{routine.name}"

    def head(self, routine: Routine) -> str:
        """Return the function's name and parameters."""
        return f"{self.public}void {self.name(routine)}({self.parameters(routine)})"

    def parameters(self, routine: Routine) -> str:
        """Return inputs and outputs as parameters."""
        inputs = [f"const {self.real} {_array(port)}" for port in routine.program.inputs]
        outputs = [f"{self.real} {_array(port)}" for port in routine.program.outputs]
        return ", ".join(inputs + outputs)


def checked_precision(precision: str) -> str:
    """Return the type of this name, double or float."""
    if precision not in ("double", "float"):
        raise PoinsotError(f"export: precision must be 'double' or 'float', got {precision!r}")
    return precision


def c_function(routine: Routine, style: CStyle) -> str:
    """Return the function of a routine; a long one is split into several."""
    program = routine.program
    listing = StatementListing(
        program, style.dialect(), _entries(program.inputs), _entries(program.outputs)
    )
    n_steps = len(program.steps)
    if n_steps <= LONGEST_FUNCTION:
        return _braced(style.head(routine), [*_unread(program), *listing.body()])
    blocks = [
        list(range(k, min(k + LONGEST_FUNCTION, n_steps)))
        for k in range(0, n_steps, LONGEST_FUNCTION)
    ]
    slots, n_slots = spill_slots(program, blocks)
    keep = {value: f"keep[{slot}]" for value, slot in slots.items()}
    names = ", ".join(port.name for port in routine.ports)
    texts, calls = [], [f"{style.real} keep[{n_slots}];"]
    for number, steps in enumerate(blocks):
        head = (
            f"{style.private}void {style.name(routine)}_{number}"
            f"({style.parameters(routine)}, {style.real} *keep)"
        )
        used = [f"(void){port.name};" for port in routine.ports] + ["(void)keep;"]
        texts.append(_braced(head, used + listing.block(steps, keep)))
        calls.append(f"{style.name(routine)}_{number}({names}, keep);")
    texts.append(_braced(style.head(routine), calls + listing.leaves()))
    return "\n".join(texts)


def comment(lines: Sequence[str]) -> str:
    """Return lines as a comment."""
    return "/* " + "\n * ".join(lines) + "\n */\n"


def _entries(ports: Sequence[Port]) -> list[str]:
    return [f"{port.name}[{k}]" for port in ports for k in range(port.size)]


def _array(port: Port) -> str:
    return f"{port.name}[{port.size}]" if port.size else f"*{port.name}"


def _unread(program: Program) -> list[str]:
    """Return statements that keep compilers from complaining of inputs that are not read."""
    read = {a for _, args in program.steps for a in args} | set(program.results)
    lines, start = [], 0
    for port in program.inputs:
        if not read.intersection(range(start, start + port.size)):
            lines.append(f"(void){port.name};")
        start += port.size
    return lines + [f"(void){port.name};" for port in program.outputs if not port.size]


def _braced(head: str, lines: Sequence[str]) -> str:
    return head + "\n{\n" + "".join(f"    {line}\n" for line in lines) + "}\n"


def _single(value: float) -> float:
    """Return the nearest number of single precision; too large ones are infinite."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)
