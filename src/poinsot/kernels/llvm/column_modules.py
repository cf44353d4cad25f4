"""The module of IR text for a program on columns: ``@single``, with a row in a register."""

from __future__ import annotations

from collections.abc import Sequence

from poinsot.expr.column_program import (
    COLUMNS,
    CONSTANTS,
    ROWS,
    SPREAD,
    Alike,
    ColumnProgram,
    Combined,
    Inverted,
    Lanes,
    Mirrored,
    Moved,
    Sums,
)
from poinsot.expr.program import Program
from poinsot.kernels.llvm import types
from poinsot.kernels.llvm.emit import declarations, emit_body
from poinsot.kernels.llvm.target import Target
from poinsot.kernels.llvm.types import double

ROW = f"<{COLUMNS} x double>"
BITS = f"<{COLUMNS} x i1>"
ALIGNMENT = 8 * COLUMNS
_MASKED = f"""declare {ROW} @llvm.masked.load.v{COLUMNS}f64.p0(ptr, i32, {BITS}, {ROW})
declare void @llvm.masked.store.v{COLUMNS}f64.p0({ROW}, ptr, i32, {BITS})"""
_FOURS = (0, 1, 4, 5, 8, 9, 12, 13), (2, 3, 6, 7, 10, 11, 14, 15)
_TRANSPOSING = ((0, 8, 2, 10, 4, 12, 6, 14), (1, 9, 3, 11, 5, 13, 7, 15)), _FOURS, _FOURS
"""What is picked of two rows at each of three turns, for both halves of the rows that follow."""


def column_single_ir(columns: ColumnProgram, target: Target) -> str:
    """Return the module that defines ``@single``; a register of the target holds a row."""
    return _Module(columns, target).text()


class _Module:
    """Collects the lines of ``@single`` and the functions that it calls."""

    def __init__(self, columns: ColumnProgram, target: Target) -> None:
        self._columns, self._target = columns, target
        self._lines: list[str] = []
        self._functions: list[str] = []
        self._declared = {_MASKED}
        self._names: dict[tuple[Program, frozenset[str]], str] = {}
        self._fresh = 0

    def text(self) -> str:
        """Return the module."""
        columns = self._columns
        for k in range(len(columns.inputs)):
            source = self._put(f"getelementptr ptr, ptr %inputs, i64 {k}")
            pointer = self._put(f"load ptr, ptr {source}")
            row = self._put(
                f"call {ROW} @llvm.masked.load.v{COLUMNS}f64.p0(ptr {pointer}, i32 8, "
                f"{self._used()}, {ROW} zeroinitializer)"
            )
            self._store(row, k)
        self._lines.append("%out = load ptr, ptr %outputs")
        for number, stage in enumerate(columns.stages):
            match stage:
                case Alike():
                    self._call(number, stage)
                case Sums():
                    self._sum(stage)
                case Moved():
                    self._move(stage)
                case Combined():
                    self._combine(stage)
                case Mirrored():
                    self._mirror(stage)
                case Inverted():
                    self._invert(stage)
        rows = ", ".join(f"{ROW} {_vector(row)}" for row in columns.constants.tolist())
        size, stack = len(columns.constants), types.Lanes(COLUMNS).stack
        return "\n".join(
            [
                f"@constants = internal constant [{size} x {ROW}] [{rows}], align {ALIGNMENT}",
                *sorted(self._declared),
                *self._functions,
                f"define void @single(ptr %inputs, ptr %outputs) nounwind {stack} {{",
                f"  %rows = alloca [{columns.n_rows} x {ROW}], align {ALIGNMENT}",
                *(f"  {line}" for line in self._lines),
                "  ret void\n}",
            ]
        )

    def _call(self, number: int, stage: Alike) -> None:
        program = stage.program
        spread = frozenset(
            port.name
            for port, (memory, _) in zip(program.inputs, stage.ports, strict=False)
            if memory == SPREAD
        )
        name = self._names.get((program, spread))
        if name is None:
            name = self._names[program, spread] = f"stage{number}"
            self._declared |= declarations(program, COLUMNS, self._target.width)
            self._functions.append(
                emit_body(
                    name, program, COLUMNS, self._target.width, every_entry=True, uniform=spread,
                    uniform_pitch=COLUMNS,
                )
            )  # fmt: skip
        places = {CONSTANTS: "@constants", ROWS: "%rows"}
        pointers = [
            self._entry(place) if memory == SPREAD else self._address(place, places[memory])
            for memory, place in stage.ports
        ]
        arguments = ", ".join(f"ptr {pointer}" for pointer in pointers)
        self._lines.append(f"call fastcc void @{name}({arguments})")

    def _sum(self, stage: Sums) -> None:
        for k, row in enumerate(stage.rows):
            total = self._load(row)
            for turn in stage.turns:
                before = total
                for lanes in turn:
                    other = self._shuffle(before, "zeroinitializer", lanes)
                    total = self._put(f"fadd {ROW} {total}, {other}")
            if stage.first is not None and stage.first[k]:
                total = self._put(f"fadd {ROW} {total}, splat (double {double(stage.first[k])})")
            self._store(total, stage.to + k)

    def _move(self, stage: Moved) -> None:
        for k, row in enumerate(stage.rows):
            otherwise = f"splat (double {double(stage.otherwise[k])})"
            self._store(self._shuffle(self._load(row), otherwise, stage.lanes), stage.to + k)

    def _combine(self, stage: Combined) -> None:
        result, known = "zeroinitializer", set[int]()
        for columns, terms in reversed(stage.groups):
            total = ""
            for entry, row in terms:
                product = self._load(row)
                if entry >= 0:
                    factor = self._spread(entry)
                    product = self._put(f"fmul contract {ROW} {factor}, {product}")
                if total:
                    product = self._put(f"fadd contract {ROW} {total}, {product}")
                total = product
            if not known and len(columns) + sum(len(x) for x, _ in stage.groups[:-1]) >= self._n:
                result = total
            else:
                result = self._chosen(columns, total, result)
            known.update(columns)
        if any(stage.added):
            result = self._put(f"fadd {ROW} {result}, {_vector(stage.added)}")
        if stage.is_negative:
            result = self._put(f"fneg {ROW} {result}")
        self._show(result, stage.to) if stage.is_output else self._store(result, stage.to)

    def _mirror(self, stage: Mirrored) -> None:
        across = self._transposed([self._load_or_zero(row) for row in stage.across])
        for i, to in enumerate(stage.to):
            if to < 0:
                continue
            row = self._chosen(stage.kept[i], self._load_or_zero(stage.rows[i]), "zeroinitializer")
            row = self._chosen(stage.turned[i], across[i], row)
            self._show(row, to) if stage.is_output else self._store(row, to)

    def _transposed(self, rows: list[str]) -> list[str]:
        """Return the columns of up to eight rows, by pairs of numbers, of pairs and of fours."""
        rows = rows + ["zeroinitializer"] * (COLUMNS - len(rows))
        for low, high in _TRANSPOSING:
            pairs = [*zip(rows[0::2], rows[1::2], strict=True)]
            rows = [self._shuffle(a, b, low) for a, b in pairs] + [
                self._shuffle(a, b, high) for a, b in pairs
            ]
        return rows

    def _chosen(self, lanes: Lanes, row: str, otherwise: str) -> str:
        """Return a row with the columns of another elsewhere."""
        if not lanes or row == otherwise:
            return otherwise
        if not set(range(self._n)) - set(lanes):
            return row
        bits = ", ".join(f"i1 {int(k in lanes)}" for k in range(COLUMNS))
        return self._put(f"select {BITS} <{bits}>, {ROW} {row}, {ROW} {otherwise}")

    def _show(self, row: str, to: int) -> None:
        """Store the columns in use to the output."""
        address = self._put(f"getelementptr double, ptr %out, i64 {to}")
        if to + COLUMNS <= self._columns.output.size:  # what is beyond is written later
            self._lines.append(f"store {ROW} {row}, ptr {address}, align 8")
        else:
            self._lines.append(
                f"call void @llvm.masked.store.v{COLUMNS}f64.p0({ROW} {row}, ptr {address}, "
                f"i32 8, {self._used()})"
            )

    def _invert(self, stage: Inverted) -> None:
        values = [self._load(row) for row in stage.rows]
        for k in reversed(range(len(values))):
            pivot = self._put(f"extractelement {ROW} {values[k]}, i32 {k}")
            inverse = self._put(f"fdiv double {double(1.0)}, {pivot}")
            factor = self._splat(inverse)
            scaled = self._put(f"fmul {ROW} {values[k]}, {factor}")
            values[k] = self._put(f"insertelement {ROW} {scaled}, double {inverse}, i32 {k}")
            keep = tuple(-1 if lane == k else lane for lane in range(COLUMNS))
            for i in range(len(values)):
                if i != k:
                    entry = self._shuffle(values[i], "poison", (k,) * COLUMNS)
                    rest = self._shuffle(values[i], "zeroinitializer", keep)
                    product = self._put(f"fmul contract {ROW} {entry}, {values[k]}")
                    values[i] = self._put(f"fsub contract {ROW} {rest}, {product}")
        for row, value in zip(stage.rows, values, strict=True):
            self._store(value, row)

    @property
    def _n(self) -> int:
        return self._columns.n_used

    def _used(self) -> str:
        bits = ", ".join(f"i1 {int(k < self._n)}" for k in range(COLUMNS))
        return f"{BITS} <{bits}>"

    def _spread(self, entry: int) -> str:
        return self._splat(self._put(f"load double, ptr {self._entry(entry)}"))

    def _entry(self, entry: int) -> str:
        return self._put(f"getelementptr inbounds double, ptr %rows, i64 {entry}")

    def _splat(self, number: str) -> str:
        first = self._put(f"insertelement {ROW} poison, double {number}, i32 0")
        return self._shuffle(first, "poison", (0,) * COLUMNS)

    def _shuffle(self, row: str, otherwise: str, lanes: Lanes) -> str:
        picks = ", ".join(
            f"i32 {lane if lane >= 0 else COLUMNS + k}" for k, lane in enumerate(lanes)
        )
        return self._put(
            f"shufflevector {ROW} {row}, {ROW} {otherwise}, <{COLUMNS} x i32> <{picks}>"
        )

    def _load_or_zero(self, row: int) -> str:
        return "zeroinitializer" if row < 0 else self._load(row)

    def _load(self, row: int) -> str:
        return self._put(f"load {ROW}, ptr {self._address(row)}, align {ALIGNMENT}")

    def _store(self, value: str, row: int) -> None:
        address = self._address(row)
        self._lines.append(f"store {ROW} {value}, ptr {address}, align {ALIGNMENT}")

    def _address(self, row: int, memory: str = "%rows") -> str:
        return self._put(f"getelementptr inbounds {ROW}, ptr {memory}, i64 {row}")

    def _put(self, instruction: str) -> str:
        self._fresh += 1
        self._lines.append(f"%r{self._fresh} = {instruction}")
        return f"%r{self._fresh}"


def _vector(numbers: Sequence[float]) -> str:
    return f"<{', '.join(f'double {double(x)}' for x in numbers)}>"
