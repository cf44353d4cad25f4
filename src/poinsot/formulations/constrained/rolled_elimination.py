"""Sparse block elimination, rolled: G x = b with G positive semidefinite, of any rank.

Blocks are eliminated sequentially, in an order with little fill-in; within a block the row with the
largest remainder comes next, and ranks are decided as in straight-line code (``expr/gram.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from operator import neg

import numpy as np

from poinsot.expr.functions import maximum, minimum, select, sqrt
from poinsot.expr.gram import Candidates, Swap, factored
from poinsot.expr.least_squares import limits
from poinsot.expr.linalg import solve_lower, solve_lower_transposed
from poinsot.expr.packing import UNIT_LOWER
from poinsot.expr.rank_tolerances import DEPENDENT
from poinsot.formulations.rolled_sweep import RolledSweep, Slot
from poinsot.formulations.sweep import WHOLE
from poinsot.spatial import Array, Scalar


@dataclass(frozen=True, eq=False)
class BlockFactor:
    """A factored diagonal block, its rows in the order of their pivots.

    Attributes:
        L: The factor, (m, m).
        inverse: Inverted pivots, 0 for dependent rows, (m,).
        swaps: Whether each pair of rows was swapped, 1 or 0, in the order of
            ``combinations(range(m), 2)``.
    """

    L: Array = field(metadata=UNIT_LOWER)
    inverse: Array
    swaps: Array

    def ordered(self, entries: Array) -> Array:
        """Return entries by rows, (m,), in the order of the pivots."""
        return self._swapped(entries, list(self._pairs()))

    def restored(self, entries: Array) -> Array:
        """Return entries in the order of the pivots, (m,), by rows."""
        return self._swapped(entries, list(self._pairs())[::-1])

    def _pairs(self) -> Iterator[Swap]:
        pairs = combinations(range(len(self.inverse)), 2)
        for (first, second), happens in zip(pairs, self.swaps.tolist(), strict=True):
            yield Swap(first, second, happens)

    @staticmethod
    def _swapped(entries: Array, swaps: Sequence[Swap]) -> Array:
        values = entries.tolist()
        for swap in swaps:
            swap.on(values)
        return np.array(values)


class RolledFactor:
    """The factored matrix, ready for right-hand sides.

    Args:
        sweep: Collects the items.
        order: Elimination order, each block with its later neighbours.
        diagonal: The diagonal blocks, symmetric; overwritten.
        blocks: The others, by (later, earlier) in that order; overwritten.
        off: Relative error of the rows, in place of rounding if it is larger.
    """

    def __init__(
        self, sweep: RolledSweep, order: Sequence[tuple[int, Sequence[int]]],
        diagonal: Sequence[Slot], blocks: dict[tuple[int, int], Slot], off: Slot,
    ) -> None:  # fmt: skip
        self._sweep, self._order, self._diagonal = sweep, order, diagonal
        self._factors: dict[int, Slot] = {}
        self._below: dict[tuple[int, int], Slot] = {}
        self._eliminate(dict(blocks), off)

    def solve(self, b: Sequence[Slot]) -> list[Slot]:
        """Append the solution of G x = -b, 0 for dependent rows; return it by block.

        Args:
            b: The right-hand side, by block.
        """
        apply, below = self._sweep.apply, self._below
        y, x = [apply(neg, entries) for entries in b], list(b)
        for c, later in self._order:
            y[c], x[c] = apply(_reduce, y[c], self._factors[c], into=(y[c], None))
            for late in later:
                apply(_on, below[late, c], y[c], y[late], into=y[late])
        for c, later in reversed(self._order):
            for late in later:
                apply(_back, below[late, c], x[late], x[c], into=x[c])
            apply(_finish, x[c], self._factors[c], into=x[c])
        return x

    def conditioning(self) -> Slot:
        """Append the conditioning: root of the smallest pivot ratio.

        It vanishes where rows become dependent.
        """
        apply = self._sweep.apply
        least = apply(_same, self._largest)
        for c in range(len(self._diagonal)):
            apply(_least, self._factors[c], least, into=least)
        conditioning: Slot = apply(_conditioning, least, self._largest)
        return conditioning

    def _eliminate(self, blocks: dict[tuple[int, int], Slot], off: Slot) -> None:
        apply, diagonal = self._sweep.apply, self._diagonal
        self._sweep.start("largest", 0.0, WHOLE)
        self._largest = largest = self._sweep.values("largest")[WHOLE]
        measured = [apply(_measure, block, largest, into=(None, largest))[0] for block in diagonal]
        noise = [apply(np.zeros_like, squares) for squares in measured]
        nothing = self._sweep.constant(None)
        for c, later in self._order:
            self._factors[c], measured[c] = apply(
                _factor, diagonal[c], measured[c], largest, noise[c], off, into=(None, measured[c])
            )
            for i, late in enumerate(later):
                block = blocks[late, c]
                _, below = apply(_panel, block, self._factors[c], into=(block, None))
                self._below[late, c] = below
                for early in later[:i]:
                    known = blocks.get((late, early))  # none where there is fill-in
                    blocks[late, early] = apply(
                        _update, below, blocks[early, c], known or nothing, into=known
                    )
                apply(_update, below, block, diagonal[late], into=diagonal[late])
                apply(_inherit, below, measured[c], noise[late], into=noise[late])


def _same(x: Scalar) -> Scalar:
    return x


def _measure(block: Array, largest: Scalar) -> tuple[Array, Scalar]:
    diagonal = block.diagonal()
    for entry in diagonal:
        largest = maximum(largest, entry)
    return diagonal, largest


def _factor(
    block: Array, diagonal: Array, largest: Scalar, noise: Array, off: Scalar
) -> tuple[BlockFactor, Array]:
    """Return the factor, and the diagonal before elimination in the order of the pivots."""
    m, squares = len(block), diagonal.tolist()
    lower = [row[: k + 1] for k, row in enumerate(block.tolist())]
    least = limits(squares, largest, DEPENDENT, off)
    rows = Candidates(list(range(m)), least, [m] * m, largest)
    block_gram = factored(lower, squares, noise.tolist(), rows)
    L = np.array([[*row, 1.0, *[0.0] * (m - 1 - k)] for k, row in enumerate(block_gram.L)])
    swaps = np.array([swap.happens for swap in block_gram.swaps])
    return BlockFactor(L, np.array(block_gram.inverse), swaps), np.array(squares)


def _inherit(below: Array, diagonal: Array, noise: Array) -> Array:
    inherited: Array = noise + (below * below) @ diagonal
    return inherited


def _least(factor: BlockFactor, least: Scalar) -> Scalar:
    for d_inverse in factor.inverse:
        kept = d_inverse > 0.0
        least = select(kept, minimum(least, 1.0 / select(kept, d_inverse, 1.0)), least)
    return least


def _conditioning(least: Scalar, largest: Scalar) -> Scalar:
    some = largest > 0.0
    return select(some, sqrt(least / select(some, largest, 1.0)), 1.0)


def _panel(block: Array, factor: BlockFactor) -> tuple[Array, Array]:
    """Return A L⁻ᵀ, and the block of the whole factor below the diagonal one, A L⁻ᵀ D⁻¹."""
    ordered = np.array([factor.ordered(row) for row in block])
    panel = solve_lower(factor.L, ordered.T).T
    return panel, panel * factor.inverse


def _update(below: Array, panel: Array, block: Array | None) -> Array:
    taken: Array = below @ panel.T
    return -taken if block is None else block - taken


def _reduce(y: Array, factor: BlockFactor) -> tuple[Array, Array]:
    reduced = solve_lower(factor.L, factor.ordered(y))
    return reduced, factor.inverse * reduced


def _on(below: Array, x: Array, y: Array) -> Array:
    left: Array = y - below @ x
    return left


def _back(below: Array, late: Array, x: Array) -> Array:
    left: Array = x - below.T @ late
    return left


def _finish(x: Array, factor: BlockFactor) -> Array:
    return factor.restored(solve_lower_transposed(factor.L, x))
