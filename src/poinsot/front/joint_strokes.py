"""How far, and how fast, links go in their joints on the ground."""

from __future__ import annotations

from collections.abc import Mapping

from poinsot.errors import ModelError
from poinsot.formulations.composable.plane import direction, dot, point_at
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage
from poinsot.spatial import Array


def stroke_of(joint: PlanarJoint, poses: Mapping[str, Array], frame: str) -> Array:
    """Return the angle [rad] or stroke [m] of the link in a joint on the ground, shape (...)."""
    if joint.kind == "R":
        angle: Array = poses[joint.other(frame)][..., 2]
        return angle
    d = point_at(poses[joint.b], joint.pb) - point_at(poses[joint.a], joint.pa)
    return dot(direction(poses[joint.a][..., 2] + joint.ua), d)


def rate_of(joint: PlanarJoint, velocities: Mapping[str, Array], frame: str) -> Array:
    """Return its rate [rad/s or m/s], shape (...)."""
    v = velocities[joint.other(frame)]
    if joint.kind == "R":
        rate: Array = v[..., 2]
        return rate
    if joint.b == frame:
        return -dot(direction(joint.ua - joint.beta), v[..., :2])
    return dot(direction(joint.ua), v[..., :2])


def outputs_of(linkage: PlanarLinkage) -> dict[str, PlanarJoint]:
    """Return links on the ground that are not driven: rockers and sliders, with their joints."""
    grounded = [joint for joint in linkage.joints if linkage.frame in (joint.a, joint.b)]
    return {j.other(linkage.frame): j for j in grounded if j.name not in linkage.drivers}


def output_joint(linkage: PlanarLinkage, link: str, where: str) -> PlanarJoint:
    """Return the joint of a rocker or slider on the ground.

    Args:
        linkage: The linkage.
        link: Name of the link.
        where: Opens the message of an error.
    """
    outputs = outputs_of(linkage)
    if not isinstance(link, str) or link not in outputs:
        hint = suggestion(link, outputs)
        raise ModelError(f"{where}: {link!r} is no rocker or slider on the ground; {hint}")
    return outputs[link]
