"""Springs, dampers and drives of loops and curves rolled: wrenches and energies as items."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields
from functools import partial

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.rolled import CONSTANTS, STATE
from poinsot.formulations.pair_motion import PairMotion
from poinsot.formulations.rolled_bodies import Read, RolledBodies, unpack
from poinsot.model import WORLD, AbstractClosure, AbstractConstraint, LoadInputs, Mechanism
from poinsot.model.environment import DRIVES
from poinsot.spatial import Array, Transform

_NOTHING = np.zeros((6, 0))
"""No Jacobian is needed."""


def append_closure_wrenches(
    mechanism: Mechanism, builder: RolledBuilder, load_inputs: LoadInputs
) -> list[tuple[int, int]]:
    """Append the wrenches of springs, dampers and drives in loops and curves.

    The program must have the inputs q and v, and the load inputs.

    Returns:
        For each wrench the index of its body as listed, and its index in the state.
    """
    drives, start = {}, 0
    for k, nv in load_inputs.drives:
        drives[k], start = (DRIVES, start, nv), start + nv
    acting = [
        (constraint, drives.get(k))
        for k, constraint in enumerate(mechanism.closures)
        if isinstance(constraint, AbstractClosure) and (constraint.is_passive or k in drives)
    ]
    if not acting:
        return []
    bodies = RolledBodies(mechanism, builder)
    ends = [body for constraint, _ in acting for body, _ in constraint.pair if body != WORLD]
    motion = bodies.motions(mechanism.carriers(ends), ("q", "v"))
    return [
        wrench
        for constraint, drive in acting
        for wrench in _append(bodies, motion, constraint, drive)
    ]


def append_closure_energies(bodies: RolledBodies, motion: Mapping[int, Read], total: int) -> None:
    """Append the energies of springs in loops and curves, added to an entry of the state.

    Args:
        bodies: The bodies.
        motion: The reads of their motions.
        total: Index of the entry.
    """
    for constraint in bodies.mechanism.closures:
        if isinstance(constraint, AbstractClosure) and constraint.is_passive:
            _, reads = _ends(bodies, motion, constraint)
            bodies.builder.item_alike(
                ("spring energy", kind_of(constraint)), partial(_energy, constraint),
                {**reads, "total": (STATE, total, 1)}, {"total": total},
            )  # fmt: skip


def kind_of(constraint: AbstractConstraint) -> Hashable:
    """Return a key of a constraint's formulas: all its fields but frames and names."""
    apart = {"name", *constraint.frame_fields, *constraint.joint_fields}
    settings = (
        (f.name, getattr(constraint, f.name)) for f in fields(constraint) if f.name not in apart
    )
    return (type(constraint), *settings)


def _append(
    bodies: RolledBodies,
    motion: Mapping[int, Read],
    constraint: AbstractClosure,
    drive: Read | None,
) -> list[tuple[int, int]]:
    builder = bodies.builder
    numbers, reads = _ends(bodies, motion, constraint)
    if drive is not None:
        reads["drive"] = drive
    indices = [builder.state(6), builder.state(6)]
    builder.item_alike(
        ("applied", kind_of(constraint), drive is not None), partial(_applied, constraint), reads,
        {"first": indices[0], "second": indices[1]},
    )  # fmt: skip
    return [(i, index) for i, index in zip(numbers, indices, strict=True) if i >= 0]


def _ends(
    bodies: RolledBodies, motion: Mapping[int, Read], constraint: AbstractClosure
) -> tuple[list[int], dict[str, Read]]:
    """Return the two bodies of a loop, -1 for the world, and the reads of its two frames."""
    numbers = [-1 if body == WORLD else bodies.mechanism.index(body) for body, _ in constraint.pair]
    reads: dict[str, Read] = {}
    for side, i, (_, pose) in zip("EF", numbers, constraint.pair, strict=True):
        X = pose.transform()
        values = [*X.R.ravel().tolist(), *X.p.tolist()]
        reads[f"frame{side}"] = (CONSTANTS, bodies.builder.constants(values), 12)
        reads[f"body{side}"] = motion[i]
    return numbers, reads


def _applied(
    constraint: AbstractClosure, *, drive: Array | None = None, **given: Array
) -> dict[str, Array]:
    pair = _pair(given)
    first, second = pair.on_bodies(constraint.applied(pair.seen(_NOTHING), drive)[None])
    return {"first": first, "second": second}


def _energy(constraint: AbstractClosure, *, total: Array, **given: Array) -> dict[str, Array]:
    return {"total": total + constraint.spring_energy(_pair(given).seen(_NOTHING))[()]}


def _pair(given: Mapping[str, Array]) -> PairMotion:
    frames = [given[f"frame{side}"] for side in "EF"]
    bodies = [unpack(given[f"body{side}"]) for side in "EF"]
    return PairMotion.from_bodies(
        [Transform(frame[:9].reshape(3, 3), frame[9:]) for frame in frames],
        [body.X_WB for body in bodies],
        [body.V for body in bodies],
        [body.A for body in bodies],
    )
