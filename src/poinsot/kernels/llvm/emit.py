"""A program as the body of an LLVM function, for one state or for one state in each lane.

The function has one pointer for each port.  With W lanes, entry k of an input is the W doubles at
k * W: structure of arrays; outputs are alike, but each value stands once (``output_slots``).
``contract`` on sums and products lets the code generator fuse them; no other fast-math flag is set,
so NaN stays NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from poinsot.expr import Op, Port, Program
from poinsot.expr.ops import ARITY
from poinsot.kernels.llvm.trig import sincos_declarations, sincos_ir
from poinsot.kernels.llvm.types import Lanes

BINARY: Final[Mapping[Op, str]] = {
    Op.ADD: "fadd contract",
    Op.SUB: "fsub contract",
    Op.MUL: "fmul contract",
    Op.DIV: "fdiv",
}
INTRINSIC: Final[Mapping[Op, str]] = {
    Op.SQRT: "llvm.sqrt",
    Op.ABS: "llvm.fabs",
    Op.MIN: "llvm.minimum",
    Op.MAX: "llvm.maximum",
}
LIBRARY: Final[Mapping[Op, str]] = {
    Op.TAN: "tan",
    Op.ASIN: "asin",
    Op.ACOS: "acos",
    Op.ATAN2: "atan2",
    Op.EXP: "exp",
    Op.LOG: "log",
    Op.POW: "pow",
}
RELATION: Final[Mapping[Op, str]] = {Op.LESS: "olt", Op.LESS_EQUAL: "ole", Op.EQUAL: "oeq"}
TRIG: Final = (Op.SIN, Op.COS)


def emit_body(name: str, program: Program, lanes: int, trig_lanes: int) -> str:
    """Return a module part that defines ``void @name(inputs..., outputs...)``.

    Args:
        name: Name of the function; fastcc and internal.
        program: What it computes.
        lanes: How many states at once.
        trig_lanes: How many sines and cosines at once.  With one state in a call, several angles
            of that state share a call of the vector function.
    """
    return _Body(program, lanes, trig_lanes).function(name)


def declarations(program: Program, lanes: int, trig_lanes: int) -> set[str]:
    """Return the declarations that the body needs, one a line."""
    kinds = Lanes(lanes)
    used = set(program.counts)
    lines = {
        f"declare {kinds.real} @{INTRINSIC[op]}.{kinds.suffix}"
        f"({', '.join([kinds.real] * ARITY[op])})"
        for op in used.intersection(INTRINSIC)
    }
    lines |= {
        f"declare double @{LIBRARY[op]}({', '.join(['double'] * ARITY[op])})"
        for op in used.intersection(LIBRARY)
    }
    if used.intersection(TRIG):
        lines |= set(sincos_declarations(trig_lanes))
    return lines


def definitions(program: Program, trig_lanes: int) -> str:
    """Return the helper functions that the body calls."""
    return sincos_ir(trig_lanes) if set(program.counts).intersection(TRIG) else ""


class _Body:
    """Collects the lines of one function."""

    def __init__(self, program: Program, lanes: int, trig_lanes: int) -> None:
        self._program = program
        self._types = Lanes(lanes)
        self._trig = Lanes(trig_lanes)
        self._lines: list[str] = []
        self._fresh = 0
        self._value: dict[int, str] = {}
        self._places = distinct_places(program) if lanes > 1 else _places(program)
        self._sincos: dict[int, tuple[str, str]] = {}

    def function(self, name: str) -> str:
        program, types = self._program, self._types
        ports = [f"ptr noalias readonly %in{k}" for k in range(len(program.inputs))]
        ports += [f"ptr noalias %out{k}" for k in range(len(program.outputs))]
        self._load_inputs()
        first = program.n_inputs
        for c, number in enumerate(program.constants):
            self._value[first + c] = types.number(number)
        for v in range(program.first_step):
            self._store(v)
        for k in self._order():
            self._step(k)
        text = "\n  ".join(self._lines)
        head = f"define internal fastcc void @{name}({', '.join(ports)}) nounwind"
        return f"{head} {{\n  {text}\n  ret void\n}}\n"

    def _load_inputs(self) -> None:
        v = 0
        for p, port in enumerate(self._program.inputs):
            for k in range(port.size):
                self._lines.append(f"%x{v} = load {self._types.real}, ptr {self._at(f'%in{p}', k)}")
                self._value[v] = f"%x{v}"
                v += 1

    def _at(self, base: str, k: int) -> str:
        place = self._name()
        self._lines.append(
            f"{place} = getelementptr inbounds double, ptr {base}, i64 {k * self._types.width}"
        )
        return place

    def _name(self) -> str:
        self._fresh += 1
        return f"%t{self._fresh}"

    def _put(self, instruction: str) -> str:
        name = self._name()
        self._lines.append(f"{name} = {instruction}")
        return name

    def _store(self, v: int) -> None:
        """Store a value wherever it is a result, as soon as it is known."""
        for port, k in self._places.get(v, ()):
            place = self._at(f"%out{port}", k)
            self._lines.append(f"store {self._types.real} {self._value[v]}, ptr {place}")

    def _order(self) -> list[int]:
        """Return the steps in order; with one state, the angles' sines and cosines come first.

        Those that need no other sine are gathered, so that several share a vector call.
        """
        program = self._program
        if not self._types.scalar or self._trig.scalar:
            return list(range(len(program.steps)))
        first = program.first_step
        after_trig = [False] * len(program.steps)
        early: list[int] = []
        angles: list[int] = []
        for k, (op, args) in enumerate(program.steps):
            below = any(a >= first and after_trig[a - first] for a in args)
            after_trig[k] = below or op in TRIG
            if op in TRIG and not below and args[0] not in angles:
                angles.append(args[0])
        wanted = {a - first for a in angles if a >= first}
        for k in range(len(program.steps) - 1, -1, -1):
            if k in wanted:
                wanted.update(a - first for a in program.steps[k][1] if a >= first)
        early = sorted(wanted)
        for k in early:
            self._step(k)
        for start in range(0, len(angles), self._trig.width):
            self._gather_sincos(angles[start : start + self._trig.width])
        return [k for k in range(len(program.steps)) if k not in wanted]

    def _gather_sincos(self, angles: list[int]) -> None:
        """Compute the sines and cosines of several scalar values in one vector call."""
        real = self._trig.real
        vector = "zeroinitializer"
        for lane, v in enumerate(angles):
            vector = self._put(
                f"insertelement {real} {vector}, double {self._value[v]}, i32 {lane}"
            )
        sines, cosines = self._call_sincos(vector)
        for lane, v in enumerate(angles):
            self._sincos[v] = (
                self._put(f"extractelement {real} {sines}, i32 {lane}"),
                self._put(f"extractelement {real} {cosines}, i32 {lane}"),
            )

    def _call_sincos(self, x: str) -> tuple[str, str]:
        real = self._trig.real
        pair = f"{{ {real}, {real} }}"
        both = self._put(f"call fastcc {pair} @poinsot.sincos.v{self._trig.width}({real} {x})")
        return self._put(f"extractvalue {pair} {both}, 0"), self._put(
            f"extractvalue {pair} {both}, 1"
        )

    def _step(self, k: int) -> None:
        op, args = self._program.steps[k]
        v = self._program.first_step + k
        if op in TRIG:
            self._value[v] = self._trig_value(op, args[0])
        else:
            operands = [self._value[a] for a in args]
            self._value[v] = self._rule(op)(op, operands)
        self._store(v)

    def _trig_value(self, op: Op, angle: int) -> str:
        if angle not in self._sincos:
            if self._types.width == self._trig.width:
                self._sincos[angle] = self._call_sincos(self._value[angle])
            else:
                self._gather_sincos([angle])
        return self._sincos[angle][op is Op.COS]

    def _rule(self, op: Op) -> Callable[[Op, list[str]], str]:
        for table, rule in (
            (BINARY, self._binary),
            (INTRINSIC, self._intrinsic),
            (LIBRARY, self._library),
            (RELATION, self._relation),
        ):
            if op in table:
                return rule
        return {Op.NEG: self._negate, Op.SIGN: self._sign, Op.SELECT: self._select}[op]

    def _binary(self, op: Op, x: list[str]) -> str:
        return self._put(f"{BINARY[op]} {self._types.real} {x[0]}, {x[1]}")

    def _intrinsic(self, op: Op, x: list[str]) -> str:
        real = self._types.real
        operands = ", ".join(f"{real} {a}" for a in x)
        return self._put(f"call {real} @{INTRINSIC[op]}.{self._types.suffix}({operands})")

    def _library(self, op: Op, x: list[str]) -> str:
        real = self._types.real
        if self._types.scalar:
            operands = ", ".join(f"double {a}" for a in x)
            return self._put(f"call double @{LIBRARY[op]}({operands})")
        result = "poison"
        for lane in range(self._types.width):
            parts = [self._put(f"extractelement {real} {a}, i32 {lane}") for a in x]
            operands = ", ".join(f"double {a}" for a in parts)
            one = self._put(f"call double @{LIBRARY[op]}({operands})")
            result = self._put(f"insertelement {real} {result}, double {one}, i32 {lane}")
        return result

    def _negate(self, _op: Op, x: list[str]) -> str:
        return self._put(f"fneg {self._types.real} {x[0]}")

    def _relation(self, op: Op, x: list[str]) -> str:
        t = self._types
        holds = self._put(f"fcmp {RELATION[op]} {t.real} {x[0]}, {x[1]}")
        number = self._put(f"uitofp {t.bit} {holds} to {t.real}")
        unordered = self._put(f"fcmp uno {t.real} {x[0]}, {x[1]}")
        return self._choose(unordered, t.number(float("nan")), number)

    def _select(self, _op: Op, x: list[str]) -> str:
        t = self._types
        taken = self._put(f"fcmp une {t.real} {x[0]}, {t.number(0.0)}")
        unordered = self._put(f"fcmp uno {t.real} {x[0]}, {x[0]}")
        return self._choose(unordered, t.number(float("nan")), self._choose(taken, x[1], x[2]))

    def _sign(self, _op: Op, x: list[str]) -> str:
        t = self._types
        above = self._put(f"fcmp ogt {t.real} {x[0]}, {t.number(0.0)}")
        below = self._put(f"fcmp olt {t.real} {x[0]}, {t.number(0.0)}")
        rest = self._choose(below, t.number(-1.0), x[0])
        return self._choose(above, t.number(1.0), rest)

    def _choose(self, bit: str, a: str, b: str) -> str:
        t = self._types
        return self._put(f"select {t.bit} {bit}, {t.real} {a}, {t.real} {b}")


def distinct_places(program: Program) -> dict[int, list[tuple[int, int]]]:
    """Return, for each value, its slot in each output port whose entries show it.

    In lanes a value is kept once in a port, however many entries show it (a symmetric matrix shows
    most of its values twice, and one with branches many zeros).
    """
    places: dict[int, list[tuple[int, int]]] = {}
    for port, slots in enumerate(output_slots(program)):
        for value, slot in slots.items():
            places.setdefault(value, []).append((port, slot))
    return places


def port_names(program: Program) -> list[tuple[str, Port]]:
    """Return all ports with the names of their arrays: in0, in1, ..., out0, ..."""
    named = [(f"in{k}", port) for k, port in enumerate(program.inputs)]
    return named + [(f"out{k}", port) for k, port in enumerate(program.outputs)]


def load_pointers(program: Program) -> list[str]:
    """Return the lines that load %in0, ... from the array %inputs and %out0, ... from %outputs."""
    lines = []
    for name, _ in port_names(program):
        side = name.rstrip("0123456789")
        lines += [
            f"  %{name}.place = getelementptr ptr, ptr %{side}puts, i64 {name.removeprefix(side)}",
            f"  %{name} = load ptr, ptr %{name}.place",
        ]
    return lines


def output_slots(program: Program) -> list[dict[int, int]]:
    """Return, for each output port, the slots of the values it shows, in order of appearance."""
    results = iter(program.results)
    tables: list[dict[int, int]] = []
    for port in program.outputs:
        slots: dict[int, int] = {}
        for _ in range(port.size):
            slots.setdefault(next(results), len(slots))
        tables.append(slots)
    return tables


def _places(program: Program) -> dict[int, list[tuple[int, int]]]:
    """Return, for each value, the output entries (port, index) that show it."""
    places: dict[int, list[tuple[int, int]]] = {}
    results = iter(program.results)
    for port, shape in enumerate(program.outputs):
        for k in range(shape.size):
            places.setdefault(next(results), []).append((port, k))
    return places
