"""Poses of links relative to others, from the coordinates of their joints."""

from __future__ import annotations

import numpy as np

from poinsot.formulations.composable.plane import (
    direction,
    point_at,
    pose_with,
    rotated,
    scaled,
    stacked,
)
from poinsot.model.planar.linkage import PlanarAngle, PlanarJoint
from poinsot.spatial import Array


def driven_pose(joint: PlanarJoint, body: str, q: PlanarAngle) -> Array:
    """Return the pose of a link of a joint relative to the other, at its coordinate."""
    if joint.kind == "R":
        pose = pose_with(joint.pb, np.asarray(joint.pa), q)
    else:
        place = np.asarray(joint.pa) + scaled(q, direction(joint.ua))
        pose = pose_with(joint.pb, place, joint.beta)
    return pose if body == joint.b else inverse_pose(pose)


def composed(X_AB: Array, X_BC: Array) -> Array:
    """Return X_AC."""
    place = point_at(X_AB, X_BC[..., :2])
    return stacked(place[..., 0], place[..., 1], X_AB[..., 2] + X_BC[..., 2])


def inverse_pose(X: Array) -> Array:
    """Return X_BA of X_AB."""
    place = -rotated(-X[..., 2], X[..., :2])
    return stacked(place[..., 0], place[..., 1], -X[..., 2])
