"""Inertial forces of rotors in pins and slides: their armature B, felt along the coordinate x.

    T = -B d²x/dt²  on the second link, its opposite on the first

A couple in a pin, a force along the guide of a slide; x is the joint's angle or stroke, so that the
kinetic energy grows by B (dx/dt)² / 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from poinsot.formulations.composable.joint_rows import driver_bias, driver_rows
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage
from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Array


def armature_rows(
    linkage: PlanarLinkage, poses: Mapping[str, Array]
) -> Iterator[tuple[PlanarJoint, dict[str, Array]]]:
    """Yield joints with armature and ∂(dx/dt)/∂v of their links, shape (..., 3)."""
    for joint in linkage.joints:
        if nonzero(joint.armature):
            rows = driver_rows(joint, poses[joint.a], poses[joint.b])
            yield joint, {joint.a: rows.of_a[..., 0, :], joint.b: rows.of_b[..., 0, :]}


def armature_forces(
    linkage: PlanarLinkage,
    poses: Mapping[str, Array],
    velocities: Mapping[str, Array],
    accelerations: Mapping[str, Array],
) -> dict[str, Array]:
    """Return forces and couple about the link's origin of links that have some.

    Args:
        linkage: The linkage.
        poses: Of all links, shape (..., 3).
        velocities: Of all links, shape (..., 3).
        accelerations: Of all links, shape (..., 3, columns), [constant | ...].

    Returns:
        Shape (..., 3, columns) by link.
    """
    forces: dict[str, Array] = {}
    for joint, rows in armature_rows(linkage, poses):
        ends = joint.a, joint.b
        rate = sum(np.sum(row[..., None] * accelerations[x], axis=-2) for x, row in rows.items())
        v = velocities[joint.a], velocities[joint.b]
        bias = driver_bias(joint, (poses[joint.a], poses[joint.b]), v)
        effort = -joint.armature * (rate + bias * np.eye(np.shape(rate)[-1])[0])
        for body in ends:
            force = rows[body][..., None] * effort[..., None, :]
            forces[body] = forces[body] + force if body in forces else force
    return forces
