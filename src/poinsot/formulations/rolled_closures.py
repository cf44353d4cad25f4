"""Springs, dampers and drives of loops and curves rolled: wrenches and energies as items.

On values these are ``constraint_rows.with_closures`` and ``loop_coordinates.closure_energy``, which
compare frames along the shortest path and differentiate them; the rolled ones read the motions of
bodies in the world.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields
from typing import TypeAlias

import numpy as np

from poinsot.errors import ProgramError
from poinsot.formulations.body_tree import AbstractBodies
from poinsot.formulations.kinematics import BodyMotion, add_motions
from poinsot.formulations.pair_motion import PairMotion
from poinsot.formulations.rolled_bodies import RolledBodies
from poinsot.formulations.rolled_sweep import Slot
from poinsot.formulations.sweep import BASE, WHOLE
from poinsot.model import WORLD, AbstractClosure, AbstractConstraint, LoadInputs
from poinsot.model.environment import DRIVES
from poinsot.spatial import Array, Scalar, Transform

Frames: TypeAlias = tuple[Transform, Transform]
"""The two frames of a loop, each in its body."""

_NOTHING = np.zeros((6, 0))
"""No Jacobian is needed."""


def append_closure_wrenches(
    bodies: RolledBodies, load_inputs: LoadInputs
) -> list[tuple[int, Slot]]:
    """Append the wrenches of springs, dampers and drives in loops and curves.

    Returns:
        For each wrench the index of its body as listed, and its slot.
    """
    drives = drive_slots(bodies, load_inputs)
    acting = [
        (constraint, drives.get(k) or bodies.constant(None))
        for k, constraint in enumerate(bodies.mechanism.closures)
        if isinstance(constraint, AbstractClosure) and (constraint.is_passive or k in drives)
    ]
    if not acting:
        return []
    ends = [body for constraint, _ in acting for body, _ in constraint.pair if body != WORLD]
    add_motions(bodies, bodies.mechanism.carriers(ends))
    wrenches = []
    for constraint, drive in acting:
        slots = bodies.apply(
            lambda *values, element=constraint: _applied(element, *values),
            drive, *_pair_slots(bodies, constraint), label=kind_of(constraint),
        )  # fmt: skip
        for k, (body, _) in enumerate(constraint.pair):
            if body != WORLD:
                wrenches.append((bodies.mechanism.index(body), slots[k]))
    return wrenches


def drive_slots(bodies: RolledBodies, load_inputs: LoadInputs) -> dict[int, Slot]:
    """Return the slots of the forces of driven loops and curves, by number of the constraint."""
    drives, start = {}, 0
    for k, nv in load_inputs.drives:
        drives[k] = Slot(DRIVES, start, bodies.vector(nv))
        start += nv
    return drives


def append_closure_energies(bodies: AbstractBodies) -> Slot:
    """Append the energies of springs in loops and curves; return the slot of their sum."""
    assert isinstance(bodies, RolledBodies)
    bodies.start("closures", 0.0, WHOLE)
    total: Slot = bodies.values("closures")[WHOLE]
    for constraint in bodies.mechanism.closures:
        if isinstance(constraint, AbstractClosure) and constraint.is_passive:
            bodies.apply(
                lambda *values, element=constraint: _energy(element, *values),
                total, *_pair_slots(bodies, constraint), into=total, label=kind_of(constraint),
            )  # fmt: skip
    return total


def kind_of(constraint: AbstractConstraint) -> Hashable:
    """Return a key of a constraint's formulas: all its fields but frames and names."""
    apart = {"name", *constraint.frame_fields, *constraint.joint_fields}
    settings = (
        (f.name, getattr(constraint, f.name)) for f in fields(constraint) if f.name not in apart
    )
    key = (type(constraint), *settings)
    try:
        hash(key)
    except TypeError as error:  # formulas are no keys
        raise ProgramError(f"{constraint.label} has formulas of parameters in its rows") from error
    return key


def _pair_slots(bodies: RolledBodies, constraint: AbstractClosure) -> list[Slot]:
    """Return the slots of the two frames of a loop in their bodies, and of the bodies' motions."""
    motions, index = bodies.values("motion"), bodies.mechanism.index
    frames = tuple(pose.transform() for _, pose in constraint.pair)
    ends = [motions[BASE if body == WORLD else index(body)] for body, _ in constraint.pair]
    return [bodies.constant(frames), *ends]


def _applied(
    constraint: AbstractClosure, drive: Array | None, frames: Frames, *bodies: BodyMotion
) -> tuple[Array, Array]:
    pair = _pair(frames, *bodies)
    first, second = pair.on_bodies(constraint.applied(pair.seen(_NOTHING), drive)[None])
    return first[0], second[0]


def _energy(
    constraint: AbstractClosure, total: Scalar, frames: Frames, *bodies: BodyMotion
) -> Scalar:
    return total + constraint.spring_energy(_pair(frames, *bodies).seen(_NOTHING))[()]


def _pair(frames: Frames, *bodies: BodyMotion) -> PairMotion:
    V = [np.zeros(6) if body.V is None else body.V for body in bodies]
    still, poses = np.zeros(6), [body.X_WB for body in bodies]
    return PairMotion.from_bodies(frames, poses, V, [still, still])
