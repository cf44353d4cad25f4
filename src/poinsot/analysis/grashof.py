"""Which links of a four-bar can turn all the way round: Grashof's law [Grashof1883]."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.model.planar.linkage import PlanarLinkage

SAME: Final = 1e-12
"""Relative difference of s + l and p + q below which a linkage can be folded flat."""


def grashof_type(crank: float, rod: float, rocker: float, ground: float) -> str:
    """Return the type of a four-bar by the lengths of its links [m].

    s + l < p + q, shortest and longest against the others: the shortest turns relative to all.

    >>> grashof_type(1.0, 3.0, 2.0, 3.0), grashof_type(2.0, 3.0, 1.0, 3.0)
    ('crank-rocker', 'rocker-crank')
    >>> grashof_type(2.0, 3.0, 3.0, 1.0), grashof_type(2.0, 2.0, 2.0, 5.0)
    ('double-crank', 'triple-rocker')
    """
    lengths = [crank, rod, rocker, ground]
    s, p, q, l = sorted(lengths)
    if abs(s + l - p - q) <= SAME * l:
        return "change-point"
    if s + l > p + q:
        return "triple-rocker"
    names = ("crank-rocker", "double-rocker", "rocker-crank", "double-crank")
    return names[int(np.argmin(lengths))]


def grashof_types(linkage: PlanarLinkage) -> dict[str, str]:
    """Return the types of all four-bars on the ground with a driven crank, by their inner pins."""
    types = {}
    for unit in linkage.units:
        if unit.form != "RRR" or unit.drivers:
            continue
        joints = [linkage.by_name[pair.name] for pair in unit.outer]
        inner = linkage.by_name[unit.inner[0].name]
        ends = [joint.a if joint.b in unit.bodies else joint.b for joint in joints]
        if linkage.frame not in ends or ends[0] == ends[1]:
            continue
        if ends[0] == linkage.frame:
            joints, ends = joints[::-1], ends[::-1]
        pivots = [
            joint
            for joint in linkage.joints
            if joint.name in linkage.drivers and {joint.a, joint.b} == {ends[0], linkage.frame}
        ]
        if not pivots or pivots[0].kind != "R":
            continue
        at_crank, at_ground = joints
        rod, rocker = at_crank.other(ends[0]), at_ground.other(linkage.frame)
        sides = [
            at_crank.point(ends[0]) - pivots[0].point(ends[0]),
            inner.point(rod) - at_crank.point(rod),
            inner.point(rocker) - at_ground.point(rocker),
            at_ground.point(linkage.frame) - pivots[0].point(linkage.frame),
        ]
        types[inner.name] = grashof_type(*(float(np.hypot(*side)) for side in sides))
    return types
