"""Rows of loops and constraints rolled: each one an item, beside the motions of its links.

A constraint sees virtual velocities in place of those of the joints: six for each pair of frames,
and those of each joint that it names.  Its Jacobian by them are the wrenches that its multipliers
exert, which are carried inward along the tree (``rolled_multipliers.py``).
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
from poinsot.formulations.rolled_bodies import Read
from poinsot.formulations.rolled_closures import kind_of
from poinsot.model import WORLD, AbstractConstraint, AbstractJoint, FrameMotion, FramePair, Rows
from poinsot.model.constraints.base import CoordinateMotion, Frame
from poinsot.model.environment import TIME
from poinsot.spatial import Array, Scalar, Transform

_POSE = 12


@dataclass(frozen=True, eq=False)
class Poses:
    """Where in the state links have their poses, rotation (9) and origin (3).

    Frames are compared on the shortest way, so that places far from the origin cost no digits: on
    one branch of the base by poses in its first link, else by poses from the places where branches
    begin.

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
    """Where in the state links have what constraints ask of them; the base is at -1.

    Attributes:
        poses: Where they are.
        velocity: In the link's axes (6); empty: none is asked for.
        acceleration: Rate of its components (6); empty: none is asked for.
        a: dv/dt in the order of v; None: none is asked for.
    """

    poses: Poses
    velocity: Mapping[int, int] = field(default_factory=dict)
    acceleration: Mapping[int, int] = field(default_factory=dict)
    a: int | None = None


@dataclass(frozen=True, eq=False)
class RowPlaces:
    """Where a constraint has left its rows.

    Attributes:
        m: How many there are.
        wrenches: By link, where wrenches of unit multipliers on it are, (m, 6) each.
        forces: By link, where forces of unit multipliers along its joint are, (m, nv).
        values: By name, where phi, the rate or the acceleration that is missed are, (m,).
    """

    m: int
    wrenches: Sequence[tuple[int, int]]
    forces: Mapping[int, int]
    values: Mapping[str, int]


@dataclass(frozen=True)
class _View:
    """What one constraint sees."""

    frames: Mapping[FramePair, FrameMotion]
    joints: Mapping[str, CoordinateMotion]
    t: Scalar

    def frame(self, pair: FramePair) -> FrameMotion:
        return self.frames[pair]

    def joint(self, name: str) -> CoordinateMotion:
        return self.joints[name]

    def all_joints(self) -> CoordinateMotion:
        raise PoinsotError(
            "constraints on all coordinates have no rolled form; choose backend='auto'"
        )


def append_poses(tree: RolledTree, place: Mapping[int, int]) -> Poses:
    """Append the poses of links that constraints look at.

    Args:
        tree: The links.
        place: Where their joints have moved.
    """
    in_first: dict[int, int] = {}
    of_first: dict[int, int] = {}
    first: dict[int, int] = {}
    for k in sorted(_looked_at(tree)):
        link, kind = tree.links[k], tree.kinds[k]
        reads = {"place": (STATE, place[k], kind.n_placement)}
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
) -> list[RowPlaces]:
    """Append the rows of all loops and constraints.

    Args:
        tree: The links.
        motions: How they move.
        wanted: Which values are asked for: ``"phi"``, ``"rate"``, ``"acceleration"``.
        held: Whether wrenches are asked for.
    """
    return [_append(tree, one, motions, wanted, held=held) for one in tree.mechanism.closures]


def _append(
    tree: RolledTree, one: AbstractConstraint, motions: LinkMotions, wanted: Sequence[str], *,
    held: bool,
) -> RowPlaces:  # fmt: skip
    builder, m = tree.builder, len(one.locked)
    reads: dict[str, Read] = {}
    seen: list[tuple[int, int]] = []
    writes, wrenches, forces = {}, [], {}
    for k, pair in enumerate(one.pairs):
        ends = [_end(tree, frame) for frame in pair]
        seen.append((ends[0][0], ends[1][0]))
        reads |= _shift_read(tree, motions.poses, k, seen[-1])
        for side, (link, X) in enumerate(ends):
            tag = f"{k}{'EF'[side]}"
            reads |= _link_reads(builder, motions, link, X, tag)
            if f"shift{k}" in reads and link >= 0:
                place = motions.poses.of_first[motions.poses.first[link]]
                reads[f"first{tag}"] = (STATE, place, _POSE)
            if held and link >= 0 and ends[0][0] != ends[1][0]:
                place = builder.state(6 * m)
                wrenches.append((link, place))
                writes[f"wrench{tag}"] = place
    for k, name in enumerate(one.joints):
        i = tree.link_of(name)
        reads |= {f"{key}{k}": read for key, read in tree.joint_reads(tree.links[i], "q").items()}
        if motions.velocity:
            own = tree.joint_reads(tree.links[i], "v")
            reads |= {f"{key}{k}": read for key, read in own.items()}
        if motions.a is not None:
            v = tree.links[i].v
            reads[f"a{k}"] = (STATE, motions.a + v.start, v.stop - v.start)
        if held:
            forces[i] = writes[f"force{k}"] = builder.state(m * tree.kinds[i].joint.nv)
    if one.depends_on_time:
        reads["t"] = (TIME, 0, 1)
    values = {name: builder.state(m) for name in wanted}
    joints = tuple(tree.kinds[tree.link_of(name)].joint for name in one.joints)
    sizes = tuple((name, size) for name, (_, _, size) in reads.items())
    builder.item_alike(
        ("rows", kind_of(one), tuple(_are_base(pair) for pair in seen), sizes, tuple(writes)),
        partial(_rows, one, joints, tuple(writes), tuple(wanted)),
        reads,
        {**writes, **values},
    )
    return RowPlaces(m, wrenches, forces, values)


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
    """Return the reads of a link's motion, and of a frame in it: its place, and its axes if any."""
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
    """Return the read of the way between the beginnings of two branches; none on one branch."""
    first, second = (poses.first[link] if link >= 0 else -1 for link in links)
    if first == second:
        return {}
    starts = [tree.links[i].p if i >= 0 else np.zeros(3) for i in (first, second)]
    return {f"shift{k}": (CONSTANTS, tree.builder.constants((starts[1] - starts[0]).tolist()), 3)}


def _looked_at(tree: RolledTree) -> set[int]:
    """Return the links that carry frames of constraints, and those that carry them."""
    found: set[int] = set()
    for one in tree.mechanism.closures:
        for pair in one.pairs:
            for frame in pair:
                k, _ = _end(tree, frame)
                while k >= 0 and k not in found:
                    found.add(k)
                    k = tree.links[k].parent
    return found


def _pose(
    kind: LinkKind, *, numbers: Array, place: Array, parent: Array | None = None
) -> dict[str, Array]:
    at = kind.placement(kind.link(numbers), place)
    carrier = Transform.identity() if parent is None else _unpacked(parent)
    R, p = base_frame(carrier.R, carrier.p, at)
    return {"pose": np.concatenate([R.ravel(), p])}


def _first_pose(kind: LinkKind, *, numbers: Array, place: Array) -> dict[str, Array]:
    link = kind.link(numbers)
    at = kind.placement(link, place)
    return {"pose": np.concatenate([at.to_child(np.eye(3)).T.ravel(), at.p - link.p])}


def _rows(
    one: AbstractConstraint, joints: tuple[AbstractJoint, ...], writes: tuple[str, ...],
    wanted: tuple[str, ...], **given: Array,
) -> dict[str, Array]:  # fmt: skip
    sizes = [6] * len(one.pairs) + [joint.nv for joint in joints]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    virtual = np.eye(int(starts[-1]))
    ends = [_pair(k, given) for k in range(len(one.pairs))]
    frames = {
        pair: end.seen(virtual[6 * k : 6 * k + 6])
        for k, (pair, end) in enumerate(zip(one.pairs, ends, strict=True))
    }
    moving, rates = {}, [frames[pair].V for pair in one.pairs]
    for k, (name, joint) in enumerate(zip(one.joints, joints, strict=True)):
        start = starts[len(one.pairs) + k]
        moving[name] = _coordinates(joint, k, given, virtual[start : start + joint.nv])
        rates.append(given.get(f"v{k}", np.zeros(joint.nv)))
    t = given["t"][0] if "t" in given else 0.0
    rows = one.rows(_View(frames, moving, t))
    result = _values(rows, np.concatenate(rates), wanted)
    for k, end in enumerate(ends):
        own = rows.J[:, 6 * k : 6 * k + 6]
        for side, wrenches in zip("EF", end.on_bodies(own), strict=True):
            if f"wrench{k}{side}" in writes:
                result[f"wrench{k}{side}"] = wrenches
    for k in range(len(joints)):
        if f"force{k}" in writes:
            at = len(one.pairs) + k
            result[f"force{k}"] = rows.J[:, starts[at] : starts[at + 1]]
    return result


def _values(rows: Rows, rates: Array, wanted: tuple[str, ...]) -> dict[str, Array]:
    """Return the values that are asked for; gamma is all of the acceleration, motions being so."""
    result = {}
    if "phi" in wanted:
        result["phi"] = rows.phi
    if "rate" in wanted:
        result["rate"] = rows.J @ rates + rows.drift
    if "acceleration" in wanted:
        result["acceleration"] = rows.gamma
    return result


def _pair(k: int, given: Mapping[str, Array]) -> PairMotion:
    """Return pair k from what is given of its frames and links."""
    bodies = []
    for side in "EF":
        parts = [given[key] for key in (f"first{k}{side}", f"pose{k}{side}") if key in given]
        X = Transform.identity()
        for part in parts:
            X = X @ _unpacked(part)
        bodies.append(X)
    if f"shift{k}" in given:
        bodies[1] = Transform(bodies[1].R, bodies[1].p + given[f"shift{k}"])
    return PairMotion.of(
        [_frame(given[f"frame{k}{side}"]) for side in "EF"],
        bodies,
        [given.get(f"V{k}{side}", np.zeros(6)) for side in "EF"],
        [given.get(f"A{k}{side}", np.zeros(6)) for side in "EF"],
    )


def _coordinates(
    joint: AbstractJoint, k: int, given: Mapping[str, Array], virtual: Array
) -> CoordinateMotion:
    """Return how the coordinates of a joint move, which are plain numbers."""
    q, still = given[f"q{k}"], np.zeros(joint.nv)
    v, a = given.get(f"v{k}", still), given.get(f"a{k}", still)
    N = np.stack([joint.position_rate(q, unit) for unit in np.eye(joint.nv)], axis=1)
    return CoordinateMotion(q, joint.position_rate(q, v), N @ a, N @ virtual)


def _frame(numbers: Array) -> Transform:
    R = np.eye(3) if len(numbers) == 3 else numbers[3:].reshape(3, 3)
    return Transform(R, numbers[:3])


def _unpacked(pose: Array) -> Transform:
    return Transform(pose[:9].reshape(3, 3), pose[9:])
