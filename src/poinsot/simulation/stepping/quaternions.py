"""Quaternions among the coordinates."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from poinsot.expr import sqrt
from poinsot.model import Mechanism
from poinsot.spatial import Array


@lru_cache(maxsize=64)
def quaternion_starts(mechanism: Mechanism) -> NDArray[np.int64]:
    """Return where in q each quaternion starts: the last four coordinates of joints that have one.

    A joint with one coordinate more than velocities has a quaternion.
    """
    starts = np.array(
        [
            mechanism.q_slices[i].stop - 4
            for i, body in enumerate(mechanism.bodies)
            if body.joint.nq == body.joint.nv + 1
        ],
        np.int64,
    )
    starts.flags.writeable = False
    return starts


def with_unit_quaternions(mechanism: Mechanism, q: Array) -> Array:
    """Return q with each quaternion divided by its length, over any scalar, shape (nq,)."""
    unit = q.copy()
    for start in quaternion_starts(mechanism).tolist():
        quaternion = q[start : start + 4]
        unit[start : start + 4] = quaternion * (1.0 / sqrt(np.dot(quaternion, quaternion)))
    return unit
