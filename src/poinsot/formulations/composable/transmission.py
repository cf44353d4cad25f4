"""How well class-II groups transmit: squared sines of transmission angles.

    RRR         between the two links, by the cosine law
    RRP         between the rod and the normal of the guide
    RPR         sin μ = s / |AC|, s along the guide
    PRP, RPP    between the two guides

0 at dead points, where both assembly modes meet; below 0 where the group cannot be assembled, so
that zeros along a turn can be bracketed.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poinsot.formulations.composable.dyads import MODES, OuterJoint, outer_joint
from poinsot.formulations.composable.plane import direction, dot, rotated, wedge
from poinsot.formulations.composable.unit_positions import (
    Poses,
    groups_without_drivers,
    locked_unit,
)
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage
from poinsot.spatial import Array


def transmission_squares(
    linkage: PlanarLinkage, poses: Poses, q: Mapping[str, Array]
) -> dict[str, Array]:
    """Return sin² μ of each dyad by its inner joint, shape (..., 1).

    Args:
        linkage: The linkage.
        poses: Of its links.
        q: Coordinates of drivers by the names of their joints.
    """
    squares = {}
    for unit in linkage.units:
        groups: tuple[Unit, ...] = (unit,)
        joints = linkage.by_name
        if len(unit.bodies) > 1 and unit.drivers:
            locked = locked_unit(unit, joints, q)
            groups, joints = locked.units, locked.joints
        for dyad in filter(_transmits, groups):
            square = _square(dyad, joints, poses)
            squares[dyad.inner[0].name] = np.asarray(square)[..., None]
    return squares


def transmitting_joints(linkage: PlanarLinkage) -> list[str]:
    """Return the inner joints of class-II groups, of those too that locked drivers leave."""
    return [unit.inner[0].name for unit in _dyads(linkage)]


def joints_between_guides(linkage: PlanarLinkage) -> list[str]:
    """Return those of groups with one assembly: where their guides are parallel they have none."""
    return [
        unit.inner[0].name
        for unit in _dyads(linkage)
        if len(MODES.get(unit.form) or MODES[unit.form[::-1]]) == 1
    ]


def _dyads(linkage: PlanarLinkage) -> list[Unit]:
    groups: list[Unit] = []
    for unit in linkage.units:
        groups += groups_without_drivers(unit, linkage.by_name) if unit.drivers else (unit,)
    return list(filter(_transmits, groups))


def _transmits(unit: Unit) -> bool:
    return not unit.drivers and (unit.form in MODES or unit.form[::-1] in MODES)


def _square(unit: Unit, named: Mapping[str, PlanarJoint], poses: Poses) -> Array:
    joints = [named[pair.name] for pair in unit.outer]
    bodies = [joint.a if joint.a in unit.bodies else joint.b for joint in joints]
    outer = [
        outer_joint(joint, body, poses[joint.other(body)])
        for joint, body in zip(joints, bodies, strict=True)
    ]
    inner = named[unit.inner[0].name]
    form = unit.form
    if form not in MODES:
        form, outer = form[::-1], outer[::-1]
    first, last = outer
    if form == "RRR":
        return _of_pins(first, last, inner)
    if form == "RRP":
        to_B = inner.point(first.body) - first.point
        P = last.place + rotated(last.angle, inner.point(last.body) - last.point)
        return 1.0 - wedge(direction(last.along), P - first.place) ** 2 / dot(to_B, to_B)
    if form == "RPR":
        return _of_slide_between_pins(first, last, inner)
    if form == "PRP":
        return wedge(direction(last.along), direction(first.along)) ** 2
    carrier = last.angle + (0.0 if inner.a == last.body else -inner.beta)
    return wedge(direction(last.along), direction(carrier + inner.ua)) ** 2


def _of_pins(first: OuterJoint, last: OuterJoint, inner: PlanarJoint) -> Array:
    AC = last.place - first.place
    l1, l2 = (dot(s, s) for s in (inner.point(end.body) - end.point for end in (first, last)))
    cosine = l1 + l2 - dot(AC, AC)
    return 1.0 - cosine**2 / (4.0 * l1 * l2)


def _of_slide_between_pins(first: OuterJoint, last: OuterJoint, inner: PlanarJoint) -> Array:
    AC = last.place - first.place
    levers = []
    for end in (first, last):
        turn = -inner.ua if inner.a == end.body else inner.beta - inner.ua
        levers.append(rotated(turn, inner.point(end.body) - end.point))
    e = levers[0][..., 1] - levers[1][..., 1]
    return 1.0 - e**2 / dot(AC, AC)
