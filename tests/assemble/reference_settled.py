"""The iteration of ``poinsot.assemble.loop_closing.settled`` in NumPy, all guesses side by side."""

import numpy as np

from poinsot.assemble.least_squares_ir import (
    BRAKED,
    EASED,
    FIRST_DAMPING,
    GOOD_GAIN,
    LEAST_DAMPING,
    LEAST_SCALE,
    MOST_DAMPING,
)
from poinsot.assemble.loop_closing import CLOSED, EXACT, LIMITS, NEAR, REACH, ROUNDS
from poinsot.expr.rank_tolerances import RANK


def settled(rows, guesses, free, t):
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
        near = np.flatnonzero(size < NEAR)
        if near.size:
            best.try_steps(near, _newton(J[near], phi[moving[near]]))
        rest = np.flatnonzero(~(_squares(best.phi) < GOOD_GAIN * _squares(phi[moving])))
        best.try_steps(rest, _damped(J[rest], phi[moving[rest]], damping[moving[rest]]))
        gain = 1.0 - _squares(best.phi) / _squares(phi[moving])
        q[moving], phi[moving] = best.q, best.phi
        finished = ~best.moved & ((damping[moving] > MOST_DAMPING) | (size <= CLOSED))
        finished |= best.moved & (gain < LIMITS.little) & (size > NEAR)
        eased, braked = np.maximum(damping[moving] / EASED, LEAST_DAMPING), BRAKED * damping[moving]
        damping[moving] = np.where(best.moved, eased, braked)
        moving = moving[~finished]
    return q, np.where(has_rows, _size(phi), np.nan)


class _Best:
    """The best of several steps from each of some configurations."""

    def __init__(self, rows, q, phi, free, t):
        self._rows, self._start, self._free, self._t = rows, q, free, t
        self.q, self.phi = q.copy(), phi.copy()
        self.moved = np.zeros(len(q), bool)

    def try_steps(self, which, steps):
        """Try a step from each of some of the configurations, of limited length."""
        longest = np.max(np.abs(steps), axis=-1, keepdims=True, initial=0.0)
        changes = np.zeros((len(which), self._rows.mechanism.nv))
        changes[:, self._free] = steps * np.minimum(1.0, REACH / np.maximum(longest, 1e-300))
        trial = self._rows.mechanism.integrate(self._start[which], changes)
        residual = self._rows.some(which).residual(trial, self._t)
        better = _squares(residual) < _squares(self.phi[which])  # false for NaN
        chosen = which[better]
        self.q[chosen], self.phi[chosen], self.moved[chosen] = trial[better], residual[better], True


def _damped(J, phi, damping):
    """Return Levenberg and Marquardt's steps, shape (n, number of velocities)."""
    scale = np.maximum(np.max(np.abs(J), axis=(-2, -1), initial=0.0), LEAST_SCALE)
    transposed = np.swapaxes(J, -2, -1)
    added = (damping * scale**2)[:, None, None] * np.eye(J.shape[-1])
    normal, right = transposed @ J + added, -transposed @ phi[..., None]
    try:
        return np.linalg.solve(normal, right)[..., 0]
    except np.linalg.LinAlgError:  # the damping of one of them is below rounding error
        return (np.linalg.pinv(normal) @ right)[..., 0]


def _newton(J, phi):
    """Return Gauss and Newton's steps, the shortest ones, shape (n, number of velocities)."""
    return (np.linalg.pinv(J, rcond=RANK) @ -phi[..., None])[..., 0]


def _squares(phi):
    return np.einsum("...i,...i->...", phi, phi)


def _size(phi):
    return np.max(np.abs(phi), axis=-1, initial=0.0)
