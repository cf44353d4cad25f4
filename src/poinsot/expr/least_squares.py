"""Orthogonal bases and least-norm solutions of rank-deficient systems.

Over floats and expressions alike: the rank is decided at run time, and a dependent column is
dropped by factors that are 1 or 0.  So one straight-line program serves every rank, and no pivot
that is zero is ever divided by.

Columns are orthogonalised sequentially (modified Gram-Schmidt [Bjorck1967]),

    b_k = sum of q_i c_ik,

with q_i = 0 once all columns depend on the directions before.  Within a block of columns the one
with the largest remainder comes next, so that a well-conditioned one is not dropped for the sake of
a poor one before it; blocks keep their order, which keeps sparsity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.functions import maximum, minimum, select, sqrt
from poinsot.expr.node import Expr, Scalar
from poinsot.expr.rank_tolerances import (
    DEPENDENT,
    DETERMINED,
    NEGLIGIBLE,
    SHORT_ROW,
    UNMISTAKABLE,
    ZERO_ROW,
)
from poinsot.expr.sparse_arithmetic import dot, is_zero, minus, times, total

Vector: TypeAlias = list[Any]


@dataclass(frozen=True, eq=False)
class Direction:
    """A unit vector of a basis, and the column that it comes from.

    Attributes:
        q: The unit vector; zero where no column has a remainder.
        along: q·b for each column b.
        chosen: 1 for the column that it comes from, 0 for all others, by index of the column.
        kept: 1, or 0 where q is zero.
        left: Squared remainder of that column.
    """

    q: Vector
    along: Vector
    chosen: dict[int, Scalar]
    kept: Scalar
    left: Scalar


@dataclass(frozen=True, eq=False)
class Basis:
    """An orthonormal basis of columns.

    Attributes:
        directions: Unit vectors, in order.
        n_columns: Number of columns.
    """

    directions: list[Direction]
    n_columns: int

    @property
    def q(self) -> list[Vector]:
        """The unit vectors."""
        return [direction.q for direction in self.directions]

    @property
    def kept(self) -> Vector:
        """For each column 1 where it adds a direction, else 0."""
        return [
            total(
                times(direction.chosen.get(k, 0.0), direction.kept) for direction in self.directions
            )
            for k in range(self.n_columns)
        ]


@dataclass(frozen=True, eq=False)
class LeastNorm:
    """The shortest x for which B x is nearest to a target.

    Attributes:
        x: The solution, shape (columns,).
        determined: 1 for entries that are the same in every solution, else 0, shape (columns,).
        rest: Residual, target - B x, shape (rows,).
    """

    x: NDArray[Any]
    determined: NDArray[Any]
    rest: NDArray[Any]


def significant(rows: NDArray[Any], nothing: float = ZERO_ROW) -> NDArray[Any]:
    """Return rows, those below rounding error as zeros, in the same shape.

    ``orthonormal`` would take rounding errors for a direction.

    Args:
        rows: Shape (m, n).
        nothing: Length up to which a row is rounding error.

    >>> significant(np.array([[1e-17, -1e-16], [0.5, 0.0]]))
    array([[0. , 0. ],
           [0.5, 0. ]])
    """
    entries: list[Vector] = []
    for row in rows.tolist():
        squared = dot(row, row)
        counts = 0.0 if is_zero(squared) else truth(squared > nothing**2)
        entries.append([times(counts, x) for x in row])
    return _array([x for row in entries for x in row]).reshape(rows.shape)


def orthonormal(
    columns: Sequence[Sequence[Any]],
    off: Scalar = 0.0,
    blocks: Sequence[slice] | None = None,
    tolerance: float = DEPENDENT,
) -> Basis:
    """Return a basis of the space that columns span.

    Args:
        columns: The columns, each of the same length.
        off: Relative error of the columns, in place of rounding if it is larger.
        blocks: Columns among which the largest remainder comes first; by default each stands alone.
        tolerance: Remainder, relative to its length, up to which a column is dependent.

    >>> basis = orthonormal([[3.0, 0.0], [6.0, 0.0], [1.0, 2.0]])
    >>> basis.q, basis.kept
    ([[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0, 1.0])
    """
    squares = [dot(column, column) for column in columns]
    longest: Scalar = 0.0
    for squared in squares:
        longest = larger(longest, squared)
    least = limits(squares, longest, tolerance, off)
    rests = [list(column) for column in columns]
    directions: list[Direction] = []
    for block in blocks or [slice(k, k + 1) for k in range(len(columns))]:
        numbers = range(block.start, block.stop)
        for k in numbers:
            for direction in directions:
                along = dot(direction.q, rests[k])
                rests[k] = minus(rests[k], along, direction.q)
                direction.along[k] = along
        nonzero = [k for k in numbers if not all(map(is_zero, rests[k]))]
        width = len(rests[nonzero[0]]) if nonzero else 0
        for _ in nonzero[:width]:
            directions.append(_next_direction(rests, least, nonzero))
            for k in range(block.start):  # remainders of columns that were dropped
                directions[-1].along[k] = dot(directions[-1].q, rests[k])
    return Basis(directions, len(columns))


def limits(squares: Vector, longest: Scalar, tolerance: float, off: Scalar = 0.0) -> Vector:
    """Return the squared remainders up to which columns are dependent.

    Args:
        squares: Squares of the lengths of the columns.
        longest: The largest of them.
        tolerance: Remainder, relative to its length, up to which a column is dependent.
        off: Relative error of the columns.
    """
    least, short = times(longest, NEGLIGIBLE**2), times(longest, SHORT_ROW**2)
    result: Vector = []
    for squared in squares:
        counted = larger(squared, least)
        change: Scalar = 0.0
        if not is_zero(off):
            change = times(larger(counted, short), off * off)
            change = minimum(change, times(counted, UNMISTAKABLE**2))
        result.append(larger(times(counted, tolerance**2), change))
    return result


def _next_direction(rests: list[Vector], least: Vector, candidates: Sequence[int]) -> Direction:
    """Return the direction of the largest remainder, and project it out of all of a block."""
    squares = [dot(rests[k], rests[k]) for k in candidates]
    most: Scalar = squares[0]
    for squared in squares[1:]:
        most = maximum(most, squared)
    chosen = dict(zip(candidates, first_equal(squares, most), strict=True))
    limit = total(times(hot, least[k]) for k, hot in chosen.items())
    kept = truth(most > limit)
    inverse = times(kept, 1.0 / sqrt(select(kept, most, 1.0)))
    rows = [[times(hot, x) for x in rests[k]] for k, hot in chosen.items()]
    q = [times(inverse, total(entries)) for entries in zip(*rows, strict=True)]
    along: Vector = [0.0] * len(rests)
    for k in candidates:
        along[k] = dot(q, rests[k])
        rests[k] = minus(rests[k], along[k], q)
    return Direction(q, along, chosen, kept, most)


def first_equal(numbers: Vector, largest: Scalar) -> Vector:
    """Return 1 for the first of the largest, 0 for all others."""
    if len(numbers) == 1:
        return [1.0]
    marks: Vector = []
    left: Scalar = 1.0
    for x in numbers:
        marks.append(times(left, truth(x >= largest)))
        left = left - marks[-1]
    return marks


def allowed(basis: Basis, vector: Sequence[Any]) -> Vector:
    """Return what is left of a vector without its components along a basis, one after the other."""
    rest = list(vector)
    for direction in basis.q:
        rest = minus(rest, dot(direction, rest), direction)
    return rest


def least_norm(basis: Basis, target: Sequence[Any]) -> LeastNorm:
    """Return the shortest x for which B x is nearest to the target.

    B x is along the q: C x = q·target with the entries c_ik.  The shortest x has no component in
    the null space of C; an entry is determined if all vectors of the null space are zero there.

    Args:
        basis: Of the columns of B.
        target: What B x is to be, as long as a column.

    >>> solution = least_norm(orthonormal([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]]), [2.0, 2.0])
    >>> solution.x.round(12), solution.determined
    (array([1., 1., 1.]), array([0., 0., 1.]))
    """
    rest = list(target)
    x: Vector = [0.0] * basis.n_columns
    rows: list[Vector] = []
    for direction in basis.directions:
        wanted = dot(direction.q, rest)
        rest = minus(rest, wanted, direction.q)
        row = direction.along
        wanted = wanted - dot(row, x)
        for w in rows:
            row = minus(row, dot(w, row), w)
        squared = dot(row, row)
        inverse = times(direction.kept, 1.0 / sqrt(select(direction.kept, squared, 1.0)))
        w = [times(inverse, entry) for entry in row]
        x = minus(x, times(-1.0, times(inverse, wanted)), w)
        rows.append(w)
    determined: list[Scalar] = []
    for k in range(basis.n_columns):
        open_ = total([1.0, *(-times(w[k], w[k]) for w in rows)])
        determined.append(truth(open_ <= DETERMINED**2))
    return LeastNorm(_array(x), _array(determined), _array(rest))


def larger(a: Scalar, b: Scalar) -> Scalar:
    """Return the larger of two numbers that are not negative."""
    return a if is_zero(b) else b if is_zero(a) else maximum(a, b)


def truth(condition: Any) -> Scalar:  # noqa: ANN401 (a bool or an expression)
    """Return 1 or 0."""
    return condition if isinstance(condition, Expr) else float(condition)


def _array(entries: Vector) -> NDArray[Any]:
    kind = object if any(isinstance(x, Expr) for x in entries) else float
    return np.array(entries, dtype=kind)
