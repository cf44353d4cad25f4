"""Orthogonal bases and least-norm solutions of rows of numbers, as ``least_squares`` makes them.

The same steps, decisions and tolerances on arrays, with one matrix product per direction: for rows
in the hundreds, whose every operation would be too many to list.  Machine code does the same in
loops (``kernels/llvm/row_basis_ir.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.least_squares import LeastNorm
from poinsot.expr.rank_tolerances import (
    DEPENDENT,
    DETERMINED,
    NEGLIGIBLE,
    PRODUCT_ROUNDING,
    SHORT_ROW,
    UNMISTAKABLE,
)

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
        conditioning: The smallest remainder of these rows, relative to the longest of all.
    """

    q: Numbers
    along: Numbers
    chosen: NDArray[np.intp]
    conditioning: float

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

    def shortest(self, demand: Numbers) -> Numbers:
        """Return the shortest x whose products with the rows of the basis are as demanded.

        Args:
            demand: For each row, shape (m,); those of dependent rows do not count.
        """
        factors = self.along[:, self.chosen]
        components = np.zeros(self.rank)
        for k, row in enumerate(self.chosen):
            components[k] = (demand[row] - factors[:k, k] @ components[:k]) / factors[k, k]
        return np.asarray(components @ self.q)

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
    rows: Numbers, ends: Sequence[int] | None = None, off: float = 0.0,
    tolerance: float = DEPENDENT, clear: float | None = None,
) -> NumericBasis:  # fmt: skip
    """Return a basis of the space that rows span.

    Args:
        rows: Shape (m, n).
        ends: For each row the end of its block, in which the largest remainder comes first; by
            default each row stands alone.
        off: Relative error of the rows, in place of rounding if it is larger.
        tolerance: Remainder, relative to its length, up to which a row is dependent.
        clear: Remainder, relative to the longest row, of rows that are taken before all others;
            remainders that would be rounding error of products of rows count as zero then, as in
            ``gram``.

    >>> numeric_basis(np.array([[3.0, 0.0], [6.0, 0.0], [1.0, 2.0]])).kept
    array([ True, False,  True])
    """
    squares = np.einsum("ij,ij->i", rows, rows)
    some, longest = np.flatnonzero(squares), squares.max(initial=0.0)
    rests = _Remainders(rows, some, squares[some], 0.0 if clear is None else PRODUCT_ROUNDING)
    if clear is not None:
        rests.choose(np.full(len(some), longest * clear**2), some + 1, is_last=False)
    stops = some + 1 if ends is None else np.asarray(ends, int)[some]
    rests.choose(_limits(squares, tolerance, off)[some], stops)
    return rests.basis(longest)


class _Remainders:
    """What orthogonalisation has left of rows, and the directions so far.

    Args:
        rows: All rows, shape (m, n).
        some: Indices of those that are not zero.
        squares: Their squared lengths.
        rounding: Fraction of a product of two rows that may be rounding error.
    """

    def __init__(
        self, rows: Numbers, some: NDArray[np.intp], squares: Numbers, rounding: float
    ) -> None:
        self._m, self._n = rows.shape
        self._some, self._squares, self._rounding = some, squares, rounding
        self._rests, self._noise = np.array(rows[some], float), np.zeros(len(some))
        self._q, self._along = list[Numbers](), list[Numbers]()
        self._chosen, self._least = list[int](), list[float]()

    def choose(self, least: Numbers, stops: NDArray[np.intp], *, is_last: bool = True) -> None:
        """Add the directions of rows, block by block.

        Args:
            least: Squared remainders up to which rows are dependent.
            stops: For each row the index of the row at which its block ends.
            is_last: Whether rows that are dependent now are so for good.
        """
        start = 0
        while start < len(self._some):
            end = start + int(np.searchsorted(self._some[start:], stops[start]))
            for _ in range(end - start):
                remainders = np.einsum("ij,ij->i", *[self._rests[start:end]] * 2)
                best = start + int(np.argmax(remainders))
                most = remainders[best - start]
                limit = max(least[best], self._rounding * self._noise[best])
                if len(self._q) == self._n or not most > limit:
                    break
                self._add(best, most, start if is_last else 0)
            start = end

    def _add(self, best: int, squared: float, first: int) -> None:
        """Add the direction of a row, and project it out of all rows from the first on."""
        direction = self._rests[best] * (1.0 / np.sqrt(squared))
        span = slice(*(np.flatnonzero(direction)[[0, -1]] + [0, 1]))
        products = self._rests[:, span] @ direction[span]
        met = first + np.flatnonzero(products[first:])
        self._rests[met, span] -= np.outer(products[met], direction[span])
        self._rests[best] = 0.0
        self._noise += products**2 * (self._squares[best] / squared)
        self._q.append(direction)
        self._along.append(np.zeros(self._m))
        self._along[-1][self._some] = products
        self._chosen.append(int(self._some[best]))
        self._least.append(squared)

    def basis(self, longest: float) -> NumericBasis:
        """Return the basis.

        Args:
            longest: The largest squared length of a row.
        """
        rank, least = len(self._q), min(self._least, default=longest)
        return NumericBasis(
            np.array(self._q).reshape(rank, self._n),
            np.array(self._along).reshape(rank, self._m),
            np.array(self._chosen, np.intp),
            float(np.sqrt(least / longest)) if longest > 0.0 else 1.0,
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
