"""Rows of loops and constraints rolled: one item per constraint.

A constraint sees virtual velocities instead of those of the joints: six for each pair of frames,
and those of each joint that it names.  Its Jacobian with respect to them holds the wrenches of unit
multipliers, which are propagated inward along the tree (``rolled_multipliers.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.expr.packing import Value
from poinsot.expr.same_formula import same
from poinsot.formulations.pair_motion import PairMotion
from poinsot.formulations.recursive.composite import base_frame
from poinsot.formulations.recursive.links import Link, Placement, link_frame
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.formulations.rolled_closures import kind_of
from poinsot.formulations.rolled_sweep import Slot
from poinsot.model import WORLD, AbstractConstraint, AbstractJoint, FrameMotion, FramePair
from poinsot.model.constraints.base import CoordinateMotion, Frame
from poinsot.model.environment import TIME
from poinsot.model.topology import where_paths_part
from poinsot.spatial import Array, Scalar, Transform

EVERY_ROW: Final[Mapping[int, tuple[int, ...]]] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Poses:
    """Slots of the poses of links.

    Frames are compared along the shortest path, so that no digits are lost far from the origin: on
    one branch of the base by poses in its first link, else by poses relative to the origins of the
    branches.

    Attributes:
        in_first: Of links in the first link of their branch, which itself has none.
        of_first: Of first links, in base axes, from where their joints begin.
        first: The first link of each link's branch.
    """

    in_first: Mapping[int, Slot]
    of_first: Mapping[int, Slot]
    first: Mapping[int, int]


@dataclass(frozen=True, eq=False)
class LinkMotions:
    """Slots of the motions of links; the base is at -1.

    Attributes:
        poses: Their poses.
        velocity: In the link's axes (6); empty: not needed.
        acceleration: Rate of its components (6); empty: not needed.
        a: dv/dt of joints; empty: not needed.
    """

    poses: Poses
    velocity: Mapping[int, Slot] = field(default_factory=dict)
    acceleration: Mapping[int, Slot] = field(default_factory=dict)
    a: Mapping[int, Slot] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class RowSlots:
    """Slots of the rows of a constraint.

    Attributes:
        m: Number of rows.
        wrenches: By link, the wrenches of unit multipliers on it, (m, 6) each.
        ancestors: For each of these the last common ancestor of the two links of its pair.
        forces: By link, the forces of unit multipliers along its joint, (m, nv).
        values: By name, phi or the residual of the velocities or accelerations, (m,).
    """

    m: int
    wrenches: Sequence[tuple[int, Slot]]
    ancestors: Sequence[int]
    forces: Mapping[int, Slot]
    values: Mapping[str, Slot]


@dataclass(frozen=True)
class PairsView:
    """The motions that one constraint depends on."""

    frames: Mapping[FramePair, FrameMotion]
    joints: Mapping[str, CoordinateMotion]
    t: Scalar

    def frame(self, pair: FramePair) -> FrameMotion:
        """Return the motion of a pair of frames."""
        return self.frames[pair]

    def joint(self, name: str) -> CoordinateMotion:
        """Return the motion of the coordinates of a joint."""
        return self.joints[name]

    def all_joints(self) -> CoordinateMotion:
        """Raise an error: not all coordinates are there."""
        raise PoinsotError(
            "constraints on all coordinates have no rolled form; choose backend='auto'"
        )

    def velocities(self) -> tuple[Array, Array]:
        """Raise an error: not all velocities are there."""
        return self.all_joints().q, self.all_joints().N


def append_poses(tree: RolledTree) -> Poses:
    """Append the poses of links that constraints depend on, from their placements."""
    in_first, of_first, first = dict[int, Slot](), dict[int, Slot](), dict[int, int]()
    for k in sorted(_looked_at(tree)):
        parent, slots = tree.links[k].parent, tree.link_slots(k, "placement")
        if parent < 0:
            first[k], of_first[k] = k, tree.apply(_first_pose, *slots)
        else:
            carrier = in_first.get(parent) or tree.constant(None)
            first[k], in_first[k] = first[parent], tree.apply(_pose, *slots, carrier)
    return Poses(in_first, of_first, first)


def append_rows(
    tree: RolledTree, motions: LinkMotions, wanted: Sequence[str], *, held: bool = True,
    chosen: Mapping[int, tuple[int, ...]] = EVERY_ROW,
) -> list[RowSlots]:  # fmt: skip
    """Append the rows of all loops and constraints.

    Args:
        tree: The links.
        motions: How they move.
        wanted: Which values to compute: ``"phi"``, ``"rate"``, ``"acceleration"``.
        held: Whether to compute the wrenches of unit multipliers.
        chosen: By number of the constraint, its rows, where not all are wanted.
    """
    return [
        _append(tree, constraint, motions, wanted, held=held, chosen=chosen.get(c))
        for c, constraint in enumerate(tree.mechanism.closures)
    ]


def _append(
    tree: RolledTree, constraint: AbstractConstraint, motions: LinkMotions,
    wanted: Sequence[str], *, held: bool, chosen: tuple[int, ...] | None,
) -> RowSlots:  # fmt: skip
    numbers = list(range(len(constraint.locked)) if chosen is None else chosen)
    slots = dict[str, Slot]()
    seen: list[tuple[int, int]] = []
    results: list[str] = []
    wrenches, ancestors, forces = list[int](), list[int](), list[int]()
    for k, pair in enumerate(constraint.pairs):
        ends = [_end(tree, frame) for frame in pair]
        seen.append((ends[0][0], ends[1][0]))
        slots |= _shift(tree, motions.poses, k, seen[-1])
        for side, (link, X) in enumerate(ends):
            tag = f"{k}{'EF'[side]}"
            slots |= _link_slots(tree, motions, link, X, tag)
            if f"shift{k}" in slots and link >= 0:
                slots[f"first{tag}"] = motions.poses.of_first[motions.poses.first[link]]
            if held and link >= 0 and ends[0][0] != ends[1][0]:
                wrenches.append(link)
                ancestors.append(where_paths_part(tree.parents, *seen[-1]))
                results.append(f"wrench{tag}")
    for k, name in enumerate(constraint.joints):
        i = tree.link_of(name)
        slots[f"q{k}"] = tree.values("q")[i]
        if motions.velocity:
            slots[f"v{k}"] = tree.values("v")[i]
        if motions.a:
            slots[f"a{k}"] = motions.a[i]
        if held:
            forces.append(i)
            results.append(f"force{k}")
    if constraint.depends_on_time:
        slots["t"] = tree.input(TIME)
    joints = tuple(tree.kinds[tree.link_of(name)].joint for name in constraint.joints)
    results += wanted

    def compute(*values: Value) -> tuple[Array, ...]:
        every = _rows(constraint, joints, results, **dict(zip(slots, values, strict=True)))
        return tuple(rows[numbers] for rows in every)

    label = (kind_of(constraint), *map(_are_base, seen), *slots, *results, *numbers)
    rows = iter(tree.apply(compute, *slots.values(), label=label) if results else ())
    pairs = [(link, next(rows)) for link in wrenches]
    along = {i: next(rows) for i in forces}
    values = dict(zip(wanted, rows, strict=True))
    return RowSlots(len(numbers), pairs, ancestors, along, values)


def _are_base(links: tuple[int, int]) -> tuple[bool, bool]:
    """Return which of two links are the base."""
    return links[0] < 0, links[1] < 0


def _end(tree: RolledTree, frame: Frame) -> tuple[int, Transform]:
    body, pose = frame
    if body == WORLD:
        return -1, pose.transform()
    link, X_CB = link_frame(tree.mechanism, tree.mechanism.index(body))
    return link, X_CB @ pose.transform()


def _link_slots(
    tree: RolledTree, motions: LinkMotions, link: int, X: Transform, tag: str
) -> dict[str, Slot]:
    """Return the slots of a link's motion, and of a frame in it: origin, and axes if rotated."""
    turned = [] if same(X.R, np.eye(3)) else X.R.ravel().tolist()
    slots = {f"frame{tag}": tree.constant(np.array([*X.p.tolist(), *turned]))}
    if link in motions.poses.in_first:
        slots[f"pose{tag}"] = motions.poses.in_first[link]
    if motions.velocity:
        slots[f"V{tag}"] = motions.velocity[link]
    if motions.acceleration:
        slots[f"A{tag}"] = motions.acceleration[link]
    return slots


def _shift(tree: RolledTree, poses: Poses, k: int, links: tuple[int, int]) -> dict[str, Slot]:
    """Return the slot of the vector between the origins of two branches; none on one branch."""
    first, second = (poses.first[link] if link >= 0 else -1 for link in links)
    if first == second:
        return {}
    starts = [tree.links[i].p if i >= 0 else np.zeros(3) for i in (first, second)]
    return {f"shift{k}": tree.constant(starts[1] - starts[0])}


def _looked_at(tree: RolledTree) -> set[int]:
    """Return the links that carry frames of constraints, and their ancestors."""
    links: set[int] = set()
    for constraint in tree.mechanism.closures:
        for pair in constraint.pairs:
            for frame in pair:
                k, _ = _end(tree, frame)
                while k >= 0 and k not in links:
                    links.add(k)
                    k = tree.links[k].parent
    return links


def _pose(_link: Link, placement: Placement, parent: Transform | None) -> Transform:
    carrier = Transform.identity() if parent is None else parent
    return Transform(*base_frame(carrier.R, carrier.p, placement))


def _first_pose(link: Link, placement: Placement) -> Transform:
    return Transform(placement.to_child(np.eye(3)).T, placement.p - link.p)


def _rows(
    constraint: AbstractConstraint, joints: Sequence[AbstractJoint], wanted: Sequence[str],
    **given: Value,
) -> tuple[Array, ...]:  # fmt: skip
    """Return the results that are wanted, by name.

    The acceleration is gamma: the whole residual, as accelerations are in the motions.
    """
    sizes = [6] * len(constraint.pairs) + [joint.nv for joint in joints]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    virtual = np.eye(int(starts[-1]))
    ends = [_pair(k, given) for k in range(len(constraint.pairs))]
    frames = {
        pair: end.seen(virtual[6 * k : 6 * k + 6])
        for k, (pair, end) in enumerate(zip(constraint.pairs, ends, strict=True))
    }
    moving, rates = {}, [frames[pair].V for pair in constraint.pairs]
    for k, (name, joint) in enumerate(zip(constraint.joints, joints, strict=True)):
        start = starts[len(constraint.pairs) + k]
        moving[name] = coordinates(joint, k, given, virtual[start : start + joint.nv])
        rates.append(given.get(f"v{k}", np.zeros(joint.nv)))
    rows = constraint.rows(PairsView(frames, moving, given.get("t", 0.0)))
    result = {"phi": rows.phi, "acceleration": rows.gamma}
    if "rate" in wanted:
        result["rate"] = rows.J @ np.concatenate(rates) + rows.drift
    for k, end in enumerate(ends):
        if f"wrench{k}E" in wanted or f"wrench{k}F" in wanted:
            wrenches = end.on_bodies(rows.J[:, 6 * k : 6 * k + 6])
            result[f"wrench{k}E"], result[f"wrench{k}F"] = wrenches
    for k in range(len(joints)):
        block = len(constraint.pairs) + k
        result[f"force{k}"] = rows.J[:, starts[block] : starts[block + 1]]
    return tuple(result[name] for name in wanted)


def _pair(k: int, given: Mapping[str, Value]) -> PairMotion:
    """Return the motion of pair k from those of its frames and links."""
    bodies = []
    for side in "EF":
        X = Transform.identity()
        for key in (f"first{k}{side}", f"pose{k}{side}"):
            X = X @ given[key] if key in given else X
        bodies.append(X)
    if f"shift{k}" in given:
        bodies[1] = Transform(bodies[1].R, bodies[1].p + given[f"shift{k}"])
    return PairMotion.from_bodies(
        [_frame(given[f"frame{k}{side}"]) for side in "EF"],
        bodies,
        [given.get(f"V{k}{side}", np.zeros(6)) for side in "EF"],
        [given.get(f"A{k}{side}", np.zeros(6)) for side in "EF"],
    )


def coordinates(
    joint: AbstractJoint, k: int, given: Mapping[str, Array], virtual: Array
) -> CoordinateMotion:
    """Return the motion of a joint's coordinates, which are plain numbers."""
    q, still = given[f"q{k}"], np.zeros(joint.nv)
    v, a = given.get(f"v{k}", still), given.get(f"a{k}", still)
    N = np.stack([joint.position_rate(q, unit) for unit in np.eye(joint.nv)], axis=1)
    return CoordinateMotion(q, joint.position_rate(q, v), N @ a, N @ virtual)


def _frame(numbers: Array) -> Transform:
    R = np.eye(3) if len(numbers) == 3 else numbers[3:].reshape(3, 3)
    return Transform(R, numbers[:3])
