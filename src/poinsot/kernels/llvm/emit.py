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
from poinsot.kernels.llvm.arctangent import atan2_declaration
from poinsot.kernels.llvm.function_splitting import split_steps, with_spill_array
from poinsot.kernels.llvm.prefetch import prefetch, while_computing
from poinsot.kernels.llvm.trig import sincos_declaration
from poinsot.kernels.llvm.types import Lanes
from poinsot.kernels.llvm.value_slots import distinct_stores, entry_stores, port_names, split_zeros
from poinsot.kernels.spilled_values import spill_slots

BINARY: Final[Mapping[Op, str]] = {
    Op.ADD: "fadd contract",
    Op.SUB: "fsub contract",
    Op.MUL: "fmul contract",
    Op.DIV: "fdiv",
}
INTRINSIC: Final[Mapping[Op, str]] = {
    Op.SQRT: "llvm.sqrt",
    Op.ABS: "llvm.fabs",
    Op.FLOOR: "llvm.floor",
    Op.MIN: "llvm.minimum",
    Op.MAX: "llvm.maximum",
}
EITHER_ZERO: Final = (Op.MIN, Op.MAX)
"""Operations for which the sign of zero does not matter: half as many instructions."""
LIBRARY: Final[Mapping[Op, str]] = {
    Op.TAN: "tan",
    Op.ASIN: "asin",
    Op.ACOS: "acos",
    Op.EXP: "exp",
    Op.LOG: "log",
    Op.POW: "pow",
}
RELATION: Final[Mapping[Op, str]] = {Op.LESS: "olt", Op.LESS_EQUAL: "ole", Op.EQUAL: "oeq"}
TRIG: Final = (Op.SIN, Op.COS)


def emit_body(
    name: str,
    program: Program,
    lanes: int,
    trig_lanes: int,
    *,
    uniform: frozenset[str] = frozenset(),
    uniform_pitch: int = 1,
    shared: bool = False,
    every_entry: bool | None = None,
    ahead: bool = False,
    aligned: bool = True,
    pitch: int | None = None,
    in_columns: bool = False,
) -> str:
    """Return a module part that defines ``void @name(inputs..., outputs...)``.

    Args:
        name: Name of the function; fastcc and internal.
        program: What it computes.
        lanes: How many states at once.
        trig_lanes: How many sines and cosines at once.  With one state in a call, several angles
            of that state share a call of the vector function.
        uniform: Inputs that are the same for all lanes: plain doubles.
        uniform_pitch: How far apart the entries of those are.
        shared: Whether ports may alias; outputs then hold every entry.
        every_entry: Whether outputs hold every entry, also where some show the same value; by
            default those of one state do.
        ahead: Whether it prefetches the cache lines to which the outputs will go; pointers
            %rows0, ... to the rows of the outputs are then its last arguments.
        aligned: Whether all entries of ports are aligned to the lanes.
        pitch: How far apart the entries of inputs are; ``lanes`` by default.
        in_columns: Whether entries of the first output are %stride doubles apart, the last
            argument.
    """
    every_entry = lanes == 1 if every_entry is None else every_entry
    stores = entry_stores(program) if shared or every_entry else distinct_stores(program)
    body = _Body(
        program, lanes, trig_lanes, uniform, stores, ahead=ahead, aligned=aligned,
        pitch=pitch or lanes, uniform_pitch=uniform_pitch, in_columns=in_columns,
    )  # fmt: skip
    return body.functions(name, "" if shared else "noalias ")


def declarations(program: Program, lanes: int, trig_lanes: int) -> set[str]:
    """Return the declarations that the body needs, one per line."""
    kinds = Lanes(lanes)
    used = set(program.counts)
    lines = {"declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"}
    lines |= {
        f"declare {kinds.real} @{INTRINSIC[op]}.{kinds.suffix}"
        f"({', '.join([kinds.real] * ARITY[op])})"
        for op in used.intersection(INTRINSIC)
    }
    lines |= {
        f"declare double @{LIBRARY[op]}({', '.join(['double'] * ARITY[op])})"
        for op in used.intersection(LIBRARY)
    }
    if used.intersection(TRIG):
        lines.add(sincos_declaration(trig_lanes))
    if Op.ATAN2 in used:
        lines.add(atan2_declaration(trig_lanes))
    return lines


class _Body:
    """Collects the lines of the functions of one program."""

    def __init__(
        self, program: Program, lanes: int, trig_lanes: int, uniform: frozenset[str],
        stores: dict[int, list[tuple[int, int]]], *, ahead: bool, aligned: bool, pitch: int,
        uniform_pitch: int, in_columns: bool,
    ) -> None:  # fmt: skip
        self._program = program
        self._types = Lanes(lanes)
        self._trig = Lanes(trig_lanes)
        self._uniform = uniform
        self._alignment = "" if aligned else ", align 8"
        self._pitch, self._uniform_pitch = pitch, uniform_pitch
        self._in_columns = in_columns
        self._lines: list[str] = []
        self._fresh = 0
        self._names: dict[int, str] = {}
        self._sincos: dict[int, tuple[str, str]] = {}
        self._partners: dict[int, list[int]] = {}
        self._bits: dict[str, tuple[str, str]] = {}
        self._slots: dict[int, int] = {}
        self._cleared, self._stores = ([], stores) if in_columns else split_zeros(program, stores)
        self._rows = [f"rows{p}" for p in range(len(program.outputs))] if ahead else []
        self._calls = [
            (row, entry)
            for row, port in zip(self._rows, program.outputs, strict=False)
            for entry in while_computing(port.size, lanes)
        ]
        self._inputs = [
            (port, p, k) for p, port in enumerate(program.inputs) for k in range(port.size)
        ]

    def functions(self, name: str, attributes: str) -> str:
        """Return the definition of ``@name`` and of the functions it is split into."""
        blocks = split_steps(self._order(), self._types.width)
        self._slots, n_slots = spill_slots(self._program, blocks)
        ports = [name for name, _ in port_names(self._program)]
        # rows may alias: else LLVM would gather all prefetches at one point
        kinds = ", ".join(
            [f"ptr {attributes}%{port}" for port in ports] + [f"ptr %{row}" for row in self._rows]
        )
        arguments = ", ".join(f"ptr %{port}" for port in ports + self._rows)
        if self._in_columns:
            kinds, arguments = f"{kinds}, i64 %stride", f"{arguments}, i64 %stride"
        text = ""
        for k, steps in enumerate(blocks):
            body = "\n  ".join(self._block(steps, first=k == 0))
            inner = name if len(blocks) == 1 else f"{name}.{k}"
            keep = "" if len(blocks) == 1 else ", ptr noalias %keep"
            text += f"define internal fastcc void @{inner}({kinds}{keep}) nounwind noinline "
            text += f"{self._types.stack} {{\n  {body}\n  ret void\n}}\n"
        if len(blocks) > 1:
            size = n_slots * self._types.width * 8
            calls = [
                f"call fastcc void @{name}.{k}({arguments}, ptr %keep)" for k in range(len(blocks))
            ]
            text += with_spill_array(f"@{name}({kinds})", size, calls)
        return text

    def _block(self, steps: list[int], *, first: bool) -> list[str]:
        """Return the lines of the function that computes these steps."""
        self._lines, self._names, self._sincos, self._bits = [], {}, {}, {}
        if first:
            for port in self._cleared:
                size = 8 * self._types.width * self._program.outputs[port].size
                self._lines.append(
                    f"call void @llvm.memset.p0.i64(ptr %out{port}, i8 0, i64 {size}, i1 false)"
                )
            for v in range(self._program.first_step):
                self._store(v)
        for k in steps:
            self._step(k)
            self._prefetch_outputs(k)
        return self._lines

    def _prefetch_outputs(self, k: int) -> None:
        """Prefetch the share of the cache lines of the outputs that falls to a step."""
        n_steps, n_calls = len(self._program.steps), len(self._calls)
        for row, entry in self._calls[k * n_calls // n_steps : (k + 1) * n_calls // n_steps]:
            address = self._put(f"getelementptr double, ptr %{row}, i64 {entry}")
            self._lines.append(prefetch(address))

    def _value(self, v: int) -> str:
        """Return the name of a value in this function; loads it if computed elsewhere."""
        if v not in self._names:
            n_inputs = len(self._inputs)
            if v < n_inputs:
                port, p, k = self._inputs[v]
                self._names[v] = self._load_input(port, f"%in{p}", k)
            elif v < self._program.first_step:
                return self._types.number(self._program.constants[v - n_inputs])
            else:
                address = self._address("%keep", self._slots[v])
                self._names[v] = self._put(f"load {self._types.real}, ptr {address}")
        return self._names[v]

    def _load_input(self, port: Port, base: str, k: int) -> str:
        is_uniform = port.name in self._uniform
        start = k * (self._uniform_pitch if is_uniform else self._pitch)
        address = self._put(f"getelementptr inbounds double, ptr {base}, i64 {start}")
        if not is_uniform:
            return self._put(f"load {self._types.real}, ptr {address}{self._alignment}")
        value = self._put(f"load double, ptr {address}")
        if self._types.scalar:
            return value
        real, width = self._types.real, self._types.width
        first = self._put(f"insertelement {real} poison, double {value}, i32 0")
        return self._put(
            f"shufflevector {real} {first}, {real} poison, <{width} x i32> zeroinitializer"
        )

    def _address(self, base: str, k: int) -> str:
        return self._put(f"getelementptr inbounds double, ptr {base}, i64 {k * self._types.width}")

    def _put(self, instruction: str) -> str:
        self._fresh += 1
        self._lines.append(f"%t{self._fresh} = {instruction}")
        return f"%t{self._fresh}"

    def _store(self, v: int) -> None:
        """Store a value wherever it is a result, as soon as it is known."""
        for port, k in self._stores.get(v, ()):
            value = self._value(v)
            if self._in_columns and port == 0:
                skip = self._put(f"mul i64 %stride, {k}")
                address = self._put(f"getelementptr inbounds double, ptr %out0, i64 {skip}")
            else:
                address = self._address(f"%out{port}", k)
            self._lines.append(f"store {self._types.real} {value}, ptr {address}{self._alignment}")

    def _order(self) -> list[int]:
        """Return the steps in order; with one state, the angles' sines and cosines come first.

        Those that need no other sine are gathered, so that several share a vector call.
        """
        program = self._program
        steps = list(range(len(program.steps)))
        if not self._types.scalar or self._trig.scalar:
            return steps
        first = program.first_step
        after_trig = [False] * len(steps)
        angles: list[int] = []
        early: set[int] = set()
        for k, (op, args) in enumerate(program.steps):
            below = any(a >= first and after_trig[a - first] for a in args)
            after_trig[k] = below or op in TRIG
            if op in TRIG and not below:
                early.add(k)
                if args[0] not in angles:
                    angles.append(args[0])
        for start in range(0, len(angles), self._trig.width):
            group = angles[start : start + self._trig.width]
            self._partners.update((angle, group) for angle in group)
        cone = {a - first for a in angles if a >= first}
        for k in reversed(steps):
            if k in cone:
                cone.update(a - first for a in program.steps[k][1] if a >= first)
        return sorted(cone) + sorted(early) + [k for k in steps if k not in cone | early]

    def _gather_sincos(self, angles: list[int]) -> None:
        """Compute the sines and cosines of several scalar values in one vector call."""
        real = self._trig.real
        vector = "zeroinitializer"
        for lane, v in enumerate(angles):
            vector = self._put(
                f"insertelement {real} {vector}, double {self._value(v)}, i32 {lane}"
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
            self._names[v] = self._trig_value(op, args[0])
        else:
            self._names[v] = self._rule(op)(op, [self._value(a) for a in args])
        if v in self._slots:
            address = self._address("%keep", self._slots[v])
            self._lines.append(f"store {self._types.real} {self._names[v]}, ptr {address}")
        self._store(v)

    def _trig_value(self, op: Op, angle: int) -> str:
        if angle not in self._sincos:
            if self._types.width == self._trig.width:
                self._sincos[angle] = self._call_sincos(self._value(angle))
            else:
                self._gather_sincos(self._partners.get(angle, [angle]))
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
        return {
            Op.ATAN2: self._angle,
            Op.NEG: self._negate,
            Op.SIGN: self._sign,
            Op.SELECT: self._select,
        }[op]

    def _binary(self, op: Op, x: list[str]) -> str:
        return self._put(f"{BINARY[op]} {self._types.real} {x[0]}, {x[1]}")

    def _intrinsic(self, op: Op, x: list[str]) -> str:
        real = self._types.real
        operands = ", ".join(f"{real} {a}" for a in x)
        flag = "nsz " if op in EITHER_ZERO else ""
        return self._put(f"call {flag}{real} @{INTRINSIC[op]}.{self._types.suffix}({operands})")

    def _library(self, op: Op, x: list[str]) -> str:
        real = self._types.real
        if self._types.scalar:
            operands = ", ".join(f"double {a}" for a in x)
            return self._put(f"call double @{LIBRARY[op]}({operands})")
        result = "poison"
        for lane in range(self._types.width):
            scalars = [self._put(f"extractelement {real} {a}, i32 {lane}") for a in x]
            operands = ", ".join(f"double {a}" for a in scalars)
            value = self._put(f"call double @{LIBRARY[op]}({operands})")
            result = self._put(f"insertelement {real} {result}, double {value}, i32 {lane}")
        return result

    def _angle(self, _op: Op, x: list[str]) -> str:
        real = self._trig.real
        if self._types.width != self._trig.width:  # one state: a point in a lane, (1, 1) in others
            ones = self._trig.number(1.0)
            x = [self._put(f"insertelement {real} {ones}, double {a}, i32 0") for a in x]
        name = f"@poinsot.atan2.v{self._trig.width}"
        angle = self._put(f"call fastcc {real} {name}({real} {x[0]}, {real} {x[1]})")
        if self._types.width == self._trig.width:
            return angle
        return self._put(f"extractelement {real} {angle}, i32 0")

    def _negate(self, _op: Op, x: list[str]) -> str:
        return self._put(f"fneg {self._types.real} {x[0]}")

    def _relation(self, op: Op, x: list[str]) -> str:
        t = self._types
        holds = self._put(f"fcmp {RELATION[op]} {t.real} {x[0]}, {x[1]}")
        number = self._put(f"uitofp {t.bit} {holds} to {t.real}")
        unordered = self._put(f"fcmp uno {t.real} {x[0]}, {x[1]}")
        result = self._choose(unordered, t.number(float("nan")), number)
        self._bits[result] = (holds, unordered)
        return result

    def _select(self, _op: Op, x: list[str]) -> str:
        t = self._types
        if x[0] in self._bits:  # a comparison, whose bits are there
            taken, unordered = self._bits[x[0]]
        else:
            taken = self._put(f"fcmp une {t.real} {x[0]}, {t.number(0.0)}")
            unordered = self._put(f"fcmp uno {t.real} {x[0]}, {x[0]}")
        return self._choose(unordered, t.number(float("nan")), self._choose(taken, x[1], x[2]))

    def _sign(self, _op: Op, x: list[str]) -> str:
        t = self._types
        above = self._put(f"fcmp ogt {t.real} {x[0]}, {t.number(0.0)}")
        below = self._put(f"fcmp olt {t.real} {x[0]}, {t.number(0.0)}")
        zero = self._put(f"fadd {t.real} {x[0]}, {t.number(0.0)}")  # minus zero too; NaN stays
        rest = self._choose(below, t.number(-1.0), zero)
        return self._choose(above, t.number(1.0), rest)

    def _choose(self, bit: str, a: str, b: str) -> str:
        t = self._types
        return self._put(f"select {t.bit} {bit}, {t.real} {a}, {t.real} {b}")
