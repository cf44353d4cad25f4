"""How the impulse of a process along its normal impulse changes with K, u, e and μ.

While it slips, the process is followed over τ with dp = |σ| dτ, σ the slip:

    dw/dτ = K ρ,      dP/dτ = ρ,      ρ = (|σ|, -μ σ),

which is smooth, and σ goes to nothing exponentially where it stops; tangents go along.  Sticking,
and slip that begins from nothing, have a constant direction, and closed forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.rank import rank
from poinsot.expr.rank_tolerances import RANK
from poinsot.impacts.impact_process import (
    PHASES,
    STILL,
    ProcessState,
    impulse_rate,
    straight_end,
)
from poinsot.spatial import Array

__all__ = ["ProcessChanges", "process_changes"]

EDGE: Final = 1e-7
"""How near to the edge of two cases, relative to velocities or μ, there are no derivatives."""
END: Final = 1e-13
"""Slip at which tangents have come to their limits, relative to the velocities before."""
VELOCITIES, SLIP, IMPULSES = slice(3), slice(1, 3), slice(3, 6)
NORMAL_IMPULSE, WORK = 3, 6
"""Where w, w_t, P, P_n and the work of the normal impulse are in a state y, shape (7,)."""
GOALS: Final = {NORMAL_IMPULSE: "poisson", WORK: "stronge"}
"""Which law ends where an entry of y has come to its goal."""


@final
@dataclass(frozen=True, eq=False)
class ProcessChanges:
    """How what a process is given changes with the x that are varied, k of them.

    Attributes:
        K: Of the impulse matrix, shape (3, 3, k).
        u: Of the velocities before it, shape (3, k).
        restitution: Shape (k,).
        friction: Shape (k,).
    """

    K: Array
    u: Array
    restitution: Array
    friction: Array


def process_changes(
    K: Array, u: Array, restitution: float, friction: float, law: str, by: ProcessChanges
) -> Array:
    """Return how the impulse of ``impact_process`` changes, shape (3, k).

    Args:
        K: Impulse matrix of the normal and two tangents, shape (3, 3) [kg⁻¹].
        u: Velocities before it along them, u[0] < 0, shape (3,) [m/s].
        restitution: e.
        friction: μ.
        law: "poisson" or "stronge".
        by: What changes.

    Raises:
        ModelError: If it is at the edge of two cases.

    >>> ball, change = np.diag([1.0, 3.5, 3.5]), np.zeros((3, 1))
    >>> by = ProcessChanges(np.zeros((3, 3, 1)), change, np.ones(1), np.zeros(1))
    >>> process_changes(ball, np.array([-2.0, 9.0, 0.0]), 0.5, 0.1, "stronge", by).round(9).tolist()
    [[2.0], [-0.2], [0.0]]
    """
    tangents = _Tangents(K, friction, float(np.abs(u).max()), by)
    tangents.y[VELOCITIES], tangents.Y[VELOCITIES] = u, by.u
    tangents.until(0, 0.0, np.zeros(by.u.shape[1]))
    pressed, change = tangents.y.copy(), tangents.Y
    e, de = restitution, by.restitution
    if law == "poisson":
        tangents.until(
            NORMAL_IMPULSE, (1.0 + e) * pressed[3], (1.0 + e) * change[3] + pressed[3] * de
        )
    elif e:
        kept = 1.0 - e * e
        tangents.until(
            WORK, kept * pressed[WORK], kept * change[WORK] - 2.0 * e * pressed[WORK] * de
        )
    else:  # w_n rises to e (2 |work| dw_n/dp)^½
        r = impulse_rate(K, pressed[VELOCITIES], friction, tangents.scale)[0]
        length = np.sqrt(2.0 * abs(pressed[WORK]) / (K[0] @ r))
        tangents.Y[IMPULSES] += np.outer(r, length * de)
    return np.asarray(tangents.Y[IMPULSES])


class _Tangents:
    """Where a process is, y = [w, P, work], and how that changes, Y, shape (7, k)."""

    def __init__(self, K: Array, friction: float, scale: float, by: ProcessChanges) -> None:
        self.K, self.friction, self.scale, self.by = K, friction, scale, by
        self.y, self.Y = np.zeros(7), np.zeros((7, by.u.shape[1]))
        self.begins = True

    def until(self, entry: int, goal: float, goal_change: Array) -> None:
        """Go on until an entry of y has come to its goal, itself a function of x."""
        slid = False
        for _ in range(PHASES):
            if float(np.hypot(*self.y[SLIP])) > STILL * self.scale:
                rates = self._slide(entry, goal)
            else:
                pushed = self.y[NORMAL_IMPULSE]
                rates = self._go_straight(entry, goal)
                if slid and self.y[NORMAL_IMPULSE] - pushed <= EDGE * pushed:
                    raise ModelError("its slip ends just as a phase of the impact does")
            self.begins, slid = False, True
            if rates is not None:
                late = (self.Y[entry] - goal_change) / rates[entry]
                self.Y = self.Y - np.outer(rates, late)
                return
        raise ModelError("slip and stick change without an end")

    def _slide(self, entry: int, goal: float) -> Array | None:
        """Follow slip; return the rates of y at the goal, or None if the slip ends before."""
        from scipy.integrate import solve_ivp

        def rates(_: float, z: Array) -> Array:
            Y = z[7:].reshape(self.Y.shape)
            slip = z[SLIP]
            size = max(float(np.hypot(*slip)), 1e-300)
            rho = np.array([size, *(-self.friction * slip)])
            growing = slip @ Y[SLIP] / size
            turning = -self.friction * Y[SLIP] - np.outer(slip, self.by.friction)
            change = np.vstack([growing, turning])
            w = np.einsum("ijk,j->ik", self.by.K, rho) + self.K @ change
            work = Y[0] * size + z[0] * growing
            own = [self.K @ rho, rho, [z[0] * size], w.ravel(), change.ravel(), work]
            return np.concatenate(own)

        def stops(_: float, z: Array) -> float:
            return float(np.hypot(*z[SLIP])) - END * self.scale

        def ends(_: float, z: Array) -> float:
            return float(z[entry]) - goal

        stops.terminal = ends.terminal = True  # type: ignore[attr-defined]
        ends.direction = 1.0  # type: ignore[attr-defined]
        start = np.concatenate([self.y, self.Y.ravel()])
        if self.y[entry] >= goal:
            return rates(0.0, start)[:7]
        small = np.full(start.shape, 1e-13 * max(float(np.abs(self.Y).max()), 1e-3))
        small[:7] = 1e-3 * END * self.scale
        longest = 1e6 / (self.friction * float(np.trace(self.K)))
        done = solve_ivp(
            rates, (0.0, longest), start, method="DOP853", rtol=1e-12, atol=small,
            events=[stops, ends],
        )  # fmt: skip
        if done.status != 1:
            raise ModelError("its slip neither goes on nor ends")
        last = done.y[:, -1]
        self.y, self.Y = last[:7].copy(), last[7:].reshape(self.Y.shape).copy()
        if entry == 0 and abs(self.y[0]) <= EDGE * self.scale and rank(self.K) == 1:
            size = float(np.hypot(*last[SLIP]))
            if size <= EDGE * self.scale:  # a single freedom: all velocities vanish at once
                self.y[VELOCITIES] = 0.0
                return rates(0.0, last)[:7]
        stopped = done.t_events is not None and bool(done.t_events[0].size)
        if not stopped and float(np.hypot(*self.y[SLIP])) > EDGE * self.scale:
            return rates(0.0, last)[:7]
        if not stopped:
            raise ModelError("its slip ends just as a phase of the impact does")
        self.y[SLIP], self.Y[SLIP] = 0.0, 0.0
        return None

    def _go_straight(self, entry: int, goal: float) -> Array:
        """Stick, or begin to slip, up to the goal; return the rates of y there."""
        r, sticks = impulse_rate(self.K, self.y[VELOCITIES], self.friction, self.scale)
        K_tt, by = self.K[1:, 1:], self.by
        inverse = np.linalg.pinv(K_tt, rcond=RANK)
        holding = float(np.linalg.norm(inverse @ self.K[1:, 0]))
        if abs(holding - self.friction) <= EDGE * self.friction:
            raise ModelError("it sticks with just the friction that it has")
        if self.begins and not sticks:
            raise ModelError("it does not slip before the impact, and begins to in it")
        kept = np.einsum("ijk,j->ik", by.K, r)  # change of K r at equal r
        if sticks:
            stopping = -inverse @ self.Y[SLIP]
            self.Y[4:6] += stopping
            self.Y[0] += self.K[0, 1:] @ stopping
            turning = -inverse @ kept[1:]
        else:
            turning = self._onset_changes(r, kept)
        self.Y[SLIP] = 0.0
        dr = np.vstack([np.zeros(turning.shape[1]), turning])
        growth, change = self.K @ r, kept + self.K @ dr
        x = straight_end(
            ProcessState(self.y[VELOCITIES], self.y[IMPULSES], float(self.y[WORK])),
            float(growth[0]), None if entry == 0 else (GOALS[entry], goal),
        )  # fmt: skip
        a, da = self.y[0], self.Y[0].copy()
        self.Y[VELOCITIES] += change * x
        self.Y[IMPULSES] += dr * x
        self.Y[WORK] += da * x + 0.5 * change[0] * x * x
        self.y[WORK] += a * x + 0.5 * growth[0] * x * x
        self.y[VELOCITIES] += growth * x
        self.y[IMPULSES] += r * x
        if sticks:
            self.y[SLIP], self.Y[SLIP] = 0.0, 0.0
        return np.array([*growth, *r, self.y[0]])

    def _onset_changes(self, r: Array, kept: Array) -> Array:
        """Return the changes of the rates (2, k) with which slip begins, f = -μ s.

        K_tn - μ K_tt s = λ s with |s| = 1, differentiated: K_t r = λ s along f.
        """
        mu, K_tt = self.friction, self.K[1:, 1:]
        s = -r[1:] / mu
        strength = float(s @ (self.K[1:] @ r))
        left = np.zeros((3, 3))
        left[:2, :2] = mu * K_tt + strength * np.eye(2)
        left[:2, 2] = left[2, :2] = s
        right = np.vstack([kept[1:] - np.outer(K_tt @ s, self.by.friction), 0.0 * kept[:1]])
        ds = np.linalg.solve(left, right)[:2]
        return np.asarray(-mu * ds - np.outer(s, self.by.friction))
