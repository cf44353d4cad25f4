"""From a rough guess to a configuration that closes: Levenberg and Marquardt's method."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.assemble.rows import NumericRows
from poinsot.errors import PoinsotError
from poinsot.spatial import Array

CLOSED: Final = 1e-10
"""Largest residual [m, rad] of a configuration that closes."""
EXACT: Final = 1e-14
"""Residual at which no step can do better."""
ROUNDS: Final = 300
"""Steps to try."""
REACH: Final = 1.0
"""Longest step [rad, m]: farther the rows say nothing."""
RANK: Final = 1e-9
"""Singular values below this part of the largest are rounding."""


class AssemblyError(PoinsotError):
    """A mechanism cannot be put together from a guess; the message says which loop misses."""


def closed(rows: NumericRows, q: Array, free: Array, t: float = 0.0) -> Array:
    """Return a configuration near q on which every constraint holds, shape (nq,).

    Args:
        rows: The constraints.
        q: The guess, shape (nq,).
        free: Numbers of the velocities along which q may move.
        t: Time [s].

    Raises:
        AssemblyError: If none is found.
    """
    mechanism = rows.mechanism
    phi = rows.residual(q, t)
    if not np.isfinite(phi).all():
        row = mechanism.row_names[int(np.argmax(~np.isfinite(phi)))]
        raise AssemblyError(
            f"{mechanism.name!r}: {row!r} has no residual at the guess; is it beyond the end of a "
            "curve, or a formula without a value there?"
        )
    damping = 1e-3
    for _ in range(ROUNDS):
        size = _size(phi)
        if size <= EXACT:
            break
        J = rows.jacobian(q, t)[:, free]
        best = q, phi
        for step in _steps(J, phi, damping, near=size < 1e-3):
            trial = _moved(rows, q, step, free)
            left = rows.residual(trial, t)
            if np.isfinite(left).all() and left @ left < best[1] @ best[1]:
                best = trial, left
        if best[0] is q:
            if damping > 1e12 or size <= CLOSED:
                break
            damping *= 8.0
            continue
        damping = max(damping / 5.0, 1e-15)
        q, phi = best
    if not _size(phi) <= CLOSED:
        held = mechanism.nv - len(free)
        remedy = "give a nearer guess" + (", or keep fewer joints" if held else "")
        raise AssemblyError(
            f"{mechanism.name!r} does not close from this guess: "
            f"{rows.missed(q, t)} remain; {remedy}"
        )
    return q


def _steps(J: Array, phi: Array, damping: float, *, near: bool) -> list[Array]:
    """Return what to try: the damped step, and Gauss and Newton's where that may be good."""
    scale = max(float(np.max(np.abs(J), initial=0.0)), 1e-12)
    normal = J.T @ J + damping * scale**2 * np.eye(J.shape[1])
    steps = [np.linalg.solve(normal, -J.T @ phi)]
    if near:
        steps.append(np.linalg.lstsq(J, -phi, rcond=RANK)[0])
    return [step * min(1.0, REACH / max(float(np.max(np.abs(step), initial=0.0)), 1e-300))
            for step in steps]  # fmt: skip


def _moved(rows: NumericRows, q: Array, step: Array, free: Array) -> Array:
    whole = np.zeros(rows.mechanism.nv)
    whole[free] = step
    return rows.mechanism.integrate(q, whole)


def _size(phi: Array) -> float:
    return float(np.max(np.abs(phi), initial=0.0))
