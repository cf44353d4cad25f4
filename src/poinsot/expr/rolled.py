"""A rolled program: a few short programs applied to many items sequentially.

Where a program lists every operation, a rolled one lists items.  An item names a code (a short
program) and, for each port of that code, an offset in a memory: an input of the whole program, the
``state`` that items pass on to each other, or the ``constants``.  Outputs show entries of the final
state.  The length of the codes does not depend on the number of items.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import ProgramError
from poinsot.expr.node import Expr, Scalar
from poinsot.expr.program import Port
from poinsot.expr.rolled_code import (
    CONSTANTS,
    STATE,
    WHERE,
    Code,
    LoopedCode,
    Offsets,
    column_code,
    traced,
    with_constants_read,
)


@dataclass(frozen=True, eq=False)
class Rolled:
    """Items to be processed in order.

    Attributes:
        inputs, outputs: What goes in and comes out, as for a program.
        codes: The short programs, and routines.
        items: One row per item: the index of its code, then an offset for each of its ports
            (entries from the start of the memory), then the sizes of a routine; int32, rows padded
            with zeros.
        shows: For each output the offset in the state of each of its entries; int32.
        n_state: Size of the state memory.
        constants: The constants memory, float64.
        n_looped: Operations that the routines take at most.
        formulas: Constants that are formulas of parameters, by offset; see ``with_parameters``.
    """

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    codes: tuple[Code | LoopedCode, ...]
    items: NDArray[np.int32]
    shows: tuple[NDArray[np.int32], ...]
    n_state: int
    constants: NDArray[np.float64]
    n_looped: int = 0
    formulas: Mapping[int, Expr] = field(default_factory=dict)

    @cached_property
    def n_operations(self) -> int:
        """Operations that one evaluation takes where no branch is taken."""
        lengths = np.array(
            [code.program.n_operations if isinstance(code, Code) else 0 for code in self.codes]
        )
        counts = lengths[self.items[:, 0]] if len(self.items) else np.zeros(0, int)
        for k, code in enumerate(self.codes):
            if isinstance(code, LoopedCode) and code.name == WHERE:
                for item in np.flatnonzero(self.items[:, 0] == k):
                    counts[item : item + 1 + self.items[item, 2]] = 0
        return self.n_looped + int(counts.sum())


class RolledBuilder:
    """Collects codes, items and offsets.

    A code is traced once for each ``key``; ``state`` and ``constants`` allocate memory.
    """

    def __init__(self, inputs: Mapping[str, int], outputs: Mapping[str, tuple[int, ...]]) -> None:
        self._inputs = tuple(Port(name, (size,)) for name, size in inputs.items())
        self._outputs = tuple(Port(name, shape) for name, shape in outputs.items())
        self._numbers: dict[Hashable, int] = {}
        self._codes: list[Code | LoopedCode] = []
        self._items: list[NDArray[np.int32]] = []
        self._singles: list[list[Any]] = []
        self._shows: dict[str, NDArray[np.int32]] = {}
        self._n_state = self._n_state_before = self._n_looped = 0
        self._constants: list[float] = []
        self._formulas: dict[int, Expr] = {}

    def state(self, size: int) -> int:
        """Allocate ``size`` entries of the state and return their offset."""
        start = self._n_state
        self._n_state += size
        return start

    @contextmanager
    def temporary(self) -> Iterator[None]:
        """Allocate entries of the state that are free again afterwards."""
        mark = self._n_state
        yield
        self._n_state_before = max(self._n_state_before, self._n_state)
        self._n_state = mark

    def constants(self, values: Sequence[Scalar]) -> int:
        """Store constants, numbers or formulas of parameters, and return their offset."""
        start = len(self._constants)
        for k, value in enumerate(values, start):
            if isinstance(value, Expr):
                self._formulas[k] = value
            self._constants.append(0.0 if isinstance(value, Expr) else value)
        return start

    def item(
        self,
        key: Hashable,
        trace: Callable[..., Mapping[str, Any]],
        reads: Mapping[str, tuple[str, Offsets, int]],
        writes: Mapping[str, Offsets],
    ) -> None:
        """Append an item, or several of one code where offsets are arrays.

        Args:
            key: What the code depends on; the same key gives the same code.
            trace: The code: a function of one array of symbols for each read, by name, that returns
                what to write, by name.
            reads: For each input of the code its memory, offset and size.
            writes: For each output its offset in the state.
        """
        if key not in self._numbers:
            self._new_code(key, traced(trace, reads, writes))
        code = self._codes[self._numbers[key]]
        if code.memories[: len(reads)] != tuple(memory for memory, _, _ in reads.values()):
            raise ProgramError(f"code {key!r} reads {code.memories}, not other memories")
        starts = [*(start for _, start, _ in reads.values()), *writes.values()]
        self.append(self._numbers[key], starts)

    def column_item(
        self,
        key: Hashable,
        trace: Callable[..., Mapping[str, Any]],
        reads: Mapping[str, tuple[str, Offsets, int]],
        writes: Mapping[str, Offsets],
        uniform: Mapping[str, tuple[str, Offsets, int]] | None = None,
        *,
        width: int,
        pitch: int | None = None,
        beside: int | None = None,
    ) -> None:
        """Append an item that does the same in each of several columns, or several such items.

        Args:
            key: What the code depends on, besides the width.
            trace: The code: a function of one array for each read, by name, that works on the
                entries of one column, (size,), and on those of all, (size, width), alike.
            reads: For each input of columns its memory, offset and number of rows.
            writes: For each output its offset in the state.
            uniform: For each input that all columns share its memory, offset and size.
            width: Number of columns; those of a row lie together.
            pitch: How far apart the rows of a read are, ``width`` by default; writes are one row
                then.
            beside: How many of them are computed together where each column is a register of its
                own, with a state per lane; all by default.
        """
        shared = uniform or {}
        kind = (key, width, pitch or width)
        if kind not in self._numbers:
            code = column_code(trace, reads, shared, writes, *kind[1:], beside or width)
            self._new_code(kind, code)
        starts = [start for _, start, _ in (*reads.values(), *shared.values())]
        self.append(self._numbers[kind], [*starts, *writes.values()])

    def code(self, key: Hashable, code: Code) -> int:
        """Return the number of a code that has been traced, for :meth:`append`, new or known."""
        if key not in self._numbers:
            self._new_code(key, code)
        elif self._codes[self._numbers[key]] != code:
            raise ProgramError(f"two codes have the key {key!r}; name their functions differently")
        return self._numbers[key]

    def code_alike(self, code: Code) -> tuple[int, int | None]:
        """Return the number of a code that is shared by all that differ in constants only.

        The constants of the code become one more of its reads, after the others.

        Returns:
            The number, and the offset of the constants, if there are some.
        """
        program, constants = code.program, None
        memories, n_reads = code.memories, len(code.program.inputs)
        if program.constants:
            program, values = with_constants_read(program)
            memories = (*memories[:n_reads], CONSTANTS, *memories[n_reads:])
            constants = self.constants(values)
        ports = program.inputs, program.outputs
        shape: Hashable = ("alike", memories, ports, program.steps, program.results)
        return self.code(shape, Code(program, memories)), constants

    def _new_code(self, key: Hashable, code: Code | LoopedCode) -> None:
        self._numbers[key] = len(self._codes)
        self._codes.append(code)

    def embed(
        self, name: str, rolled: Rolled, given: Mapping[str, int] | None = None
    ) -> list[NDArray[np.int64]]:
        """Append all items of another rolled program, whose inputs are inputs of this one too.

        Args:
            name: Of that program, part of the keys of its codes.
            rolled: The program.
            given: Where in the state inputs of it are that are not inputs of this one.

        Returns:
            For each of its outputs the indices of the entries in the state, in C order.
        """
        given = given or {}
        shifts = {
            STATE: self.state(rolled.n_state),
            CONSTANTS: self.constants(rolled.constants.tolist()),
            **given,
        }
        self._formulas |= {shifts[CONSTANTS] + k: x for k, x in rolled.formulas.items()}
        items = rolled.items.copy()
        for k, code in enumerate(rolled.codes):
            key = ("embedded", name, k)
            memories = tuple(
                STATE if memory in (given or {}) else memory for memory in code.memories
            )
            self._new_code(key, replace(code, memories=memories))
            chosen = rolled.items[:, 0] == k
            items[chosen, 0] = self._numbers[key]
            for port, memory in enumerate(code.memories, start=1):
                items[chosen, port] += shifts.get(memory, 0)
        self._flush()
        self._items.append(items)
        self._n_looped += rolled.n_looped
        return [shifts[STATE] + shown.astype(np.int64) for shown in rolled.shows]

    def gathered(self, places: NDArray[Any], goal: int | None = None) -> int:
        """Return where entries of the state stand one after the other, moved if they do not.

        Args:
            places: Where they are, one or more.
            goal: Where they are to be moved to; anywhere by default.
        """
        first = int(places[0])
        if goal is None:
            if np.array_equal(places, first + np.arange(places.size)):
                return first
            goal = self.state(places.size)
        goals = {"y": goal + np.arange(places.size)}
        self.item("moved", lambda x: {"y": x}, {"x": (STATE, places, 1)}, goals)
        return goal

    def routine(
        self, name: str, ports: Sequence[tuple[str, int]], sizes: Sequence[int], n_operations: int
    ) -> None:
        """Append a call of a routine.

        Args:
            name: Which one.
            ports: Memory and offset of each of its ports.
            sizes: Its sizes.
            n_operations: About how many operations it takes at most.
        """
        routine = LoopedCode(name, tuple(memory for memory, _ in ports))
        if routine not in self._numbers:
            self._new_code(routine, routine)
        self.append(self._numbers[routine], [*(start for _, start in ports), *sizes])
        self._n_looped += n_operations

    @contextmanager
    def where(self, condition: int) -> Iterator[None]:
        """Append items that are skipped unless a number is other than 0 in one of the states.

        They run for all states then, so they keep what they overwrite in those where it is 0.

        Args:
            condition: Index of the number in the state.
        """
        self._flush()
        branch = len(self._items)
        self.routine(WHERE, [(STATE, condition)], [0], 0)
        yield
        self._flush()
        self._items[branch][0, 2] = sum(map(len, self._items[branch:])) - 1

    def append(self, code: int, starts: Sequence[Offsets]) -> None:
        """Append an item, or several where offsets are arrays: an offset per port of the code."""
        row = [code, *starts]
        if set(map(type, row)) == {int}:
            self._singles.append(row)
        else:
            self._flush()
            columns = np.broadcast_arrays(*row)
            self._items.append(np.stack(columns, axis=1).astype(np.int32))

    @property
    def input_sizes(self) -> dict[str, int]:
        """The sizes of the inputs by name."""
        return {port.name: port.size for port in self._inputs}

    def show(self, output: str, starts: NDArray[Any]) -> None:
        """Say where in the state the entries of an output are; a new output has their shape."""
        if output not in {port.name for port in self._outputs}:
            self._outputs += (Port(output, np.shape(starts)),)
        self._shows[output] = np.ascontiguousarray(starts, np.int32).ravel()

    def _flush(self) -> None:
        """Turn the items that were appended singly into an array."""
        if self._singles:
            width = max(map(len, self._singles))
            rows = [row + [0] * (width - len(row)) for row in self._singles]
            self._items.append(np.array(rows, np.int32))
            self._singles = []

    def finish(self) -> Rolled:
        """Return the rolled program."""
        self._flush()
        width = max((rows.shape[1] for rows in self._items), default=1)
        padded = [np.pad(rows, ((0, 0), (0, width - rows.shape[1]))) for rows in self._items]
        items = np.concatenate(padded) if padded else np.zeros((0, 1), np.int32)
        # The same codes in the same order, whatever came first: one object code serves all.
        keys = sorted(self._numbers, key=repr)
        start = np.empty(len(keys), np.int32)
        start[[self._numbers[key] for key in keys]] = np.arange(len(keys))
        items[:, 0] = start[items[:, 0]] if keys else 0
        return Rolled(
            self._inputs,
            self._outputs,
            tuple(self._codes[self._numbers[key]] for key in keys),
            items,
            tuple(self._shows[port.name] for port in self._outputs),
            max(self._n_state, self._n_state_before),
            np.array(self._constants, np.float64),
            self._n_looped,
            self._formulas,
        )
