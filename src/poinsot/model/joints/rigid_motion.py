"""Steps and differences of poses [p, quaternion]: exponential and logarithm of rigid motions.

A twist ξ = [v; w] is a constant velocity in body axes times the time it lasts, so the body moves
on a screw. Numbers only; any leading dimensions broadcast.
"""

import math

import numpy as np

from poinsot.model.joints.quaternion import crossed, rotated, turn_between, turned, unit
from poinsot.spatial import Array

__all__ = ["moved", "twist_between"]

SMALL_ANGLE = 1.0
"""Angle [rad] up to which (a - sin a) / a³ is summed as a series: the formula loses digits."""

CUBIC_SERIES = [(-1.0) ** k / math.factorial(2 * k + 3) for k in range(9)]
"""Coefficients of (a - sin a) / a³ in a²; the next term is below 1e-19 for a <= 1."""

_LOG_SERIES = [(-1.0) ** k * (2 * k + 2) / math.factorial(2 * k + 3) for k in range(12)]
"""Coefficients of (sin x - x cos x) / x³ in x²; the next term is below 1e-20 for x <= π/2."""


def moved(q: Array, twist: Array) -> Array:
    """Return the pose X(q) exp(ξ), shape (..., 7).

        p' = p + R (v + (1 - cos a)/a² w × v + (a - sin a)/a³ w × (w × v)),   a = |w|

    Args:
        q: Poses [p [m], quaternion], shape (..., 7).
        twist: [v; w] [m, rad], shape (..., 6).
    """
    v, w = twist[..., :3], twist[..., 3:]
    a = np.linalg.norm(w, axis=-1, keepdims=True)
    half = 0.5 * np.sinc(0.5 * a / np.pi) ** 2  # (1 - cos a)/a² without loss of digits
    bent = crossed(w, v)
    way = v + half * bent + _cubic(a) * crossed(w, bent)
    quat = unit(q[..., 3:])
    p, end = np.broadcast_arrays(q[..., :3], rotated(quat, way))
    return np.concatenate([p + end, turned(quat, w)], axis=-1)


def twist_between(start: Array, end: Array) -> Array:
    """Return the twist ξ with X(end) = X(start) exp(ξ) and |w| <= π, shape (..., 6).

        v = p - w × p / 2 + (1 - x cot x)/(4 x²) w × (w × p),   x = |w|/2,

    with p the way from start to end in the axes of start.

    Args:
        start: Poses [p [m], quaternion], shape (..., 7).
        end: The same.
    """
    quat = unit(start[..., 3:])
    w = turn_between(quat, unit(end[..., 3:]))
    p = rotated(quat * np.array([1.0, -1.0, -1.0, -1.0]), end[..., :3] - start[..., :3])
    x = 0.5 * np.linalg.norm(w, axis=-1, keepdims=True)
    # 1 - x cot x = (sin x - x cos x) / sin x, and x <= π/2
    factor = 0.25 * _polynomial(_LOG_SERIES, x * x) / np.sinc(x / np.pi)
    bent = crossed(w, p)
    return np.concatenate([p - 0.5 * bent + factor * crossed(w, bent), w], axis=-1)


def _cubic(a: Array) -> Array:
    """Return (a - sin a) / a³."""
    small = a < SMALL_ANGLE
    large = np.where(small, SMALL_ANGLE, a)
    series = _polynomial(CUBIC_SERIES, np.where(small, a, 0.0) ** 2)
    return np.where(small, series, (large - np.sin(large)) / large**3)


def _polynomial(coefficients: list[float], x: Array) -> Array:
    """Return the sum of coefficients[k] x^k."""
    total = np.zeros_like(x)
    for c in reversed(coefficients):
        total = total * x + c
    return total
