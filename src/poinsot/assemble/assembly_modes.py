"""All ways to put a mechanism together with some joints held: its assembly modes."""

from __future__ import annotations

import numpy as np

from poinsot.assemble.loop_closing import CLOSED, settled
from poinsot.assemble.numeric_rows import WHOLE_TURN, NumericRows
from poinsot.errors import ModelError
from poinsot.expr.rank import row_rank
from poinsot.expr.rank_tolerances import FULL_RANK
from poinsot.model import Mechanism
from poinsot.spatial import Array

SAME = 1e-6
"""Distance [rad, m] of configurations that are one."""


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
    ends, sizes = settled(rows, _guesses(rows.mechanism, q, free, starts, rng), free, t)
    found = _distinct(rows.mechanism, ends[sizes <= CLOSED])
    _check_isolated(rows, found, free, t)
    nearest = np.argsort(distance(rows.mechanism, q, found), kind="stable")
    return list(found[nearest])


def distance(mechanism: Mechanism, q0: Array, q1: Array) -> Array:
    """Return how far apart configurations are, whole turns of joints left out, shape (...)."""
    apart = np.array(mechanism.difference(q0, q1))
    for body, own in zip(mechanism.bodies, mechanism.v_slices, strict=True):
        for k, unit in enumerate(body.joint.v_units, start=own.start):
            if unit == "rad/s" and body.joint.nq == body.joint.nv and body.joint.kind != "helical":
                apart[..., k] -= WHOLE_TURN * np.round(apart[..., k] / WHOLE_TURN)
    length: Array = np.linalg.norm(apart, axis=-1)
    return length


def _guesses(
    mechanism: Mechanism, q: Array, free: Array, starts: int, rng: np.random.Generator
) -> Array:
    """Return q and random configurations with the same held coordinates, shape (1 + starts, nq)."""
    moves = set(free.tolist())
    slices = zip(mechanism.q_slices, mechanism.v_slices, strict=True)
    held = [at for at, own in slices if own.stop > own.start and own.start not in moves]
    guesses = np.array([q, *(mechanism.random(rng) for _ in range(starts))])
    for at in held:
        guesses[:, at] = q[at]
    return guesses


def _distinct(mechanism: Mechanism, ends: Array) -> Array:
    """Return the configurations that are not one with an earlier one of them, shape (n, nq)."""
    found, rest = [], ends
    while len(rest):
        found.append(rest[0])
        rest = rest[1:]
        rest = rest[distance(mechanism, rest, found[-1]) > SAME]
    return np.array(found).reshape(-1, ends.shape[-1])


def _check_isolated(rows: NumericRows, modes: Array, free: Array, t: float) -> None:
    """Refuse modes, shape (n, nq), from which the mechanism can still move."""
    J = rows.jacobian(modes, t)[..., free]
    sizes = np.linalg.svd(J, compute_uv=False)
    if sizes.shape[-1] == len(free):
        largest = np.max(sizes, axis=-1, initial=0.0)
        least = np.min(sizes, axis=-1, initial=np.inf)
        J = J[~(least > FULL_RANK * largest)]
    for one in J:
        left = one.shape[1] - row_rank(one)
        if left:
            raise ModelError(
                f"assembly_modes: {rows.mechanism.name!r} can still move in {left} way"
                f"{'s' if left > 1 else ''}, so there is no end of configurations; keep more joints"
            )
