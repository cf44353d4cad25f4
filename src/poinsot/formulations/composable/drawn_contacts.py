"""Where two profiles touch in a drawing: poses of the links without mass that stand for contacts.

Three of their four equations give the place, the fourth says whether the profiles touch.  A drawing
in which they nearly do is mended: the group of links that holds the contact is moved until they do,
coordinates of drivers as they are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from poinsot.errors import AssemblyError, ModelError
from poinsot.formulations.composable.curve_rows import curvature, curve_axes, curve_contact
from poinsot.formulations.composable.joint_rows import driver_rows
from poinsot.formulations.composable.numerical_group import numerical_poses
from poinsot.formulations.composable.pair_rows import pair_row
from poinsot.formulations.composable.plane import angle_of, dot, point_at, turned
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array

SAMPLES: Final = 720
STEPS: Final = 40
EXACT: Final = 1e-13
TOUCHES: Final = 1e-9
"""Gap, relative to the size of the profiles, that counts as none."""
ROUGH: Final = 0.2
"""Gap, relative to the size of the profiles, up to which a drawing is mended."""


class _Contact(NamedTuple):
    """The four pairs of one contact."""

    link: str
    on_a: CurvePair
    on_b: CurvePair
    along_a: CurvePair
    along_b: CurvePair


def with_drawn_contacts(linkage: PlanarLinkage) -> PlanarLinkage:
    """Return a linkage whose contacts of profiles have poses, if all other links are drawn.

    Raises:
        ModelError: Profiles do not touch, or not in one place.
    """
    for contact in _contacts(linkage):
        others = {name: link.pose for name, link in linkage.links.items() if name != contact.link}
        if linkage.links[contact.link].pose is not None or any(
            pose is None for name, pose in others.items() if not name.endswith(" contact")
        ):
            continue
        poses = {name: np.array(pose, float) for name, pose in others.items() if pose is not None}
        poses[linkage.frame] = np.zeros(3)
        poses[contact.link] = _place(contact, poses)
        poses = _mended(linkage, contact, poses)
        _check_unique(contact, poses)
        links = {
            name: replace(link, pose=tuple(poses[name].tolist())) if name in poses else link
            for name, link in linkage.links.items()
        }
        linkage = replace(linkage, links=links)
    return linkage


def _contacts(linkage: PlanarLinkage) -> list[_Contact]:
    """Return the contacts of profiles among the pairs of a linkage."""
    by_link: dict[str, list[CurvePair]] = {}
    for pair in linkage.pairs:
        if isinstance(pair, CurvePair):
            by_link.setdefault(pair.b, []).append(pair)
    contacts = []
    for link, pairs in by_link.items():
        along = [pair for pair in pairs if pair.is_tangent]
        points = [pair for pair in pairs if not pair.is_tangent]
        if len(along) == len(points) == 2 and [p.a for p in along] == [p.a for p in points]:
            contacts.append(_Contact(link, *points, *along))
    return contacts


def _place(contact: _Contact, poses: Mapping[str, Array]) -> Array:
    """Return the pose of the contact: on the curve of a, where tangents are parallel."""
    pose = _start(contact, poses)
    for _ in range(STEPS):
        here = {**poses, contact.link: pose}
        rows = [pair_row(p, here) for p in (contact.on_a, contact.along_a, contact.along_b)]
        residual = np.concatenate([row.residual for row in rows])
        matrix = np.concatenate([row.blocks[contact.link] for row in rows])
        if not np.all(np.isfinite(matrix)) or np.linalg.cond(matrix) > 1.0 / EXACT:
            break
        pose = pose - np.linalg.solve(matrix, residual)
        if np.max(np.abs(residual)) < EXACT * max(1.0, float(np.max(np.abs(pose)))):
            return np.asarray(pose)
    raise ModelError(
        f"profiles {contact.on_a.name!r}: no place with a common tangent near where they are drawn;"
        ' move one of the links, or say where they touch: "at": (x, y) [m]'
    )


def _start(contact: _Contact, poses: Mapping[str, Array]) -> Array:
    """Return a rough pose: where outlines are nearest to each other, or as it is said."""
    given = contact.on_a.start
    place = _nearest(contact, poses) if given is None else np.array(given)
    at_place = {**poses, contact.link: np.array([*place, 0.0])}
    normal = curve_contact(contact.on_a, at_place).normal
    return np.array([*place, float(angle_of(-turned(normal)))])


def _nearest(contact: _Contact, poses: Mapping[str, Array]) -> Array:
    """Return the place at which curves, one of them closed, are nearest to each other."""
    pairs = contact.on_a, contact.on_b
    ends = [_outline(pair, poses) for pair in pairs]
    if ends[0] is not None and ends[1] is not None:
        apart = np.linalg.norm(ends[0][:, None] - ends[1][None], axis=-1)
        i, k = np.unravel_index(np.argmin(apart), apart.shape)
        return np.asarray((ends[0][i] + ends[1][k]) / 2.0)
    for points, other in zip(ends, reversed(pairs), strict=True):
        if points is not None:
            return np.asarray(points[int(np.argmin(_gaps(other, points, poses)))])
    raise ModelError(
        f"profiles {contact.on_a.name!r}: say where the curves touch in the drawing, roughly:"
        ' "at": (x, y) [m]; only where one of them is a profile it is found'
    )


def _gaps(pair: CurvePair, points: Array, poses: Mapping[str, Array]) -> Array:
    """Return how far points (n, 2) are from a curve, roughly, (n,)."""
    places = np.concatenate([points, 0.0 * points[:, :1]], axis=-1)
    with np.errstate(all="ignore"):
        residual = pair_row(pair, {**poses, pair.b: places}).residual[:, 0]
    return np.nan_to_num(np.abs(residual), nan=np.inf)


def _outline(pair: CurvePair, poses: Mapping[str, Array]) -> Array | None:
    """Return points of a closed profile in the axes of the frame, (n, 2)."""
    if pair.curve.outline is None:
        return None
    phi = np.linspace(0.0, 2.0 * np.pi, SAMPLES, endpoint=False)
    radius = pair.curve.outline(phi)[0]
    points = radius[:, None] * np.stack([np.cos(phi), np.sin(phi)], axis=-1)
    return point_at(curve_axes(pair, poses[pair.a]), points)


def _size(contact: _Contact, poses: Mapping[str, Array]) -> float:
    """Return the larger distance of the contact from the centres of the curves [m]."""
    place = poses[contact.link][:2]
    ends = [curve_axes(pair, poses[pair.a])[:2] for pair in (contact.on_a, contact.on_b)]
    return max(float(np.hypot(*(place - end))) for end in ends)


def _mended(linkage: PlanarLinkage, contact: _Contact, poses: dict[str, Array]) -> dict[str, Array]:
    """Return poses in which the profiles touch, of the group of the contact moved."""
    gap = float(pair_row(contact.on_b, poses).residual[0])
    size = _size(contact, poses)
    if abs(gap) <= TOUCHES * size:
        return poses
    unit = next(unit for unit in linkage.units if contact.link in unit.bodies)
    joints = [linkage.by_name[name] for name in linkage.drivers]
    q = {j.name: driver_rows(j, poses[j.a], poses[j.b]).residual[0] for j in joints}
    problem = (
        f"profiles {contact.on_a.name!r}: {contact.on_a.a!r} and {contact.on_b.a!r} do not touch in"
        f" the drawing, the gap is {gap:.3g} m"
    )
    if abs(gap) > ROUGH * size or not all(map(poses.__contains__, map(str, unit.bodies))):
        raise ModelError(f"{problem}; move the pose of {contact.on_b.a!r}")
    try:
        moved = numerical_poses(unit, linkage, poses, q, poses)
    except AssemblyError as error:
        raise ModelError(f"{problem}; move the pose of {contact.on_b.a!r}") from error
    return {**poses, **moved}


def _check_unique(contact: _Contact, poses: Mapping[str, Array]) -> None:
    """Reject profiles that touch in more than one place, or overlap."""
    name, a, b = contact.on_a.name, contact.on_a.a, contact.on_b.a
    ends = [curve_contact(pair, poses) for pair in (contact.on_a, contact.on_b)]
    bends = [float(curvature(end.values)) for end in ends]
    facing = -float(np.sign(dot(ends[0].normal, ends[1].normal)))
    size = _size(contact, poses)
    relative = (bends[0] + facing * bends[1]) * size
    if abs(relative) < EXACT**0.5:
        raise ModelError(
            f"profiles {name!r}: {a!r} and {b!r} are as much curved as each other where they touch,"
            " so that the place of contact is not determined; change a profile"
        )
    outlines = [_outline(pair, poses) for pair in (contact.on_a, contact.on_b)]
    if any(outline is None for outline in outlines) or facing < 0.0:
        return
    least = [_least_curvature(pair) for pair in (contact.on_a, contact.on_b)]
    if sum(least) <= 0.0:
        hollow = (a, b)[int(np.argmin(least))]
        raise ModelError(
            f"profiles {name!r}: {hollow!r} is hollow, with a radius of {-1.0 / min(least):.4g} m,"
            f" and {(b, a)[int(np.argmin(least))]!r} is not rounder everywhere, so that they may"
            " touch in two places; make the hollow flatter or the other profile rounder"
        )
    other = np.asarray(outlines[1])
    at_points = {**poses, contact.link: np.concatenate([other, 0.0 * other[:, :1]], axis=-1)}
    gaps = pair_row(contact.on_a, at_points).residual[:, 0]
    deepest = int(np.argmin(gaps))
    if gaps[deepest] < -(TOUCHES**0.5) * size:
        x, y = other[deepest].round(4).tolist()
        raise ModelError(
            f"profiles {name!r}: {a!r} and {b!r} overlap in the drawing by {-gaps[deepest]:.3g} m"
            f" at ({x:g}, {y:g}); move the pose of {b!r}"
        )


def _least_curvature(pair: CurvePair) -> float:
    """Return the least curvature of a closed profile [1/m], negative where it is hollow."""
    assert pair.curve.outline is not None
    R, R1, R2 = pair.curve.outline(np.linspace(0.0, 2.0 * np.pi, 2 * SAMPLES))
    return float(np.min((R * R + 2.0 * R1 * R1 - R * R2) / (R * R + R1 * R1) ** 1.5))
