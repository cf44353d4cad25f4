"""Angles of links that springs, force elements and rows read: they go on across π.

Closed forms know the angle of a link but for whole turns, those in (-π, π].  What reads the angle
of a pin takes those within half a turn of the drawing, so that nothing jumps near it.  Links that
drivers carry alone are counted anyway, and poses that are followed go on by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.expr import atan2, cos, sin
from poinsot.formulations.composable.counted_units import counted_links
from poinsot.formulations.composable.plane import direction
from poinsot.formulations.composable.positions import has_closed_forms
from poinsot.formulations.composable.turn import Turn
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array


def read_poses(linkage: PlanarLinkage, poses: Mapping[str, Array]) -> dict[str, Array]:
    """Return poses with the angles that springs, elements and rows on velocities read."""
    read = [joint for joint in linkage.joints if joint.k]
    read += [y.joint for element in linkage.elements for y in element.coordinates]
    links = {link for joint in read if joint.kind == "R" for link in (joint.a, joint.b)}
    links |= {link for row in linkage.velocity_rows for link in row.links}
    if not links or linkage.drawn is None or not has_closed_forms(linkage):
        return dict(poses)
    seen = dict(poses)
    for link in links - counted_links(linkage):
        seen[link] = within_half_a_turn(poses[link], float(linkage.drawn[link][2]))
    return seen


def within_half_a_turn(pose: Array, near: Any) -> Array:  # noqa: ANN401 (a generic scalar)
    """Return a pose whose angle is within half a turn of one nearby."""
    if pose.dtype != object:
        counted = pose.copy()
        counted[..., 2] -= 2.0 * np.pi * np.round((pose[..., 2] - near) / (2.0 * np.pi))
        return counted
    c, s = direction(pose[2])
    across, along = s * cos(near) - c * sin(near), c * cos(near) + s * sin(near)
    return np.array([pose[0], pose[1], Turn(near + atan2(across, along), c, s)], object)
