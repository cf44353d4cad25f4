"""Poses of all links from the drivers' coordinates, unit after unit.

Drivers between links of one unit weld them together for the coordinates they have: what remains is
a linkage of fewer links, taken apart in its turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import AssemblyError, ModelError
from poinsot.formulations.composable.counted_units import (
    counted_poses,
    has_pairs,
    is_counted,
    keeps_turns,
)
from poinsot.formulations.composable.dyads import (
    MODES,
    OuterJoint,
    Placed,
    dyad_poses,
    outer_joint,
    wedge_pose,
)
from poinsot.formulations.composable.joint_pose import composed, driven_pose, inverse_pose
from poinsot.formulations.composable.numerical_group import numerical_poses
from poinsot.formulations.composable.plane import point_at
from poinsot.formulations.composable.triads import is_triad, triad_poses
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.decomposition import Unit, decompose
from poinsot.model.planar.graph import KinematicPair, PlanarGraph
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage
from poinsot.spatial import Array

Poses = dict[str, Array]
Joints = Mapping[str, PlanarJoint]
Choice = tuple[dict[str, int], Poses]
"""Modes by inner joints, and the poses that they give."""


def positions(
    linkage: PlanarLinkage,
    q: ArrayLike,
    modes: Mapping[str, int] | None = None,
    known: Mapping[str, Array] | None = None,
    *,
    guess: Poses | None = None,
    numbered: bool = False,
) -> Placed:
    """Return the pose of every link, each of shape (..., 3), the frame's among them.

    Angles of expressions may be turns, which know their cosines and sines: ``plain`` makes them
    expressions.

    Args:
        linkage: The linkage.
        q: Coordinates of the drivers [rad, m], shape (..., nq).
        modes: Assembly modes by the name of an inner joint of the group; 1 where nothing is said.
            Of triads: 1, 2, ... for their modes by increasing angle of the ternary link, counted
            at each state by itself: no branch is tracked.
        known: Poses of the ports.
        guess: Poses of all links at a state nearby, one state, for groups without closed form.
        numbered: Whether modes of triads go before the guess.

    Raises:
        AssemblyError: A unit cannot be assembled.
    """
    coordinates = np.asarray(q)
    given = {name: coordinates[..., i] for i, name in enumerate(linkage.drivers)}
    poses = Placed({linkage.frame: np.zeros((*coordinates.shape[:-1], 3)), **(known or {})})
    for unit in linkage.units:
        chosen = numbered and any(pair.name in (modes or {}) for pair in unit.inner)
        if guess is not None and not chosen and not is_closed(unit, linkage):
            poses.update(numerical_poses(unit, linkage, poses, given, guess))
            continue
        placed = closed_poses(unit, linkage, poses, given, modes or {})
        is_wound = guess is None or has_pairs(unit)
        poses.update(placed if is_wound else unwound(placed, guess or {}))
        if isinstance(placed, Placed):
            poses.bars |= placed.bars
    return poses


def closed_poses(
    unit: Unit,
    linkage: PlanarLinkage,
    known: Poses,
    q: Mapping[str, Array],
    modes: Mapping[str, int],
) -> Poses:
    """Return the poses of the links of a unit by formulas; arguments as of ``unit_poses``."""
    if has_pairs(unit):
        _refuse_open(unit, linkage)
        return counted_poses(unit, linkage, known)
    return unit_poses(unit, linkage.by_name, known, q, modes)


def is_closed(unit: Unit, linkage: PlanarLinkage) -> bool:
    """Whether positions of a unit of a linkage are formulas."""
    if has_pairs(unit):
        return is_counted(unit, linkage) and keeps_turns(unit, linkage)
    return has_closed_form(unit, linkage.by_name)


def _refuse_open(unit: Unit, linkage: PlanarLinkage) -> None:
    if is_closed(unit, linkage):
        return
    curves = [
        pair.name
        for pair in (*unit.outer, *unit.inner)
        if isinstance(linkage.pair_by_name.get(pair.name), CurvePair)
    ]
    if curves:
        no_formula = (
            f"links {list(unit.bodies)} on the curve {curves[0]!r} have no closed form for their"
            " positions"
        )
        if linkage.drawn is None:
            raise ModelError(
                f'{no_formula}; draw the mechanism: give each body a "pose" (x, y, angle), with'
                " the point on the curve, and it is followed from there"
            )
        raise ModelError(
            f"{no_formula}, which are followed from the drawing by numbers; assemblies cannot be"
            " listed then, and expressions need near=, poses nearby; circles have formulas"
        )
    raise ModelError(
        f"links {list(unit.bodies)} with gears or cams ({unit.form}) have no closed form for"
        " their positions, or whole turns of what drives them are not known; draw the"
        ' mechanism: give each body a "pose" (x, y, angle), and it is followed from there'
    )


def unwound(poses: Poses, guess: Mapping[str, Array]) -> Poses:
    """Return poses whose angles are within half a turn of those nearby."""
    whole = {}
    for body, pose in poses.items():
        whole[body] = np.array(pose)
        away = guess[body][..., 2] - pose[..., 2]
        whole[body][..., 2] += 2.0 * np.pi * np.round(away / (2.0 * np.pi))
    return whole


def has_closed_forms(linkage: PlanarLinkage) -> bool:
    """Whether the positions of all units are formulas: of dyads, wedges and drivers they are."""
    return all(is_closed(unit, linkage) for unit in linkage.units)


def assemblies(
    linkage: PlanarLinkage, q: ArrayLike, *, most: int | None = None
) -> Iterator[dict[str, int]]:
    """Yield the modes of all assemblies at one state, by the first inner joint of each group.

    One after the other, unit by unit: a linkage of many groups has very many.  Of units whose
    drivers move links against each other: by the joints inside the groups that remain when drivers
    are locked.  After ``most`` units that were placed no more are sought.

    Raises:
        ModelError: A group has no closed form, so that its assemblies are not known.
    """
    given = dict(zip(linkage.drivers, np.asarray(q), strict=True))
    started: list[tuple[int, dict[str, int], Poses]] = [(0, {}, {linkage.frame: np.zeros(3)})]
    for _ in count() if most is None else range(most):
        if not started:
            return
        n_placed, chosen, known = started.pop()
        if n_placed == len(linkage.units):
            yield chosen
            continue
        unit = linkage.units[n_placed]
        try:
            if has_pairs(unit):
                _refuse_open(unit, linkage)
                choices: list[Choice] = [({}, counted_poses(unit, linkage, known))]
            else:
                choices = unit_choices(unit, linkage.by_name, known, given)
        except AssemblyError:
            continue
        for named, poses in reversed(choices):
            started.append((n_placed + 1, chosen | named, known | poses))


def unit_choices(unit: Unit, joints: Joints, known: Poses, q: Mapping[str, Array]) -> list[Choice]:
    """Return modes and poses of all assemblies of one unit; arguments as of ``unit_poses``."""
    if unit.drivers and len(unit.bodies) == 1:
        return [({}, _driven_poses(unit, joints, known, q, {}))]
    if unit.drivers:
        locked = _locked(unit, joints, q)
        choices: list[Choice] = [({}, {})]
        for smaller in locked.units:
            choices = [
                (modes | more, poses | placed)
                for modes, poses in choices
                for more, placed in _choices_or_none(smaller, locked.joints, known | poses)
            ]
        return [(modes, locked.spread(poses)) for modes, poses in choices]
    placed = unit_assemblies(unit, joints, known)
    return [({pair.name: mode for pair in unit.inner[:1]}, x) for mode, x in placed.items()]


def _choices_or_none(unit: Unit, joints: Joints, known: Poses) -> list[Choice]:
    try:
        return unit_choices(unit, joints, known, {})
    except AssemblyError:
        return []


def unit_poses(
    unit: Unit, joints: Joints, known: Poses, q: Mapping[str, Array], modes: Mapping[str, int]
) -> Poses:
    """Return the poses of the links of one unit.

    Args:
        unit: The unit.
        joints: Joints by name, with their places.
        known: Poses of the links that it hangs on.
        q: Coordinates of drivers by the names of their joints.
        modes: Assembly modes by names of inner joints.
    """
    if unit.drivers:
        return _driven_poses(unit, joints, known, q, modes)
    named = [pair.name for pair in unit.inner if pair.name in modes]
    mode = modes[named[0]] if named else 1
    poses = unit_assemblies(unit, joints, known, only=mode)
    if mode not in poses:
        poses = poses or unit_assemblies(unit, joints, known)
        if not poses:
            raise AssemblyError(
                f"links {list(unit.bodies)} cannot be assembled here in any mode: their outer"
                " joints are too far from each other, or too near; change lengths or coordinates"
            )
        raise AssemblyError(
            f"links {list(unit.bodies)} have no assembly mode {mode} here; there are {list(poses)}"
        )
    return poses[mode]


def unit_assemblies(
    unit: Unit, joints: Joints, known: Poses, *, only: int | None = None
) -> dict[int, Poses]:
    """Return the poses of the links of an Assur group in each assembly mode, or in ``only`` one."""
    outer = [_outer(joints[pair.name], unit, known) for pair in unit.outer]
    if _is_wedge(unit):
        return {1: {outer[0].body: wedge_pose(outer[0], outer[1], joints[unit.outer[1].name])}}
    modes = _dyad_modes(unit)
    if modes is None:
        return dict(enumerate(triad_poses(unit, joints, outer), start=1))
    dyad = unit.form, (outer[0], outer[1]), joints[unit.inner[0].name]
    return {mode: dyad_poses(*dyad, mode) for mode in modes if only in (None, mode)}


def has_closed_form(unit: Unit, joints: Joints) -> bool:
    """Whether positions of a unit are formulas."""
    groups = _groups_without_drivers(unit, joints) if unit.drivers else (unit,)
    return all(_dyad_modes(group) or _is_wedge(group) for group in groups)


def is_numbered(unit: Unit, joints: Joints) -> bool:
    """Whether the assemblies of a unit have numbers: of dyads, wedges, triads and drivers."""
    groups = _groups_without_drivers(unit, joints) if unit.drivers else (unit,)
    return all(_dyad_modes(group) or _is_wedge(group) or is_triad(group) for group in groups)


def _dyad_modes(unit: Unit) -> tuple[int, ...] | None:
    return MODES.get(unit.form) or MODES.get(unit.form[::-1])


def _is_wedge(unit: Unit) -> bool:
    return unit.form == "PP" and len(unit.bodies) == 1


def _outer(joint: PlanarJoint, unit: Unit, known: Poses) -> OuterJoint:
    body = joint.a if joint.a in unit.bodies else joint.b
    return outer_joint(joint, body, known[joint.other(body)])


def _driven_poses(
    unit: Unit, joints: Joints, known: Poses, q: Mapping[str, Array], modes: Mapping[str, int]
) -> Poses:
    if len(unit.bodies) == 1:
        joint = joints[unit.drivers[0]]
        body = joint.a if joint.a in unit.bodies else joint.b
        return {body: composed(known[joint.other(body)], driven_pose(joint, body, q[joint.name]))}
    locked = _locked(unit, joints, q)
    poses: Poses = {}
    for smaller in locked.units:
        poses |= unit_poses(smaller, locked.joints, known | poses, q, modes)
    return locked.spread(poses)


class _Locked(NamedTuple):
    """A unit whose drivers weld its links together.

    Attributes:
        units: What it falls apart into.
        joints: The joints left, between the links that others are welded to.
        roots: Of each link the one that it is welded to.
        within: Its pose there.
    """

    units: tuple[Unit, ...]
    joints: Joints
    roots: Mapping[str, str]
    within: Poses

    def spread(self, poses: Poses) -> Poses:
        """Return the poses of all links from those that others are welded to."""
        return {body: composed(poses[root], self.within[body]) for body, root in self.roots.items()}


def _locked(unit: Unit, joints: Joints, q: Mapping[str, Array]) -> _Locked:
    roots = {str(body): str(body) for body in unit.bodies}
    within: Poses = {body: np.zeros(3) for body in roots}
    for name in unit.drivers:
        joint = joints[name]
        moved = composed(within[joint.a], driven_pose(joint, joint.b, q[name]))
        shift = composed(moved, inverse_pose(within[joint.b]))
        for body in [other for other in roots if roots[other] == roots[joint.b]]:
            within[body], roots[body] = composed(shift, within[body]), roots[joint.a]
    welded = {
        pair.name: _welded(joints[pair.name], roots, within)
        for pair in (*unit.outer, *unit.inner)
        if pair.name not in unit.drivers
    }
    return _Locked(_welded_units(welded, roots), welded, roots, within)


def _groups_without_drivers(unit: Unit, joints: Joints) -> tuple[Unit, ...]:
    """Return the groups that remain of a driver unit when drivers weld links together."""
    if len(unit.bodies) == 1:
        return ()
    roots = {str(body): str(body) for body in unit.bodies}
    for name in unit.drivers:
        joined = roots[joints[name].b]
        roots = {x: roots[joints[name].a] if root == joined else root for x, root in roots.items()}
    within: Poses = {body: np.zeros(3) for body in roots}
    left = [pair.name for pair in (*unit.outer, *unit.inner) if pair.name not in unit.drivers]
    return _welded_units({name: _welded(joints[name], roots, within) for name in left}, roots)


def _welded(joint: PlanarJoint, roots: Mapping[str, str], within: Poses) -> PlanarJoint:
    """Return a joint between the links that its own are welded to."""
    zero = np.zeros(3)
    at_a, at_b = within.get(joint.a, zero), within.get(joint.b, zero)
    return replace(
        joint,
        a=roots.get(joint.a, joint.a),
        b=roots.get(joint.b, joint.b),
        pa=point_at(at_a, joint.pa),
        pb=point_at(at_b, joint.pb),
        ua=joint.ua + at_a[..., 2],
        beta=joint.beta + at_a[..., 2] - at_b[..., 2],
    )


def _welded_units(joints: Joints, roots: Mapping[str, str]) -> tuple[Unit, ...]:
    moving = tuple(dict.fromkeys(roots.values()))
    frame = ("known",)
    pairs = tuple(
        KinematicPair(j.name, j.kind, tuple(x if x in moving else frame for x in (j.a, j.b)))
        for j in joints.values()
    )
    return decompose(PlanarGraph(moving, pairs, frame=frame))
