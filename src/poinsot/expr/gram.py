"""The Gram matrix of rows, factored whatever its rank.

    G = R W Rᵀ = L D Lᵀ,        W diagonal

Over floats and expressions alike.  One straight-line program serves every rank: a pivot D_k is the
squared remainder of row k, its part that is perpendicular to the rows before it; a row with a
negligible remainder is linearly dependent and is dropped, by an inverted pivot that is 0: where a
pivot vanishes, so does the rest of its column [Higham1990].  Products are independent of each other
and elimination takes one division per row: a far shorter dependency chain than Gram-Schmidt
orthogonalisation.  The price is that pivots are squares, so only half the digits tell a remainder
from rounding; solutions need a step of iterative refinement.

Rounding errors grow where a pivot is small: a row that subtracts x times an earlier one of length d
inherits its rounding, about 1e-16 x² d².  A remainder that is no larger counts as zero.

Within a block of rows the one with the largest remainder comes next, by conditional swaps.  Blocks
keep their order, which keeps sparsity.  Rows can be offered twice, first those that are well
conditioned, whose remainder is large.  Otherwise nearly parallel rows would be kept for the small
difference between them, although a later row constrains the same direction well, and their errors
would be amplified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from poinsot.expr.functions import minimum, select, sqrt
from poinsot.expr.least_squares import Vector, larger, limits, truth
from poinsot.expr.node import Scalar
from poinsot.expr.rank_tolerances import DEPENDENT, PRODUCT_ROUNDING
from poinsot.expr.sparse_arithmetic import dot, is_zero, times


@dataclass(frozen=True, eq=False)
class Swap:
    """A conditional swap of two rows.

    Attributes:
        first: A position.
        second: Another.
        happens: Whether they are swapped, 1 or 0.
    """

    first: int
    second: int
    happens: Scalar

    def on(self, entries: Vector) -> None:
        """Swap two entries of a list."""
        a, b = entries[self.first], entries[self.second]
        entries[self.first], entries[self.second] = _swapped(a, b, self.happens)


@dataclass(frozen=True, eq=False)
class Gram:
    """The factors of G.

    Attributes:
        order: Indices of the rows in the order in which they were offered; one that is offered
            twice occurs twice, and is kept once at most.
        swaps: The conditional swaps, in order.
        L: Unit lower triangular, the diagonal not stored, one list per position.
        inverse: Inverted pivots, 0 for dependent rows.
        kept: 1, or 0 for dependent rows.
        left: Squared remainders of the rows.
        longest: The largest squared length of a row.
    """

    order: list[int]
    swaps: list[Swap]
    L: list[Vector]
    inverse: Vector
    kept: Vector
    left: Vector
    longest: Scalar

    def solve(self, wanted: Sequence[Any]) -> Vector:
        """Return x with G x as wanted in the rows that are kept, and x = 0 in all others.

        >>> gram([[2.0, 0.0], [4.0, 0.0], [0.0, 1.0]], [1.0, 1.0]).solve([8.0, 16.0, 3.0])
        [2.0, 0.0, 3.0]
        """
        y = [wanted[k] for k in self.order]
        for swap in self.swaps:
            swap.on(y)
        for i, row in enumerate(self.L):
            for factor, solved in zip(row, y[:i], strict=True):
                y[i] = _minus_product(y[i], factor, solved)
        x = [times(inverse, entry) for inverse, entry in zip(self.inverse, y, strict=True)]
        for i, row in reversed(list(enumerate(self.L))):
            for j, factor in enumerate(row):
                x[j] = _minus_product(x[j], factor, x[i])
        for swap in reversed(self.swaps):
            swap.on(x)
        result: Vector = [0.0] * len(wanted)
        for k, entry in zip(self.order, x, strict=True):
            result[k] = entry if is_zero(result[k]) else result[k] + entry
        return result

    def conditioning(self) -> Scalar:
        """Return the conditioning: the smallest remainder of a kept row, relative to the longest.

        It goes to 0 at a kinematic singularity, where rows become dependent.

        >>> round(gram([[2.0, 0.0], [2.0, 0.1], [4.0, 0.0]], [1.0, 1.0]).conditioning(), 9)
        0.025
        """
        if is_zero(self.longest):
            return 1.0
        least = self.longest
        for kept, left in zip(self.kept, self.left, strict=True):
            least = minimum(least, select(kept, left, self.longest))
        return sqrt(least / self.longest)


def gram(
    rows: Sequence[Sequence[Any]],
    weights: Sequence[Any],
    off: Scalar = 0.0,
    blocks: Sequence[slice] | None = None,
    clear: float | None = None,
) -> Gram:
    """Return the factored Gram matrix of rows.

    Args:
        rows: The rows of R, each of the same length.
        weights: The diagonal of W, positive.
        off: Relative error of the rows, in place of rounding if it is larger.
        blocks: Rows among which the one with the largest remainder comes first; by default each
            stands alone.
        clear: Remainder, relative to the longest row, of rows that are taken before all others; of
            use where there are several blocks.
    """
    groups = [slice(k, k + 1) for k in range(len(rows))] if blocks is None else blocks
    weighted = [[times(x, w) for x, w in zip(row, weights, strict=True)] for row in rows]
    G = [[dot(row, other) for other in weighted[: i + 1]] for i, row in enumerate(rows)]
    squares = [row[-1] for row in G]
    longest: Scalar = 0.0
    for squared in squares:
        longest = larger(longest, squared)
    some = [
        [k for k in range(group.start, group.stop) if not is_zero(squares[k])] for group in groups
    ]
    order: list[int] = []
    least: Vector = []
    ends: list[int] = []
    if clear is not None and len(groups) > 1:
        order = [k for block in some for k in block]
        least = [times(longest, clear**2)] * len(order)
        ends = [k + 1 for k in range(len(order))]
    limit = limits(squares, longest, DEPENDENT, off)
    for block in some:
        order += block
        least += [limit[k] for k in block]
        ends += [len(order)] * len(block)
    A = [[G[max(k, j)][min(k, j)] for j in order[: i + 1]] for i, k in enumerate(order)]
    squares = [row[-1] for row in A]
    return factored(A, squares, [0.0] * len(A), Candidates(order, least, ends, longest))


@dataclass(frozen=True, eq=False)
class Candidates:
    """The rows that are offered.

    Attributes:
        order: Their indices.
        least: Squared remainders up to which they are dependent.
        ends: For each position the end of its block.
        longest: The largest squared length of a row.
    """

    order: list[int]
    least: Vector
    ends: list[int]
    longest: Scalar


def factored(A: list[Vector], squares: Vector, noise: Vector, rows: Candidates) -> Gram:
    """Factor a lower triangle; all lists are changed: entries follow their rows.

    Large matrices are factored block by block; this is the step on a diagonal block.

    Args:
        A: The lower triangle, what elimination has left of it, the rows in order.
        squares: Its diagonal before elimination.
        noise: For each row the squared lengths of rows that elimination has subtracted so far,
            each times the square of its factor: their rounding error is inherited.
        rows: Which rows these are.
    """
    least, ends = rows.least, rows.ends
    swaps: list[Swap] = []
    inverse: Vector = []
    kept: Vector = []
    left: Vector = []
    for k in range(len(A)):
        for other in range(k + 1, ends[k]):
            swap = Swap(k, other, truth(A[other][other] > A[k][k]))
            _swap_symmetric(A, swap)
            for entries in (least, squares, noise):
                swap.on(entries)
            swaps.append(swap)
        left.append(A[k].pop())
        kept.append(truth(left[k] > larger(least[k], times(PRODUCT_ROUNDING, noise[k]))))
        inverse.append(times(kept[k], 1.0 / select(kept[k], left[k], 1.0)))
        for i in range(len(A) - 1, k, -1):
            taken = times(A[i][k], inverse[k])
            for j in range(k + 1, i + 1):
                A[i][j] = _minus_product(A[i][j], taken, A[j][k])
            A[i][k] = taken
            grown = times(times(taken, taken), squares[k])
            noise[i] = grown if is_zero(noise[i]) else noise[i] + grown
    return Gram(rows.order, swaps, A, inverse, kept, left, rows.longest)


def _swap_symmetric(A: list[Vector], swap: Swap) -> None:
    """Swap rows and columns of a symmetric matrix, stored as its lower triangle."""
    a, b = swap.first, swap.second
    for i in range(len(A)):
        if i == a:
            _exchange(A, (a, a), (b, b), swap.happens)
        elif i != b:
            _exchange(A, (max(a, i), min(a, i)), (max(b, i), min(b, i)), swap.happens)


def _exchange(
    A: list[Vector], first: tuple[int, int], second: tuple[int, int], happens: Scalar
) -> None:
    a, b = A[first[0]][first[1]], A[second[0]][second[1]]
    A[first[0]][first[1]], A[second[0]][second[1]] = _swapped(a, b, happens)


def _swapped(a: Scalar, b: Scalar, happens: Scalar) -> tuple[Scalar, Scalar]:
    if a is b or (is_zero(a) and is_zero(b)):
        return a, b
    return select(happens, b, a), select(happens, a, b)


def _minus_product(a: Scalar, factor: Scalar, b: Scalar) -> Scalar:
    taken = times(factor, b)
    return a if is_zero(taken) else a - taken
