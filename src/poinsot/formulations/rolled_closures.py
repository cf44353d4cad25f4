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
"""Nothing moves frames that is asked about."""


def append_closure_wrenches(
    mechanism: Mechanism, builder: RolledBuilder, load_inputs: LoadInputs
) -> list[tuple[int, int]]:
    """Append the wrenches of springs, dampers and drives in loops and curves.

    The program must have the inputs q and v, and those of the outside.

    Returns:
        For each wrench the number of its body as listed, and its place in the state.
    """
    drives, start = {}, 0
    for k, nv in load_inputs.drives:
        drives[k], start = (DRIVES, start, nv), start + nv
    acting = [
        (one, drives.get(k))
        for k, one in enumerate(mechanism.closures)
        if isinstance(one, AbstractClosure) and (one.is_passive or k in drives)
    ]
    if not acting:
        return []
    bodies = RolledBodies(mechanism, builder)
    ends = [body for one, _ in acting for body, _ in one.pair if body != WORLD]
    motion = bodies.motions(mechanism.carriers(ends), ("q", "v"))
    return [found for one, drive in acting for found in _append(bodies, motion, one, drive)]


def append_closure_energies(bodies: RolledBodies, motion: Mapping[int, Read], total: int) -> None:
    """Append the energies of springs in loops and curves, added to what is at a place of the state.

    Args:
        bodies: The bodies.
        motion: The reads of their motions.
        total: The place.
    """
    for one in bodies.mechanism.closures:
        if isinstance(one, AbstractClosure) and one.is_passive:
            _, reads = _ends(bodies, motion, one)
            bodies.builder.item_alike(
                ("spring energy", kind_of(one)), partial(_energy, one),
                {**reads, "total": (STATE, total, 1)}, {"total": total},
            )  # fmt: skip


def kind_of(one: AbstractConstraint) -> Hashable:
    """Return all that the formulas of a constraint depend on besides frames and names."""
    apart = {"name", *one.frame_fields, *one.joint_fields}
    own = ((f.name, getattr(one, f.name)) for f in fields(one) if f.name not in apart)
    return (type(one), *own)


def _append(
    bodies: RolledBodies, motion: Mapping[int, Read], one: AbstractClosure, drive: Read | None
) -> list[tuple[int, int]]:
    builder = bodies.builder
    numbers, reads = _ends(bodies, motion, one)
    if drive is not None:
        reads["drive"] = drive
    places = [builder.state(6), builder.state(6)]
    builder.item_alike(
        ("applied", kind_of(one), drive is not None), partial(_applied, one), reads,
        {"first": places[0], "second": places[1]},
    )  # fmt: skip
    return [(i, place) for i, place in zip(numbers, places, strict=True) if i >= 0]


def _ends(
    bodies: RolledBodies, motion: Mapping[int, Read], one: AbstractClosure
) -> tuple[list[int], dict[str, Read]]:
    """Return the bodies that a closure joins, -1 for the world, and the reads of its two ends."""
    numbers = [-1 if body == WORLD else bodies.mechanism.index(body) for body, _ in one.pair]
    reads: dict[str, Read] = {}
    for side, i, (_, pose) in zip("EF", numbers, one.pair, strict=True):
        X = pose.transform()
        values = [*X.R.ravel().tolist(), *X.p.tolist()]
        reads[f"frame{side}"] = (CONSTANTS, bodies.builder.constants(values), 12)
        reads[f"body{side}"] = motion[i]
    return numbers, reads


def _applied(
    one: AbstractClosure, *, drive: Array | None = None, **given: Array
) -> dict[str, Array]:
    pair = _pair(given)
    first, second = pair.on_bodies(one.applied(pair.seen(_NOTHING), drive)[None])
    return {"first": first, "second": second}


def _energy(one: AbstractClosure, *, total: Array, **given: Array) -> dict[str, Array]:
    return {"total": total + one.spring_energy(_pair(given).seen(_NOTHING))[()]}


def _pair(given: Mapping[str, Array]) -> PairMotion:
    frames = [given[f"frame{side}"] for side in "EF"]
    bodies = [unpack(given[f"body{side}"]) for side in "EF"]
    return PairMotion.of(
        [Transform(frame[:9].reshape(3, 3), frame[9:]) for frame in frames],
        [body.X_WB for body in bodies],
        [body.V for body in bodies],
        [body.A for body in bodies],
    )
