"""How the clock of a linkage moves, whose equations or force elements change with time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poinsot.model.planar.clock import CLOCK
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array


class ClockMotion(NamedTuple):
    """Poses, velocities and accelerations of the clock by its name; empty where nothing reads it.

    Attributes:
        poses: (t, 0, 0), shape (..., 3).
        rates: Velocity (1, 0, 0) and acceleration 0, (..., 3) each.
    """

    poses: dict[str, Array]
    rates: dict[str, tuple[Array, Array]]


def clock_motion(linkage: PlanarLinkage, t: Array | None) -> ClockMotion:
    """Return it at times of shape (..., 1)."""
    if not linkage.is_timed:
        return ClockMotion({}, {})
    if t is None:
        raise AssertionError("linkages with a clock are asked with the time")
    zeros = 0.0 * t
    pose = np.concatenate([t, zeros, zeros], axis=-1)
    rate = np.concatenate([1.0 + zeros, zeros, zeros], axis=-1)
    return ClockMotion({CLOCK: pose}, {CLOCK: (rate, 0.0 * rate)})
