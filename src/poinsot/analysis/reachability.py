"""Dimension of the configurations that motions reach: constraints on velocities may be integrable.

The orbit theorem [Sussmann1973]: the tangent space of the set that motions reach from q is spanned
by the allowed velocities at other places of it, carried back to q along motions.  Nothing has to be
differentiated twice, and brackets of every order count.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.assemble.numeric_rows import NumericRows
from poinsot.expr.rank import null_space, row_rank
from poinsot.formulations.position_rate import position_rate
from poinsot.spatial import Array

__all__ = ["reachable_dimension"]

SINGULAR: Final = 1e-6
"""Part of the largest singular value of rows up to which they depend on each other."""
STEPS: Final = 64
"""Steps of a motion, by the classical method of Runge and Kutta."""
LENGTH: Final = 3.0
"""Of a motion [m, rad]."""
APART: Final = 1e-5
"""Of the neighbours by which motions are differentiated [m, rad]."""
INDEPENDENT: Final = 1e-7
"""Singular value of unit velocities above which they are independent; errors are below 1e-9."""
IDLE: Final = 2
"""Motions that add nothing, after which the search ends."""


def reachable_dimension(rows: NumericRows, q: Array, t: float, rng: np.random.Generator) -> int:
    """Return the dimension of the set of configurations that allowed motions reach from q.

    Args:
        rows: The constraints.
        q: Configuration that closes, shape (nq,).
        t: Time [s], which stands still.
        rng: Source of the motions.
    """
    mechanism, Y = rows.mechanism, _velocities(rows.positions, q, t)
    most, idle = Y.shape[1], 0
    tangents = Y.T @ _velocities(rows, q, t)
    while idle < IDLE and tangents.shape[1] < most:
        along = rng.normal(size=mechanism.nv)
        along *= LENGTH / np.linalg.norm(along)
        beside = [mechanism.integrate(q, s * APART * y) for s in (1, -1) for y in Y.T]
        ends = _moved(rows, np.array([q, *beside]), along, t)
        shifts = np.array([mechanism.difference(ends[0], end) for end in ends[1:]])
        there = _velocities(rows.positions, ends[0], t).T
        carried = there @ (shifts[:most] - shifts[most:]).T / (2 * APART)
        back = np.linalg.solve(carried, there @ _velocities(rows, ends[0], t))
        both = np.hstack([tangents, back / np.linalg.norm(back, axis=0)])
        directions, sizes, _ = np.linalg.svd(both, full_matrices=False)
        grown = directions[:, sizes > INDEPENDENT]
        idle = 0 if grown.shape[1] > tangents.shape[1] else idle + 1
        tangents = grown
    return int(tangents.shape[1])


def _velocities(rows: NumericRows, q: Array, t: float) -> Array:
    """Return orthonormal velocities that the constraints allow, by columns."""
    J = rows.jacobian(q, t)
    return null_space(J, known_rank=row_rank(J))


def _moved(rows: NumericRows, q: Array, along: Array, t: float) -> Array:
    """Return where a motion of unit time leads: v is the part of ``along`` that is allowed."""

    def rate(q: Array) -> Array:
        J = rows.jacobian(q, t)
        v = along - (np.linalg.pinv(J, rcond=SINGULAR) @ (J @ along)[..., None])[..., 0]
        return np.array([position_rate(rows.mechanism, *pair) for pair in zip(q, v, strict=True)])

    h = 1.0 / STEPS
    for _ in range(STEPS):
        first = rate(q)
        second = rate(q + 0.5 * h * first)
        third = rate(q + 0.5 * h * second)
        q = q + (h / 6.0) * (first + 2.0 * (second + third) + rate(q + h * third))
    return q
