"""Force elements rolled: the motions of their ends, then the elements themselves, as items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.rolled import CONSTANTS, STATE
from poinsot.formulations.force_numbers import blank_force, force_numbers, force_with
from poinsot.formulations.forces import point_motion
from poinsot.formulations.rolled_bodies import Read, RolledBodies, unpack
from poinsot.model import (
    WORLD,
    AbstractForce,
    AbstractJointForce,
    JointMotion,
    Mechanism,
    PointMotion,
)
from poinsot.model.environment import TIME
from poinsot.spatial import Array, Transform

_POINT = 18
"""Size of a point's motion: position (3), velocity (3), rotation (9) and angular velocity (3)."""


def append_wrenches(
    mechanism: Mechanism, builder: RolledBuilder
) -> list[tuple[int, Transform, int]]:
    """Append the wrenches of all force elements on their bodies.

    The program must have the inputs q and v, and t where an element depends on it.

    Returns:
        For each wrench the index of its body as listed, its frame in the body, and its index in
        the state.
    """
    if not any(force.ends for force in mechanism.forces):
        return []
    bodies = RolledBodies(mechanism, builder)
    ends = [body for force in mechanism.forces for body, _ in force.ends if body != WORLD]
    motion = bodies.motions(mechanism.carriers(ends), ("q", "v"))
    wrenches = []
    for force in mechanism.forces:
        if not force.ends:
            continue
        indices = [builder.state(6) for _ in force.ends]
        time = {"t": (TIME, 0, 1)} if force.depends_on_time else {}
        writes = {f"wrench{k}": index for k, index in enumerate(indices)}
        _append("wrenches", force, _wrenches, bodies, motion, time, writes)
        for (body, point), index in zip(force.ends, indices, strict=True):
            if body != WORLD:
                X_BE = Transform(np.eye(3), np.array(point))
                wrenches.append((mechanism.index(body), X_BE, index))
    return wrenches


def append_joint_forces(mechanism: Mechanism, builder: RolledBuilder) -> int | None:
    """Append the forces of all elements along the joints' velocities.

    The program must have the inputs q and v, and t where an element depends on it.

    Returns:
        Their index in the state, (nv,); None where no element acts along a joint.
    """
    elements = [force for force in mechanism.forces if isinstance(force, AbstractJointForce)]
    if not elements:
        return None
    start = builder.state(mechanism.nv)
    every = start + np.arange(mechanism.nv)
    builder.item("no force", lambda: {"total": np.zeros(1)}, {}, {"total": every})
    for force in elements:
        index = start + mechanism.v_slice(force.joint).start + force.index
        reads: dict[str, Read] = {"total": (STATE, index, 1)}
        if force.depends_on_time:
            reads["t"] = (TIME, 0, 1)
        reads |= _joint_reads("q", force, mechanism.q_slice)
        reads |= _joint_reads("v", force, mechanism.v_slice)
        _append_alike("joint force", force, _joint_force, builder, reads, {"total": index})
    return start


def _joint_reads(
    name: str, force: AbstractForce, slice_of: Callable[[str], slice]
) -> dict[str, Read]:
    slices = [slice_of(joint) for joint in force.joints]
    return {f"{name}{k}": (name, s.start, s.stop - s.start) for k, s in enumerate(slices)}


def append_energies(bodies: RolledBodies, motion: Mapping[int, Read], total: int) -> None:
    """Append the energies of all force elements, added to an entry of the state.

    Args:
        bodies: The bodies.
        motion: The reads of their motions.
        total: Index of the entry.
    """
    for force in bodies.mechanism.forces:
        reads = {"total": (STATE, total, 1)}
        if isinstance(force, AbstractJointForce):
            reads |= _joint_reads("q", force, bodies.mechanism.q_slice)
            _append_alike("stored", force, _stored, bodies.builder, reads, {"total": total})
        else:
            _append("energy", force, _energy, bodies, motion, reads, {"total": total})


def _append(
    step: str, force: AbstractForce, trace: Callable[..., dict[str, Any]], bodies: RolledBodies,
    motion: Mapping[int, Read], reads: Mapping[str, Read], writes: Mapping[str, int],
) -> None:  # fmt: skip
    """Append a step for one element; elements of one kind, or alike, share its code."""
    builder, ends = bodies.builder, {}
    for k, (body, point) in enumerate(force.ends):
        i = -1 if body == WORLD else bodies.mechanism.index(body)
        index = builder.state(_POINT)
        builder.item(
            ("point", motion[i][2]), _point,
            {"motion": motion[i], "point": (CONSTANTS, builder.constants(point), 3)},
            {"end": index},
        )  # fmt: skip
        ends[f"end{k}"] = (STATE, index, _POINT)
    _append_alike(step, force, trace, builder, {**ends, **reads}, writes)


def _append_alike(
    step: str, force: AbstractForce, trace: Callable[..., dict[str, Any]], builder: RolledBuilder,
    reads: Mapping[str, Read], writes: Mapping[str, int],
) -> None:  # fmt: skip
    numbers = force_numbers(force)
    constants = (CONSTANTS, builder.constants(numbers), len(numbers))
    kind = blank_force(force)
    sizes = tuple(size for _, _, size in reads.values())  # joints of one element differ in theirs
    builder.item_alike(
        (step, kind, sizes), partial(trace, kind), {"numbers": constants, **reads}, writes
    )


def _point(*, motion: Array, point: Array) -> dict[str, Array]:
    end = point_motion(unpack(motion), point)
    return {"end": np.concatenate([end.p, end.v, end.R.ravel(), end.w])}


def _wrenches(
    kind: AbstractForce, *, numbers: Array, t: Array | None = None, **ends: Array
) -> dict[str, Array]:
    wrenches = force_with(kind, numbers).wrenches(_unpacked(ends), 0.0 if t is None else t[0])
    return {f"wrench{k}": wrench for k, wrench in enumerate(wrenches)}


def _energy(
    kind: AbstractForce, *, numbers: Array, total: Array, **ends: Array
) -> dict[str, Array]:
    return {"total": total + np.array([force_with(kind, numbers).energy(_unpacked(ends))])}


def _joint_force(
    kind: AbstractJointForce, *, numbers: Array, total: Array, t: Array | None = None,
    **motions: Array,
) -> dict[str, Array]:  # fmt: skip
    force = force_with(kind, numbers)
    assert isinstance(force, AbstractJointForce)
    joints = [JointMotion(motions[f"q{k}"], motions[f"v{k}"]) for k in range(len(force.joints))]
    along = force.force_along(joints, 0.0 if t is None else t[0])
    return {"total": total + np.array([along])}


def _stored(
    kind: AbstractJointForce, *, numbers: Array, total: Array, **q: Array
) -> dict[str, Array]:
    force = force_with(kind, numbers)
    assert isinstance(force, AbstractJointForce)
    return {"total": total + np.array([force.stored(list(q.values()))])}


def _unpacked(ends: Mapping[str, Array]) -> list[PointMotion]:
    return [
        PointMotion(end[:3], end[3:6], end[6:15].reshape(3, 3), end[15:]) for end in ends.values()
    ]
