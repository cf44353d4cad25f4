"""Articulated bodies rolled: the steps of ``articulated.py`` as items.

The sweeps are separate, so that loops can be closed between them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from poinsot.expr.rolled import STATE, Rolled
from poinsot.formulations.recursive import articulated
from poinsot.formulations.recursive.articulated import Articulated, FreeJoint
from poinsot.formulations.recursive.link_kinds import (
    LinkKind,
    joint_passive_force,
    passive_coefficients,
)
from poinsot.formulations.recursive.links import links_of
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.model import Environment, LoadInputs, Mechanism
from poinsot.spatial import Array, matrix

_UPPER6 = np.triu_indices(6)
_INERTIA = 21
_BODY = _INERTIA + 6


@dataclass(frozen=True, eq=False)
class Moving:
    """Indices of the results of the outward sweep, by link.

    Attributes:
        velocity: Velocities (6); that of the base is at -1.
        rate: Velocity-dependent accelerations of joints (6).
        body: Articulated inertias and bias forces.
        placement: Where joints have moved.
    """

    velocity: Mapping[int, int]
    rate: Mapping[int, int]
    body: Mapping[int, int]
    placement: Mapping[int, int]

    @property
    def forces(self) -> dict[int, int]:
        """Indices of the bias forces of links, for loads."""
        return {k: index + _INERTIA for k, index in self.body.items() if k >= 0}


@dataclass(frozen=True, eq=False)
class RolledArticulated:
    """Indices of the results of the inward sweep, by link.

    Attributes:
        placement: Where joints have moved.
        joint: Equations of the joints; see :func:`joint_numbers`.
    """

    placement: Mapping[int, int]
    joint: Mapping[int, int]


def rolled_forward_dynamics(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return the acceleration as a rolled program of q, v and tau: articulated bodies."""
    name, inputs = "forward_dynamics", ("q", "v", "tau")
    tree = RolledTree(mechanism, links_of(mechanism), inputs, (name, (mechanism.nv,)), load_inputs)
    moving = append_moving(tree)
    tree.loads(moving.forces)
    free = append_free(tree, moving)
    _, a = append_acceleration(tree, moving, free)
    tree.builder.show(name, a + np.arange(mechanism.nv))
    return tree.builder.finish()


def append_moving(tree: RolledTree) -> Moving:
    """Append the outward sweep: velocities, and rigid-body inertias and forces."""
    builder = tree.builder
    velocity = tree.world(_world_velocity, 6)
    body, placement, rate = {-1: builder.state(_BODY)}, {}, {}
    for k, link in enumerate(tree.links):
        kind = tree.kinds[k]
        velocity[k], rate[k] = builder.state(6), builder.state(6)
        body[k], placement[k] = builder.state(_BODY), builder.state(kind.n_placement)
        tree.item(
            "outward", k, partial(_outward, kind),
            {**tree.joint_reads(link, "q", "v"), "parent": (STATE, velocity[link.parent], 6)},
            {"velocity": velocity[k], "rate": rate[k], "body": body[k], "place": placement[k]},
        )  # fmt: skip
    return Moving(velocity, rate, body, placement)


def append_free(tree: RolledTree, moving: Moving) -> RolledArticulated:
    """Append the inward sweep: the articulated bodies of a tree in motion."""
    builder, joint = tree.builder, {}
    tree.forces_along_joints()
    for k in range(len(tree.links) - 1, -1, -1):
        link, kind = tree.links[k], tree.kinds[k]
        joint[k] = builder.state(joint_size(kind))
        tree.item(
            "inward", k, partial(_inward, kind),
            {
                **tree.joint_reads(link, "q", "v", "tau"), **tree.passive_read(k),
                **tree.joint_forces_read(link),
                "place": (STATE, moving.placement[k], kind.n_placement),
                "rate": (STATE, moving.rate[k], 6),
                "body": (STATE, moving.body[k], _BODY),
                "parent": (STATE, moving.body[link.parent], _BODY),
            },
            {"joint": joint[k], "parent": moving.body[link.parent]},
        )  # fmt: skip
    return RolledArticulated(moving.placement, joint)


def append_acceleration(
    tree: RolledTree, moving: Moving, free: RolledArticulated
) -> tuple[Mapping[int, int], int]:
    """Append the second outward sweep: accelerations of links, and dv/dt in the order of v.

    Returns:
        Indices of the accelerations of links, that of the base less gravity at -1; and of dv/dt.
    """
    builder = tree.builder
    acceleration, a = tree.world(_world_acceleration, 6), builder.state(tree.nv)
    for k, link in enumerate(tree.links):
        kind = tree.kinds[k]
        acceleration[k] = builder.state(6)
        tree.item(
            "accelerate", k, partial(_accelerate, kind),
            {
                **tree.joint_reads(link, "q"),
                "place": (STATE, free.placement[k], kind.n_placement),
                "rate": (STATE, moving.rate[k], 6),
                "joint": (STATE, free.joint[k], joint_size(kind)),
                "parent": (STATE, acceleration[link.parent], 6),
            },
            {"acceleration": acceleration[k], "a": a + link.v.start},
        )  # fmt: skip
    return acceleration, a


def append_inertias(tree: RolledTree) -> RolledArticulated:
    """Append the articulated inertias of a tree at rest without loads."""
    builder = tree.builder
    body, placement, joint = {-1: builder.state(_INERTIA)}, {}, {}
    for k, link in enumerate(tree.links):
        kind = tree.kinds[k]
        body[k], placement[k] = builder.state(_INERTIA), builder.state(kind.n_placement)
        tree.item(
            "rigid", k, partial(_rigid, kind), tree.joint_reads(link, "q"),
            {"body": body[k], "place": placement[k]},
        )  # fmt: skip
    for k in range(len(tree.links) - 1, -1, -1):
        link, kind = tree.links[k], tree.kinds[k]
        joint[k] = builder.state(joint_size(kind))
        tree.item(
            "inertia", k, partial(_inertia, kind),
            {
                **tree.joint_reads(link, "q"), **tree.passive_read(k),
                "place": (STATE, placement[k], kind.n_placement),
                "body": (STATE, body[k], _INERTIA),
                "parent": (STATE, body[link.parent], _INERTIA),
            },
            {"joint": joint[k], "parent": body[link.parent]},
        )  # fmt: skip
    return RolledArticulated(placement, joint)


def append_placements(tree: RolledTree) -> dict[int, int]:
    """Append the placements of links in their parents; return their indices by link."""
    placements = {}
    for k, link in enumerate(tree.links):
        kind = tree.kinds[k]
        placements[k] = tree.builder.state(kind.n_placement)
        reads = tree.joint_reads(link, "q")
        tree.item("place", k, partial(_place, kind), reads, {"place": placements[k]})
    return placements


def append_velocities(tree: RolledTree, placement: Mapping[int, int]) -> dict[int, int]:
    """Append velocities of links on a base at rest (6); return their indices by link."""
    builder, velocity = tree.builder, {-1: tree.builder.state(6)}
    builder.item("at rest", lambda: {"rest": np.zeros(6)}, {}, {"rest": velocity[-1]})
    for k, link in enumerate(tree.links):
        kind, velocity[k] = tree.kinds[k], builder.state(6)
        tree.item(
            "velocity", k, partial(_velocity, kind),
            {
                **tree.joint_reads(link, "q", "v"),
                "place": (STATE, placement[k], kind.n_placement),
                "parent": (STATE, velocity[link.parent], 6),
            },
            {"velocity": velocity[k]},
        )  # fmt: skip
    return velocity


def joint_size(kind: LinkKind) -> int:
    """Return the size of :func:`joint_numbers`."""
    nv = kind.joint.nv
    return 6 * nv + nv + nv * (nv - 1) // 2 + nv


def joint_numbers(joint: FreeJoint) -> Array:
    """Return the equation of a joint as a vector."""
    strict = np.tril_indices(len(joint.u), -1)
    return np.concatenate([joint.U.ravel(), joint.u, joint.L[strict], joint.d_inverse])


def joint_from(kind: LinkKind, numbers: Array) -> FreeJoint:
    """Return the equation of a joint from that vector."""
    nv = kind.joint.nv
    strict = np.tril_indices(nv, -1)
    U, rest = numbers[: 6 * nv].reshape(6, nv), numbers[6 * nv :]
    L = np.eye(nv).astype(object)
    L[strict] = rest[nv : nv + len(strict[0])]
    return FreeJoint(U, rest[:nv], L, rest[nv + len(strict[0]) :])


def _world_velocity(environment: Environment) -> Array:
    return environment.velocity


def _world_acceleration(environment: Environment) -> Array:
    return articulated.base_acceleration(environment)


def _outward(
    kind: LinkKind, *, numbers: Array, q: Array, v: Array, parent: Array
) -> dict[str, Array]:
    link = kind.link(numbers)
    placement = link.placed(q)
    V, C = articulated.velocity_step(link, placement, parent, q, v)
    body = _packed(articulated.rigid_body(link, V))
    return {"velocity": V, "rate": C, "body": body, "place": kind.placement_numbers(placement)}


def _inward(
    kind: LinkKind, *, numbers: Array, q: Array, v: Array, tau: Array, passive: Array, place: Array,
    rate: Array, body: Array, parent: Array, exerted: Array | None = None,
) -> dict[str, Array]:  # fmt: skip
    link = kind.link(numbers)
    placement = kind.placement(link, place)
    drive = tau - joint_passive_force(link.joint, q, v, passive)
    if exerted is not None:
        drive = drive + exerted
    armature = passive_coefficients(link.joint, passive)[2]
    articulated_body = _unpacked(body)
    joint = articulated.free_joint(link, articulated_body, q, drive, armature)
    S = link.joint.motion_subspace(q)
    contribution = articulated.contribution_to_parent(
        placement, articulated_body, joint, S, rate, armature
    )
    return {"joint": joint_numbers(joint), "parent": parent + _packed(contribution)}


def _accelerate(
    kind: LinkKind, *, numbers: Array, q: Array, place: Array, rate: Array, joint: Array,
    parent: Array,
) -> dict[str, Array]:  # fmt: skip
    link = kind.link(numbers)
    free, S = joint_from(kind, joint), link.joint.motion_subspace(q)
    a, A = articulated.acceleration_step(kind.placement(link, place), parent, rate, free, S)
    return {"a": a, "acceleration": A}


def _place(kind: LinkKind, *, numbers: Array, q: Array) -> dict[str, Array]:
    return {"place": kind.placement_numbers(kind.link(numbers).placed(q))}


def _velocity(
    kind: LinkKind, *, numbers: Array, q: Array, v: Array, place: Array, parent: Array
) -> dict[str, Array]:
    link = kind.link(numbers)
    placement = kind.placement(link, place)
    return {"velocity": articulated.velocity_step(link, placement, parent, q, v)[0]}


def _rigid(kind: LinkKind, *, numbers: Array, q: Array) -> dict[str, Array]:
    link = kind.link(numbers)
    body = Articulated(link.inertia().matrix(), np.zeros(6))
    place = kind.placement_numbers(link.placed(q))
    return {"body": _packed(body)[:_INERTIA], "place": place}


def _inertia(
    kind: LinkKind, *, numbers: Array, q: Array, passive: Array, place: Array, body: Array,
    parent: Array,
) -> dict[str, Array]:  # fmt: skip
    link, still = kind.link(numbers), np.zeros(6)
    armature = passive_coefficients(link.joint, passive)[2]
    articulated_body = _unpacked(np.concatenate([body, still]))
    joint = articulated.free_joint(link, articulated_body, q, np.zeros(kind.joint.nv), armature)
    S = link.joint.motion_subspace(q)
    contribution = articulated.contribution_to_parent(
        kind.placement(link, place), articulated_body, joint, S, still, armature
    )
    return {"joint": joint_numbers(joint), "parent": parent + _packed(contribution)[:_INERTIA]}


def _packed(body: Articulated) -> Array:
    return np.concatenate([body.I[_UPPER6], body.F])


def _unpacked(numbers: Array) -> Articulated:
    I = np.zeros((6, 6), dtype=object)
    I[_UPPER6] = numbers[:_INERTIA]
    I.T[_UPPER6] = numbers[:_INERTIA]
    return Articulated(matrix(*I.tolist()), numbers[_INERTIA:])
