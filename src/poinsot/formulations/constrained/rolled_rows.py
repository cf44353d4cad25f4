"""Rows of loops and constraints rolled: one item per constraint.

A constraint sees virtual velocities instead of those of the joints: six for each pair of frames,
and those of each joint that it names.  Its Jacobian with respect to them holds the wrenches of unit
multipliers, which are propagated inward along the tree (``rolled_multipliers.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.expr import RolledBuilder
from poinsot.expr.rolled import CONSTANTS, STATE
from poinsot.expr.same_formula import same
from poinsot.formulations.pair_motion import PairMotion
from poinsot.formulations.recursive.composite import base_frame
from poinsot.formulations.recursive.link_kinds import LinkKind
from poinsot.formulations.recursive.links import link_frame
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.formulations.rolled_closures import kind_of
from poinsot.formulations.rolled_sweep import Read
from poinsot.model import WORLD, AbstractConstraint, AbstractJoint, FrameMotion, FramePair, Rows
from poinsot.model.constraints.base import CoordinateMotion, Frame
from poinsot.model.environment import TIME
from poinsot.model.topology import where_paths_part
from poinsot.spatial import Array, Scalar, Transform

_POSE = 12


@dataclass(frozen=True, eq=False)
class Poses:
    """Indices of the poses of links in the state, rotation (9) and origin (3).

    Frames are compared along the shortest path, so that no digits are lost far from the origin: on
    one branch of the base by poses in its first link, else by poses relative to the origins of the
    branches.

    Attributes:
        in_first: Of links in the first link of their branch, which itself has none.
        of_first: Of first links, in base axes, from where their joints begin.
        first: The first link of each link's branch.
    """

    in_first: Mapping[int, int]
    of_first: Mapping[int, int]
    first: Mapping[int, int]


@dataclass(frozen=True, eq=False)
class LinkMotions:
    """Indices of the motions of links in the state; the base is at -1.

    Attributes:
        poses: Their poses.
        velocity: In the link's axes (6); empty: not needed.
        acceleration: Rate of its components (6); empty: not needed.
        a: dv/dt in the order of v; None: not needed.
    """

    poses: Poses
    velocity: Mapping[int, int] = field(default_factory=dict)
    acceleration: Mapping[int, int] = field(default_factory=dict)
    a: int | None = None


@dataclass(frozen=True, eq=False)
class RowIndices:
    """Indices of the rows of a constraint in the state.

    Attributes:
        m: Number of rows.
        wrenches: By link, the wrenches of unit multipliers on it, (m, 6) each.
        ancestors: For each of these the last common ancestor of the two links of its pair.
        forces: By link, the forces of unit multipliers along its joint, (m, nv).
        values: By name, phi or the residual of the velocities or accelerations, (m,).
    """

    m: int
    wrenches: Sequence[tuple[int, int]]
    ancestors: Sequence[int]
    forces: Mapping[int, int]
    values: Mapping[str, int]


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


def append_poses(tree: RolledTree) -> Poses:
    """Append the poses of links that constraints depend on, from their placements."""
    in_first: dict[int, int] = {}
    of_first: dict[int, int] = {}
    first: dict[int, int] = {}
    for k in sorted(_looked_at(tree)):
        link, kind = tree.links[k], tree.kinds[k]
        reads = {"place": tree.values("placement")[k].read}
        pose = tree.builder.state(_POSE)
        if link.parent < 0:
            first[k], of_first[k] = k, pose
            tree.item("first pose", k, partial(_first_pose, kind), reads, {"pose": pose})
            continue
        first[k], in_first[k] = first[link.parent], pose
        if link.parent in in_first:
            reads["parent"] = (STATE, in_first[link.parent], _POSE)
        step = f"pose {'parent' in reads}"
        tree.item(step, k, partial(_pose, kind), reads, {"pose": pose})
    return Poses(in_first, of_first, first)


def append_rows(
    tree: RolledTree, motions: LinkMotions, wanted: Sequence[str], *, held: bool = True
) -> list[RowIndices]:
    """Append the rows of all loops and constraints.

    Args:
        tree: The links.
        motions: How they move.
        wanted: Which values to compute: ``"phi"``, ``"rate"``, ``"acceleration"``.
        held: Whether to compute the wrenches of unit multipliers.
    """
    return [
        _append(tree, constraint, motions, wanted, held=held)
        for constraint in tree.mechanism.closures
    ]


def _append(
    tree: RolledTree, constraint: AbstractConstraint, motions: LinkMotions,
    wanted: Sequence[str], *, held: bool,
) -> RowIndices:  # fmt: skip
    builder, m = tree.builder, len(constraint.locked)
    reads: dict[str, Read] = {}
    seen: list[tuple[int, int]] = []
    writes, wrenches, ancestors, forces = {}, [], [], {}
    parents = [link.parent for link in tree.links]
    for k, pair in enumerate(constraint.pairs):
        ends = [_end(tree, frame) for frame in pair]
        seen.append((ends[0][0], ends[1][0]))
        reads |= _shift_read(tree, motions.poses, k, seen[-1])
        for side, (link, X) in enumerate(ends):
            tag = f"{k}{'EF'[side]}"
            reads |= _link_reads(builder, motions, link, X, tag)
            if f"shift{k}" in reads and link >= 0:
                index = motions.poses.of_first[motions.poses.first[link]]
                reads[f"first{tag}"] = (STATE, index, _POSE)
            if held and link >= 0 and ends[0][0] != ends[1][0]:
                index = builder.state(6 * m)
                wrenches.append((link, index))
                ancestors.append(where_paths_part(parents, *seen[-1]))
                writes[f"wrench{tag}"] = index
    for k, name in enumerate(constraint.joints):
        i = tree.link_of(name)
        reads |= {f"{key}{k}": read for key, read in tree.joint_reads(tree.links[i], "q").items()}
        if motions.velocity:
            v_reads = tree.joint_reads(tree.links[i], "v")
            reads |= {f"{key}{k}": read for key, read in v_reads.items()}
        if motions.a is not None:
            v = tree.links[i].v
            reads[f"a{k}"] = (STATE, motions.a + v.start, v.stop - v.start)
        if held:
            forces[i] = writes[f"force{k}"] = builder.state(m * tree.kinds[i].joint.nv)
    if constraint.depends_on_time:
        reads["t"] = (TIME, 0, 1)
    values = {name: builder.state(m) for name in wanted}
    joints = tuple(tree.kinds[tree.link_of(name)].joint for name in constraint.joints)
    sizes = tuple((name, size) for name, (_, _, size) in reads.items())
    builder.item_alike(
        (
            "rows",
            kind_of(constraint),
            tuple(_are_base(pair) for pair in seen),
            sizes,
            tuple(writes),
        ),
        partial(_rows, constraint, joints, tuple(writes), tuple(wanted)),
        reads,
        {**writes, **values},
    )
    return RowIndices(m, wrenches, ancestors, forces, values)


def _are_base(links: tuple[int, int]) -> tuple[bool, bool]:
    """Return which of two links are the base."""
    return links[0] < 0, links[1] < 0


def _end(tree: RolledTree, frame: Frame) -> tuple[int, Transform]:
    body, pose = frame
    if body == WORLD:
        return -1, pose.transform()
    link, X_CB = link_frame(tree.mechanism, tree.mechanism.index(body))
    return link, X_CB @ pose.transform()


def _link_reads(
    builder: RolledBuilder, motions: LinkMotions, link: int, X: Transform, tag: str
) -> dict[str, Read]:
    """Return the reads of a link's motion, and of a frame in it: origin, and axes if rotated."""
    turned = [] if same(X.R, np.eye(3)) else X.R.ravel().tolist()
    numbers = [*X.p.tolist(), *turned]
    reads: dict[str, Read] = {f"frame{tag}": (CONSTANTS, builder.constants(numbers), len(numbers))}
    if link in motions.poses.in_first:
        reads[f"pose{tag}"] = (STATE, motions.poses.in_first[link], _POSE)
    if motions.velocity:
        reads[f"V{tag}"] = (STATE, motions.velocity[link], 6)
    if motions.acceleration:
        reads[f"A{tag}"] = (STATE, motions.acceleration[link], 6)
    return reads


def _shift_read(tree: RolledTree, poses: Poses, k: int, links: tuple[int, int]) -> dict[str, Read]:
    """Return the read of the vector between the origins of two branches; none on one branch."""
    first, second = (poses.first[link] if link >= 0 else -1 for link in links)
    if first == second:
        return {}
    starts = [tree.links[i].p if i >= 0 else np.zeros(3) for i in (first, second)]
    return {f"shift{k}": (CONSTANTS, tree.builder.constants((starts[1] - starts[0]).tolist()), 3)}


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


def _pose(
    kind: LinkKind, *, numbers: Array, place: Array, parent: Array | None = None
) -> dict[str, Array]:
    placement = kind.placement(kind.link(numbers), place)
    carrier = Transform.identity() if parent is None else _unpacked(parent)
    R, p = base_frame(carrier.R, carrier.p, placement)
    return {"pose": np.concatenate([R.ravel(), p])}


def _first_pose(kind: LinkKind, *, numbers: Array, place: Array) -> dict[str, Array]:
    link = kind.link(numbers)
    placement = kind.placement(link, place)
    return {"pose": np.concatenate([placement.to_child(np.eye(3)).T.ravel(), placement.p - link.p])}


def _rows(
    constraint: AbstractConstraint, joints: tuple[AbstractJoint, ...], writes: tuple[str, ...],
    wanted: tuple[str, ...], **given: Array,
) -> dict[str, Array]:  # fmt: skip
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
    t = given["t"][0] if "t" in given else 0.0
    rows = constraint.rows(PairsView(frames, moving, t))
    result = _values(rows, np.concatenate(rates), wanted)
    for k, end in enumerate(ends):
        J_pair = rows.J[:, 6 * k : 6 * k + 6]
        for side, wrenches in zip("EF", end.on_bodies(J_pair), strict=True):
            if f"wrench{k}{side}" in writes:
                result[f"wrench{k}{side}"] = wrenches
    for k in range(len(joints)):
        if f"force{k}" in writes:
            block = len(constraint.pairs) + k
            result[f"force{k}"] = rows.J[:, starts[block] : starts[block + 1]]
    return result


def _values(rows: Rows, rates: Array, wanted: tuple[str, ...]) -> dict[str, Array]:
    """Return the requested values; gamma is the whole residual, accelerations being in motions."""
    result = {}
    if "phi" in wanted:
        result["phi"] = rows.phi
    if "rate" in wanted:
        result["rate"] = rows.J @ rates + rows.drift
    if "acceleration" in wanted:
        result["acceleration"] = rows.gamma
    return result


def _pair(k: int, given: Mapping[str, Array]) -> PairMotion:
    """Return the motion of pair k from the reads of its frames and links."""
    bodies = []
    for side in "EF":
        poses = [given[key] for key in (f"first{k}{side}", f"pose{k}{side}") if key in given]
        X = Transform.identity()
        for pose in poses:
            X = X @ _unpacked(pose)
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


def _unpacked(pose: Array) -> Transform:
    return Transform(pose[:9].reshape(3, 3), pose[9:])
