"""Programs as rounds, a few steps of the same operation each, for a loop over a table.

XLA takes minutes to compile some thousand scalar steps in a row (15 joints, forward dynamics: 170
s); a loop over rounds compiles in a second, however long the program.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from poinsot.expr import Op, Program
from poinsot.expr.ops import ARITY
from poinsot.spatial import Array

WIDTH: Final = 8
"""Steps in one round; rounds with fewer are filled up."""

FILLER: Final = 0.5
"""What filling steps compute with."""


@dataclass(frozen=True, eq=False)
class Rounds:
    """A program as a table of rounds over an array of values.

    The array holds the inputs, the constants, the filler, and the results of the rounds.  A round
    reads ``operands``, does its operation in every lane and stores the results from ``start`` on;
    what its filling lanes store is stored over by the next round.

    Attributes:
        operations: The operations that occur.
        codes: Which of them each round does, shape (rounds,).
        operands: Indices of the operands, shape (rounds, most operands of an operation, lanes).
        starts: Where each round stores, shape (rounds,).
        results: Indices of the program's results.
        size: Length of the array.
    """

    operations: tuple[Op, ...]
    codes: Array
    operands: Array
    starts: Array
    results: Array
    size: int


def rounds_of(program: Program, width: int = WIDTH) -> Rounds:
    """Return the rounds of a program that has steps.

    Independent steps of one operation share a round.
    """
    first = program.first_step
    indices = dict(zip(range(first), range(first), strict=True))
    operations = tuple(sorted(program.counts))
    rows: list[tuple[int, Array, int]] = []
    most = max(ARITY[op] for op in operations)
    end = first + 1
    for (_, op), steps in sorted(_waves(program).items()):
        for k in range(0, len(steps), width):
            batch = steps[k : k + width]
            operands = np.full((most, width), first)
            for lane, step in enumerate(batch):
                args = program.steps[step][1]
                operands[: len(args), lane] = [indices[a] for a in args]
            rows.append((operations.index(op), operands, end))
            indices.update((first + step, end + lane) for lane, step in enumerate(batch))
            end += len(batch)
    return Rounds(
        operations,
        np.array([code for code, _, _ in rows]),
        np.array([operands for _, operands, _ in rows]),
        np.array([start for _, _, start in rows]),
        np.array([indices[r] for r in program.results], dtype=int),
        end + width,
    )


def _waves(program: Program) -> dict[tuple[int, Op], list[int]]:
    """Return the steps by operation and by the depth of their dependencies."""
    depth = [0] * program.first_step
    waves: dict[tuple[int, Op], list[int]] = {}
    for k, (op, args) in enumerate(program.steps):
        depth.append(1 + max(depth[a] for a in args))
        waves.setdefault((depth[-1], op), []).append(k)
    return waves
