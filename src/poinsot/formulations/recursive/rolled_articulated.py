"""The sweeps of articulated bodies one by one, for loops that are closed between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import sub

import numpy as np

from poinsot.expr.packing import AbstractLayout, layout_of
from poinsot.formulations.recursive import articulated
from poinsot.formulations.recursive.articulated import FreeJoint
from poinsot.formulations.recursive.link_kinds import LinkKind
from poinsot.formulations.recursive.link_tree import PASSIVE, PLACE
from poinsot.formulations.recursive.links import Placement
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.formulations.rolled_sweep import starts
from poinsot.formulations.sweep import step
from poinsot.spatial import Array


@dataclass(frozen=True, eq=False)
class Moving:
    """Indices of the results of the outward sweep, by link.

    Attributes:
        velocity: Velocities (6); that of the base is at -1.
        forces: Bias forces (6).
        placement: Where joints have moved.
    """

    velocity: Mapping[int, int]
    forces: Mapping[int, int]
    placement: Mapping[int, int]


@dataclass(frozen=True, eq=False)
class RolledArticulated:
    """Indices of the results of the inward sweep, by link.

    Attributes:
        placement: Where joints have moved.
        joint: Equations of the joints; see :func:`joint_from`.
    """

    placement: Mapping[int, int]
    joint: Mapping[int, int]


def append_moving(tree: RolledTree) -> Moving:
    """Append the outward sweep: velocities, and rigid-body inertias and forces."""
    tree.each(PASSIVE, step(sub, "tau _passive", "_drive"))
    articulated.moving_bodies(tree)
    forces = {k: slot.field("F").start for k, slot in tree.values("body").items()}
    return Moving(starts(tree.values("velocity")), forces, starts(tree.values("placement")))


def append_free(tree: RolledTree, _moving: Moving) -> RolledArticulated:
    """Append the inward sweep: the articulated bodies of a tree in motion."""
    tree.forces_along_joints()
    return _free(tree)


def append_acceleration(
    tree: RolledTree, _moving: Moving, _free: RolledArticulated
) -> tuple[dict[int, int], int]:
    """Append the last outward sweep.

    Returns:
        Indices of the accelerations of links, that of the base less gravity at -1; and of dv/dt.
    """
    start = tree.builder.state(tree.nv)
    tree.put_by_velocity("dv", start)
    articulated.accelerated(tree)
    return starts(tree.values("acceleration")), start


def append_inertias(tree: RolledTree) -> RolledArticulated:
    """Append the articulated inertias of a tree at rest without loads."""
    articulated.resting_bodies(tree)
    return _free(tree)


def append_placements(tree: RolledTree) -> dict[int, int]:
    """Append the placements of links in their parents; return their indices by link."""
    tree.outward([PLACE])
    return starts(tree.values("placement"))


def append_velocities(tree: RolledTree, _placement: Mapping[int, int]) -> dict[int, int]:
    """Append velocities of links on a base at rest (6); return their indices by link."""
    tree.at_base("velocity", np.zeros(6))
    tree.outward(
        [step(articulated.link_velocity, "link placement parent.velocity q v", "velocity")]
    )
    return starts(tree.values("velocity"))


def append_drifts(
    tree: RolledTree, _placement: Mapping[int, int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Append velocities of links on a base at rest (6), and their rates while no joint accelerates.

    Returns:
        Indices of both by link.
    """
    tree.at_base("velocity", np.zeros(6))
    tree.at_base("drift", np.zeros(6))
    tree.outward([articulated.VELOCITY, step(_drift, "placement parent.drift rate", "drift")])
    return starts(tree.values("velocity")), starts(tree.values("drift"))


def joint_size(kind: LinkKind) -> int:
    """Return the size of the equation of a joint without forces."""
    return _joint_layout(kind).size


def joint_from(kind: LinkKind, numbers: Array) -> FreeJoint:
    """Return the equation of a joint from its entries in the state, without forces."""
    joint: FreeJoint = _joint_layout(kind).unpacked(numbers)
    return joint


def _drift(placement: Placement, parent: Array, rate: Array) -> Array:
    return articulated.motion_to_child(placement, parent) + rate


def _free(tree: RolledTree) -> RolledArticulated:
    articulated.free_bodies(tree)
    return RolledArticulated(starts(tree.values("placement")), starts(tree.values("joint")))


def _joint_layout(kind: LinkKind) -> AbstractLayout:
    """Return the layout of a joint's equation; forces are last, zeros are left out."""
    nv = kind.joint.nv
    joint = FreeJoint(np.ones((6, nv)), np.eye(nv), np.ones(nv), np.zeros(nv))
    return layout_of(joint, sparse=True)
