"""Least-norm solutions of rolled programs as items, which can be differentiated.

The steps of ``expr/least_squares.py``, over vectors that lie in the state: products and projections
are items of a few codes, the decisions items on numbers.  Loops over rows (``numeric_basis``) take
less time, and have no derivative.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from poinsot.errors import ProgramError
from poinsot.expr import RolledBuilder, maximum, select, sqrt
from poinsot.expr.least_squares import (
    first_equal,
    limits,
    truth,
)
from poinsot.expr.rank_tolerances import DEPENDENT, DETERMINED, ZERO_ROW
from poinsot.expr.rolled_code import STATE
from poinsot.expr.sparse_arithmetic import total
from poinsot.formulations.constrained.rolled_jacobian import Block
from poinsot.spatial import Array

MOST_PRODUCTS: Final = 2_000
"""Products of vectors of a solution, each an item, at most."""


def append_written_out(
    builder: RolledBuilder, rows: Sequence[Block], groups: Sequence[slice], n: int, target: int, *,
    nothing: float = ZERO_ROW, off: int | None = None, units: Sequence[int] = (),
    solves: bool = False,
) -> tuple[int, int]:  # fmt: skip
    """Append a least-norm solution; for the arguments see ``rolled_least_norm.append_looped``.

    Raises:
        ProgramError: If it would be too long.
    """
    m = groups[-1].stop if groups else 0
    if m * (m + len(units)) > MOST_PRODUCTS:
        raise ProgramError("a least-norm solution of so many rows is not written out")
    return _WrittenOut(builder, m, n).appended(
        rows, groups, target, nothing=nothing, off=off, units=units, solves=solves
    )


class _WrittenOut:
    """Appends the items of one solution of m rows of n columns.

    Attributes:
        rests: Index of what is left of the rows, (m, n).
        least: Index of the squared remainders up to which they are dependent, (m,).
        directions: For each the index of q (n), of its products with the rows (m), and of 1 where
            it counts.
    """

    def __init__(self, builder: RolledBuilder, m: int, n: int) -> None:
        self._builder, self._m, self._n = builder, m, n
        self.rests, self.least = builder.state(m * n), builder.state(m)
        self.directions: list[tuple[int, int, int]] = []

    def appended(
        self, rows: Sequence[Block], groups: Sequence[slice], target: int, *, nothing: float,
        off: int | None, units: Sequence[int], solves: bool,
    ) -> tuple[int, int]:  # fmt: skip
        """Append everything; return the indices of the rests and of the solution."""
        builder, n, m = self._builder, self._n, self._m
        self._append_rows(rows, nothing, off)
        for group in groups:
            self._append_group(group)
        rests, solution = builder.state((1 + len(units)) * n), builder.state(2 * m)
        wanted = builder.state(len(self.directions))
        builder.item(
            ("copy", n), lambda x: {"y": x}, {"x": (STATE, target, n)}, {"y": rests}
        )  # fmt: skip
        for k, unit in enumerate(units, start=1):
            builder.item(
                ("unit", n, unit), lambda unit=unit: {"y": np.eye(n)[unit]}, {},
                {"y": rests + k * n},
            )  # fmt: skip
        unused = builder.state(1)
        for k in range(1 + len(units)):
            for d in range(len(self.directions)):
                self._project(d, rests + k * n, wanted + d if k == 0 else unused)
        if solves:
            self._append_solution(wanted, solution)
        return rests, solution

    def _append_rows(self, rows: Sequence[Block], nothing: float, off: int | None) -> None:
        """Append the rows, those that are rounding errors as zeros, and their limits."""
        builder, m, n = self._builder, self._m, self._n

        def matrix(**blocks: Array) -> dict[str, Array]:
            J = np.zeros((m, n), dtype=object)
            for block, entries in zip(rows, blocks.values(), strict=True):
                J[block.entries] = entries.reshape(block.shape)
            return {"J": J}

        def significant(row: Array) -> dict[str, Any]:
            squared = row @ row
            counts = truth(squared > nothing**2)
            return {"row": row * counts, "squared": [squared * counts]}

        def least(squares: Array, off: Array | None = None) -> dict[str, Any]:
            longest = squares[0]
            for squared in squares[1:]:
                longest = maximum(longest, squared)
            error = 0.0 if off is None else off[0]
            return {"least": limits(squares.tolist(), longest, DEPENDENT, error)}

        if not m:
            return
        squares = builder.state(m)
        reads = {
            f"block{k}": (STATE, block.slot.start, block.slot.layout.size)
            for k, block in enumerate(rows)
        }
        builder.item(("rows", self.rests), matrix, reads, {"J": self.rests})
        each = self.rests + n * np.arange(m)
        builder.item(
            ("significant", n, nothing), significant, {"row": (STATE, each, n)},
            {"row": each, "squared": squares + np.arange(m)},
        )  # fmt: skip
        given = {"squares": (STATE, squares, m)} | ({} if off is None else {"off": (STATE, off, 1)})
        builder.item(("least", m, off is None), least, given, {"least": self.least})

    def _append_group(self, group: slice) -> None:
        """Append the directions of a group of rows, the largest remainder first."""
        builder, n, size = self._builder, self._n, group.stop - group.start
        members = self.rests + n * np.arange(group.start, group.stop)
        for d, (_, along, _) in enumerate(self.directions):
            for k in range(group.start, group.stop):
                self._project(d, self.rests + n * k, along + k)
        squares = builder.state(size)
        for _ in range(min(size, n)):
            q, along = builder.state(n), builder.state(self._m)
            kept, hot = builder.state(1), builder.state(size)
            builder.item(
                ("square", n), lambda x: {"y": [x @ x]}, {"x": (STATE, members, n)},
                {"y": squares + np.arange(size)},
            )  # fmt: skip
            builder.item(
                ("choice", size), _choice,
                {"squares": (STATE, squares, size),
                 "least": (STATE, self.least + group.start, size)},
                {"hot": hot, "kept": kept},
            )  # fmt: skip
            builder.item(
                ("combination", size, n),
                lambda rows, hot: {"q": hot @ rows.reshape(len(hot), -1)},
                {"rows": (STATE, self.rests + n * group.start, size * n),
                 "hot": (STATE, hot, size)},
                {"q": q},
            )  # fmt: skip
            self.directions.append((q, along, kept))
            d = len(self.directions) - 1
            for k in range(group.start, group.stop):
                self._project(d, self.rests + n * k, along + k)
            for k in range(group.start):  # remainders of rows that were dropped
                builder.item(
                    ("product", n), lambda q, x: {"y": [q @ x]},
                    {"q": (STATE, q, n), "x": (STATE, self.rests + n * k, n)}, {"y": along + k},
                )  # fmt: skip

    def _project(self, direction: int, vector: int, along: int) -> None:
        """Append the projection of a vector out of a direction, in place, and their product."""
        self._projected(self._n, self.directions[direction][0], vector, along)

    def _projected(self, n: int, q: int, vector: int, along: int) -> None:
        """Append the same for vectors of n entries."""
        self._builder.item(
            ("projection", n), _projection,
            {"q": (STATE, q, n), "x": (STATE, vector, n)}, {"x": vector, "along": along},
        )  # fmt: skip

    def _append_solution(self, wanted: int, solution: int) -> None:
        """Append x of least norm, and which of its entries are determined."""
        builder, m = self._builder, self._m
        rows: list[int] = []
        if not m:
            return
        x, left = solution, solution + m  # what is left of unit vectors, until the end
        builder.item(
            ("begin", m), lambda: {"x": np.zeros(m), "left": np.ones(m)}, {},
            {"x": x, "left": left},
        )  # fmt: skip
        unused = builder.state(1)
        for d, (_, along, kept) in enumerate(self.directions):
            w = builder.state(m)
            builder.item(
                ("remaining", m), lambda row, x, wanted: {"w": row, "wanted": wanted - row @ x},
                {"row": (STATE, along, m), "x": (STATE, x, m), "wanted": (STATE, wanted + d, 1)},
                {"w": w, "wanted": wanted + d},
            )  # fmt: skip
            for earlier in rows:
                self._projected(m, earlier, w, unused)
            builder.item(
                ("component", m), _component,
                {"w": (STATE, w, m), "x": (STATE, x, m), "left": (STATE, left, m),
                 "wanted": (STATE, wanted + d, 1), "kept": (STATE, kept, 1)},
                {"w": w, "x": x, "left": left},
            )  # fmt: skip
            rows.append(w)
        builder.item(
            ("determined", m), lambda left: {"y": [truth(k <= DETERMINED**2) for k in left]},
            {"left": (STATE, left, m)}, {"y": left},
        )  # fmt: skip


def _choice(squares: Array, least: Array) -> dict[str, Any]:
    """Return marks of the row that comes next, over its length, and whether it counts."""
    most = squares[0]
    for squared in squares[1:]:
        most = maximum(most, squared)
    chosen = first_equal(squares.tolist(), most)
    limit = total(mark * x for mark, x in zip(chosen, least, strict=True))
    kept = truth(most > limit)
    inverse = kept / sqrt(select(kept, most, 1.0))
    return {"hot": [inverse * mark for mark in chosen], "kept": [kept]}


def _projection(q: Array, x: Array) -> dict[str, Any]:
    along = q @ x
    return {"x": x - along * q, "along": [along]}


def _component(w: Array, x: Array, left: Array, wanted: Array, kept: Array) -> dict[str, Any]:
    """Return the unit vector of a row, x with its component, and what is left of unit vectors."""
    squared: Any = w @ w
    inverse = kept[0] / sqrt(select(kept[0], squared, 1.0))
    unit = inverse * w
    return {"w": unit, "x": x + inverse * wanted[0] * unit, "left": left - unit * unit}
