"""Which points do not slip any more after an impact."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.spatial import Array

__all__ = ["sticking"]

STILL: Final = 1e-8
"""Slip that counts as none, relative to the velocities before."""


def sticking(P: Array, before: Array, after: Array, friction: Array, reversed_slip: Array) -> Array:
    """Return which points with friction push and do not slip afterwards, shape (..., s).

    Slip that comes back reversed by tangential restitution, w_t⁺ = -e_t w_t⁻, was held too.

    Args:
        P: Impulses along normals and tangents, shape (..., s, 3).
        before: Velocities along them before the impact, shape (..., s, 3).
        after: After it.
        friction: Coulomb's μ, shape (s,).
        reversed_slip: Tangential restitution e_t, shape (s,).

    >>> w = np.array([[-1.0, 0.5, 0.0]])
    >>> sticking(np.array([[2.0, 0.1, 0]]), w, np.array([[1.0, 0, 0]]), np.ones(1), np.zeros(1))
    array([ True])
    """
    slip = after[..., 1:] + reversed_slip[:, None] * before[..., 1:]
    speed = np.abs(before).max(axis=(-1, -2), initial=0.0)
    still = np.hypot(slip[..., 0], slip[..., 1]) <= STILL * speed[..., None]
    return np.asarray(still & (P[..., 0] > 0.0) & (friction > 0.0))
