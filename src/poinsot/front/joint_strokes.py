"""How far, and how fast, links go in their joints on the ground."""

from __future__ import annotations

from collections.abc import Mapping

from poinsot.formulations.composable.plane import direction, dot, point_at
from poinsot.model.planar.linkage import PlanarJoint
from poinsot.spatial import Array


def stroke_of(joint: PlanarJoint, poses: Mapping[str, Array], frame: str) -> Array:
    """Return the angle [rad] or stroke [m] of the link in a joint on the ground, shape (n,)."""
    if joint.kind == "R":
        angle: Array = poses[joint.other(frame)][:, 2]
        return angle
    d = point_at(poses[joint.b], joint.pb) - point_at(poses[joint.a], joint.pa)
    return dot(direction(poses[joint.a][:, 2] + joint.ua), d)


def rate_of(joint: PlanarJoint, velocities: Mapping[str, Array], frame: str) -> Array:
    """Return its rate [rad/s or m/s], shape (n,)."""
    v = velocities[joint.other(frame)]
    if joint.kind == "R":
        rate: Array = v[..., 2]
        return rate
    if joint.b == frame:
        return -dot(direction(joint.ua - joint.beta), v[..., :2])
    return dot(direction(joint.ua), v[..., :2])
