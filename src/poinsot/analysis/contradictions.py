"""Residuals of the constraints at a state, and constraints that contradict each other there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.assemble.contradictory_rows import is_violated, open_part
from poinsot.spatial import Array


@dataclass(frozen=True, eq=False)
class ConstraintReport:
    """How well a state obeys the constraints, and whether any motion can.

    Where constraints contradict each other, dynamics follow those that are listed first.

    Attributes:
        names: A name for each row of the constraints.
        position: phi, what the positions miss [m or rad], shape (m,).
        velocity: J v + dphi/dt, what the velocities miss [m/s or rad/s], shape (m,).
        open_position: The part of phi that no small step changes: constraints that contradict each
            other at this place, or a place where they are singular, shape (m,).
        open_velocity: The part of dphi/dt that no velocity makes up for, shape (m,).
        open_acceleration: The part of gamma that no acceleration makes up for, shape (m,).
    """

    names: tuple[str, ...]
    position: Array
    velocity: Array
    open_position: Array
    open_velocity: Array
    open_acceleration: Array

    @property
    def ok(self) -> bool:
        """Whether the state satisfies all constraints, and some acceleration does too."""
        return not any(rows for _, rows in self._findings())

    @property
    def contradictory(self) -> tuple[str, ...]:
        """Names of rows that no motion obeys together."""
        missed = [is_violated(x) for x in (self.open_velocity, self.open_acceleration)]
        return self._named(np.logical_or(*missed))

    def __str__(self) -> str:
        lines = [f"{text}: {', '.join(rows)}" for text, rows in self._findings() if rows]
        return "\n".join(lines or ["all constraints hold, and can go on holding"])

    def _findings(self) -> list[tuple[str, tuple[str, ...]]]:
        return [
            ("positions miss", self._rows(self.position)),
            ("velocities miss", self._rows(self.velocity)),
            ("no small step closes", self._rows(self.open_position)),
            ("no velocity obeys together", self._rows(self.open_velocity)),
            ("no acceleration obeys together", self._rows(self.open_acceleration)),
        ]

    def _rows(self, values: Array) -> tuple[str, ...]:
        """Return the rows that count, each with its number."""
        counts = zip(self.names, values.tolist(), is_violated(values), strict=True)
        return tuple(f"{name} ({value:.3g})" for name, value, missed in counts if missed)

    def _named(self, marked: Array) -> tuple[str, ...]:
        return tuple(name for name, mark in zip(self.names, marked, strict=True) if mark)


def constraint_report_of(
    names: Sequence[str], J: Array, phi: Array, rate: Array, drift: Array, gamma: Array
) -> ConstraintReport:
    """Return the report of one state.

    Args:
        names: A name for each row.
        J: Jacobian of the constraints, shape (m, nv).
        phi: What the positions miss, shape (m,).
        rate: What the velocities miss, shape (m,).
        drift: dphi/dt at rest, shape (m,).
        gamma: Second rate of phi while no joint accelerates, shape (m,).
    """
    open_ = [open_part(J, x) for x in (phi, drift, gamma)]
    return ConstraintReport(tuple(names), phi, rate, *open_)
