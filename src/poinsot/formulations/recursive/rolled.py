"""The recursions rolled: each step traced once for each kind of link, and a list of items.

The steps are those of ``inverse.py`` and ``articulated.py``; only how they are strung together is
here.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from poinsot.expr.rolled import STATE, Rolled
from poinsot.formulations.recursive import articulated, inverse
from poinsot.formulations.recursive.kinds import (
    Kind,
    passive_of,
    passive_parts,
)
from poinsot.formulations.recursive.links import links_of, regrouped_links
from poinsot.formulations.recursive.rolled_tree import GRAVITY, RolledTree
from poinsot.model import Mechanism, Outside, Surroundings
from poinsot.spatial import Array, matrix

_UPPER6 = np.triu_indices(6)
_MOTION, _FORCE, _INERTIA = 18, 6, 21


def rolled_inverse_dynamics(mechanism: Mechanism, outside: Outside = Outside()) -> Rolled:  # noqa: B008
    """Return tau = M a + bias as a rolled program of q, v, a and what is given of the outside."""
    return _newton_euler(mechanism, ("q", "v", "a"), "inverse_dynamics", outside, passive=True)


def rolled_bias(mechanism: Mechanism, outside: Outside = Outside()) -> Rolled:  # noqa: B008
    """Return the bias as a rolled program of q, v and what is given of the outside."""
    return _newton_euler(mechanism, ("q", "v"), "bias", outside, passive=True)


def rolled_gravity_force(mechanism: Mechanism) -> Rolled:
    """Return the gravity part of the bias as a rolled program of q."""
    return _newton_euler(mechanism, ("q",), "gravity_force", None, passive=False)


def rolled_tilted_gravity_force(mechanism: Mechanism) -> Rolled:
    """Return the gravity part of the bias as a rolled program of q and gravity in base axes."""
    inputs = ("q", GRAVITY)
    return _newton_euler(mechanism, inputs, "tilted_gravity_force", None, passive=False)


def _newton_euler(
    mechanism: Mechanism, inputs: tuple[str, ...], name: str, outside: Outside | None, *,
    passive: bool,
) -> Rolled:  # fmt: skip
    links = regrouped_links(mechanism)
    tree = RolledTree(mechanism, links, inputs, (name, (mechanism.nv,)), outside)
    state = tuple(key for key in inputs if key != GRAVITY)
    motion, force = tree.world(_world_motion, _MOTION), {-1: tree.builder.state(_FORCE)}
    tau = tree.builder.state(mechanism.nv)
    place: dict[int, int] = {}
    for k, link in enumerate(tree.links):
        kind = tree.kinds[k]
        motion[k], force[k] = tree.builder.state(_MOTION), tree.builder.state(_FORCE)
        place[k] = tree.builder.state(kind.n_placement)
        tree.item(
            "outward", k, partial(_inverse_outward, kind),
            {**tree.joint_reads(link, *state), "parent": (STATE, motion[link.parent], 18)},
            {"motion": motion[k], "force": force[k], "place": place[k]},
        )  # fmt: skip
    tree.loads({k: place for k, place in force.items() if k >= 0})
    for k in range(len(tree.links) - 1, -1, -1):
        link, kind = tree.links[k], tree.kinds[k]
        tree.item(
            "inward", k, partial(_inverse_inward, kind),
            {
                **tree.joint_reads(link, *state), **(tree.passive_read(k) if passive else {}),
                "place": (STATE, place[k], kind.n_placement), "force": (STATE, force[k], 6),
                "parent": (STATE, force[link.parent], 6),
            },
            {"tau": tau + link.v.start, "parent": force[link.parent]},
        )  # fmt: skip
    tree.builder.show(name, tau + np.arange(mechanism.nv))
    return tree.builder.finish()


def rolled_forward_dynamics(mechanism: Mechanism, outside: Outside = Outside()) -> Rolled:  # noqa: B008
    """Return the acceleration as a rolled program of q, v and tau: articulated bodies."""
    name, inputs = "forward_dynamics", ("q", "v", "tau")
    tree = RolledTree(mechanism, links_of(mechanism), inputs, (name, (mechanism.nv,)), outside)
    builder = tree.builder
    velocity = tree.world(_world_velocity, 6)
    acceleration = tree.world(_world_acceleration, 6)
    body, a = {-1: builder.state(_INERTIA + 6)}, builder.state(mechanism.nv)
    place, rate, joint = {}, {}, {}
    for k, link in enumerate(tree.links):
        kind = tree.kinds[k]
        velocity[k], rate[k] = builder.state(6), builder.state(6)
        body[k], place[k] = builder.state(_INERTIA + 6), builder.state(kind.n_placement)
        joint[k] = builder.state(_joint_size(kind))
        tree.item(
            "outward", k, partial(_forward_outward, kind),
            {**tree.joint_reads(link, "q", "v"), "parent": (STATE, velocity[link.parent], 6)},
            {"velocity": velocity[k], "rate": rate[k], "body": body[k], "place": place[k]},
        )  # fmt: skip
    tree.loads({k: place + _INERTIA for k, place in body.items() if k >= 0})
    for k in range(len(tree.links) - 1, -1, -1):
        link, kind = tree.links[k], tree.kinds[k]
        tree.item(
            "inward", k, partial(_forward_inward, kind),
            {
                **tree.joint_reads(link, "q", "v", "tau"), **tree.passive_read(k),
                "place": (STATE, place[k], kind.n_placement), "rate": (STATE, rate[k], 6),
                "body": (STATE, body[k], _INERTIA + 6),
                "parent": (STATE, body[link.parent], _INERTIA + 6),
            },
            {"joint": joint[k], "parent": body[link.parent]},
        )  # fmt: skip
    for k, link in enumerate(tree.links):
        kind = tree.kinds[k]
        acceleration[k] = builder.state(6)
        tree.item(
            "accelerate", k, partial(_forward_accelerate, kind),
            {
                **tree.joint_reads(link, "q"), "place": (STATE, place[k], kind.n_placement),
                "rate": (STATE, rate[k], 6), "joint": (STATE, joint[k], _joint_size(kind)),
                "parent": (STATE, acceleration[link.parent], 6),
            },
            {"acceleration": acceleration[k], "a": a + link.v.start},
        )  # fmt: skip
    builder.show("forward_dynamics", a + np.arange(mechanism.nv))
    return builder.finish()


def _world_motion(around: Surroundings) -> Array:
    base = inverse.base_motion(around)
    return np.concatenate([base.w, base.al, base.K.ravel(), base.a])


def _world_velocity(around: Surroundings) -> Array:
    return around.velocity


def _world_acceleration(around: Surroundings) -> Array:
    return articulated.base_acceleration(around)


def _inverse_outward(
    kind: Kind, *, numbers: Array, q: Array, parent: Array, **given: Array
) -> dict[str, Array]:
    link, still = kind.link(numbers), np.zeros(kind.joint.nv)
    at = link.placed(q)
    carrier = inverse.LinkMotion(parent[:3], parent[3:6], parent[6:15].reshape(3, 3), parent[15:])
    v, a = given.get("v", still), given.get("a", still)
    motion = inverse.link_motion(link, at, carrier, q, v, a)
    return {
        "motion": np.concatenate([motion.w, motion.al, motion.K.ravel(), motion.a]),
        "force": np.concatenate(inverse.link_force(link, motion)),
        "place": kind.placement_numbers(at),
    }


def _inverse_inward(
    kind: Kind, *, numbers: Array, q: Array, place: Array, force: Array, parent: Array,
    **given: Array,
) -> dict[str, Array]:  # fmt: skip
    link, still = kind.link(numbers), np.zeros(kind.joint.nv)
    tau = link.joint.motion_subspace(q).T @ force
    if "passive" in given:
        armature = passive_parts(link.joint, given["passive"])[2]
        tau = tau + passive_of(link.joint, q, given["v"], given["passive"])
        tau = tau + armature @ given.get("a", still)
    at = kind.placement(link, place)
    return {"tau": tau, "parent": parent + articulated.force_to_parent(at, force)}


def _forward_outward(
    kind: Kind, *, numbers: Array, q: Array, v: Array, parent: Array
) -> dict[str, Array]:
    link = kind.link(numbers)
    at = link.placed(q)
    V, C = articulated.velocity_step(link, at, parent, q, v)
    body = _packed(articulated.rigid_body(link, V))
    return {"velocity": V, "rate": C, "body": body, "place": kind.placement_numbers(at)}


def _forward_inward(
    kind: Kind, *, numbers: Array, q: Array, v: Array, tau: Array, passive: Array, place: Array,
    rate: Array, body: Array, parent: Array,
) -> dict[str, Array]:  # fmt: skip
    link = kind.link(numbers)
    at = kind.placement(link, place)
    drive = tau - passive_of(link.joint, q, v, passive)
    armature = passive_parts(link.joint, passive)[2]
    whole = _unpacked(body)
    joint = articulated.free_joint(link, whole, q, drive, armature)
    S = link.joint.motion_subspace(q)
    handed = articulated.handed_on(at, whole, joint, S, rate, armature)
    strict = np.tril_indices(kind.joint.nv, -1)
    left = [joint.U.ravel(), joint.u, joint.L[strict], joint.d_inverse]
    return {"joint": np.concatenate(left), "parent": parent + _packed(handed)}


def _forward_accelerate(
    kind: Kind, *, numbers: Array, q: Array, place: Array, rate: Array, joint: Array,
    parent: Array,
) -> dict[str, Array]:  # fmt: skip
    link, nv = kind.link(numbers), kind.joint.nv
    strict = np.tril_indices(nv, -1)
    U, rest = joint[: 6 * nv].reshape(6, nv), joint[6 * nv :]
    L = np.eye(nv).astype(object)
    L[strict] = rest[nv : nv + len(strict[0])]
    free = articulated.FreeJoint(U, rest[:nv], L, rest[nv + len(strict[0]) :])
    S = link.joint.motion_subspace(q)
    a, A = articulated.acceleration_step(kind.placement(link, place), parent, rate, free, S)
    return {"a": a, "acceleration": A}


def _joint_size(kind: Kind) -> int:
    nv = kind.joint.nv
    return 6 * nv + nv + nv * (nv - 1) // 2 + nv


def _packed(body: articulated.Articulated) -> Array:
    return np.concatenate([body.I[_UPPER6], body.F])


def _unpacked(numbers: Array) -> articulated.Articulated:
    I = np.zeros((6, 6), dtype=object)
    I[_UPPER6] = numbers[:_INERTIA]
    I.T[_UPPER6] = numbers[:_INERTIA]
    return articulated.Articulated(matrix(*I.tolist()), numbers[_INERTIA:])
