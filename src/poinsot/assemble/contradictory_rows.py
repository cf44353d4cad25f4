"""Rows of constraints that no motion obeys together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from poinsot.expr.rank import left_null_space
from poinsot.spatial import Array

TOLERANCE: Final = 1e-8
"""Residual that counts as a violation [m or rad, per s, per s²], relative to values above 1."""


def open_part(J: Array, x: Array) -> Array:
    """Return the part of x that no J y makes up for: its projection onto the left null space of J.

    Args:
        J: Jacobian of the constraints, shape (m, nv).
        x: A residual of the rows, shape (m,).
    """
    free = left_null_space(J)
    return np.asarray(free.T @ (free @ x))


def is_violated(values: Array) -> Array:
    """Say which residuals count, shape (m,)."""
    return np.asarray(~(np.abs(values) <= TOLERANCE * max(1.0, np.abs(values).max(initial=0.0))))


def contradictory_rows(names: Sequence[str], J: Array, rate: Array) -> tuple[str, ...]:
    """Return the names of rows that no velocity obeys together.

    Args:
        names: A name for each row.
        J: Jacobian of the constraints, shape (m, nv).
        rate: What some velocity misses, J v + dphi/dt, shape (m,).
    """
    marked = is_violated(open_part(J, rate))
    return tuple(name for name, mark in zip(names, marked, strict=True) if mark)


def remedy(names: Sequence[str], what: str = "velocity") -> str:
    """Return what to say about rows that no such rate obeys."""
    if len(names) == 1:
        return f"no {what} obeys {names[0]!r}: nothing that it constrains moves; remove it"
    listed = ", ".join(map(repr, names[:-1])) + f" and {names[-1]!r}"
    return (
        f"no {what} obeys {listed} together: they contradict each other; remove one of them, or "
        "make them agree (system.constraint_report says by how much they do not)"
    )
