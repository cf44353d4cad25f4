"""The largest of values along a link and over time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poinsot.spatial import Array


class Heaviest(NamedTuple):
    """The largest of a kind of load: time [s], place along the link [m], and the load."""

    t: float
    s: float
    value: float


def heaviest_of(values: Array, s: Array, t: Array) -> Heaviest:
    """Return the largest of values in sections at s, shape (..., k), at instants t."""
    rows = values.reshape(-1, s.size)
    instant, place = np.unravel_index(int(np.argmax(rows)), rows.shape)
    when = np.broadcast_to(t, rows.shape[:1])
    return Heaviest(float(when[instant]), float(s[place]), float(rows[instant, place]))
