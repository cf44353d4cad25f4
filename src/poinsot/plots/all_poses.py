"""Poses of all bodies of a system."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.plots.run_like import SystemLike
from poinsot.spatial import Array, Transform

__all__ = ["all_poses"]

FEW: Final = 4
"""So many configurations are computed from body to body, without a program for each body."""


def all_poses(system: SystemLike, q: Array) -> Array:
    """Return the poses of all bodies in the world, X_WB = X_WP X_PJ X_JB(q).

    Args:
        system: The system, with numbers.
        q: Configurations, shape (n, nq).

    Returns:
        Shape (n, bodies, 4, 4).
    """
    mechanism, n = system.mechanism, len(q)
    poses = np.empty((n, len(system.bodies), 4, 4))
    if n > FEW:
        for i, name in enumerate(system.body_names):
            poses[:, i] = system.pose(name, q)
        return poses
    for k, configuration in enumerate(np.asarray(q, dtype=float)):
        placed: dict[int, Transform] = {-1: Transform.identity()}
        for i in mechanism.order:
            body, own = system.bodies[i], configuration[mechanism.q_slices[i]]
            mounted = placed[mechanism.parents[i]] @ body.pose.transform()
            placed[i] = mounted @ body.joint.transform(own)
            poses[k, i] = placed[i].homogeneous()
    return poses
