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


def append_inverse(builder: RolledBuilder, matrix: ColumnChunks) -> ColumnChunks:
    """Append the inverse; return where it is.

    Args:
        builder: Of the program.
        matrix: What is inverted; entries above the diagonal are not read, all are overwritten.
    """
    sweep = _Sweep(builder, matrix)
    for k in reversed(range(sweep.n_blocks)):  # from the leaves inwards: small pivots first
        sweep.append(k)
    return sweep.closed()


class _Sweep:
    """A matrix that is swept from one memory to another and back."""

    def __init__(self, builder: RolledBuilder, matrix: ColumnChunks) -> None:
        self._builder = builder
        self._old, self._new = matrix, ColumnChunks.new(builder, matrix.n_rows)
        starts = range(0, matrix.n_rows, CHUNK)
        self._heights = [min(CHUNK, matrix.n_rows - start) for start in starts]
        self._pivot = builder.state(CHUNK * CHUNK)
        self._left = [builder.state(CHUNK * CHUNK) for _ in starts]  # A_ik P
        self._right = [builder.state(CHUNK * CHUNK) for _ in starts]  # A_kj, or P A_kj

    @property
    def n_blocks(self) -> int:
        """Blocks on the diagonal."""
        return len(self._heights)

    def append(self, k: int) -> None:
        """Append the step of one block; the last one leaves the inverse itself."""
        old, new, is_last = self._old, self._new, k == 0
        self._append_pivot(k, is_last=is_last)
        others = [i for i in range(self.n_blocks) if i != k]
        right = {}
        for i in others:
            if i > k:
                self._append_transposed(i, k, _block(old, i, k), self._right[i])
                right[i] = self._right[i]
                self._append_product(i, k, _block(old, i, k), self._pivot, self._left[i])
                self._append_copy(i, self._left[i], _block(new, i, k), is_last=is_last)
            else:
                right[i] = _block(old, k, i)
                self._append_product(k, k, self._pivot, right[i], self._right[i])
                self._append_transposed(k, i, self._right[i], self._left[i])
                self._append_copy(k, self._right[i], _block(new, k, i), is_last=is_last)
        for i in others:
            for j in others:
                if j <= i:
                    before = _block(old, i, j)
                    self._append_change(
                        i, k, self._left[i], right[j], before, _block(new, i, j), is_last=is_last
                    )
        self._old, self._new = new, old

    def closed(self) -> ColumnChunks:
        """Append what is above the diagonal; return where all is."""
        for i in range(self.n_blocks):
            for j in range(i):
                self._append_transposed(i, j, _block(self._old, i, j), _block(self._old, j, i))
        return self._old

    def _append_pivot(self, k: int, *, is_last: bool) -> None:
        """Append -P, for the products and in place; at last P in place."""
        height = self._heights[k]
        reads = {"A": (STATE, _block(self._old, k, k), CHUNK * (height - 1) + height)}
        writes = {"pivot": self._pivot, "own": _block(self._new, k, k)}
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
        self, i: int, k: int, left: int, right: int, before: int, to: int, *, is_last: bool
    ) -> None:
        """Append C - A B, at last A B - C."""
        height, size = self._heights[i], self._heights[k]
        reads = {"B": (STATE, right, size), "C": (STATE, before, height)}
        self._builder.column_item(
            ("changed", height, size, is_last), _turned if is_last else _changed, reads, {"C": to},
            {"A": (STATE, left, CHUNK * (height - 1) + size)}, width=CHUNK, beside=BESIDE,
        )  # fmt: skip

    def _append_copy(self, i: int, source: int, to: int, *, is_last: bool) -> None:
        """Append a copy of a block with the rows of i, at last with the other sign."""
        height = self._heights[i]
        self._builder.column_item(
            ("copied", height, is_last), _negated if is_last else _copied,
            {"A": (STATE, source, height)}, {"A": to}, width=CHUNK,
        )  # fmt: skip


def _block(matrix: ColumnChunks, i: int, j: int) -> int:
    return int(matrix.index(CHUNK * i, CHUNK * j))


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
