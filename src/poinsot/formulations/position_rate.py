"""The rates of the coordinates from the velocities."""

from __future__ import annotations

import numpy as np

from poinsot.model import Mechanism
from poinsot.spatial import Array


def position_rate(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Return qdot = N(q) v, shape (nq,)."""
    return np.concatenate(
        [
            body.joint.position_rate(q[mechanism.q_slices[i]], v[mechanism.v_slices[i]])
            for i, body in enumerate(mechanism.bodies)
        ]
    )
