"""Inertial forces of rotors in pins and slides: their armature B, felt along the coordinates x.

    T_i = -Σ B_ij d²x_j/dt²  on the second link of joint i, its opposite on the first

A couple in a pin, a force along the guide of a slide; x is the joint's angle or stroke, so that the
kinetic energy grows by Σ B_ij (dx_i/dt) (dx_j/dt) / 2.  B couples coordinates of one planar joint.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from poinsot.formulations.composable.joint_rows import driver_bias, driver_rows
from poinsot.model.planar.joint import PlanarAngle
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage
from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Array

Rows = dict[str, Array]
"""∂(dx/dt)/∂v of the links of a joint, shape (..., 3) each."""


class ArmatureTerm(NamedTuple):
    """B_ij, and the rows of x_i and x_j; where i ≠ j there is one for j and i, too."""

    inertia: PlanarAngle
    rows: Rows
    other_rows: Rows
    other: PlanarJoint


def armature_terms(linkage: PlanarLinkage, poses: Mapping[str, Array]) -> Iterator[ArmatureTerm]:
    """Yield what B holds besides zeros."""
    terms: list[tuple[PlanarAngle, str, str]] = [
        (joint.armature, joint.name, joint.name) for joint in linkage.joints
    ]
    for pair in linkage.coupled_rotors:
        terms.append((pair.inertia, pair.first, pair.second))
        terms.append((pair.inertia, pair.second, pair.first))
    for inertia, *names in terms:
        if nonzero(inertia):
            own, other = (linkage.by_name[name] for name in names)
            yield ArmatureTerm(inertia, _rows(own, poses), _rows(other, poses), other)


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
    for inertia, own, rows, joint in armature_terms(linkage, poses):
        rate = sum(np.sum(row[..., None] * accelerations[x], axis=-2) for x, row in rows.items())
        ends, v = (tuple(motion[x] for x in (joint.a, joint.b)) for motion in (poses, velocities))
        bias = driver_bias(joint, (ends[0], ends[1]), (v[0], v[1]))
        effort = -inertia * (rate + bias * np.eye(np.shape(rate)[-1])[0])
        for body, row in own.items():
            force = row[..., None] * effort[..., None, :]
            forces[body] = forces[body] + force if body in forces else force
    return forces


def _rows(joint: PlanarJoint, poses: Mapping[str, Array]) -> Rows:
    rows = driver_rows(joint, poses[joint.a], poses[joint.b])
    return {joint.a: rows.of_a[..., 0, :], joint.b: rows.of_b[..., 0, :]}
