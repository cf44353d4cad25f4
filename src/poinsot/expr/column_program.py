"""A program on columns: the same operations for each of eight bodies, side by side in registers.

A row is eight numbers, one per column.  Stages read and write rows of a memory: short programs on
all columns alike, sums along a tree of columns, products of rows with single entries.  It is the
form of a short computation for one state: its code is a fifth of a straight-line program's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.program import Port, Program

COLUMNS: Final = 8
"""Columns of a row."""
ROWS, CONSTANTS, SPREAD = "rows", "constants", "spread"
"""Where the numbers of a port are; ``SPREAD``: in one column of the rows, for all columns."""

Lanes: TypeAlias = tuple[int, ...]
"""For each column the column that it takes an entry from, or -1."""


@dataclass(frozen=True)
class Alike:
    """A program that all columns run; each entry of a port is a row, or the same for all.

    Attributes:
        program: What it computes.
        ports: Memory and first row of each port, inputs first; of those that are spread the first
            entry of the rows, and the others are ``COLUMNS`` apart.
    """

    program: Program
    ports: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Sums:
    """Sums of rows along a tree: in turn, entries of other columns are added.

    Attributes:
        rows, to: Which, and where they go; the same rows perhaps.
        turns: What is added in each turn: for each column some others.
        first: What is added to all columns of each row; None: nothing.
    """

    rows: tuple[int, ...]
    to: int
    turns: tuple[tuple[Lanes, ...], ...]
    first: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Moved:
    """Rows with the entries of other columns, or a number where there are none.

    Attributes:
        rows, to: Which, and where they go.
        lanes: From which columns.
        otherwise: The number for each row.
    """

    rows: tuple[int, ...]
    to: int
    lanes: Lanes
    otherwise: tuple[float, ...]


@dataclass(frozen=True)
class Combined:
    """A row, the sum of rows times single entries, by different terms in different columns.

    Attributes:
        to: The row, or the first entry of the output.
        groups: Columns, none in two groups, and for them pairs of an entry of the memory (-1: the
            number 1) and a row.
        added: What is added, per column.
        is_negative: Whether the sign is changed.
        is_output: Whether it goes to the output: as many entries as there are columns in use.
    """

    to: int
    groups: tuple[tuple[tuple[int, ...], tuple[tuple[int, int], ...]], ...]
    added: tuple[float, ...] = (0.0,) * COLUMNS
    is_negative: bool = False
    is_output: bool = False


@dataclass(frozen=True)
class Mirrored:
    """A matrix of two: some columns of each row from one, some from the transpose of the other.

    Attributes:
        rows, across: Rows of both, -1 for zeros; one for each column in use.
        kept: For each row the columns that come from ``rows``.
        turned: For each row those that come from the transpose of ``across``; the rest is zero.
        to: Where each row goes, -1 for nowhere: a row, or the first of entries of the output, as
            many as there are columns in use.
        is_output: Whether it goes to the output.
    """

    rows: tuple[int, ...]
    across: tuple[int, ...]
    kept: tuple[Lanes, ...]
    turned: tuple[Lanes, ...]
    to: Lanes
    is_output: bool = False


@dataclass(frozen=True)
class Inverted:
    """The inverse of a symmetric positive definite matrix, a row each, in its place.

    By Gauss and Jordan's elimination without exchanges, the last pivot first.
    """

    rows: tuple[int, ...]


Stage: TypeAlias = Alike | Sums | Moved | Combined | Mirrored | Inverted


@dataclass(frozen=True, eq=False)
class ColumnProgram:
    """Stages in order.

    Attributes:
        inputs: Ports of an entry per column in use, which go to the first rows.
        output: The only output.
        n_used: Columns in use; the others hold numbers without meaning.
        n_rows: Rows of the memory.
        constants: Rows, shape (n, COLUMNS).
        stages: What is done.
    """

    inputs: tuple[Port, ...]
    output: Port
    n_used: int
    n_rows: int
    constants: NDArray[np.float64]
    stages: tuple[Stage, ...]

    @property
    def n_operations(self) -> int:
        """Operations on rows, of arithmetic and of moving entries between columns."""
        return sum(map(_operations, self.stages))


def _operations(stage: Stage) -> int:
    match stage:
        case Alike():
            return stage.program.n_operations
        case Sums():
            return 2 * len(stage.rows) * sum(map(len, stage.turns))
        case Moved():
            return len(stage.rows)
        case Combined():
            return 2 * sum(len(terms) for _, terms in stage.groups)
        case Mirrored():
            return 3 * COLUMNS + 2 * len(stage.rows)
        case Inverted():
            return 4 * len(stage.rows) ** 2
