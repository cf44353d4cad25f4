"""Matrices of blocks, of which only those that are not zero are stored.

The screw matrices of a tree are 6n x 6n, and nearly all of their blocks are zero.  Written with
these, an equation of the paper stays one line, and its zeros cost nothing, neither as floats nor as
expressions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from poinsot.spatial import Array

ONLY = 0
"""The number of the only column of a column of blocks."""


@final
@dataclass(frozen=True, eq=False)
class Blocks:
    """A matrix, or with ``ONLY`` one column a vector, of blocks.

    Attributes:
        parts: For each pair (row, column) of numbers of bodies or joints its block; a vector has
            blocks of shape (k,).  What is left out is zero.

    >>> P = Blocks({(1, 2): np.ones((2, 3)), (2, 2): np.eye(3)})
    >>> (P @ Blocks.column({2: np.array([1.0, 2.0, 3.0])}))[1]
    array([6., 6.])
    """

    parts: Mapping[tuple[int, int], Array]

    @classmethod
    def diagonal(cls, parts: Iterable[tuple[int, Array]]) -> Blocks:
        """Return the matrix with these blocks, by number, on its diagonal."""
        return cls({(i, i): block for i, block in parts})

    @classmethod
    def column(cls, parts: Mapping[int, Array]) -> Blocks:
        """Return the vector of these parts."""
        return cls({(i, ONLY): part for i, part in parts.items()})

    @property
    def T(self) -> Blocks:
        """The transposed matrix."""
        return Blocks({(j, i): block.T for (i, j), block in self.parts.items()})

    def __getitem__(self, row: int) -> Array:
        """Return a part of a vector."""
        return self.parts[row, ONLY]

    def __matmul__(self, other: Blocks) -> Blocks:
        """Return the product of two matrices, or of a matrix and a vector."""
        rows: dict[int, list[tuple[int, Array]]] = {}
        for (k, j), block in other.parts.items():
            rows.setdefault(k, []).append((j, block))
        parts: dict[tuple[int, int], Array] = {}
        for (i, k), left in self.parts.items():
            for j, right in rows.get(k, []):
                term = left @ right
                parts[i, j] = parts[i, j] + term if (i, j) in parts else term
        return Blocks(parts)

    def __add__(self, other: Blocks) -> Blocks:
        """Return the sum."""
        parts = dict(self.parts)
        for at, block in other.parts.items():
            parts[at] = parts[at] + block if at in parts else block
        return Blocks(parts)

    def __neg__(self) -> Blocks:
        """Return the same with the opposite sign."""
        return Blocks({at: -block for at, block in self.parts.items()})

    def __sub__(self, other: Blocks) -> Blocks:
        """Return the difference."""
        return self + -other

    def dense(self, rows: Sequence[slice], columns: Sequence[slice]) -> Array:
        """Return the whole matrix.

        Args:
            rows: Where the rows of each block go, by its number.
            columns: Where its columns go.
        """
        shape = (_end(rows), _end(columns))
        dtype = np.result_type(float, *{block.dtype for block in self.parts.values()})
        result = np.zeros(shape, dtype)
        for (i, j), block in self.parts.items():
            result[rows[i], columns[j]] = block
        return result

    def dense_column(self, rows: Sequence[slice]) -> Array:
        """Return the whole vector, shape (number of rows,)."""
        dtype = np.result_type(float, *{block.dtype for block in self.parts.values()})
        result = np.zeros(_end(rows), dtype)
        for (i, _), block in self.parts.items():
            result[rows[i]] = block
        return result


def _end(slices: Sequence[slice]) -> int:
    return max((part.stop for part in slices), default=0)
