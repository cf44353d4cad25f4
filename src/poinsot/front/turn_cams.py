"""Cams along a turn: pressure angles, where followers lift off, where the profile is undercut."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from poinsot.formulations.composable.cam_contact import cam_contact, pressure_angle
from poinsot.formulations.composable.pair_rows import pair_coordinates
from poinsot.front.planar_branches import TurnPoint
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.higher_pair import CamFollower, HigherPair, PlanarPair
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array


def pressure_angles(linkage: PlanarLinkage, poses: Mapping[str, Array]) -> dict[str, Array]:
    """Return the pressure angle of each cam [rad], (n,) each."""
    angles = {}
    for pair in linkage.pairs:
        if isinstance(pair, HigherPair) and isinstance(pair.shape, CamFollower):
            y_a, y_b = pair_coordinates(pair, poses)
            _, first, second = pair.law(y_a)
            contact = cam_contact(pair.shape.path, y_b, first, second)
            angles[pair.name] = pressure_angle(contact, pair.shape.lift_sense)
    return angles


def lift_off_points(
    pairs: Sequence[PlanarPair], reactions: Callable[[], Mapping[str, Array]], x: Array,
    shown: Callable[[float], str],
) -> list[TurnPoint]:  # fmt: skip
    """Return where followers leave their cams.

    Args:
        pairs: Of the mechanism.
        reactions: Gives forces of pairs along the turn.
        x: Coordinate of the driver, (n,).
        shown: Writes one for people.
    """
    points = []
    for pair in pairs:
        follower = pair.partner if isinstance(pair, CurvePair) else pair.b
        if pair.kind != "cam" and not (isinstance(pair, CurvePair) and pair.partner):
            continue
        for start, stop in _lift_offs(reactions()[pair.name][:, 0], x):
            where = f"{shown(start)} to {shown(stop)}"
            text = f"lift-off from {where}: {follower} leaves {pair.a}, the contact would pull"
            points.append(TurnPoint("lift-off", start, (pair.a, follower), text))
    return points


def _lift_offs(force: Array, x: Array) -> list[tuple[float, float]]:
    """Return where a pushing force becomes negative, and where it pushes again.

    Args:
        force: Of contact, positive where it pushes, (n,).
        x: Coordinate of the driver, (n,); places between are interpolated.
    """
    pulls = force < 0.0
    edges = np.flatnonzero(np.diff(np.concatenate([[False], pulls, [False]]).astype(int)))
    stretches = []
    for first, last in edges.reshape(-1, 2):
        ends = []
        for before, after in ((first - 1, first), (last - 1, last)):
            if before < 0 or after >= len(x):
                ends.append(float(x[max(before, 0)] if after >= len(x) else x[after]))
                continue
            share = force[before] / (force[before] - force[after])
            ends.append(float(x[before] + share * (x[after] - x[before])))
        stretches.append((ends[0], ends[1]))
    return stretches
