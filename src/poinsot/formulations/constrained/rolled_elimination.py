"""Sparse block elimination, rolled: G x = b with G positive semidefinite, of any rank.

Blocks are eliminated sequentially, in an order with little fill-in; the steps on blocks are those
of ``expr/semidefinite.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.functions import maximum, minimum, select, sqrt
from poinsot.expr.linalg import solve_lower, solve_lower_transposed
from poinsot.expr.rolled import STATE
from poinsot.expr.semidefinite import factor, panel
from poinsot.formulations.rolled_sweep import Read
from poinsot.spatial import Array


class RolledFactor:
    """The factored matrix, ready for right-hand sides.

    Args:
        builder: Collects the items.
        sizes: Of the blocks.
        order: Elimination order, each block with its later neighbours.
        diagonal: Indices of the lower triangles of diagonal blocks, by rows.
        blocks: Indices of the others, by (later, earlier) in that order; overwritten.
    """

    def __init__(
        self, builder: RolledBuilder, sizes: Sequence[int],
        order: Sequence[tuple[int, Sequence[int]]], diagonal: Sequence[int],
        blocks: dict[tuple[int, int], int],
    ) -> None:  # fmt: skip
        self._builder, self._sizes, self._order = builder, sizes, order
        self._diagonal = diagonal
        self._factors: dict[int, tuple[int, int]] = {}
        self._below: dict[tuple[int, int], int] = {}
        self._eliminate(dict(blocks))

    def solve(self, b: Sequence[int]) -> list[int]:
        """Append the solution of G x = -b, 0 for dependent rows; return its indices by block.

        Args:
            b: Indices of the right-hand side, by block.
        """
        builder = self._builder
        y = [builder.state(m) for m in self._sizes]
        x = [builder.state(m) for m in self._sizes]
        for m, index, start in zip(self._sizes, b, y, strict=True):
            reads = {"x": (STATE, index, m)}
            builder.item(("minus", m), lambda x: {"y": -x}, reads, {"y": start})
        for c, later in self._order:
            m = self._sizes[c]
            builder.item(
                ("reduce", m), _reduce, {"y": (STATE, y[c], m), **self._factor_reads(c)},
                {"y": y[c], "x": x[c]},
            )  # fmt: skip
            for late in later:
                n = self._sizes[late]
                builder.item(
                    ("on", n, m), _on,
                    {
                        "below": (STATE, self._below[late, c], n * m),
                        "x": (STATE, y[c], m), "y": (STATE, y[late], n),
                    },
                    {"y": y[late]},
                )  # fmt: skip
        for c, later in reversed(self._order):
            m = self._sizes[c]
            for late in later:
                n = self._sizes[late]
                builder.item(
                    ("back", n, m), _back,
                    {
                        "below": (STATE, self._below[late, c], n * m),
                        "late": (STATE, x[late], n), "x": (STATE, x[c], m),
                    },
                    {"x": x[c]},
                )  # fmt: skip
            builder.item(
                ("finish", m), _finish, {"x": (STATE, x[c], m), **self._factor_reads(c)},
                {"x": x[c]},
            )  # fmt: skip
        return x

    def conditioning(self) -> int:
        """Append the conditioning: root of the smallest pivot ratio; return its index.

        It vanishes where rows become dependent.
        """
        builder = self._builder
        least, clear = builder.state(1), builder.state(1)
        largest = (STATE, self._largest, 1)
        builder.item("begin", lambda x: {"y": x}, {"x": largest}, {"y": least})
        for c, m in enumerate(self._sizes):
            reads = {"inverse": (STATE, self._factors[c][1], m), "least": (STATE, least, 1)}
            builder.item(("least", m), _least, reads, {"least": least})
        reads = {"least": (STATE, least, 1), "largest": largest}
        builder.item("clear", _clear, reads, {"clear": clear})
        return clear

    def _eliminate(self, blocks: dict[tuple[int, int], int]) -> None:
        builder = self._builder
        self._largest, diagonals = builder.state(1), []
        largest = self._largest
        builder.item("none", lambda: {"none": np.zeros(1)}, {}, {"none": largest})
        for c, m in enumerate(self._sizes):
            diagonals.append(builder.state(m))
            builder.item(
                ("measure", m), _measure,
                {"block": self._diagonal_read(c), "largest": (STATE, largest, 1)},
                {"diagonal": diagonals[c], "largest": largest},
            )  # fmt: skip
        for c, later in self._order:
            m = self._sizes[c]
            L, inverse = builder.state(m * (m - 1) // 2), builder.state(m)
            self._factors[c] = (L, inverse)
            builder.item(
                ("factor", m), _factor,
                {
                    "block": self._diagonal_read(c), "diagonal": (STATE, diagonals[c], m),
                    "largest": (STATE, largest, 1),
                },
                {"L": L, "inverse": inverse},
            )  # fmt: skip
            for i, late in enumerate(later):
                n = self._sizes[late]
                self._below[late, c] = builder.state(n * m)
                builder.item(
                    ("panel", n, m), _panel,
                    {"block": (STATE, blocks[late, c], n * m), **self._factor_reads(c)},
                    {"block": blocks[late, c], "below": self._below[late, c]},
                )  # fmt: skip
                for early in later[:i]:
                    self._update(blocks, c, late, early)
                builder.item(
                    ("update", n, m), partial(_update_diagonal, m),
                    {
                        "below": (STATE, self._below[late, c], n * m),
                        "panel": (STATE, blocks[late, c], n * m),
                        "block": self._diagonal_read(late),
                    },
                    {"block": self._diagonal[late]},
                )  # fmt: skip

    def _update(self, blocks: dict[tuple[int, int], int], c: int, late: int, early: int) -> None:
        """Append the Schur update of a block by the elimination of c; the block may be fill-in."""
        m, n, k = self._sizes[c], self._sizes[late], self._sizes[early]
        reads = {
            "below": (STATE, self._below[late, c], n * m),
            "panel": (STATE, blocks[early, c], k * m),
        }
        if (late, early) in blocks:
            reads["block"] = (STATE, blocks[late, early], n * k)
        else:
            blocks[late, early] = self._builder.state(n * k)
        self._builder.item(
            ("update", n, k, m, "block" in reads), partial(_update, m), reads,
            {"block": blocks[late, early]},
        )  # fmt: skip

    def _diagonal_read(self, c: int) -> Read:
        m = self._sizes[c]
        return STATE, self._diagonal[c], m * (m + 1) // 2

    def _factor_reads(self, c: int) -> dict[str, Read]:
        m, (L, inverse) = self._sizes[c], self._factors[c]
        return {"L": (STATE, L, m * (m - 1) // 2), "inverse": (STATE, inverse, m)}


def _measure(*, block: Array, largest: Array) -> dict[str, Array]:
    diagonal = _lower(block).diagonal()
    most = largest[0]
    for entry in diagonal:
        most = maximum(most, entry)
    return {"diagonal": diagonal, "largest": np.array([most])}


def _factor(*, block: Array, diagonal: Array, largest: Array) -> dict[str, Array]:
    L, inverse = factor(_lower(block), diagonal, largest[0])
    return {"L": L[np.tril_indices(len(L), -1)], "inverse": inverse}


def _least(*, inverse: Array, least: Array) -> dict[str, Array]:
    smallest = least[0]
    for d_inverse in inverse:
        kept = d_inverse > 0.0
        smallest = select(kept, minimum(smallest, 1.0 / select(kept, d_inverse, 1.0)), smallest)
    return {"least": np.array([smallest])}


def _clear(*, least: Array, largest: Array) -> dict[str, Array]:
    some = largest[0] > 0.0
    return {"clear": np.array([select(some, sqrt(least[0] / select(some, largest[0], 1.0)), 1.0)])}


def _panel(*, block: Array, L: Array, inverse: Array) -> dict[str, Array]:
    P, below = panel(block.reshape(-1, len(inverse)), _unit_lower(L, len(inverse)), inverse)
    return {"block": P, "below": below}


def _update(m: int, *, below: Array, panel: Array, block: Array | None = None) -> dict[str, Array]:
    taken = (below.reshape(-1, m) @ panel.reshape(-1, m).T).ravel()
    return {"block": -taken if block is None else block - taken}


def _update_diagonal(m: int, *, below: Array, panel: Array, block: Array) -> dict[str, Array]:
    taken = below.reshape(-1, m) @ panel.reshape(-1, m).T
    return {"block": block - taken[np.tril_indices(len(taken))]}


def _reduce(*, y: Array, L: Array, inverse: Array) -> dict[str, Array]:
    reduced = solve_lower(_unit_lower(L, len(y)), y)
    return {"y": reduced, "x": inverse * reduced}


def _on(*, below: Array, x: Array, y: Array) -> dict[str, Array]:
    return {"y": y - below.reshape(len(y), len(x)) @ x}


def _back(*, below: Array, late: Array, x: Array) -> dict[str, Array]:
    return {"x": x - below.reshape(len(late), len(x)).T @ late}


def _finish(*, x: Array, L: Array, inverse: Array) -> dict[str, Array]:
    return {"x": solve_lower_transposed(_unit_lower(L, len(x)), x)}


def _lower(packed: Array) -> Array:
    """Return the symmetric matrix of its lower half by rows."""
    m = int(np.sqrt(2 * len(packed)))
    full = np.zeros((m, m), dtype=object)
    full[np.tril_indices(m)] = packed
    full.T[np.tril_indices(m)] = packed
    return full


def _unit_lower(strict: Array, m: int) -> Array:
    L = np.eye(m).astype(object)
    L[np.tril_indices(m, -1)] = strict
    return L
