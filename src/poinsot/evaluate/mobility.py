"""Mobility, redundancy and actuation at one configuration, from the constraints' Jacobian."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.expr.gram import CLEAR
from poinsot.expr.least_squares import Basis, least_norm, orthonormal
from poinsot.formulations.constrained.quantities import drives_along
from poinsot.spatial import Array


@dataclass(frozen=True)
class Mobility:
    """How a mechanism can move at one configuration.

    Attributes:
        degrees: Degrees of freedom: velocities less independent rows.
        rank: Number of independent rows.
        n_rows: Number of rows.
        redundant: Names of the rows that follow from those before them, and from rows that are
            clear of them; of rows that are nearly parallel, not those that are clear.
        undetermined: Names of the rows whose multipliers are not determined.
    """

    degrees: int
    rank: int
    n_rows: int
    redundant: tuple[str, ...]
    undetermined: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"mobility {self.degrees}: {self.rank} of {self.n_rows} rows are independent"]
        if self.redundant:
            lines.append("redundant: " + ", ".join(self.redundant))
            lines.append("not determined: " + ", ".join(self.undetermined))
        return "\n".join(lines)


@dataclass(frozen=True)
class Actuation:
    """What drives can do at one configuration.

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
        """Degrees of freedom that the drives cannot reach."""
        return self.degrees - self.rank

    def __str__(self) -> str:
        lines = [f"the drives reach {self.rank} of {self.degrees} degrees of freedom"]
        if self.missing:
            lines.append(f"{self.missing} move as they will: not every acceleration is possible")
        if self.undetermined:
            lines.append("forces not determined, shortest taken: " + ", ".join(self.undetermined))
        return "\n".join(lines)


def mobility_of(J: Array, names: Sequence[str]) -> Mobility:
    """Return the mobility from J, shape (m, nv), and the names of its rows."""
    basis, order = _clear_first(J)
    kept = dict(zip(order, basis.kept, strict=True))
    rank = round(sum(basis.kept))
    free = null_space(J)
    return Mobility(
        J.shape[1] - rank,
        rank,
        len(names),
        tuple(name for k, name in enumerate(names) if not kept[k]),
        tuple(
            name
            for name, part in zip(names, np.linalg.norm(free, axis=0), strict=True)
            if part > 1e-6
        ),
    )


def null_space(J: Array) -> Array:
    """Return the unit multipliers with Jᵀ lam = 0, one a row, shape (k, m)."""
    kept = round(sum(_clear_first(J)[0].kept))
    lengths = np.linalg.norm(J, axis=1)
    scale = np.where(lengths > 0.0, lengths, 1.0)
    left, _, _ = np.linalg.svd(J / scale[:, None])
    free = (left[:, kept:] / scale[:, None]).T
    orthogonal, _ = np.linalg.qr(free.T) if len(free) else (free.T, None)
    return np.asarray(orthogonal.T)


def actuation_of(J: Array, actuated: Sequence[int], names: Sequence[str]) -> Actuation:
    """Return what the drives of some velocities can do.

    Args:
        J: Jacobian of the constraints, shape (m, nv).
        actuated: Numbers of the driven velocities.
        names: A name for each velocity.
    """
    (basis, _), nv = _clear_first(J), J.shape[1]
    drives = drives_along(basis, nv, actuated)
    determined = least_norm(drives, [0.0] * nv).determined
    return Actuation(
        nv - round(sum(basis.kept)),
        round(sum(drives.kept)),
        tuple(names[k] for k, known in zip(actuated, determined, strict=True) if not known),
    )


def _clear_first(J: Array) -> tuple[Basis, list[int]]:
    """Return a basis of the rows, and their numbers in the order in which they were taken.

    In the order given, two rows that are nearly parallel would be taken for the difference between
    them, and a later one that is clear of both would be called redundant.
    """
    clear = orthonormal(J.tolist(), part=CLEAR).kept
    order = sorted(range(len(J)), key=lambda k: not clear[k])
    return orthonormal(J[order].tolist()), order
