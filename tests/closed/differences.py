"""Rates along a motion with constant velocity, by differences."""

import numpy as np

STEP = 2e-3


def first(function, step=STEP):
    """Return df/dh at 0 by four points each side of which two [Richardson], error step⁶."""
    d = [_central(function, step * k) for k in (1, 2, 4)]
    once = [(4 * d[0] - d[1]) / 3, (4 * d[1] - d[2]) / 3]
    return (16 * once[0] - once[1]) / 15


def second(function, step=4 * STEP):
    """Return d²f/dh² at 0, error step⁶."""
    middle = np.asarray(function(0.0))
    d = [
        (np.asarray(function(h)) - 2 * middle + np.asarray(function(-h))) / h**2
        for h in (step, 2 * step, 4 * step)
    ]
    once = [(4 * d[0] - d[1]) / 3, (4 * d[1] - d[2]) / 3]
    return (16 * once[0] - once[1]) / 15


def _central(function, h):
    return (np.asarray(function(h)) - np.asarray(function(-h))) / (2 * h)
