"""Poses and assemblies of the links of one unit, from those of the links that it hangs on.

Drivers between links of one unit weld them together for the coordinates they have: what remains is
a linkage of fewer links, taken apart in its turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from poinsot.errors import AssemblyError, ModelError
from poinsot.formulations.composable.dyads import (
    MODES,
    OuterJoint,
    dyad_poses,
    outer_joint,
    wedge_pose,
)
from poinsot.formulations.composable.group_assemblies import group_assemblies
from poinsot.formulations.composable.joint_pose import composed, driven_pose, inverse_pose
from poinsot.formulations.composable.plane import point_at
from poinsot.formulations.composable.triads import is_triad, triad_poses
from poinsot.model.planar.decomposition import Unit, decompose
from poinsot.model.planar.graph import KinematicPair, PlanarGraph
from poinsot.model.planar.linkage import PlanarJoint
from poinsot.spatial import Array

Poses = dict[str, Array]
Joints = Mapping[str, PlanarJoint]
Choice = tuple[dict[str, int], Poses]
"""Modes by inner joints, and the poses that they give."""


def unit_choices(unit: Unit, joints: Joints, known: Poses, q: Mapping[str, Array]) -> list[Choice]:
    """Return modes and poses of all assemblies of one unit; arguments as of ``unit_poses``."""
    if unit.drivers and len(unit.bodies) == 1:
        return [({}, _driven_poses(unit, joints, known, q, {}))]
    if unit.drivers:
        locked = locked_unit(unit, joints, q)
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
    if not named and not is_numbered(unit, joints):
        raise ModelError(
            f"links {list(unit.bodies)} are a group {unit.form} of class {unit.assur_class}, whose"
            " positions have no closed form; list them by assemblies(q) and choose by with_modes,"
            " draw the mechanism, ps.sketch or a pose of each body, give near=, poses nearby, or"
            " drive another joint"
        )
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
    unit: Unit,
    joints: Joints,
    known: Poses,
    *,
    only: int | None = None,
) -> dict[int, Poses]:
    """Return the poses of the links of an Assur group in each assembly mode, or in ``only`` one."""
    outer = [_outer(joints[pair.name], unit, known) for pair in unit.outer]
    if _is_wedge(unit):
        return {1: {outer[0].body: wedge_pose(outer[0], outer[1], joints[unit.outer[1].name])}}
    modes = _dyad_modes(unit)
    if modes is None:
        _refuse_expressions(unit, outer)
        listed = (
            triad_poses(unit, joints, outer)
            if is_triad(unit)
            else group_assemblies(unit, joints, known)
        )
        return dict(enumerate(listed, start=1))
    dyad = unit.form, (outer[0], outer[1]), joints[unit.inner[0].name]
    return {mode: dyad_poses(*dyad, mode) for mode in modes if only in (None, mode)}


def _refuse_expressions(unit: Unit, outer: Sequence[OuterJoint]) -> None:
    if any(np.ndim(end.place) > 1 or np.asarray(end.place).dtype == object for end in outer):
        raise ModelError(
            f"links {list(unit.bodies)} ({unit.form}): modes are found at one state of numbers at a"
            " time; give near=, poses nearby, where states are expressions"
        )


def has_closed_form(unit: Unit, joints: Joints) -> bool:
    """Whether positions of a unit are formulas."""
    groups = groups_without_drivers(unit, joints) if unit.drivers else (unit,)
    return all(_dyad_modes(group) or _is_wedge(group) for group in groups)


def is_numbered(unit: Unit, joints: Joints) -> bool:
    """Whether assemblies of a unit are listed at once: of dyads, wedges, triads and drivers."""
    groups = groups_without_drivers(unit, joints) if unit.drivers else (unit,)
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
    locked = locked_unit(unit, joints, q)
    poses: Poses = {}
    for smaller in locked.units:
        poses |= unit_poses(smaller, locked.joints, known | poses, q, modes)
    return locked.spread(poses)


class LockedUnit(NamedTuple):
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


def locked_unit(unit: Unit, joints: Joints, q: Mapping[str, Array]) -> LockedUnit:
    """Return a unit whose drivers are locked at q."""
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
    return LockedUnit(_welded_units(welded, roots), welded, roots, within)


def groups_without_drivers(unit: Unit, joints: Joints) -> tuple[Unit, ...]:
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
