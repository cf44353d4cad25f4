"""The assembly modes of a mechanism with some joints fixed."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.assemble.loop_closing import CLOSED, settled
from poinsot.assemble.numeric_rows import WHOLE_TURN, NumericRows
from poinsot.errors import ModelError
from poinsot.expr.rank import row_rank
from poinsot.expr.rank_tolerances import FULL_RANK
from poinsot.model import AbstractJoint, Mechanism
from poinsot.spatial import Array

SAME = 1e-6
"""Distance [rad, m] of configurations that are one."""
DIGITS = 9
"""To how many digits distances are compared: modes that are mirror images are equally far, and
come in the order in which they are found, not in that of their rounding errors."""


def assembly_modes(
    rows: NumericRows, q: Array, free: Array, t: float, starts: int, rng: np.random.Generator
) -> list[list[Array]]:
    """Return distinct configurations that close of each variant, the one nearest to q first.

    All guesses of all variants are moved side by side.

    Args:
        rows: The constraints, with the parameters of each variant.
        q: A guess for each; held coordinates are taken from it, shape (B, nq).
        free: Numbers of the velocities along which it may move.
        t: Time [s].
        starts: From how many random guesses to look, besides q; the same for all variants.
        rng: Where they come from.

    Raises:
        ModelError: If the mechanism can still move: then modes are not separate.
    """
    rows = rows.positions
    guesses = _guesses(rows.mechanism, q, free, starts, rng)
    which = np.repeat(np.arange(len(q)), starts + 1)
    ends, sizes = settled(rows.some(which), guesses.reshape(len(which), -1), free, t)
    ends, closes = ends.reshape(guesses.shape), (sizes <= CLOSED).reshape(guesses.shape[:2])
    sorted_modes = []
    for k in range(len(q)):
        modes = _distinct(rows.mechanism, ends[k, closes[k]])
        _check_isolated(rows.some(k), modes, free, t)
        apart = np.round(distance(rows.mechanism, q[k], modes), DIGITS)
        nearest = np.argsort(apart, kind="stable")
        sorted_modes.append(list(modes[nearest]))
    return sorted_modes


def distance(mechanism: Mechanism, q0: Array, q1: Array) -> Array:
    """Return the distance of configurations, modulo full turns of joints, shape (...)."""
    return _length(np.array(mechanism.difference(q0, q1)), _numbers(mechanism).angles)


def _length(apart: Array, angles: NDArray[np.intp]) -> Array:
    """Return the length of differences of configurations, some of which are angles."""
    apart[..., angles] -= WHOLE_TURN * np.round(apart[..., angles] / WHOLE_TURN)
    length: Array = np.linalg.norm(apart, axis=-1)
    return length


class _Numbers(NamedTuple):
    """Numbers of velocities of angles; of coordinates that are subtracted, and their velocities."""

    angles: NDArray[np.intp]
    q: NDArray[np.intp]
    v: NDArray[np.intp]


@lru_cache(maxsize=64)
def _numbers(mechanism: Mechanism) -> _Numbers:
    angles, q, v = list[int](), list[int](), list[int]()
    slices = zip(mechanism.bodies, mechanism.q_slices, mechanism.v_slices, strict=True)
    for body, q_slice, v_slice in slices:
        joint = body.joint
        if joint.difference is AbstractJoint.difference:
            q += range(q_slice.start, q_slice.stop)
            v += range(v_slice.start, v_slice.stop)
        for k, unit in enumerate(joint.v_units, start=v_slice.start):
            if unit == "rad/s" and joint.nq == joint.nv and joint.kind != "helical":
                angles.append(k)
    return _Numbers(*(np.array(numbers, np.intp) for numbers in (angles, q, v)))


def _guesses(
    mechanism: Mechanism, q: Array, free: Array, starts: int, rng: np.random.Generator
) -> Array:
    """Return each q and random configurations with its fixed coordinates, (B, 1 + starts, nq)."""
    moves = set(free.tolist())
    slices = zip(mechanism.q_slices, mechanism.v_slices, strict=True)
    held = [
        q_slice
        for q_slice, v_slice in slices
        if v_slice.stop > v_slice.start and v_slice.start not in moves
    ]
    guesses = np.repeat(q[:, None], 1 + starts, axis=1)
    guesses[:, 1:] = np.array([mechanism.random(rng) for _ in range(starts)]).reshape(starts, -1)
    for q_slice in held:
        guesses[..., q_slice] = q[:, None, q_slice]
    return guesses


def _distinct(mechanism: Mechanism, ends: Array) -> Array:
    """Return the distinct configurations among these, shape (n, nq)."""
    modes, rest, numbers = [], ends, _numbers(mechanism)
    while len(rest):
        mode, rest = rest[0], rest[1:]
        modes.append(mode)
        apart = np.zeros((len(rest), mechanism.nv))
        apart[:, numbers.v] = rest[:, numbers.q] - mode[numbers.q]
        is_same = _length(apart, numbers.angles) <= SAME  # as far as these coordinates tell
        if is_same.any():
            is_same[is_same] = distance(mechanism, rest[is_same], mode) <= SAME
            rest = rest[~is_same]
    return np.array(modes).reshape(-1, ends.shape[-1])


def _check_isolated(rows: NumericRows, modes: Array, free: Array, t: float) -> None:
    """Reject modes, shape (n, nq), at which the mechanism can still move."""
    if not len(modes):
        return
    J = np.array([rows.jacobian(mode, t) for mode in modes])[..., free]  # by the code for one state
    sizes = np.linalg.svd(J, compute_uv=False)
    if sizes.shape[-1] == len(free):
        largest = np.max(sizes, axis=-1, initial=0.0)
        least = np.min(sizes, axis=-1, initial=np.inf)
        J = J[~(least > FULL_RANK * largest)]
    for jacobian in J:
        mobility = jacobian.shape[1] - row_rank(jacobian)
        if mobility:
            raise ModelError(
                f"assembly_modes: {rows.mechanism.name!r} can still move in {mobility} way"
                f"{'s' if mobility > 1 else ''}, so there is no end of configurations; keep more "
                "joints"
            )
