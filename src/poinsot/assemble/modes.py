"""All ways to put a mechanism together with some joints held: its assembly modes."""

from __future__ import annotations

import numpy as np

from poinsot.assemble.closing import CLOSED, settled
from poinsot.assemble.rows import WHOLE_TURN, NumericRows
from poinsot.errors import ModelError
from poinsot.evaluate.mobility import mobility_of
from poinsot.model import Mechanism
from poinsot.spatial import Array

SAME = 1e-6
"""Distance [rad, m] of configurations that are one."""
CLEARLY = 1e-3
"""Singular values above this part of the largest leave no doubt about the rank."""


def assembly_modes(
    rows: NumericRows, q: Array, free: Array, t: float, starts: int, rng: np.random.Generator
) -> list[Array]:
    """Return distinct configurations that close, the one nearest to q first.

    Args:
        rows: The constraints.
        q: A guess; held coordinates are taken from it, shape (nq,).
        free: Numbers of the velocities along which it may move.
        t: Time [s].
        starts: From how many random guesses to look, besides q.
        rng: Where they come from.

    Raises:
        ModelError: If the mechanism can still move: then modes are not separate.
    """
    found: list[Array] = []
    guesses = [q, *(_random(rows.mechanism, q, free, rng) for _ in range(starts))]
    ends, sizes = settled(rows, np.array(guesses), free, t)
    for one in ends[sizes <= CLOSED]:
        if not found or np.min(distance(rows.mechanism, one, np.array(found))) > SAME:
            found.append(one)
            _check_isolated(rows, one, free, t)
    found.sort(key=lambda one: float(distance(rows.mechanism, q, one)))
    return found


def distance(mechanism: Mechanism, q0: Array, q1: Array) -> Array:
    """Return how far apart configurations are, whole turns of joints left out, shape (...)."""
    apart = np.array(mechanism.difference(q0, q1))
    for body, own in zip(mechanism.bodies, mechanism.v_slices, strict=True):
        for k, unit in enumerate(body.joint.v_units, start=own.start):
            if unit == "rad/s" and body.joint.nq == body.joint.nv and body.joint.kind != "helical":
                apart[..., k] -= WHOLE_TURN * np.round(apart[..., k] / WHOLE_TURN)
    length: Array = np.linalg.norm(apart, axis=-1)
    return length


def _random(mechanism: Mechanism, q: Array, free: Array, rng: np.random.Generator) -> Array:
    guess, moves = mechanism.random(rng), set(free.tolist())
    for at, own in zip(mechanism.q_slices, mechanism.v_slices, strict=True):
        if own.stop > own.start and own.start not in moves:
            guess[at] = q[at]
    return guess


def _check_isolated(rows: NumericRows, q: Array, free: Array, t: float) -> None:
    J = rows.jacobian(q, t)[:, free]
    sizes = np.linalg.svd(J, compute_uv=False)
    if sizes.size == len(free) and sizes[-1] > CLEARLY * sizes[0]:
        return
    left = mobility_of(J, rows.mechanism.row_names).degrees
    if left:
        raise ModelError(
            f"assembly_modes: {rows.mechanism.name!r} can still move in {left} way"
            f"{'s' if left > 1 else ''}, so there is no end of configurations; keep more joints"
        )
