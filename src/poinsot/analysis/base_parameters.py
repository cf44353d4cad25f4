"""Which combinations of parameters a linear model depends on, from samples of its regressor.

Parameters that have no effect drop out; those whose columns depend on others are grouped with them
[Gautier1991].  Decided by numbers: columns are scaled to length 1, singular values give their rank,
and those are kept that come early and are clearly independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from poinsot.expr.rank import independent_columns
from poinsot.spatial import Array

NO_EFFECT: Final = 1e-11
"""Length of a column without effect, relative to the longest."""

WHOLE: Final = 1e-9
"""Coefficients this close to a decimal of six digits are rounded to it."""


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """The base parameters beta = B pi of a system: Y pi = Y[:, columns] beta for every motion.

    Attributes:
        names: Names of all parameters pi.
        columns: Which columns of the regressor are kept, one for each base parameter.
        matrix: B, shape (n_base, len(names)); its part in ``columns`` is the identity.
        values: beta of the system at hand, shape (n_base,).
        without_effect: Names of the parameters that no motion shows.
    """

    names: tuple[str, ...]
    columns: tuple[int, ...]
    matrix: Array = field(repr=False)
    values: Array = field(repr=False)
    without_effect: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many base parameters there are."""
        return len(self.columns)

    @property
    def combinations(self) -> tuple[str, ...]:
        """Each base parameter as text, e.g. ``izz[upper] + 0.25 m[lower]``."""
        rows = zip(self.matrix, self.columns, strict=True)
        return tuple(_combination(row, k, self.names) for row, k in rows)

    def __str__(self) -> str:
        lines = [f"{self.count} base parameters of {len(self.names)}:"]
        lines += [
            f"  {value: .6g} = {text}"
            for value, text in zip(self.values, self.combinations, strict=True)
        ]
        if self.without_effect:
            lines.append(f"without effect: {', '.join(self.without_effect)}")
        return "\n".join(lines)


def grouped(W: Array, names: Sequence[str], values: Array, order: Sequence[int]) -> BaseParameters:
    """Return the base parameters of a linear model.

    Args:
        W: Regressors of many states below each other, shape (rows, parameters).
        names: Names of the parameters.
        values: The parameters.
        order: In which order columns are looked at; the first of those that depend on each other
            are kept.
    """
    lengths = np.linalg.norm(W, axis=0)
    longest = float(np.max(lengths, initial=0.0))
    felt = lengths > NO_EFFECT * longest
    scaled = W / np.where(felt, lengths, 1.0)
    kept = independent_columns(scaled, [k for k in order if felt[k]])
    columns = tuple(sorted(kept))
    others = [k for k in range(len(names)) if felt[k] and k not in kept]
    B = np.zeros((len(columns), len(names)))
    B[np.arange(len(columns)), list(columns)] = 1.0
    if others:
        D = np.linalg.lstsq(scaled[:, columns], scaled[:, others], rcond=None)[0]
        B[:, others] = _rounded(D / lengths[list(columns), None] * lengths[others])
    absent = tuple(name for name, has_effect in zip(names, felt, strict=True) if not has_effect)
    return BaseParameters(tuple(names), columns, B, B @ values, absent)


def _rounded(D: Array) -> Array:
    short = np.round(D, 6)
    return np.where(np.abs(D - short) < WHOLE, short + 0.0, D)


def _combination(row: Array, first: int, names: Sequence[str]) -> str:
    text = names[first]
    for k in np.flatnonzero(row).tolist():
        if k != first:
            size = abs(float(row[k]))
            factor = "" if size == 1.0 else f"{size:.6g} "
            text += f" {'-' if row[k] < 0 else '+'} {factor}{names[k]}"
    return text
