"""Positions of units with gears, racks and cams in closed form.

Each link of such a unit has one pin or slide, on a link of the unit or a known one, so that one
coordinate y places it, and there are as many gears as links.  Their equations are linear in these
coordinates, r_0 + A y = 0, with constant A: of gears and racks always, of cams where the cam is
known.  Angles of wheels are counted: a gear needs the whole turns of what drives it, which only
chains of drivers, slides and gears keep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from poinsot.expr.rank import rank
from poinsot.formulations.composable.joint_pose import composed, driven_pose
from poinsot.formulations.composable.pair_rows import pair_row
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.higher_pair import HigherPair
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage
from poinsot.spatial import Array


def has_pairs(unit: Unit) -> bool:
    """Whether a unit has gears, racks, cams or points on curves."""
    return any(pair.kind == "H" for pair in (*unit.outer, *unit.inner))


def is_counted(unit: Unit, linkage: PlanarLinkage) -> bool:
    """Whether the positions of a unit with gears, racks and cams are formulas."""
    joints, pairs = _parts(unit, linkage)
    bodies = set(map(str, unit.bodies))
    if unit.drivers or len(joints) != len(bodies) or len(pairs) != len(bodies):
        return False
    for pair in pairs:
        # The cam is known, so that its follower's coordinate is.
        if not pair.is_linear and bodies & {pair.joint_a.a, pair.joint_a.b}:
            return False
    placed = _placed_by(joints, bodies)
    if len(placed) < len(bodies):
        return False
    A = _slopes(placed, pairs, bodies)
    return rank(A) == len(bodies)


def counted_poses(
    unit: Unit, linkage: PlanarLinkage, known: Mapping[str, Array]
) -> dict[str, Array]:
    """Return the poses of the links of a unit for which ``is_counted`` holds."""
    joints, pairs = _parts(unit, linkage)
    bodies = set(map(str, unit.bodies))
    placed = _placed_by(joints, bodies)
    zeros = [np.zeros(())] * len(placed)
    residual = _residual(placed, pairs, known, zeros)
    y = -(np.linalg.inv(_slopes(placed, pairs, bodies)) @ residual[..., None])[..., 0]
    return _posed(placed, known, [y[..., k] for k in range(len(placed))])


def keeps_turns(unit: Unit, linkage: PlanarLinkage) -> bool:
    """Whether whole turns of what drives the unit's gears are known, or do not matter."""
    return _has_turns(unit, linkage, counted_links(linkage))


def counted_links(linkage: PlanarLinkage) -> set[str]:
    """Return the links whose angles keep whole turns."""
    counted = {linkage.frame, *linkage.ports}
    for unit in linkage.units:
        bodies = set(map(str, unit.bodies))
        joints, pairs = _parts(unit, linkage)
        if pairs:
            if is_counted(unit, linkage) and _has_turns(unit, linkage, counted):
                counted |= bodies
            continue
        if len(bodies) == 1 and unit.drivers:
            joint = linkage.by_name[unit.drivers[0]]
            counted |= bodies if counted & {joint.a, joint.b} else set()
            continue
        for _ in bodies:
            for joint in joints:
                if joint.kind == "P" and counted & {joint.a, joint.b}:
                    counted |= {joint.a, joint.b}
    return counted


def _has_turns(unit: Unit, linkage: PlanarLinkage, counted: set[str]) -> bool:
    own = set(map(str, unit.bodies))
    _, pairs = _parts(unit, linkage)
    if len(own) == 1 and pairs[0].is_periodic:
        return True
    needed = {body for pair in pairs for joint in pair.joints if joint.kind == "R"
              for body in (joint.a, joint.b)}  # fmt: skip
    return needed - own <= counted


def _parts(unit: Unit, linkage: PlanarLinkage) -> tuple[list[PlanarJoint], list[HigherPair]]:
    """Return pins and slides, and pairs of coordinates: units with curves have too few of them."""
    both = (*unit.outer, *unit.inner)
    joints = [linkage.by_name[pair.name] for pair in both if pair.kind != "H"]
    higher = [linkage.pair_by_name[pair.name] for pair in both if pair.kind == "H"]
    return joints, [pair for pair in higher if isinstance(pair, HigherPair)]


def _placed_by(joints: Sequence[PlanarJoint], bodies: set[str]) -> dict[str, PlanarJoint]:
    """Return the joint that places each link, in an order in which they can be placed."""
    placed: dict[str, PlanarJoint] = {}
    for _ in bodies:
        for joint in joints:
            for body in (joint.a, joint.b):
                other = joint.other(body)
                is_free = body in bodies and body not in placed and joint not in placed.values()
                if is_free and (other not in bodies or other in placed):
                    placed[body] = joint
    return placed


def _posed(
    placed: Mapping[str, PlanarJoint], known: Mapping[str, Array], y: Sequence[Array]
) -> dict[str, Array]:
    poses = dict(known)
    for (body, joint), coordinate in zip(placed.items(), y, strict=True):
        within = driven_pose(joint, body, coordinate)
        poses[body] = composed(poses[joint.other(body)], within)
    return {body: poses[body] for body in placed}


def _residual(
    placed: Mapping[str, PlanarJoint], pairs: Sequence[HigherPair], known: Mapping[str, Array],
    y: Sequence[Array],
) -> Array:  # fmt: skip
    poses = dict(known) | _posed(placed, known, y)
    values = [pair_row(pair, poses).residual for pair in pairs]
    batch = np.broadcast_shapes(*(value.shape for value in values))
    return np.concatenate([np.broadcast_to(value, batch) for value in values], axis=-1)


def _slopes(
    placed: Mapping[str, PlanarJoint], pairs: Sequence[HigherPair], bodies: set[str]
) -> Array:
    """Return A, shape (n, n): the equations are linear, so that differences are exact."""
    touched = {body for pair in pairs for body in pair.bodies}
    touched |= {body for joint in placed.values() for body in (joint.a, joint.b)}
    known = {body: np.zeros(3) for body in touched - bodies}
    zeros = np.zeros(len(placed))
    at_rest = _residual(placed, pairs, known, list(zeros))
    columns = [_residual(placed, pairs, known, list(unit)) - at_rest for unit in np.eye(len(zeros))]
    # Coefficients are ratios of the pairs; what differences leave of zeros is rounding.
    A = np.stack(columns, axis=-1)
    A[np.abs(A) < ROUNDING * np.max(np.abs(A))] = 0.0
    return A


ROUNDING = 1e-12
"""Coefficients below it, relative to the largest, are zero."""
