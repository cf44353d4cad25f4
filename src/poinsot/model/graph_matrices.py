"""The graph of a mechanism as matrices of integers: incidence S, path T and loops U [Liu1988].

Joint j carries body j, and both have the number under which the body is listed.  Loop r cuts a
joint between the body i⁺(r), its ``first``, and i⁻(r), its ``second``.  Sign convention P:

    S[j, j] = 1,  S[i, j] = -1 for the parent i of j            (17)
    T[j, i] = 1 for every joint j on the path to body i         (18)        S T = 1
    U[j, r] = 1 on the path to i⁻ only, -1 on that to i⁺ only   (37)        U = T (e_i⁻ - e_i⁺)

Differs from [Liu1988]: S and T have the opposite signs where its equations (25) to (33) are to hold
as printed, and i⁺ is the body of the smaller number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from poinsot.model.body import WORLD
from poinsot.model.mechanism import Mechanism

__all__ = ["LabelledMatrix", "incidence", "loop_ends", "loops", "paths"]

_PRINTED = 24
"""How many rows or columns of a table are printed; of more, as many in two halves."""


@final
@dataclass(frozen=True, eq=False)
class LabelledMatrix:
    """A matrix of integers whose rows and columns have names; ``np.asarray`` gives the array.

    Attributes:
        corner: What the matrix is called, and what its rows and columns are.
        rows: Names of the rows.
        columns: Names of the columns.
        entries: The numbers, read-only, shape (number of rows, number of columns).
    """

    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    entries: NDArray[np.int64]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if dtype is None and not copy:
            return self.entries
        return np.array(self.entries, dtype=dtype)

    def __getitem__(self, names: tuple[str, str]) -> int:
        """Return the entry of a row and a column, by their names."""
        row, column = names
        return int(self.entries[self.rows.index(row), self.columns.index(column)])

    def __str__(self) -> str:
        """Return a table; zeros are dots."""
        i, j = _shown(len(self.rows)), _shown(len(self.columns))
        lines = [[self.corner, *(_label(self.columns, b) for b in j)]]
        for a in i:
            values = ("⋯" if a < 0 or b < 0 else f"{self.entries[a, b]}" for b in j)
            lines.append([_label(self.rows, a), *("·" if x == "0" else x for x in values)])
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join([f"{first:<{widths[0]}}", *map(str.rjust, rest, widths[1:])]).rstrip()
            for first, *rest in lines
        )


def incidence(mechanism: Mechanism) -> LabelledMatrix:
    """Return S, shape (n bodies, n joints) [Liu1988, eq. (17)].

    Examples:
        >>> from poinsot.model import Body
        >>> print(incidence(Mechanism("arm", [Body("upper"), Body("lower", "upper")])))
        S      upper  lower
        upper      1     -1
        lower      ·      1
    """
    n = mechanism.n_bodies
    S = np.eye(n, dtype=np.int64)
    for j, i in enumerate(mechanism.parents):
        if i >= 0:
            S[i, j] = -1
    return _labelled("S", mechanism.body_names, mechanism.joint_names, S)


def paths(mechanism: Mechanism) -> LabelledMatrix:
    """Return T, shape (n joints, n bodies) [Liu1988, eq. (18)].

    Examples:
        >>> from poinsot.model import Body
        >>> print(paths(Mechanism("arm", [Body("upper"), Body("lower", "upper")])))
        T      upper  lower
        upper      1      1
        lower      ·      1
    """
    return _labelled("T", mechanism.joint_names, mechanism.body_names, _path_columns(mechanism))


def loops(mechanism: Mechanism) -> LabelledMatrix:
    """Return U, shape (n joints, n loops) [Liu1988, eq. (37)].

    Joints on the paths to both bodies cancel.

    Examples:
        >>> from poinsot.model import Body
        >>> print(loops(Mechanism("arm", [Body("upper"), Body("lower", "upper")])))
        U
        upper
        lower
    """
    T = _path_columns(mechanism)
    to = np.concatenate([T, np.zeros((mechanism.n_bodies, 1), np.int64)], axis=1)  # [-1]: the world
    first, second = np.array(loop_ends(mechanism), dtype=np.intp).reshape(-1, 2).T
    names = tuple(loop.name for loop in mechanism.loops)
    return _labelled("U", mechanism.joint_names, names, to[:, second] - to[:, first])


def loop_ends(mechanism: Mechanism) -> tuple[tuple[int, int], ...]:
    """Return (i⁺, i⁻) of each loop, the numbers of its first and second body; -1 for the world."""

    def number(body: str) -> int:
        return -1 if body == WORLD else mechanism.index(body)

    return tuple((number(loop.first[0]), number(loop.second[0])) for loop in mechanism.loops)


def _path_columns(mechanism: Mechanism) -> NDArray[np.int64]:
    T = np.eye(mechanism.n_bodies, dtype=np.int64)
    for i in mechanism.order:
        parent = mechanism.parents[i]
        if parent >= 0:
            T[:, i] += T[:, parent]
    return T


def _labelled(
    corner: str, rows: Sequence[str], columns: Sequence[str], entries: NDArray[np.int64]
) -> LabelledMatrix:
    entries.setflags(write=False)
    return LabelledMatrix(corner, tuple(rows), tuple(columns), entries)


def _shown(n: int) -> list[int]:
    """Return the numbers that are printed, -1 for those left out between them."""
    if n <= _PRINTED:
        return list(range(n))
    half = _PRINTED // 2
    return [*range(half), -1, *range(n - half, n)]


def _label(names: Sequence[str], k: int) -> str:
    return "⋯" if k < 0 else names[k]
