"""Degrees of freedom of finite motions: finite mobility, by sampling."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.assemble.loop_closing import CLOSED, closed
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import AssemblyError
from poinsot.expr.rank import null_space, row_rank
from poinsot.spatial import Array

STEPS: Final = (0.05, 0.01, 0.002)
"""Lengths of the steps [rad, m] to try, the longest first."""
MORE: Final = 3
"""How many more directions to try than there are independent ones."""
MOVED: Final = 0.25
"""Part of a step that must be left of it when the mechanism is closed again."""
FAR: Final = 3.0
"""Part of a step beyond which it closed somewhere else."""
INDEPENDENT: Final = 0.15
"""Singular value of unit steps above which they are independent: bent paths lie below."""


def finite_mobility(rows: NumericRows, q: Array, t: float, rng: np.random.Generator) -> int:
    """Return the degrees of freedom of finite motions from q.

    q itself may be a bifurcation, so directions are counted at the ends of first steps.

    Args:
        rows: The constraints.
        q: Configuration that closes, shape (nq,).
        t: Time [s].
        rng: Source of the directions.

    Raises:
        AssemblyError: If q does not close.
    """
    rows = rows.positions
    if np.max(np.abs(rows.residual(q, t)), initial=0.0) > 100 * CLOSED:
        raise AssemblyError(
            f"{rows.mechanism.name!r} is not closed here: {rows.violations(q, t)}; assemble it "
            "first"
        )
    return max(
        (
            len(_directions(rows, configuration, t, rng))
            for configuration, _ in _moves(rows, q, t, rng)
        ),
        default=0,
    )


def _directions(rows: NumericRows, q: Array, t: float, rng: np.random.Generator) -> Array:
    """Return independent directions in which it moved, shape (k, nv)."""
    steps = [step for _, step in _moves(rows, q, t, rng)]
    if not steps:
        return np.zeros((0, rows.mechanism.nv))
    _, sizes, directions = np.linalg.svd(np.array(steps))
    independent: Array = directions[: int(np.sum(sizes > INDEPENDENT))]
    return independent


def _moves(
    rows: NumericRows, q: Array, t: float, rng: np.random.Generator
) -> list[tuple[Array, Array]]:
    """Return the configurations after random allowed steps, and the directions of these."""
    free = _velocities(rows, q, t)
    moves = []
    for _ in range(len(free) + MORE if len(free) else 0):
        along = rng.normal(size=len(free)) @ free
        moved = _moved(rows, q, along / np.linalg.norm(along), t)
        if moved is not None:
            moves.append(moved)
    return moves


def _velocities(rows: NumericRows, q: Array, t: float) -> Array:
    """Return orthonormal velocities that the constraints allow, shape (degrees, nv)."""
    J = rows.jacobian(q, t)
    return null_space(J, known_rank=row_rank(J)).T


def _moved(rows: NumericRows, q: Array, along: Array, t: float) -> tuple[Array, Array] | None:
    """Return a configuration along a direction and the step to it; None if it cannot move."""
    mechanism, every = rows.mechanism, np.arange(rows.mechanism.nv)
    for length in STEPS:
        try:
            configuration = closed(rows, mechanism.integrate(q, length * along), every, t)
        except AssemblyError:
            continue
        step = np.asarray(mechanism.difference(q, configuration))
        size = float(np.linalg.norm(step))
        if MOVED * length < size < FAR * length:
            return configuration, step / size
    return None
