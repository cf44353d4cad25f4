"""The motion of a driven mechanism: continuation with step control.

The drives are constraints in time, so that at each t the configuration follows from phi(q, t) = 0.
A step predicts by velocity and acceleration and corrects by Newton's method.  It is taken only if
the correction is small beside the step: so the motion stays on its branch, where two of them come
near each other too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.assemble.loop_closing import CLOSED, closed
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import AssemblyError
from poinsot.expr.rank import rank
from poinsot.expr.rank_tolerances import DEPENDENT
from poinsot.spatial import Array

LARGEST_CORRECTION = 0.05
"""Part of a step that its correction may be."""
ROUNDING = 1e-9
"""Corrections [rad, m] that are always small enough."""
SMALLEST_STEP = 1e-9
"""Part of the duration below which a step is given up."""
LARGEST_TURN = 0.2
"""Part of the speed by which the velocity of a step may miss its prediction."""
NEWTON = 4
"""Corrections in a step."""
NO_STEP = 1e-13
"""Corrections [rad, m] that are rounding error."""


@dataclass(frozen=True, eq=False)
class Followed:
    """Motions found position by position, one or many at the same times.

    Attributes:
        t: Times [s], shape (n,).
        q, v, a: Configurations, velocities and accelerations there, shapes (..., n, nq) and
            (..., n, nv); of many motions NaN where one has ended before.
        reached: Time at which each ended [s], NaN where it has not begun, shape (...).
        end: Its configuration then, shape (..., nq).
        ok: Whether each reached the end, shape (...).
        further: Further states there, shape (..., n, number of them); none by default.
    """

    t: Array
    q: Array
    v: Array
    a: Array
    reached: Array
    end: Array
    ok: NDArray[np.bool_]
    further: Array | None = None

    def some(self, which: NDArray[np.intp]) -> Followed:
        """Return some of many."""
        q, v, a, reached, end, ok = (
            x[which] for x in (self.q, self.v, self.a, self.reached, self.end, self.ok)
        )
        further = None if self.further is None else self.further[which]
        return Followed(self.t, q, v, a, reached, end, ok, further)

    def alone(self, number: int) -> Followed:
        """Return one of many, without what comes after its end."""
        n = int(np.isfinite(self.v[number]).all(axis=-1).sum())
        q, v, a = (x[number, :n] for x in (self.q, self.v, self.a))
        reached, end, ok = (x[number] for x in (self.reached, self.end, self.ok))
        further = None if self.further is None else self.further[number, :n]
        return Followed(self.t[:n], q, v, a, reached, end, ok, further)


def follow(rows: NumericRows, q: Array, times: Array) -> Followed:
    """Return the motion at these times from a start that closes at the first of them.

    Its last state is that at which it ended, wherever that is.

    Args:
        rows: Loops, constraints and drives, which leave no degree of freedom.
        q: Configuration at the first time, shape (nq,).
        times: Increasing [s], shape (n,).
    """
    start = closed(rows, q, np.arange(rows.mechanism.nv), float(times[0]))
    walk = _Walk(rows, start[None], times, compiled=False)
    many = walk.followed()
    motion, end = many.alone(0), float(walk.t[0])
    if motion.ok or end == motion.t[-1]:
        return motion
    last = (walk.q, walk.v, walk.a)
    pairs = zip((motion.q, motion.v, motion.a), last, strict=True)
    q, v, a = (np.concatenate(pair) for pair in pairs)
    return replace(motion, t=np.append(motion.t, end), q=q, v=v, a=a)


def follow_all(rows: NumericRows, q: Array, times: Array) -> Followed:
    """Return many motions at the same times, side by side: each has a step of its own.

    Args:
        rows: Loops, constraints and drives, with the parameters of each motion.
        q: Configurations that close at the first time; NaN for motions that have no start,
            shape (B, nq).
        times: Increasing [s], shape (n,).
    """
    return _Walk(rows, q, times, compiled=True).followed()


class _Walk:
    """Where each motion is, at its time t, and how large its steps are."""

    def __init__(self, rows: NumericRows, q: Array, times: Array, *, compiled: bool) -> None:
        self._rows, self._times = rows, times
        self._compiled = compiled and rows.has_driven_state
        self._span = float(times[-1] - times[0])
        self._step = np.full(len(q), self._span / max(len(times) - 1, 1))
        self.t, self.q = np.full(len(q), times[0]), q.copy()
        if self._compiled:
            _, _, self.v, self.a = rows.driven_state(q, self.t)
        else:
            self.v, self.a = rows.rates(q, self.t)
        begun = np.isfinite(self.q).all(axis=-1) & np.isfinite(self.a).all(axis=-1)
        self.t[~begun] = np.nan
        self._next = np.where(begun, 1, 0)
        self._moving = np.flatnonzero(begun)

    def followed(self) -> Followed:
        """Advance all of them to their ends."""
        n, end = len(self._times), self._rows.mechanism
        shape = (len(self.q), n)
        stored = [np.full((*shape, size), np.nan) for size in (end.nq, end.nv, end.nv)]
        self._store(stored, self._moving, np.zeros(len(self._moving), int))
        self._moving = self._moving[self._next[self._moving] < n]
        while self._moving.size:
            arrived = self._advance()
            self._store(stored, arrived, self._next[arrived])
            self._next[arrived] += 1
            ended = (self._next[self._moving] == n) | self._is_stuck()
            self._moving = self._moving[~ended]
        q, v, a = stored
        return Followed(self._times, q, v, a, self.t, self.q, self._next == n)

    def _store(self, stored: list[Array], which: NDArray[np.intp], column: NDArray[Any]) -> None:
        for target, values in zip(stored, (self.q, self.v, self.a), strict=True):
            target[which, column] = values[which]

    def _is_stuck(self) -> NDArray[np.bool_]:
        stuck: NDArray[np.bool_] = self._step[self._moving] < SMALLEST_STEP * self._span
        return stuck

    def _advance(self) -> NDArray[np.intp]:
        """Try a step of every motion that has not ended; return those that reach a stored time."""
        which = self._moving
        t, goal = self.t[which], self._times[self._next[which]]
        h = np.minimum(self._step[which], goal - t)
        last = goal - t - h < SMALLEST_STEP * self._span
        taken = self._try(which, np.where(last, goal, t + h))
        self._step[which] = np.where(taken, 1.5 * self._step[which], 0.5 * h)
        arrived: NDArray[np.intp] = which[taken & last]
        return arrived

    def _try(self, which: NDArray[np.intp], t: Array) -> NDArray[np.bool_]:
        """Take the steps to these times that stay on their branches; return which do."""
        rows = self._rows.some(which)
        h, v0, a0 = (t - self.t[which])[:, None], self.v[which], self.a[which]
        move = h * v0 + 0.5 * h * h * a0
        q = rows.mechanism.integrate(self.q[which], move)
        corrected, v, a = np.zeros_like(move), np.empty_like(move), np.empty_like(move)
        violation = self._correct(rows, (q, corrected, v, a), t)
        taken = _length(corrected) <= LARGEST_CORRECTION * _length(move) + ROUNDING
        taken &= violation <= CLOSED
        if not self._compiled and taken.any():
            v[taken], a[taken] = rows.some(np.flatnonzero(taken)).rates(q[taken], t[taken])
        speed = np.maximum(_length(v), _length(v0))
        taken &= _length(v - v0 - h * a0) <= LARGEST_TURN * speed + ROUNDING
        there = which[taken]
        self.q[there], self.t[there] = q[taken], t[taken]
        self.v[there], self.a[there] = v[taken], a[taken]
        return taken

    def _correct(self, rows: NumericRows, state: tuple[Array, ...], t: Array) -> Array:
        """Correct configurations by Newton's method; return the residuals that are left.

        Args:
            rows: The constraints, with the parameters of each.
            state: q, and what is added to it; v and a, known at the end if code is compiled for it.
            t: Times [s].
        """
        q, corrected, v, a = state
        violation, integrate = np.empty(len(q)), rows.mechanism.integrate
        lanes: Any = slice(None)  # views are faster than copies
        for k in range(NEWTON + 1):
            some = rows.some(lanes)
            if self._compiled:
                phi, step, v[lanes], a[lanes] = some.driven_state(q[lanes], t[lanes])
            elif k < NEWTON:
                phi, step = some.newton(q[lanes], t[lanes])
            else:
                phi, step = some.residual(q[lanes], t[lanes]), corrected[lanes]
            violation[lanes] = left = np.abs(phi).max(axis=-1)
            largest = np.abs(step).max(axis=-1)
            far = (largest >= NO_STEP) & (largest < np.inf) & (left < np.inf)  # false for NaN
            if k == NEWTON or not far.any():
                break
            if not far.all():
                lanes, step = np.arange(len(q))[lanes][far], step[far]
            q[lanes], corrected[lanes] = integrate(q[lanes], step), corrected[lanes] + step
        return violation


def _length(motions: Array) -> Array:
    lengths: Array = np.sqrt(np.einsum("...i,...i->...", motions, motions))
    return lengths


def why_stopped(rows: NumericRows, q: Array, t: float) -> str:
    """Return the reason why a motion does not go on from where it ended.

    Args:
        rows: Loops, constraints and drives, with the parameters of this motion.
        q: Its last configuration, shape (nq,).
        t: Time [s].
    """
    J = rows.jacobian(q, t)
    free = J.shape[1] - rank(J, DEPENDENT)
    what = (
        f"it is in a singular configuration, where it could move in {free} more "
        f"way{'s' if free > 1 else ''}"
        if free
        else "the drives lead to where it cannot follow (a dead point)"
    )
    return f"stopped at t = {t:g} s: {what}; drive another joint, or end there"


def check_driven(rows: NumericRows, q: Array, t: float, n_drives: int) -> None:
    """Reject too few drives for the degrees of freedom, and too many.

    Args:
        rows: Loops and constraints, the drives last.
        q: Configuration, shape (nq,).
        t: Time [s].
        n_drives: Number of drives.
    """
    J = rows.jacobian(q, t)
    both, held = rank(J), rank(J[: len(J) - n_drives])
    free = J.shape[1] - both
    if free:
        raise AssemblyError(
            f"{rows.mechanism.name!r}: the drives leave {free} degree{'s' if free > 1 else ''} of "
            "freedom; drive more joints, or simulate"
        )
    if both < held + n_drives:
        raise AssemblyError(
            f"{rows.mechanism.name!r}: {n_drives} drives for {J.shape[1] - held} degrees of "
            "freedom would work against each other; drive fewer joints"
        )
