"""Orthogonal bases and least-norm solutions of rows of numbers, as ``least_squares`` makes them.

The same steps, decisions and tolerances on arrays, with one matrix product per direction: for rows
in the hundreds, whose every operation would be too many to list.  Machine code does the same in
loops (``kernels/llvm/least_norm_ir.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.least_squares import LeastNorm
from poinsot.expr.rank_tolerances import DEPENDENT, DETERMINED, NEGLIGIBLE, SHORT_ROW, UNMISTAKABLE

Numbers: TypeAlias = NDArray[np.float64]

PADDING = 8
"""Vectors of machine code have a multiple of so many entries: whole registers, up to this wide."""


@dataclass(frozen=True, eq=False)
class NumericBasis:
    """An orthonormal basis of rows.

    Attributes:
        q: The unit vectors, shape (rank, n).
        along: Their products with the rows, shape (rank, m).
        chosen: The row that each comes from, shape (rank,).
    """

    q: Numbers
    along: Numbers
    chosen: NDArray[np.intp]

    @property
    def rank(self) -> int:
        """Number of independent rows."""
        return len(self.q)

    @property
    def kept(self) -> NDArray[np.bool_]:
        """For each row whether it adds a direction, shape (m,)."""
        result = np.zeros(self.along.shape[1], bool)
        result[self.chosen] = True
        return result

    def allowed(self, vectors: Numbers) -> Numbers:
        """Return what is left of vectors, shape (k, n), without their components along the basis.

        One direction after the other, which leaves less rounding error than all at once.
        """
        rest = np.array(vectors)
        for direction in self.q:
            rest -= np.outer(rest @ direction, direction)
        return rest

    def least_norm(self, target: Numbers) -> LeastNorm:
        """Return the shortest x with which the rows combine to the nearest of a target."""
        rest, x = np.array(target), np.zeros(self.along.shape[1])
        w = np.array(self.along)
        for k, direction in enumerate(self.q):
            wanted = direction @ rest
            rest -= wanted * direction
            wanted -= w[k] @ x
            for earlier in w[:k]:
                product = earlier @ w[k]
                if product != 0.0:
                    w[k] -= product * earlier
            inverse = 1.0 / np.sqrt(w[k] @ w[k])
            w[k] *= inverse
            x += inverse * wanted * w[k]
        determined = 1.0 - (w * w).sum(axis=0) <= DETERMINED**2
        return LeastNorm(x, determined.astype(float), rest)


def significant_rows(rows: Numbers, nothing: float) -> Numbers:
    """Return rows, those up to this length as zeros: they are rounding errors."""
    squares = np.einsum("ij,ij->i", rows, rows)
    return np.asarray(np.where((squares <= nothing**2)[:, None], 0.0, rows))


def numeric_basis(
    rows: Numbers, ends: Sequence[int] | None = None, off: float = 0.0, tolerance: float = DEPENDENT
) -> NumericBasis:
    """Return a basis of the space that rows span.

    Args:
        rows: Shape (m, n).
        ends: For each row the end of its block, in which the largest remainder comes first; by
            default each row stands alone.
        off: Relative error of the rows, in place of rounding if it is larger.
        tolerance: Remainder, relative to its length, up to which a row is dependent.

    >>> numeric_basis(np.array([[3.0, 0.0], [6.0, 0.0], [1.0, 2.0]])).kept
    array([ True, False,  True])
    """
    m, n = rows.shape
    squares = np.einsum("ij,ij->i", rows, rows)
    least = _limits(squares, tolerance, off)
    some = np.flatnonzero(squares)
    rests = np.array(rows[some], float)
    q: list[Numbers] = []
    along: list[Numbers] = []
    chosen: list[int] = []
    stops = some + 1 if ends is None else np.asarray(ends, int)[some]
    start = 0
    while start < len(some):
        end = start + int(np.searchsorted(some[start:], stops[start]))
        for _ in range(end - start):
            remainders = np.einsum("ij,ij->i", rests[start:end], rests[start:end])
            best = start + int(np.argmax(remainders))
            most = remainders[best - start]
            if len(q) == n or not most > least[some[best]]:
                break
            direction = rests[best] * (1.0 / np.sqrt(most))
            span = slice(*(np.flatnonzero(direction)[[0, -1]] + [0, 1]))
            products = rests[:, span] @ direction[span]
            met = start + np.flatnonzero(products[start:])
            rests[met, span] -= np.outer(products[met], direction[span])
            rests[best] = 0.0
            q.append(direction)
            along.append(np.zeros(m))
            along[-1][some] = products
            chosen.append(int(some[best]))
        start = end
    return NumericBasis(
        np.array(q).reshape(len(q), n),
        np.array(along).reshape(len(q), m),
        np.array(chosen, np.intp),
    )


def memory_size(m: int, n: int) -> int:
    """Return the numbers that machine code keeps for m rows of length n.

    Remainders, directions and components, target and solution, the ranges in which they are not
    zero; limits, sums and marks of rows.
    """
    rows, columns = (-(-size // PADDING) * PADDING for size in (m, n))
    return m * (2 * columns + rows) + columns + 6 * rows + 2 * (3 * m + 2)


def _limits(squares: Numbers, tolerance: float, off: float) -> Numbers:
    """Return the squared remainders up to which rows are dependent; see ``least_squares``."""
    longest = squares.max(initial=0.0)
    counted = np.maximum(squares, longest * NEGLIGIBLE**2)
    change = np.maximum(counted, longest * SHORT_ROW**2) * (off * off)
    change = np.minimum(change, counted * UNMISTAKABLE**2)
    return np.asarray(np.maximum(counted * tolerance**2, change))
