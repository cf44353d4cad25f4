"""The motion of a driven mechanism: continuation with step control.

The drives are constraints in time, so that at each t the configuration follows from phi(q, t) = 0.
A step predicts by velocity and acceleration and corrects by Newton's method.  It is taken only if
the correction is small beside the step: so the motion stays on its branch, where two of them come
near each other too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.assemble.loop_closing import CLOSED, AssemblyError, closed
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.expr.rank import rank
from poinsot.expr.rank_tolerances import DEPENDENT, RANK
from poinsot.spatial import Array

LARGEST_CORRECTION = 0.05
"""Part of a step that its correction may be."""
ROUNDING = 1e-9
"""Corrections [rad, m] that are always small enough."""
SMALLEST_STEP = 1e-9
"""Part of the duration below which a step is given up."""
NEWTON = 4
"""Corrections in a step."""


@dataclass(frozen=True, eq=False)
class Followed:
    """A motion found position by position.

    Attributes:
        t: Times [s], shape (n,).
        q, v, a: Configurations, velocities and accelerations there.
        message: Why it ended.
        ok: Whether it reached the end.
    """

    t: Array
    q: Array
    v: Array
    a: Array
    message: str
    ok: bool


def follow(rows: NumericRows, q: Array, times: Array) -> Followed:
    """Return the motion at these times from a start that closes at the first of them.

    Args:
        rows: Loops, constraints and drives, which leave no degree of freedom.
        q: Configuration at the first time, shape (nq,).
        times: Increasing [s], shape (n,).
    """
    walk = _Walk(rows, closed(rows, q, np.arange(rows.mechanism.nv), float(times[0])), times)
    stored, reached, message = [walk.state()], [walk.t], ""
    for t in times[1:].tolist():
        message = walk.to(t)
        if walk.t > reached[-1]:
            stored.append(walk.state())
            reached.append(walk.t)
        if message:
            break
    q, v, a = (np.array(values) for values in zip(*stored, strict=True))
    end = message or f"reached t = {times[-1]:g} s"
    return Followed(np.array(reached), q, v, a, end, not message)


class _Walk:
    """Where the motion is at time t, and how large its steps are."""

    def __init__(self, rows: NumericRows, q: Array, times: Array) -> None:
        self._rows = rows
        self._span = float(times[-1] - times[0])
        self._step = self._span / max(len(times) - 1, 1)
        self.t, self._q = float(times[0]), q
        self._v, self._a = self._rates(q, self.t)

    def state(self) -> tuple[Array, Array, Array]:
        """Return the current q, v and a."""
        return self._q, self._v, self._a

    def to(self, t: float) -> str:
        """Advance to a time; return the reason of a failure, or an empty text."""
        while self.t < t:
            h = min(self._step, t - self.t)
            last = t - self.t - h < SMALLEST_STEP * self._span
            if self._try(t if last else self.t + h):
                self._step *= 1.5
            else:
                self._step = 0.5 * h
                if self._step < SMALLEST_STEP * self._span:
                    return self._why()
        return ""

    def _try(self, t: float) -> bool:
        integrate, h = self._rows.mechanism.integrate, t - self.t
        move = h * self._v + 0.5 * h * h * self._a
        q = integrate(self._q, move)
        corrected = np.zeros_like(move)
        for _ in range(NEWTON):
            phi = self._rows.residual(q, t)
            if not np.isfinite(phi).all():
                return False
            J = self._rows.jacobian(q, t)
            step = np.linalg.lstsq(J, -phi, rcond=RANK)[0]
            q, corrected = integrate(q, step), corrected + step
            if np.max(np.abs(step)) < 1e-13:
                break
        allowed = LARGEST_CORRECTION * float(np.linalg.norm(move)) + ROUNDING
        if np.linalg.norm(corrected) > allowed:
            return False
        if np.max(np.abs(self._rows.residual(q, t))) > CLOSED:
            return False
        v, a = self._rates(q, t)
        turned = float(np.linalg.norm(v - self._v - h * self._a))
        if turned > 0.2 * max(float(np.linalg.norm(v)), float(np.linalg.norm(self._v))) + ROUNDING:
            return False
        self._q, self.t, self._v, self._a = q, t, v, a
        return True

    def _rates(self, q: Array, t: float) -> tuple[Array, Array]:
        """Return v and a."""
        rows, still = self._rows, np.zeros(self._rows.mechanism.nv)
        J = rows.jacobian(q, t)
        v = np.linalg.lstsq(J, -rows.rate(q, still, t), rcond=RANK)[0]
        a = np.linalg.lstsq(J, -rows.bias(q, v, t), rcond=RANK)[0]
        return v, a

    def _why(self) -> str:
        """Return the reason why no step is small enough."""
        J = self._rows.jacobian(self._q, self.t)
        free = J.shape[1] - rank(J, DEPENDENT)
        what = (
            f"it is in a singular configuration, where it could move in {free} more "
            f"way{'s' if free > 1 else ''}"
            if free
            else "the drives lead to where it cannot follow (a dead point)"
        )
        return f"stopped at t = {self.t:g} s: {what}; drive another joint, or end there"


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
