"""Forces between teeth and on cams, and what they change in the bearings.

The multiplier λ of a pair is the couple or force on link b along its coordinate.  Where two things
touch, the force has one line of action:

    gear    F = F_t t + |F_t| tan α n, F_t = -λ / r_b at the pitch point; n pushes the wheels apart
    rack    F = λ u + |λ| tan α n
    cam     F = λ / (e · dF/dy) e, pushing where it is positive

The equation of the pair stands for the part along the coordinate; the rest of F is taken by the
pins and slides of both links on their carrier.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from poinsot.expr import select
from poinsot.formulations.composable.cam_contact import cam_contact
from poinsot.formulations.composable.joint_rows import geometry
from poinsot.formulations.composable.pair_rows import pair_coordinates
from poinsot.formulations.composable.plane import (
    direction,
    dot,
    point_at,
    rotated,
    scaled,
    stacked,
    turned,
    wedge,
)
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.higher_pair import CamFollower, GearMesh, HigherPair, PlanarPair
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage
from poinsot.spatial import Array

Poses = Mapping[str, Array]


class ContactForce(NamedTuple):
    """What touches where, in the axes of the frame.

    Attributes:
        place: Of contact, (..., 2) [m].
        force: On link b, (..., 2) [N].
        size: Along the line of action, (...) [N]: of cams positive where they push.
    """

    place: Array
    force: Array
    size: Array


def contact_force(
    pair: PlanarPair, poses: Poses, multiplier: Array, at_state: Array | None = None
) -> ContactForce | None:
    """Return the force between the links of a pair; None where the multiplier says all.

    So it is of couplings and relations, which do not touch, and of points on curves.

    Args:
        pair: The pair.
        poses: Poses of all links.
        multiplier: λ, (...).
        at_state: λ that tells which flanks are pressed; itself by default.
    """
    if not isinstance(pair, HigherPair) or pair.shape is None:
        return None
    pose = poses[pair.carrier]
    if isinstance(pair.shape, CamFollower):
        y_a, y_b = pair_coordinates(pair, poses)
        contact = cam_contact(pair.shape.path, y_b, pair.law(y_a)[1], 0.0 * y_b)
        size = multiplier / contact.leverage
        e = rotated(pose[..., 2], contact.normal)
        return ContactForce(point_at(pose, contact.place), scaled(size, e), size)
    mesh = pair.shape
    tangent, apart, place = mesh_axes(mesh)
    factor = -1.0 / mesh.radius_b if mesh.radius_b else 1.0
    along = factor * multiplier
    slope = float(np.tan(mesh.pressure_angle))
    force = scaled(along, rotated(pose[..., 2], tangent))
    size = np.abs(along) if at_state is None else _signed(factor * at_state) * along
    force = force + scaled(slope * size, rotated(pose[..., 2], apart))
    return ContactForce(point_at(pose, place), force, along / float(np.cos(mesh.pressure_angle)))


def mesh_axes(mesh: GearMesh) -> tuple[Array, Array, Array]:
    """Return tangent, direction that pushes b away, and pitch point, in the carrier."""
    a = np.array(mesh.centre_a)
    if not mesh.radius_b:
        u = direction(mesh.direction)
        n = -mesh.side * turned(u)
        return u, n, a + mesh.radius_a * n
    d = np.array(mesh.centre_b) - a
    n = d / np.hypot(*d)
    is_internal = min(mesh.radius_a, mesh.radius_b) < 0.0
    return turned(n), -n if is_internal else n, a + mesh.radius_a * n


def with_contact_forces(
    linkage: PlanarLinkage,
    poses: Poses,
    multipliers: Mapping[str, Array],
    reactions: dict[str, Array],
    at_state: Mapping[str, Array] | None = None,
) -> dict[str, Array]:
    """Return reactions with forces of pairs, (..., 1) each, and bearings that take them.

    Args:
        linkage: The linkage.
        poses: Poses of all links.
        multipliers: λ of the pairs, (..., 1) each.
        reactions: Of pins and slides, on their second links.
        at_state: Multipliers that tell which flanks of teeth are pressed; these by default.
    """
    total = dict(reactions)
    for pair in linkage.pairs:
        lam = multipliers[pair.name][..., 0]
        pressed = None if at_state is None else at_state[pair.name][..., 0]
        contact = contact_force(pair, poses, lam, pressed)
        if isinstance(pair, CurvePair) and pair.is_helper:
            continue
        if contact is None:
            total[pair.name] = lam[..., None]
            continue
        for path, sign in ((pair.path_b, 1.0), (pair.path_a, -1.0)):
            for name, link in path:
                joint = linkage.by_name[name]
                taken = _taken(joint, poses, contact.place, sign * contact.force)
                on_second = taken if link == joint.b else -taken
                total[name] = total[name] - on_second[..., : total[name].shape[-1]]
        total[pair.name] = np.asarray(contact.size)[..., None]
    return total


def _signed(values: Array) -> Array:
    """Return ±1."""
    if np.asarray(values).dtype == object:
        flat = [select(x < 0.0, -1.0, 1.0) for x in np.ravel(values).tolist()]
        return np.array(flat, object).reshape(np.shape(values))
    return np.where(values < 0.0, -1.0, 1.0)


def _taken(joint: PlanarJoint, poses: Poses, place: Array, force: Array) -> Array:
    """Return the part of a force on a link that its joint takes: [Fx, Fy], or [N, T] of slides."""
    if joint.kind == "R":
        return force
    n = geometry(joint, poses[joint.a], poses[joint.b]).n
    lever = place - point_at(poses[joint.b], joint.pb)
    return stacked(dot(n, force), wedge(lever, force))
