"""The inverse of a symmetric positive definite matrix in blocks of eight, rolled.

The matrix is swept block by block [A. P. Dempster, Elements of Continuous Multivariate Analysis,
1969, section 4.3]: with P = A_kk⁻¹,

    A_kk ← -P,      A_ik ← A_ik P,      A_ij ← A_ij - A_ik P A_kj,

which after all k, from the last to the first, leaves -A⁻¹, and the matrix symmetric in between, so
that blocks on and below the diagonal are enough.  Nearly all of it are products of blocks: for one
state eight columns are one vector register, and with a state per lane sums stay in registers.
"""

from __future__ import annotations

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.expr.rolled_code import STATE
from poinsot.formulations.recursive.rolled_columns import CHUNK, ColumnChunks
from poinsot.spatial import Array

__all__ = ["append_inverse"]

BESIDE = 2
"""Columns whose sums are in registers together, where each column is one."""


def append_inverse(builder: RolledBuilder, matrix: ColumnChunks, related: Array) -> ColumnChunks:
    """Append the inverse in place of a matrix; return where it is.

    Args:
        builder: Of the program.
        matrix: What is inverted; entries above the diagonal are not read, all are overwritten.
        related: Where it is not zero, shape (n, n).
    """
    sweep = _Sweep(builder, matrix, related)
    for k in reversed(range(sweep.n_blocks)):  # from the leaves inwards: small pivots first
        sweep.append(k)
    return sweep.closed()


class _Sweep:
    """A matrix that is swept in place; products of blocks that are zero are left out."""

    def __init__(self, builder: RolledBuilder, matrix: ColumnChunks, related: Array) -> None:
        self._builder, self._matrix = builder, matrix
        starts = range(0, matrix.n_rows, CHUNK)
        self._heights = [min(CHUNK, matrix.n_rows - start) for start in starts]
        self._is_some = np.array(
            [[related[i : i + CHUNK, j : j + CHUNK].any() for j in starts] for i in starts]
        )
        self._pivot = builder.state(CHUNK * CHUNK)
        self._left = [builder.state(CHUNK * CHUNK) for _ in starts]  # A_ik P
        self._right = [builder.state(CHUNK * CHUNK) for _ in starts]  # A_kj, or P A_kj

    @property
    def n_blocks(self) -> int:
        """Blocks on the diagonal."""
        return len(self._heights)

    def append(self, k: int) -> None:
        """Append the step of one block; the last one leaves the inverse itself."""
        is_last = k == 0
        self._append_pivot(k, is_last=is_last)
        others = [i for i in range(self.n_blocks) if i != k and self._is_some[i, k]]
        right = {}
        for i in others:
            if i > k:
                block = self._block(i, k)
                self._append_transposed(i, k, block, self._right[i])
                right[i] = self._right[i]
                self._append_product(i, k, block, self._pivot, self._left[i])
            else:
                right[i] = self._block(k, i)
                self._append_product(k, k, self._pivot, right[i], self._right[i])
                self._append_transposed(k, i, self._right[i], self._left[i])
        for i in range(self.n_blocks):
            for j in range(i + 1):
                if i in others and j in others:
                    self._append_change(i, j, k, self._left[i], right[j], is_last=is_last)
                    self._is_some[i, j] = self._is_some[j, i] = True
                elif is_last and k not in (i, j) and self._is_some[i, j]:
                    self._append_copy(i, self._block(i, j), self._block(i, j), is_last=True)
        for i in others:
            if i > k:
                self._append_copy(i, self._left[i], self._block(i, k), is_last=is_last)
            else:
                self._append_copy(k, self._right[i], self._block(k, i), is_last=is_last)

    def closed(self) -> ColumnChunks:
        """Append what is above the diagonal; return where all is."""
        for i in range(self.n_blocks):
            for j in range(i):
                self._append_transposed(i, j, self._block(i, j), self._block(j, i))
        return self._matrix

    def _block(self, i: int, j: int) -> int:
        return int(self._matrix.index(CHUNK * i, CHUNK * j))

    def _append_pivot(self, k: int, *, is_last: bool) -> None:
        """Append -P, for the products and in place; at last P in place."""
        height = self._heights[k]
        reads = {"A": (STATE, self._block(k, k), CHUNK * (height - 1) + height)}
        writes = {"pivot": self._pivot, "own": self._block(k, k)}
        sign = 1.0 if is_last else -1.0

        def pivot(*, A: Array) -> dict[str, Array]:
            lower = np.tril(_rows(A, height, height))
            inward = (lower + np.tril(lower, -1).T)[::-1, ::-1]
            P = ldl_solve(*ldl(inward), np.eye(height))[::-1, ::-1]
            padded = np.zeros((height, CHUNK), object)
            padded[:, :height] = P
            return {"pivot": -padded, "own": sign * padded}

        self._builder.item(("pivot", height, is_last), pivot, reads, writes)

    def _append_transposed(self, i: int, j: int, source: int, to: int) -> None:
        """Append the transpose of a block with the rows of i and the columns of j."""
        rows, columns = self._heights[i], self._heights[j]

        def transposed(*, A: Array) -> dict[str, Array]:
            padded = np.zeros((columns, CHUNK), object)
            padded[:, :rows] = _rows(A, rows, columns).T
            return {"A": padded}

        reads = {"A": (STATE, source, CHUNK * (rows - 1) + columns)}
        self._builder.item(("transposed", rows, columns), transposed, reads, {"A": to})

    def _append_product(self, i: int, k: int, left: int, right: int, to: int) -> None:
        """Append -A B of a block A with the rows of i and the columns of k."""
        height, size = self._heights[i], self._heights[k]
        self._builder.column_item(
            ("minus", height, size), _minus, {"B": (STATE, right, size)}, {"C": to},
            {"A": (STATE, left, CHUNK * (height - 1) + size)}, width=CHUNK, beside=BESIDE,
        )  # fmt: skip

    def _append_change(
        self, i: int, j: int, k: int, left: int, right: int, *, is_last: bool
    ) -> None:
        """Append C - A B in place of the block C in the rows of i; at last A B - C."""
        height, size, block = self._heights[i], self._heights[k], self._block(i, j)
        reads = {"B": (STATE, right, size), "C": (STATE, block, height)}
        self._builder.column_item(
            ("changed", height, size, is_last), _turned if is_last else _changed, reads,
            {"C": block}, {"A": (STATE, left, CHUNK * (height - 1) + size)},
            width=CHUNK, beside=BESIDE,
        )  # fmt: skip

    def _append_copy(self, i: int, source: int, to: int, *, is_last: bool) -> None:
        """Append a copy of a block with the rows of i, at last with the other sign."""
        height = self._heights[i]
        self._builder.column_item(
            ("copied", height, is_last), _negated if is_last else _copied,
            {"A": (STATE, source, height)}, {"A": to}, width=CHUNK,
        )  # fmt: skip


def _rows(A: Array, rows: int, columns: int) -> Array:
    """Return a block from its entries, which lie CHUNK apart by rows."""
    return np.array([A[CHUNK * r : CHUNK * r + columns] for r in range(rows)])


def _sums(A: Array, B: Array, start: list[Array] | None) -> list[Array]:
    """Return C - A B by rows, all rows together: short chains of sums."""
    height = -(-(len(A) - len(B)) // CHUNK) + 1
    rows = [-A[CHUNK * r] * B[0] for r in range(height)] if start is None else start
    for k in range(start is None, len(B)):
        rows = [row - A[CHUNK * r + k] * B[k] for r, row in enumerate(rows)]
    return rows


def _minus(*, A: Array, B: Array) -> dict[str, Array]:
    return {"C": np.stack(_sums(A, B, None))}


def _changed(*, A: Array, B: Array, C: Array) -> dict[str, Array]:
    return {"C": np.stack(_sums(A, B, list(C)))}


def _turned(*, A: Array, B: Array, C: Array) -> dict[str, Array]:
    return {"C": -np.stack(_sums(A, B, list(C)))}


def _copied(*, A: Array) -> dict[str, Array]:
    return {"A": A}


def _negated(*, A: Array) -> dict[str, Array]:
    return {"A": -A}
