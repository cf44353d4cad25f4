"""What sections of links along a turn are computed from: accelerations of a system, and loads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.front.system import System
from poinsot.model.planar.linkage import PlanarVector
from poinsot.spatial import Array


def driven_accelerations(
    system: System, drivers: Sequence[str], state: tuple[Array, Array], t: Array | None
) -> Array:
    """Return accelerations of all joints where drivers have none, shape (n, nv).

    Args:
        system: The system.
        drivers: Names of its driven joints.
        state: q and v, (n, nq) and (n, nv).
        t: Times [s], shape (n,), where constraints change with them.
    """
    q, v = state
    if t is None:
        return system.consistent_acceleration(q, v, np.zeros_like(v), joints=drivers)
    rows = [
        system.consistent_acceleration(at_q, at_v, 0.0 * at_v, joints=drivers, t=time)
        for at_q, at_v, time in zip(q, v, t.tolist(), strict=True)
    ]
    return np.array(rows)


def load_in_link(load: Array, angle: Array, com: PlanarVector) -> Array:
    """Return a force at the mass centre in axes of the ground, and a couple, as [f; n], (n, 6).

    At the origin of the link in its axes.
    """
    c, s = np.cos(angle), np.sin(angle)
    x, y, couple = load.T
    f_x, f_y, zero = c * x + s * y, c * y - s * x, np.zeros_like(c)
    moment = couple + com[0] * f_y - com[1] * f_x
    return np.stack([f_x, f_y, zero, zero, zero, moment], axis=-1)
