"""Newton-Euler rolled: each step traced once per kind of link, and a list of items.

The steps are those of ``inverse.py``; this file only schedules them.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from poinsot.expr.rolled import STATE, Rolled
from poinsot.formulations.recursive import inverse
from poinsot.formulations.recursive.articulated import force_to_parent
from poinsot.formulations.recursive.link_kinds import (
    LinkKind,
    joint_passive_force,
    passive_coefficients,
)
from poinsot.formulations.recursive.links import regrouped_links
from poinsot.formulations.recursive.rolled_tree import GRAVITY, RolledTree
from poinsot.model import Environment, LoadInputs, Mechanism
from poinsot.spatial import Array

_MOTION, _FORCE = 18, 6


def rolled_inverse_dynamics(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return tau = M a + bias as a rolled program of q, v, a and the load inputs."""
    return _newton_euler(mechanism, ("q", "v", "a"), "inverse_dynamics", load_inputs, passive=True)


def rolled_bias(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return the bias as a rolled program of q, v and the load inputs."""
    return _newton_euler(mechanism, ("q", "v"), "bias", load_inputs, passive=True)


def rolled_gravity_force(mechanism: Mechanism) -> Rolled:
    """Return the gravity part of the bias as a rolled program of q."""
    return _newton_euler(mechanism, ("q",), "gravity_force", None, passive=False)


def rolled_tilted_gravity_force(mechanism: Mechanism) -> Rolled:
    """Return the gravity part of the bias as a rolled program of q and gravity in base axes."""
    inputs = ("q", GRAVITY)
    return _newton_euler(mechanism, inputs, "tilted_gravity_force", None, passive=False)


def _newton_euler(
    mechanism: Mechanism, inputs: tuple[str, ...], name: str, load_inputs: LoadInputs | None, *,
    passive: bool,
) -> Rolled:  # fmt: skip
    links = regrouped_links(mechanism)
    tree = RolledTree(mechanism, links, inputs, (name, (mechanism.nv,)), load_inputs)
    state = tuple(key for key in inputs if key != GRAVITY)
    motion, force = tree.world(_world_motion, _MOTION), {-1: tree.builder.state(_FORCE)}
    tau = tree.builder.state(mechanism.nv)
    placement: dict[int, int] = {}
    for k, link in enumerate(tree.links):
        kind = tree.kinds[k]
        motion[k], force[k] = tree.builder.state(_MOTION), tree.builder.state(_FORCE)
        placement[k] = tree.builder.state(kind.n_placement)
        tree.item(
            "outward", k, partial(_inverse_outward, kind),
            {**tree.joint_reads(link, *state), "parent": (STATE, motion[link.parent], 18)},
            {"motion": motion[k], "force": force[k], "place": placement[k]},
        )  # fmt: skip
    tree.loads({k: index for k, index in force.items() if k >= 0})
    tree.forces_along_joints()
    for k in range(len(tree.links) - 1, -1, -1):
        link, kind = tree.links[k], tree.kinds[k]
        tree.item(
            "inward", k, partial(_inverse_inward, kind),
            {
                **tree.joint_reads(link, *state), **(tree.passive_read(k) if passive else {}),
                **tree.joint_forces_read(link),
                "place": (STATE, placement[k], kind.n_placement), "force": (STATE, force[k], 6),
                "parent": (STATE, force[link.parent], 6),
            },
            {"tau": tau + link.v.start, "parent": force[link.parent]},
        )  # fmt: skip
    tree.builder.show(name, tau + np.arange(mechanism.nv))
    return tree.builder.finish()


def _world_motion(environment: Environment) -> Array:
    base = inverse.base_motion(environment)
    return np.concatenate([base.w, base.al, base.K.ravel(), base.a])


def _inverse_outward(
    kind: LinkKind, *, numbers: Array, q: Array, parent: Array, **given: Array
) -> dict[str, Array]:
    link, still = kind.link(numbers), np.zeros(kind.joint.nv)
    placement = link.placed(q)
    carrier = inverse.LinkMotion(parent[:3], parent[3:6], parent[6:15].reshape(3, 3), parent[15:])
    v, a = given.get("v", still), given.get("a", still)
    motion = inverse.link_motion(link, placement, carrier, q, v, a)
    return {
        "motion": np.concatenate([motion.w, motion.al, motion.K.ravel(), motion.a]),
        "force": np.concatenate(inverse.link_force(link, motion)),
        "place": kind.placement_numbers(placement),
    }


def _inverse_inward(
    kind: LinkKind, *, numbers: Array, q: Array, place: Array, force: Array, parent: Array,
    **given: Array,
) -> dict[str, Array]:  # fmt: skip
    link, still = kind.link(numbers), np.zeros(kind.joint.nv)
    tau = link.joint.motion_subspace(q).T @ force
    if "passive" in given:
        armature = passive_coefficients(link.joint, given["passive"])[2]
        tau = tau + joint_passive_force(link.joint, q, given["v"], given["passive"])
        tau = tau + armature @ given.get("a", still)
    if "exerted" in given:
        tau = tau - given["exerted"]
    placement = kind.placement(link, place)
    return {"tau": tau, "parent": parent + force_to_parent(placement, force)}
