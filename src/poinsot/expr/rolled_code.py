"""The codes of rolled programs: short programs and the memories that their ports lie in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import ProgramError
from poinsot.expr.passes import optimise
from poinsot.expr.program import Port, Program, build, fresh_symbols

Offsets: TypeAlias = int | NDArray[Any]
"""Offset of a port in its memory: one, or one for each of several items."""

LEAST_NORM = "least norm"
"""The routine of ``numeric_basis``: what ports and sizes it has is in ``least_norm_ir``."""

SHORTEST_MOTION = "shortest motion"
"""Another one, for which well-conditioned rows come first; see ``shortest_motion_ir``."""

WHERE = "where"
"""A branch.  Its port is a number; its size says how many items are skipped if that is 0 in all
states."""

STATE = "state"
CONSTANTS = "constants"


@dataclass(frozen=True)
class ColumnCode:
    """A program that does the same in each of several columns, written for one of them.

    Attributes:
        program: Its ports hold the entries of one column, or what is the same in all.
        uniform: The inputs that are the same in all columns.
        width: Number of columns; those of an entry lie together.
        pitch: How far apart the entries of a column are in inputs; outputs of more than one have
            them ``width`` apart.
    """

    program: Program
    uniform: frozenset[str]
    width: int
    pitch: int


@dataclass(frozen=True)
class Code:
    """A short program and the memory that each of its ports lies in, inputs first.

    Attributes:
        program: All that it computes.
        memories: One for each port.
        columns: The same by columns, if it has some: for one state they are computed together.
    """

    program: Program
    memories: tuple[str, ...]
    columns: ColumnCode | None = None


@dataclass(frozen=True)
class LoopedCode:
    """Loops of a length that is data, known by name, and the memory that each port lies in."""

    name: str
    memories: tuple[str, ...]


def traced_code(
    reads: Mapping[str, tuple[str, NDArray[Any]]], results: Mapping[str, Sequence[Any]]
) -> Code:
    """Return the code of traced results.

    Args:
        reads: For each input its memory and its symbols.
        results: For each output the entries to write to the state.
    """
    symbols = {name: array for name, (_, array) in reads.items()}
    outputs = {f"to_{name}": np.array(entries, object) for name, entries in results.items()}
    memories = [memory for memory, _ in reads.values()] + [STATE] * len(results)
    return Code(optimise(build(symbols, outputs)), tuple(memories))


def traced(
    trace: Callable[..., Mapping[str, Any]],
    reads: Mapping[str, tuple[str, Offsets, int]],
    writes: Mapping[str, Offsets],
) -> Code:
    """Return the code that a function writes, of symbols for all that it reads."""
    symbols = {name: fresh_symbols(name, size) for name, (_, _, size) in reads.items()}
    results = trace(**symbols)
    if set(results) != set(writes):
        raise ProgramError(f"a code must write {sorted(writes)}, it gives {sorted(results)}")
    ports = {name: (memory, symbols[name]) for name, (memory, _, _) in reads.items()}
    return traced_code(
        ports, {name: np.ravel(np.asarray(results[name])).tolist() for name in writes}
    )


def column_code(
    trace: Callable[..., Mapping[str, Any]],
    reads: Mapping[str, tuple[str, Offsets, int]],
    uniform: Mapping[str, tuple[str, Offsets, int]],
    writes: Mapping[str, Offsets],
    width: int,
    pitch: int,
    beside: int,
) -> Code:
    """Return the code of what is done alike in each of several columns, ``beside`` at a time."""
    whole = {
        name: (memory, start, (n - 1) * pitch + width) for name, (memory, start, n) in reads.items()
    }

    def in_all(**arrays: NDArray[Any]) -> Mapping[str, Any]:
        shaped = {
            name: np.stack([arrays[name][pitch * k : pitch * k + width] for k in range(n)])
            for name, (_, _, n) in reads.items()
        }
        shared = {name: arrays[name] for name in uniform}
        groups: dict[str, list[NDArray[Any]]] = {name: [] for name in writes}
        for start in range(0, width, beside):
            columns = slice(start, start + beside)
            results = trace(**shared, **{name: x[:, columns] for name, x in shaped.items()})
            for name, result in results.items():
                groups[name].append(_in_columns(result, min(beside, width - start)))
        return {name: np.concatenate(parts, axis=1) for name, parts in groups.items()}

    code = traced(in_all, {**whole, **uniform}, writes)
    single = traced(trace, {**reads, **uniform}, writes)
    return replace(code, columns=ColumnCode(single.program, frozenset(uniform), width, pitch))


def _in_columns(result: Any, width: int) -> NDArray[Any]:  # noqa: ANN401
    """Return rows of columns; a row of numbers that do not depend on the column is repeated."""
    rows = np.asarray(result)
    return rows if rows.ndim == 2 else np.repeat(rows[:, None], width, axis=1)


def with_constants_read(program: Program) -> tuple[Program, tuple[float, ...]]:
    """Return the program with its constants as one more input, in the order of use; and them."""
    first, n = program.n_inputs, len(program.constants)
    operands = [a for _, args in program.steps for a in args]
    used = dict.fromkeys(a for a in (*operands, *program.results) if first <= a < first + n)
    number = {a: first + k for k, a in enumerate(used)}
    changed = replace(
        program,
        inputs=(*program.inputs, Port(CONSTANTS, (n,))),
        constants=(),
        steps=tuple((op, tuple([number.get(a, a) for a in args])) for op, args in program.steps),
        results=tuple(number.get(a, a) for a in program.results),
    )
    return changed, tuple(program.constants[a - first] for a in used)
