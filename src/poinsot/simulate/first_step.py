"""The first step of a run."""

from __future__ import annotations

import math

import numpy as np

from poinsot.simulate.workspace import Workspace
from poinsot.spatial import Array

__all__ = ["initial_step"]


def initial_step(work: Workspace) -> float:
    """Return a first step whose error will be small [HNW, section II.4, starting step size]."""
    control, order = work.control, work.method.order
    y, x, k = work.y, work.x, work.k
    with np.errstate(all="ignore"):
        root_n, scale = math.sqrt(control.n), control.atol + control.rtol * np.abs(y)
        x[:] = y
        work.derivative(control.t, 0)
        d0, d1 = _length(y / scale) / root_n, _length(k[0] / scale) / root_n
        h0 = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
        h0 = min(h0, control.t_end - control.t)
        x += h0 * k[0]
        work.derivative(control.t + h0, 1)
        d2 = _length((k[1] - k[0]) / scale) / root_n / h0
    control.started = 1
    if not math.isfinite(d1 + d2):  # the integrator will find out where
        return h0 if math.isfinite(d1) else control.t_end - control.t
    if max(d1, d2) <= 1e-15:
        return max(1e-6, 1e-3 * h0)
    return min(100.0 * h0, float((0.01 / max(d1, d2)) ** (1.0 / order)))


def _length(vector: Array) -> float:
    return math.sqrt(vector @ vector)
