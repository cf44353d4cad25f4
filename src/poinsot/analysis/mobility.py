"""Mobility, redundancy and actuation at one configuration, from the constraints' Jacobian."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import inf
from typing import Any

import numpy as np

from poinsot.expr.numeric_basis import numeric_basis, significant_rows
from poinsot.expr.rank import left_null_space, row_basis
from poinsot.expr.rank_tolerances import DEPENDENT, DETERMINED, NEARLY_SINGULAR
from poinsot.spatial import Array


@dataclass(frozen=True)
class Mobility:
    """How a mechanism can move at one configuration; of a batch, fields are arrays.

    Attributes:
        degrees: Degrees of freedom: velocities less independent rows.
        rank: Number of independent rows.
        n_rows: Number of rows.
        configurations: Dimension of the configuration space: velocities less independent rows
            that hold for positions too.  More than ``degrees`` where bodies roll: parking a car
            takes three coordinates, and it has two velocities.
        redundant: Names of the rows that follow from those before them, and from rows that are
            clear of them; of rows that are nearly parallel, not those that are clear.
        undetermined: Names of the rows whose multipliers are not determined.
        margin: How far the rank is from dropping: the smallest distance of an independent row from
            the space of the others, relative to the longest row.  Infinite without such rows.
        weakest: Name of that row.
    """

    degrees: int
    rank: int
    n_rows: int
    redundant: tuple[str, ...]
    undetermined: tuple[str, ...]
    configurations: int
    margin: float
    weakest: str

    @property
    def is_nearly_singular(self) -> bool:
        """Whether the rank drops within ``NEARLY_SINGULAR``, 1e-4 of the longest row."""
        return bool(self.margin < NEARLY_SINGULAR)

    def __str__(self) -> str:
        if isinstance(self.degrees, np.ndarray):
            return f"mobility of {self.degrees.size} configurations: {np.unique(self.degrees)}"
        lines = [f"mobility {self.degrees}: {self.rank} of {self.n_rows} rows are independent"]
        if self.configurations != self.degrees:
            lines.append(f"configurations have {self.configurations} dimensions")
        if self.redundant:
            lines.append("redundant: " + ", ".join(self.redundant))
            lines.append("not determined: " + ", ".join(self.undetermined))
        if self.is_nearly_singular:
            lines.append(f"nearly singular: {self.weakest} is {self.margin:.1e} from dependent")
        return "\n".join(lines)


@dataclass(frozen=True)
class Actuation:
    """The controllability of the degrees of freedom by actuators at one configuration.

    Attributes:
        degrees: Degrees of freedom of the mechanism.
        rank: How many of them the drives can accelerate as they like.
        undetermined: Names of the driven velocities whose forces are not determined: drives that
            work against each other.
        missing: Degrees of freedom that the drives cannot reach.
    """

    degrees: int
    rank: int
    undetermined: tuple[str, ...]

    @property
    def missing(self) -> int:
        """Degrees of freedom that the actuators cannot drive."""
        return self.degrees - self.rank

    def __str__(self) -> str:
        lines = [f"the drives reach {self.rank} of {self.degrees} degrees of freedom"]
        if self.missing:
            lines.append(f"{self.missing} move as they will: not every acceleration is possible")
        if self.undetermined:
            lines.append("forces not determined, shortest taken: " + ", ".join(self.undetermined))
        return "\n".join(lines)


def mobility_of(J: Array, names: Sequence[str], at_positions: Sequence[int]) -> Mobility:
    """Return the mobility at one configuration.

    Args:
        J: Jacobian of the constraints, shape (m, nv).
        names: A name for each of its rows.
        at_positions: Numbers of the rows that hold for positions too.
    """
    basis, order = row_basis(J)
    kept = dict(zip(order, basis.kept, strict=True))
    rank = basis.rank
    free = left_null_space(J)
    return Mobility(
        J.shape[1] - rank,
        rank,
        len(names),
        tuple(name for k, name in enumerate(names) if not kept[k]),
        tuple(
            name
            for name, size in zip(names, np.linalg.norm(free, axis=0), strict=True)
            if size > DETERMINED
        ),
        J.shape[1]
        - (rank if len(at_positions) == len(J) else row_basis(J[list(at_positions)])[0].rank),
        *_margin(J, [order[k] for k in basis.chosen], names),
    )


def _margin(J: Array, independent: Sequence[int], names: Sequence[str]) -> tuple[float, str]:
    """Return the distance of the weakest row from the space of the other independent rows.

    Relative to the longest row: 1 / |column of the pseudoinverse|, and the row's name.
    """
    if not independent:
        return inf, ""
    triangle = np.linalg.qr(J[list(independent)].T, mode="r")  # J⁺ = Q R⁻ᵀ
    distances = 1.0 / np.linalg.norm(np.linalg.inv(triangle), axis=1)
    weakest = int(np.argmin(distances))
    longest = float(np.linalg.norm(J, axis=1).max())
    return float(distances[weakest]) / longest, names[independent[weakest]]


def mobilities_of(J: Array, names: Sequence[str], at_positions: Sequence[int]) -> Mobility:
    """Return the mobilities of a batch, J of shape (..., m, nv): fields are arrays."""
    shape = J.shape[:-2]
    each = J.reshape(-1, *J.shape[-2:])
    single = [mobility_of(jacobian, names, at_positions) for jacobian in each]

    def gathered(name: str) -> Any:  # noqa: ANN401
        values = [getattr(mobility, name) for mobility in single]
        kind = type(getattr(_NONE, name))
        array = np.empty(len(values), kind if kind in (int, float) else object)
        array[:] = values
        return array.reshape(shape)

    return Mobility(*(gathered(field.name) for field in fields(Mobility)))


_NONE = Mobility(0, 0, 0, (), (), 0, inf, "")


def actuation_of(J: Array, units: Array, names: Sequence[str]) -> Actuation:
    """Return the rank of the actuation of some velocities.

    Args:
        J: Jacobian of the constraints, shape (m, nv).
        units: Joint forces of unit forces along the actuated velocities, shape (k, nv).
        names: A name for each of these.
    """
    (basis, _), nv = row_basis(J), J.shape[1]
    columns = significant_rows(basis.allowed(units), DEPENDENT)
    drives = numeric_basis(columns, [len(columns)] * len(columns))
    determined = drives.least_norm(np.zeros(nv)).determined
    return Actuation(
        nv - basis.rank,
        drives.rank,
        tuple(
            name for name, is_determined in zip(names, determined, strict=True) if not is_determined
        ),
    )
