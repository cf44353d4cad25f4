"""A planar linkage as a ``System`` in the plane z = 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from poinsot.errors import ModelError
from poinsot.formulations.composable.joint_rows import driver_rows
from poinsot.front.planar_constraints import (
    joints_in_tree,
    pair_constraint,
)
from poinsot.front.system import System
from poinsot.model import (
    WORLD,
    Body,
    Connection,
    Fixed,
    Pose,
    Prismatic,
    Revolute,
    Spring,
)
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage, PlanarSpring
from poinsot.model.planar.row_pair import RowPair
from poinsot.spatial import Array


def pictured_system(linkage: PlanarLinkage) -> System:
    """Return a system to be drawn where configurations are known, without contacts.

    Nor has it what moves links and cannot be seen: force elements, rows of other systems.
    """
    contacts = {p.b for p in linkage.pairs if isinstance(p, CurvePair) and p.is_helper}
    links = {name: link for name, link in linkage.links.items() if name not in contacts}
    pairs = tuple(
        pair for pair in linkage.pairs if pair.b not in contacts and not isinstance(pair, RowPair)
    )
    seen = replace(
        linkage, links=links, pairs=pairs, elements=(), velocity_rows=(), coupled_rotors=()
    )
    return planar_system(seen, "planar mechanism")


def planar_system(linkage: PlanarLinkage, name: str) -> System:
    """Return the system; drivers stay in its tree, so that its tau has their entries."""
    for pair in linkage.pairs:
        if isinstance(pair, CurvePair) and pair.partner:
            raise ModelError(
                f"system: a System has no contact of two profiles, of which {pair.name!r} is one;"
                " simulate the mechanism itself, or make both circles"
            )
    rows = [pair for pair in linkage.pairs if isinstance(pair, RowPair)]
    names = [element.name for element in linkage.elements]
    names += [row.name for row in (*linkage.velocity_rows, *rows)]
    names += [f"rotors of {pair.first}, {pair.second}" for pair in linkage.coupled_rotors]
    if names:
        raise ModelError(
            f"system: {names} come from another System; take that one, whose joints have the same"
            " names"
        )
    bodies = [
        Body(body, mass=link.mass, com=(*link.com, 0.0), inertia=3 * (link.inertia,))
        for body, link in linkage.links.items()
    ]
    kept = joints_in_tree(linkage)
    rotors = [j.name for j in linkage.joints if j.armature and j.name not in kept]
    bodies += [Body(_rotor(joint)) for joint in rotors]
    joints = [
        connection
        for joint in linkage.joints
        for connection in _connections(joint, linkage.frame, through_rotor=joint.name in rotors)
    ]
    forces = [_spring(spring, linkage.frame) for spring in linkage.springs]
    gravity = (*linkage.gravity, 0.0)
    return System.from_graph(
        name, bodies, joints, gravity=gravity, driven=[*kept, *rotors],
        forces=forces, constraints=[pair_constraint(pair, linkage) for pair in linkage.pairs],
    )  # fmt: skip


def coordinates_of(
    linkage: PlanarLinkage, system: System, poses: Mapping[str, Array], rates: Mapping[str, Array]
) -> tuple[Array, Array]:
    """Return q and v of the system's joints, angles and strokes, from the motions of links."""
    q, v = [], []
    for joint in (linkage.by_name[name] for name in system.joint_names if name in linkage.by_name):
        rows = driver_rows(joint, poses[joint.a], poses[joint.b])
        q.append(rows.residual)
        moved = rows.of_a @ rates[joint.a][..., None] + rows.of_b @ rates[joint.b][..., None]
        v.append(moved[..., 0])
    return np.concatenate(q, axis=-1), np.concatenate(v, axis=-1)


def _connections(joint: PlanarJoint, frame: str, *, through_rotor: bool) -> list[Connection]:
    """Return a joint as one connection; with a rotor between, as joints that close loops have none.

    The rotor has no mass besides the joint's armature, and is welded to the second link.
    """
    turns = (0.0, 0.0) if joint.kind == "R" else (joint.ua, joint.ua - joint.beta)
    ends = [
        (_world(body, frame), Pose((*map(float, p), 0.0), rpy=(0.0, 0.0, float(turn))))
        for body, p, turn in zip((joint.a, joint.b), (joint.pa, joint.pb), turns, strict=True)
    ]
    kind, axis = (Revolute, "z") if joint.kind == "R" else (Prismatic, "x")
    moved = kind(axis, damping=joint.c, stiffness=joint.k, rest=joint.rest, armature=joint.armature)
    if not through_rotor:
        return [Connection(joint.name, ends[0], ends[1], moved)]
    rotor = _rotor(joint.name)
    weld = Connection(f"{rotor} weld", (rotor, Pose()), ends[1], Fixed())
    return [Connection(joint.name, ends[0], (rotor, Pose()), moved), weld]


def _rotor(joint: str) -> str:
    return f"{joint} rotor"


def _world(body: str, frame: str) -> str:
    return WORLD if body == frame else body


def _spring(spring: PlanarSpring, frame: str) -> Spring:
    first, second = (
        (_world(body, frame), (*map(float, p), 0.0))
        for body, p in ((spring.a, spring.pa), (spring.b, spring.pb))
    )
    return Spring(
        first, second, stiffness=spring.stiffness, damping=spring.damping, length=spring.length,
        name=spring.name,
    )  # fmt: skip
