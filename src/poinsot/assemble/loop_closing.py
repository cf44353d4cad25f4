"""Assembly of loops from rough guesses by the Levenberg-Marquardt method.

Many guesses are moved side by side: the rows and their Jacobians are one batch of compiled code in
each round, and guesses that have arrived, or get no further, drop out.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import PoinsotError
from poinsot.expr.rank_tolerances import RANK
from poinsot.spatial import Array

CLOSED: Final = 1e-10
"""Largest residual [m, rad] of a configuration that closes."""
EXACT: Final = 1e-14
"""Residual at which no step can do better."""
ROUNDS: Final = 300
"""Steps to try."""
REACH: Final = 1.0
"""Longest step [rad, m]: farther the rows say nothing."""
NEAR: Final = 1e-3
"""Residual from which on Gauss and Newton's step may be good."""
FIRST_DAMPING: Final = 1e-3
MOST_DAMPING: Final = 1e12
"""Damping beyond which steps are nothing."""
LITTLE: Final = 1e-7
"""Part of the sum of squares below which a gain, far from closing, leads nowhere."""


class AssemblyError(PoinsotError):
    """A mechanism cannot be assembled from a guess; the message names the violated loop."""


def closed(rows: NumericRows, q: Array, free: Array, t: float = 0.0) -> Array:
    """Return a configuration near q that satisfies every constraint, shape (nq,).

    Args:
        rows: The constraints.
        q: The guess, shape (nq,).
        free: Numbers of the velocities along which q may move.
        t: Time [s].

    Raises:
        AssemblyError: If none is found.
    """
    mechanism = rows.mechanism
    ends, sizes = settled(rows, q[None], free, t)
    end: Array = ends[0]
    size = float(sizes[0])
    if np.isnan(size):
        row = mechanism.row_names[int(np.argmax(~np.isfinite(rows.residual(q, t))))]
        raise AssemblyError(
            f"{mechanism.name!r}: {row!r} has no residual at the guess; is it beyond the end of a "
            "curve, or a formula without a value there?"
        )
    if not size <= CLOSED:
        held = mechanism.nv - len(free)
        remedy = "give a nearer guess" + (", or keep fewer joints" if held else "")
        raise AssemblyError(
            f"{mechanism.name!r} does not close from this guess: "
            f"{rows.violations(end, t)} remain; {remedy}"
        )
    return end


def settled(rows: NumericRows, guesses: Array, free: Array, t: float) -> tuple[Array, Array]:
    """Return the final iterates of guesses, shape (n, nq), and the largest residual of each, (n,).

    NaN for a guess that has no residuals.

    Args:
        rows: The constraints.
        guesses: Configurations, shape (n, nq).
        free: Numbers of the velocities along which they may move.
        t: Time [s].
    """
    q = np.array(guesses)
    phi = rows.residual(q, t)
    has_rows = np.isfinite(phi).all(axis=-1)
    damping = np.full(len(q), FIRST_DAMPING)
    moving = np.flatnonzero(has_rows)
    for _ in range(ROUNDS):
        moving = moving[_size(phi[moving]) > EXACT]
        J = rows.some(moving).jacobian(q[moving], t)[..., free]
        sound = np.isfinite(J).all(axis=(-2, -1))
        moving, J = moving[sound], J[sound]
        if not moving.size:
            break
        size = _size(phi[moving])
        best = _Best(rows.some(moving), q[moving], phi[moving], free, t)
        best.try_steps(np.arange(moving.size), _damped(J, phi[moving], damping[moving]))
        near = np.flatnonzero(size < NEAR)
        if near.size:
            best.try_steps(near, _newton(J[near], phi[moving[near]]))
        gain = 1.0 - _squares(best.phi) / _squares(phi[moving])
        q[moving], phi[moving] = best.q, best.phi
        finished = ~best.moved & ((damping[moving] > MOST_DAMPING) | (size <= CLOSED))
        finished |= best.moved & (gain < LITTLE) & (size > NEAR)
        eased, braked = np.maximum(damping[moving] / 5.0, 1e-15), 8.0 * damping[moving]
        damping[moving] = np.where(best.moved, eased, braked)
        moving = moving[~finished]
    return q, np.where(has_rows, _size(phi), np.nan)


class _Best:
    """The best of several steps from each of some configurations."""

    def __init__(self, rows: NumericRows, q: Array, phi: Array, free: Array, t: float) -> None:
        self._rows, self._start, self._free, self._t = rows, q, free, t
        self.q, self.phi = q.copy(), phi.copy()
        self.moved = np.zeros(len(q), bool)

    def try_steps(self, which: NDArray[np.intp], steps: Array) -> None:
        """Try a step from each of some of the configurations, of limited length."""
        longest = np.max(np.abs(steps), axis=-1, keepdims=True, initial=0.0)
        changes = np.zeros((len(which), self._rows.mechanism.nv))
        changes[:, self._free] = steps * np.minimum(1.0, REACH / np.maximum(longest, 1e-300))
        trial = self._rows.mechanism.integrate(self._start[which], changes)
        residual = self._rows.some(which).residual(trial, self._t)
        better = _squares(residual) < _squares(self.phi[which])  # false for NaN
        chosen = which[better]
        self.q[chosen], self.phi[chosen], self.moved[chosen] = trial[better], residual[better], True


def _damped(J: Array, phi: Array, damping: Array) -> Array:
    """Return Levenberg and Marquardt's steps, shape (n, number of velocities)."""
    scale = np.maximum(np.max(np.abs(J), axis=(-2, -1), initial=0.0), 1e-12)
    transposed = np.swapaxes(J, -2, -1)
    added = (damping * scale**2)[:, None, None] * np.eye(J.shape[-1])
    normal, right = transposed @ J + added, -transposed @ phi[..., None]
    try:
        step: Array = np.linalg.solve(normal, right)[..., 0]
    except np.linalg.LinAlgError:  # the damping of one of them is below rounding error
        step = (np.linalg.pinv(normal) @ right)[..., 0]
    return step


def _newton(J: Array, phi: Array) -> Array:
    """Return Gauss and Newton's steps, the shortest ones, shape (n, number of velocities)."""
    step: Array = (np.linalg.pinv(J, rcond=RANK) @ -phi[..., None])[..., 0]
    return step


def _squares(phi: Array) -> Array:
    total: Array = np.einsum("...i,...i->...", phi, phi)
    return total


def _size(phi: Array) -> Array:
    largest: Array = np.max(np.abs(phi), axis=-1, initial=0.0)
    return largest
