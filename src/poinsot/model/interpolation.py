"""Cubic pieces between samples."""

from __future__ import annotations

import numpy as np

from poinsot.spatial import Array

__all__ = ["local_coefficients"]


def local_coefficients(x: Array, y: Array, kind: str) -> Array:
    """Return a, b, c, d of a + b s + c s² + d s³, s = x - x_k, for each piece.

    Args:
        x: Places of the samples, increasing, shape (n,).
        y: Values there, shape (n, ...).
        kind: ``"hold"`` (the value at the left end), ``"linear"``, ``"pchip"`` (slopes of Fritsch
            and Butland, which keep it monotonic) or ``"cubic"`` (spline, "not a knot").

    Returns:
        Shape (n - 1, 4, ...).
    """
    zero = np.zeros_like(y[:-1])
    if kind == "hold":
        return np.stack([y[:-1], zero, zero, zero], axis=1)
    if kind == "linear":
        steps = np.diff(x).reshape(-1, *(1,) * (y.ndim - 1))
        return np.stack([y[:-1], np.diff(y, axis=0) / steps, zero, zero], axis=1)
    from scipy.interpolate import CubicSpline, PchipInterpolator

    made = {"pchip": PchipInterpolator, "cubic": CubicSpline}[kind](x, y)
    return np.moveaxis(np.asarray(made.c)[::-1], 0, 1)
