"""The zero of a function of one variable, to rounding error."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

MOST = 200
"""Evaluations; halving alone would need 60."""
HALVINGS = 60
"""How near behind its start a step is searched for a function that leaves zero and returns."""


def root(value: Callable[[float], float], a: float, b: float) -> float:
    """Return where a function changes its sign between a and b.

    Regula falsi of the Illinois kind [Dowell and Jarratt, BIT 11 (1971)]: the value of an end that
    stays is halved; where the interval shrinks slowly it is halved itself.

    Args:
        value: The function; its signs at a and b differ.
        a: One end.
        b: The other.

    >>> round(root(lambda x: x**3 - 2.0, 0.0, 2.0), 12) == round(2.0 ** (1 / 3), 12)
    True
    """
    fa, fb = value(a), value(b)
    at_a, at_b = abs(fa), abs(fb)
    slow, stays = 0, 0
    for _ in range(MOST):
        width, least = abs(b - a), 2.0 * sys.float_info.epsilon * max(abs(a), abs(b))
        if width <= 2.0 * least:
            break
        straight = slow < 2 and fa != fb and math.isfinite(fb - fa)  # not at poles
        c = (a * fb - b * fa) / (fb - fa) if straight else a + 0.5 * (b - a)
        c = min(max(c, min(a, b) + least), max(a, b) - least)
        fc = value(c)
        if fc == 0.0:
            return c
        if (fc > 0.0) == (fa > 0.0):
            a, fa, at_a = c, fc, abs(fc)
            fb, stays = (0.5 * fb if stays == 1 else fb), 1
        else:
            b, fb, at_b = c, fc, abs(fc)
            fa, stays = (0.5 * fa if stays == -1 else fa), -1
        slow = slow + 1 if abs(b - a) > 0.5 * width else 0
    return a if at_a <= at_b else b


def crossing(value: Callable[[float], float], left: float, right: float) -> float:
    """Return where a function falls below zero that is negative at ``right``.

    It is positive right behind ``left``, but may be there on either side of zero by rounding.

    >>> round(crossing(lambda x: x * (1.0 - x) - 1e-17, 0.0, 2.0), 12)
    1.0
    """
    start = left
    for halving in range(1, HALVINGS):
        if value(start) > 0.0:
            return root(value, start, right)
        start = left + (right - left) * 0.5**halving
        if start == left:
            break
    return left
