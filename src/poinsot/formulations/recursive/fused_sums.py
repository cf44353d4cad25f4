"""Products of screws added onto others term by term, so that each term is one fused operation.

A sum of two products that are computed apart takes one more addition for every entry.
"""

from __future__ import annotations

import numpy as np

from poinsot.spatial import Array, Scalar, vector

NOTHING = np.zeros(6)
"""What nothing is added onto."""


def plus_dot(onto: Scalar, *products: tuple[Array, Array]) -> Scalar:
    """Return a number plus u·w of each pair of vectors."""
    for u, w in products:
        for x, y in zip(u, w, strict=True):
            onto = onto + x * y
    return onto


def plus_matrix(onto: Array, A: Array, w: Array) -> Array:
    """Return a vector plus A w, shape (3,)."""
    return vector(*(plus_dot(x, (row, w)) for x, row in zip(onto, A, strict=True)))


def plus_cross(onto: Array, u: Array, w: Array) -> Array:
    """Return a vector plus u × w, shape (3,)."""
    (x, y, z), (u1, u2, u3), (w1, w2, w3) = onto, u, w
    return vector(x + u2 * w3 - u3 * w2, y + u3 * w1 - u1 * w3, z + u1 * w2 - u2 * w1)


def plus_cross_motion(onto: Array, V: Array, W: Array) -> Array:
    """Return a motion plus V × W, shape (6,); see :func:`poinsot.spatial.cross_motion`."""
    linear = plus_cross(plus_cross(onto[:3], V[3:], W[:3]), V[:3], W[3:])
    return np.concatenate([linear, plus_cross(onto[3:], V[3:], W[3:])])


def plus_cross_force(onto: Array, V: Array, F: Array) -> Array:
    """Return a force plus V ×* F, shape (6,); see :func:`poinsot.spatial.cross_force`."""
    moment = plus_cross(plus_cross(onto[3:], V[:3], F[:3]), V[3:], F[3:])
    return np.concatenate([plus_cross(onto[:3], V[3:], F[:3]), moment])
