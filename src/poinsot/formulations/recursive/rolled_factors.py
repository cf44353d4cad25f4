"""The factors M = Lᵀ D L of a tree's mass matrix, and solutions with them, rolled.

Rows go from the root to the velocity itself: the row of a velocity that carries another one is as
long as the first part of that one's, and elimination needs no index [RBDA, section 6.5].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.rolled_code import STATE, Offsets
from poinsot.formulations.recursive.rolled_columns import CHUNK, ColumnChunks
from poinsot.formulations.recursive.velocity_paths import VelocityPaths, blocks
from poinsot.spatial import Array

_FEW = (4, 2, 1)
"""Rows that one item changes."""
LONGEST = 32
"""Rows of a matrix whose products one item adds up."""


@dataclass(frozen=True, eq=False)
class Factors:
    """Where the factors lie.

    Attributes:
        paths: For each velocity those that carry it, the nearest last.
        rows: Where its row of L begins, without the one on the diagonal.
        d_inverse: Where 1/D begins.
    """

    paths: tuple[Array, ...]
    rows: tuple[int, ...]
    d_inverse: int


def factor(builder: RolledBuilder, velocities: VelocityPaths, rows: Array) -> Factors:
    """Append the elimination of M, whose rows are lost.

    Args:
        builder: Of the program.
        velocities: The tree.
        rows: Where each row of M begins; what lies behind it up to a multiple of ``CHUNK`` is lost
            as well: entries are eliminated in whole chunks.
    """
    paths = tuple(path[:-1] for path in velocities.to_itself())
    lengths = [-(-len(path) // CHUNK) for path in paths]
    L = tuple(builder.state(CHUNK * length) for length in lengths)
    d_inverse = builder.state(len(paths))
    for k in range(len(paths) - 1, -1, -1):
        row = int(rows[k])
        builder.item(
            "reciprocal", lambda *, d: {"r": 1.0 / d}, {"d": (STATE, row + len(paths[k]), 1)},
            {"r": d_inverse + k},
        )  # fmt: skip
        for size, start in blocks(np.arange(lengths[k]), _FEW):
            builder.column_item(
                ("scaled", size), _scaled, {"x": (STATE, row + CHUNK * start, size)},
                {"x": L[k] + CHUNK * start}, {"r": (STATE, d_inverse + k, 1)}, width=CHUNK,
            )  # fmt: skip
        _append_elimination(builder, paths[k], rows, row, L[k])
    return Factors(paths, L, d_inverse)


def _append_elimination(builder: RolledBuilder, path: Array, rows: Array, row: int, L: int) -> None:
    """Append the subtraction of a row from those of the velocities that carry it.

    Rows that follow each other in the state and are equally long are one item.

    Args:
        builder: Of the program.
        path: The velocities that carry this one.
        rows: Where the row of each begins.
        row: Where the row of this one begins.
        L: Where its row of L begins.
    """
    starts, lengths = rows[path], np.arange(len(path)) // CHUNK + 1
    is_break = np.diff(starts) != CHUNK * lengths[:-1]
    is_break |= np.diff(lengths) != 0
    for run in np.split(np.arange(len(path)), np.flatnonzero(is_break) + 1):
        for height, first in blocks(run, _FEW):
            place = int(run[first])
            length = int(lengths[place])
            to = int(starts[place])
            reads = {"x": (STATE, to, height * length), "other": (STATE, row, length)}
            l = {"l": (STATE, L + place, height)}
            key = ("eliminated", height, length)
            builder.column_item(key, _eliminated, reads, {"x": to}, l, width=CHUNK)


def invert(builder: RolledBuilder, factors: Factors, chunks: Sequence[int], width: int) -> None:
    """Append M⁻¹ in the place of the identity matrix, whose columns lie in chunks, each by rows.

    Args:
        builder: Of the program.
        factors: Of M.
        chunks: Where each chunk begins.
        width: Its columns.
    """
    n = len(factors.paths)
    for i in reversed(range(n)):  # all chunks, which do not wait for each other
        for start in chunks[i // width :]:  # rows of Lᵀ X = 1 that are not zero
            _append_spread(builder, factors, start, width, i)
    for chunk, start in enumerate(chunks):
        rows = np.arange(min(width * (chunk + 1), n))
        to = start + width * rows
        builder.column_item(
            ("scaled", 1), _scaled, {"x": (STATE, to, 1)}, {"x": to},
            {"r": (STATE, factors.d_inverse + rows, 1)}, width=width,
        )  # fmt: skip
    for i in range(n):
        for start in chunks:
            _append_gathered(builder, factors, start, width, i)


def _append_spread(
    builder: RolledBuilder, factors: Factors, start: int, width: int, i: int
) -> None:
    """Append the step of Lᵀ X = B that row i is known for."""
    for size, first in blocks(factors.paths[i]):
        to = start + width * int(factors.paths[i][first])
        reads = {"x": (STATE, start + width * i, 1), "others": (STATE, to, size)}
        L = {"L": (STATE, factors.rows[i] + first, size)}
        builder.column_item(("spread", size), _spread, reads, {"others": to}, L, width=width)


def _append_gathered(
    builder: RolledBuilder, factors: Factors, start: int, width: int, i: int
) -> None:
    """Append the step of L X = B that gives row i."""
    for size, first in blocks(factors.paths[i]):
        to, others = start + width * i, start + width * int(factors.paths[i][first])
        reads = {"x": (STATE, to, 1), "others": (STATE, others, size)}
        L = {"L": (STATE, factors.rows[i] + first, size)}
        builder.column_item(("gathered", size), _gathered, reads, {"x": to}, L, width=width)


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
    for chunk, start in enumerate(factor.chunks):
        rows = np.flatnonzero(related[:, CHUNK * chunk : CHUNK * (chunk + 1)].any(axis=1))
        is_first = True
        for size, first in blocks(rows, range(LONGEST, 0, -1)):
            k = int(rows[first])
            for height, group in ((2, np.arange(0, n - 1, 2)), (1, np.arange(n - n % 2, n))):
                if not len(group):
                    continue
                target = to.index(group, CHUNK * chunk)
                reads: dict[str, tuple[str, Offsets, int]] = {"B": (STATE, start + CHUNK * k, size)}
                if not is_first:
                    reads["C"] = (STATE, target, height)
                rows_of = {"A": (STATE, inverse.index(k, group), CHUNK * (size - 1) + height)}
                builder.column_item(
                    ("product", size, height, is_first), _product, reads, {"C": target}, rows_of,
                    width=CHUNK,
                )  # fmt: skip
            is_first = False


def _eliminated(*, x: Array, l: Array, other: Array) -> dict[str, Array]:
    """Return several rows less multiples of another one, all in chunks."""
    n = len(other)
    return {"x": np.stack([row - l[k // n] * other[k % n] for k, row in enumerate(x)])}


def _product(*, A: Array, B: Array, C: Array | None = None) -> dict[str, Array]:
    """Return C - A B by rows; A stands in columns of a chunk."""
    height = len(A) - CHUNK * (len(B) - 1)
    rows = [-A[r] * B[0] for r in range(height)] if C is None else list(C)
    for k in range(C is None, len(B)):  # all rows at once: short chains of sums
        rows = [row - A[CHUNK * k + r] * B[k] for r, row in enumerate(rows)]
    return {"C": np.stack(rows)}


def _spread(*, x: Array, L: Array, others: Array) -> dict[str, Array]:
    return {"others": np.stack([other - l * x[0] for l, other in zip(L, others, strict=True)])}


def _gathered(*, x: Array, L: Array, others: Array) -> dict[str, Array]:
    total = x[0]
    for l, other in zip(L, others, strict=True):
        total = total - l * other
    return {"x": np.stack([total])}


def _scaled(*, x: Array, r: Array) -> dict[str, Array]:
    return {"x": x * r[0]}
