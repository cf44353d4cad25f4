"""Products of an inverse with a matrix whose columns lie in chunks, rolled."""

from __future__ import annotations

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.rolled_code import STATE, Offsets
from poinsot.formulations.recursive.rolled_columns import CHUNK, ColumnChunks
from poinsot.formulations.recursive.velocity_paths import blocks
from poinsot.spatial import Array

__all__ = ["append_negative_product"]

HIGH, BESIDE = 4, 4
"""Rows and columns whose sums are in registers together, where each entry is one."""
LONGEST = 32
"""Rows of a matrix whose products one item adds up."""


def append_negative_product(
    builder: RolledBuilder,
    inverse: ColumnChunks,
    factor: ColumnChunks,
    related: Array,
    to: ColumnChunks,
) -> None:
    """Append -M⁻¹ X of a matrix X.

    Args:
        builder: Of the program.
        inverse: M⁻¹, which is symmetric: its columns serve as rows.
        factor: X.
        related: Where X is not zero, shape (n, n).
        to: Where the product goes.
    """
    n = inverse.n_rows
    rest = np.arange(n - n % HIGH, n)[:1]
    whole = (HIGH, np.arange(0, n - HIGH + 1, HIGH)), (n % HIGH, rest)
    heights = [(height, group) for height, group in whole if len(group)]
    for chunk, start in enumerate(factor.chunks):
        rows = np.flatnonzero(related[:, CHUNK * chunk : CHUNK * (chunk + 1)].any(axis=1))
        is_first = True
        for size, first in blocks(rows, range(LONGEST, 0, -1)):
            k = int(rows[first])
            for height, group in heights:
                target = to.index(group, CHUNK * chunk)
                reads: dict[str, tuple[str, Offsets, int]] = {"B": (STATE, start + CHUNK * k, size)}
                if not is_first:
                    reads["C"] = (STATE, target, height)
                rows_of = {"A": (STATE, inverse.index(k, group), CHUNK * (size - 1) + height)}
                builder.column_item(
                    ("product", size, height, is_first), _product, reads, {"C": target}, rows_of,
                    width=CHUNK, beside=BESIDE,
                )  # fmt: skip
            is_first = False


def _product(*, A: Array, B: Array, C: Array | None = None) -> dict[str, Array]:
    """Return C - A B by rows; A stands in columns of a chunk."""
    height = len(A) - CHUNK * (len(B) - 1)
    rows = [-A[r] * B[0] for r in range(height)] if C is None else list(C)
    for k in range(C is None, len(B)):  # all rows at once: short chains of sums
        rows = [row - A[CHUNK * k + r] * B[k] for r, row in enumerate(rows)]
    return {"C": np.stack(rows)}
