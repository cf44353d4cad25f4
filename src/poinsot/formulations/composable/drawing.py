"""What a drawing of a linkage tells: coordinates of its drivers, assembly modes, poses nearby."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from poinsot.errors import AssemblyError, ModelError
from poinsot.formulations.composable.counted_units import has_pairs
from poinsot.formulations.composable.joint_rows import driver_rows, joint_rows
from poinsot.formulations.composable.pair_rows import pair_coordinates, pair_row
from poinsot.formulations.composable.plane import point_at
from poinsot.formulations.composable.positions import is_closed
from poinsot.formulations.composable.unit_positions import unit_choices, unit_poses
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.higher_pair import HigherPair, PlanarPair
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array

FITS: Final = 1e-6
"""How far joints of a drawing may be open, relative to its size."""


def drawn_coordinates(linkage: PlanarLinkage) -> Array:
    """Return q of the drivers in the drawing, shape (nq,)."""
    poses = _drawn(linkage)
    joints = [linkage.by_name[name] for name in linkage.drivers]
    rows = [driver_rows(joint, poses[joint.a], poses[joint.b]).residual for joint in joints]
    return np.concatenate(rows) if rows else np.zeros(0)


def drawn_modes(linkage: PlanarLinkage) -> dict[str, int]:
    """Return the modes, by inner joints, in which closed forms give the drawing.

    Raises:
        ModelError: A joint of the drawing is open.
    """
    poses = _drawn(linkage)
    size = drawn_size(linkage)
    for joint in linkage.joints:
        residual = joint_rows(joint, poses[joint.a], poses[joint.b]).residual
        gap = float(np.max(np.abs(residual[: 2 if joint.kind == "R" else 1])))
        if gap > FITS * size:
            raise ModelError(
                f"joint {joint.name!r} is open by {gap:.3g} m in the drawing; move the pose of"
                f" {joint.a!r} or {joint.b!r}, or leave all poses out"
            )
    for higher in linkage.pairs:
        _check_pair(linkage, higher, size)
    modes: dict[str, int] = {}
    q = dict(zip(linkage.drivers, drawn_coordinates(linkage), strict=True))
    for unit in linkage.units:
        if has_pairs(unit) or not is_closed(unit, linkage):
            continue
        if unit.drivers:
            modes |= _fitting_modes(unit, linkage, q)
            continue
        for pair in unit.inner[:1]:
            mode = _fitting_mode(unit, pair.name, linkage, q)
            modes |= {} if mode is None else {pair.name: mode}
    return modes


def with_drawn_gears(linkage: PlanarLinkage) -> PlanarLinkage:
    """Return a linkage whose gears and racks mesh as they are drawn, where nothing else is said."""
    poses = linkage.drawn
    pairs: list[PlanarPair] = []
    for pair in linkage.pairs:
        if not isinstance(pair, HigherPair):
            pairs.append(pair)
            continue
        offset = pair.offset
        if offset is None and poses is not None:
            y_a, y_b = pair_coordinates(pair, poses)
            offset = float(y_b - pair.ratio * y_a)
        pairs.append(replace(pair, offset=offset or 0.0))
    return replace(linkage, pairs=tuple(pairs)) if pairs else linkage


def _check_pair(linkage: PlanarLinkage, pair: PlanarPair, size: float) -> None:
    """Reject drawings in which a gear or a cam does not fit."""
    gap = float(pair_row(pair, _drawn(linkage)).residual[0])
    slides = pair.is_length
    gap = gap if slides else (gap + np.pi) % (2.0 * np.pi) - np.pi
    if abs(gap) > FITS * (size if slides else 1.0):
        raise ModelError(
            f"{pair.kind} {pair.name!r} does not fit in the drawing, by {gap:.3g}"
            f" {'m' if slides else 'rad'}; change the pose of {pair.b!r}"
        )


def _fitting_modes(unit: Unit, linkage: PlanarLinkage, q: Mapping[str, Array]) -> dict[str, int]:
    """Return the modes of the groups in a driver unit that place its links as they are drawn."""
    poses = _drawn(linkage)
    choices = unit_choices(unit, linkage.by_name, dict(poses), q)
    misfits = [_misfit(unit, placed, poses) for _, placed in choices]
    best = int(np.argmin(misfits)) if misfits else 0
    return choices[best][0] if misfits and misfits[best] < FITS**0.5 else {}


def _fitting_mode(
    unit: Unit, joint: str, linkage: PlanarLinkage, q: Mapping[str, Array]
) -> int | None:
    """Return 1 or -1, whichever places the links as they are drawn; None without closed form."""
    poses = _drawn(linkage)
    misfits = {}
    for mode in (1, -1):
        try:
            placed = unit_poses(unit, linkage.by_name, dict(poses), q, {joint: mode})
        except (AssemblyError, ModelError):
            continue
        misfits[mode] = _misfit(unit, placed, poses)
    best = min(misfits, key=lambda mode: misfits[mode], default=None)
    return best if best is not None and misfits[best] < FITS**0.5 else None


def _misfit(unit: Unit, placed: Mapping[str, Array], poses: Mapping[str, Array]) -> float:
    """Return how far the links of a unit are from where they are drawn."""
    return sum(
        float(np.hypot(*(point_at(placed[body], s) - point_at(poses[body], s))))
        for body in map(str, unit.bodies)
        for s in ((0.0, 0.0), (1.0, 0.0))
    )


def drawn_size(linkage: PlanarLinkage) -> float:
    """Return the larger side of the drawing [m]."""
    poses = _drawn(linkage)
    places = [point_at(poses[j.a], j.pa) for j in linkage.joints]
    places += [point_at(poses[j.b], j.pb) for j in linkage.joints]
    return float(np.max(np.ptp(np.array(places), axis=0))) or 1.0


def _drawn(linkage: PlanarLinkage) -> Mapping[str, Array]:
    if linkage.drawn is None:
        raise ModelError(
            "the linkage is not drawn: give each body a pose (x, y, angle), or use ps.sketch"
        )
    return linkage.drawn
