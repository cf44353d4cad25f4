"""Sparse block matrices: only nonzero blocks are stored.

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
"""Index of the only column of a block vector."""


@final
@dataclass(frozen=True, eq=False)
class Blocks:
    """A block matrix, or with the single column ``ONLY`` a block vector.

    Attributes:
        blocks: For each pair (row, column) of indices of bodies or joints its block; a vector has
            blocks of shape (k,).  Missing blocks are zero.

    >>> P = Blocks({(1, 2): np.ones((2, 3)), (2, 2): np.eye(3)})
    >>> (P @ Blocks.column({2: np.array([1.0, 2.0, 3.0])}))[1]
    array([6., 6.])
    """

    blocks: Mapping[tuple[int, int], Array]

    @classmethod
    def diagonal(cls, blocks: Iterable[tuple[int, Array]]) -> Blocks:
        """Return the matrix with these blocks, by index, on its diagonal."""
        return cls({(i, i): block for i, block in blocks})

    @classmethod
    def column(cls, blocks: Mapping[int, Array]) -> Blocks:
        """Return the vector of these blocks."""
        return cls({(i, ONLY): block for i, block in blocks.items()})

    @property
    def T(self) -> Blocks:
        """The transposed matrix."""
        return Blocks({(j, i): block.T for (i, j), block in self.blocks.items()})

    def __getitem__(self, row: int) -> Array:
        """Return a block of a vector."""
        return self.blocks[row, ONLY]

    def __matmul__(self, other: Blocks) -> Blocks:
        """Return the product of two matrices, or of a matrix and a vector."""
        rows: dict[int, list[tuple[int, Array]]] = {}
        for (k, j), block in other.blocks.items():
            rows.setdefault(k, []).append((j, block))
        products: dict[tuple[int, int], Array] = {}
        for (i, k), left in self.blocks.items():
            for j, right in rows.get(k, []):
                term = left @ right
                products[i, j] = products[i, j] + term if (i, j) in products else term
        return Blocks(products)

    def __add__(self, other: Blocks) -> Blocks:
        """Return the sum."""
        sums = dict(self.blocks)
        for index, block in other.blocks.items():
            sums[index] = sums[index] + block if index in sums else block
        return Blocks(sums)

    def __neg__(self) -> Blocks:
        """Return the same with the opposite sign."""
        return Blocks({index: -block for index, block in self.blocks.items()})

    def __sub__(self, other: Blocks) -> Blocks:
        """Return the difference."""
        return self + -other

    def dense(self, rows: Sequence[slice], columns: Sequence[slice]) -> Array:
        """Return the dense matrix.

        Args:
            rows: Row slice of each block, by its index.
            columns: Column slice of each block.
        """
        shape = (_end(rows), _end(columns))
        dtype = np.result_type(float, *{block.dtype for block in self.blocks.values()})
        result = np.zeros(shape, dtype)
        for (i, j), block in self.blocks.items():
            result[rows[i], columns[j]] = block
        return result

    def dense_column(self, rows: Sequence[slice]) -> Array:
        """Return the dense vector, shape (number of rows,)."""
        dtype = np.result_type(float, *{block.dtype for block in self.blocks.values()})
        result = np.zeros(_end(rows), dtype)
        for (i, _), block in self.blocks.items():
            result[rows[i]] = block
        return result


def _end(slices: Sequence[slice]) -> int:
    return max((block_slice.stop for block_slice in slices), default=0)
