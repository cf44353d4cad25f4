"""A fast motion made smooth: its speed along the path averaged over a time, then slowed down.

    s̄(t) = 1/w ∫ s(t - r) dr,   r from 0 to w

has a continuous acceleration where s has a bounded one.  It is not the fastest motion within a
limit of jerk, but near to it where w is short; several w are tried.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.planned_motion import PlannedMotion
from poinsot.spatial import Array

SHORTEST, LONGEST, WINDOWS = 0.005, 0.6, 9
"""Of the lengths w of the average that are tried, as fractions of the duration, and their number;
then so many between the neighbours of the best."""
SAMPLES: Final = 400
"""Pieces of the result."""
ROUNDS: Final = 40
"""Attempts to slow it down."""


def smoothed_motion(
    path: PlannedMotion, along: PlannedMotion, over: Callable[[PlannedMotion], float]
) -> PlannedMotion:
    """Return the fastest of the smoothed motions.

    Args:
        path: q(s).
        along: s(t), quadratic in t piece by piece.
        over: Square of the factor by which a motion is too fast.
    """
    motions = dict[float, PlannedMotion]()
    low, high = SHORTEST, LONGEST
    for _ in range(2):
        windows = np.geomspace(low, high, WINDOWS).tolist()
        for fraction in windows:
            motion = _slowed(_averaged(path, along, fraction * along.duration), over)
            if motion is not None:
                motions[fraction] = motion
        if not motions:
            raise ModelError(
                "time_optimal: no smooth motion within the limits; is a joint force near its limit "
                "at rest already? Give a larger effort= or jerk="
            )
        best = min(motions, key=lambda fraction: motions[fraction].duration)
        place = windows.index(best) if best in windows else 0
        low, high = windows[max(place - 1, 0)], windows[min(place + 1, WINDOWS - 1)]
    return motions[best]


def _slowed(motion: PlannedMotion, over: Callable[[PlannedMotion], float]) -> PlannedMotion | None:
    """Return a motion slowed down until it is within limits; None if that does not help."""
    for _ in range(ROUNDS):
        excess = over(motion)
        if excess <= 1.0:
            return motion
        motion = motion.slower(float(np.sqrt(excess * (1.0 + 1e-9))))
    return None


def _averaged(path: PlannedMotion, along: PlannedMotion, w: float) -> PlannedMotion:
    t = np.linspace(0.0, along.duration + w, SAMPLES + 1)
    now, before = along.times[0] + t, along.times[0] + t - w
    s = (_integral(along, now) - _integral(along, before)) / w
    rate = (along.position(now) - along.position(before)) / w
    second = (along.velocity(now) - along.velocity(before)) / w
    s = np.clip(s, path.times[0], path.times[-1])
    place = s[:, 0]
    place[-1] = np.nextafter(path.times[-1], -np.inf)
    q, first, curved = (path.derivative(order, place) for order in range(3))
    v, a = first * rate, first * second + curved * rate**2
    v[0], v[-1], a[0], a[-1] = 0.0, 0.0, 0.0, 0.0
    return PlannedMotion(t, quintic_pieces(np.diff(t)[:, None], q, v, a))


def _integral(along: PlannedMotion, t: Array) -> Array:
    """Return the integral of s from the start to t, s constant before it and after the end."""
    lengths, C = np.diff(along.times)[:, None], along.coefficients
    orders = np.arange(1, C.shape[1] + 1)
    whole = sum(C[:, k] * lengths ** (k + 1) / (k + 1) for k in range(C.shape[1]))
    pieces = np.concatenate([np.zeros((len(C), 1, C.shape[2])), C / orders[:, None]], axis=1)
    pieces[:, 0] = np.concatenate([np.zeros((1, C.shape[2])), np.cumsum(whole, axis=0)[:-1]])
    inside = PlannedMotion(along.times, pieces).position(t)
    early = np.minimum(t - along.times[0], 0.0)[:, None] * along.start
    late = np.maximum(t - along.times[-1], 0.0)[:, None] * along.end
    return np.asarray(inside + early + late)


def quintic_pieces(h: Array, q: Array, v: Array, a: Array) -> Array:
    """Return polynomials of fifth order with values and two derivatives at both ends, (n, 6, m)."""
    q0, v0, a0 = q[:-1], v[:-1], 0.5 * a[:-1]
    gap = q[1:] - q0 - v0 * h - a0 * h**2
    slope = (v[1:] - v0 - 2.0 * a0 * h) * h
    bend = (0.5 * a[1:] - a0) * h**2
    return np.stack(
        [
            q0, v0, a0, (10.0 * gap - 4.0 * slope + bend) / h**3,
            (-15.0 * gap + 7.0 * slope - 2.0 * bend) / h**4,
            (6.0 * gap - 3.0 * slope + bend) / h**5,
        ],
        axis=1,
    )  # fmt: skip
