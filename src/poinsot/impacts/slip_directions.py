"""Directions of slip in the tangent plane in which something across them vanishes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

__all__ = ["slip_directions"]


def slip_directions(across: Callable[[float], float], tried: int) -> Iterator[float]:
    """Yield the angles of a whole turn [rad] at which a function changes its sign, in order.

    Args:
        across: The function of the angle; NaN where there is no such direction.
        tried: How many equally spaced angles are tried; roots are then sought between two of them.

    >>> [round(float(angle), 6) for angle in slip_directions(lambda x: np.cos(x), 180)]
    [1.570796, 4.712389]
    """
    from scipy.optimize import brentq

    angles = 2.0 * np.pi * np.arange(tried + 1) / tried
    values = [across(angle) for angle in angles]
    for k in range(tried):
        low, high = values[k], values[k + 1]
        if low == 0.0:
            yield angles[k]
        elif low * high < 0.0:
            yield float(brentq(across, angles[k], angles[k + 1], xtol=1e-15, rtol=1e-15))
