"""Impact in one point as a process along its normal impulse: Poisson's and Stronge's restitution.

Routh's way (1905), in space as Keller (1986): the normal impulse p grows, friction opposes the slip
of the moment, and velocities follow.

    dw/dp = K (1, f),      f = -μ s  where it slips along s,
                           f = -K_tt⁻¹ K_tn  where it sticks, possible if |f| <= μ

Compression ends where w_n = 0.  Restitution ends where p is 1 + e times the impulse of compression
(Poisson), or where the normal force has given back e² of the work of compression (Stronge 1990).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from poinsot.expr.rank_tolerances import RANK
from poinsot.impacts.impact_law import HeldError
from poinsot.impacts.slip_onset import slip_onset
from poinsot.spatial import Array

__all__ = ["PROCESSES", "ProcessState", "impact_process", "impulse_rate", "straight_end"]

PROCESSES: Final = ("poisson", "stronge")
STILL: Final = 1e-11
"""Slip that counts as none, relative to the velocities before."""
PHASES: Final = 50
"""Changes between slip and stick that an impact may have."""


@final
@dataclass
class ProcessState:
    """Where the process is.

    Attributes:
        w: Velocities along the normal and two tangents [m/s], shape (3,).
        P: Impulses along them [N s], shape (3,).
        work: Of the normal impulse so far [J].
    """

    w: Array
    P: Array
    work: float = 0.0


def impact_process(
    K: Array, u: Array, restitution: float, friction: float, law: str
) -> tuple[Array, bool]:
    """Return the impulse (n, t₁, t₂) in a point that closes, and whether it sticks at the end.

    Args:
        K: Impulse matrix of the normal and two tangents, shape (3, 3) [kg⁻¹].
        u: Velocities before it along them, u[0] < 0, shape (3,) [m/s].
        restitution: e.
        friction: μ.
        law: "poisson" or "stronge".

    Raises:
        HeldError: If the point cannot be compressed to an end: it does not yield at all.

    >>> K = np.diag([1 / 1.2, 2.5, 2.5])                     # a disc that lands sliding
    >>> impulse, sticks = impact_process(K, np.array([-1.5, -3.0, 0.0]), 0.5, 0.2, "stronge")
    >>> print(abs(impulse.round(9)), sticks)
    [2.7  0.54 0.  ] False
    """
    state = ProcessState(np.array(u, dtype=float), np.zeros(3))
    scale = float(np.abs(u).max())
    compressed: tuple[float, float] | None = None
    for _ in range(PHASES):
        rate, sticks = impulse_rate(K, state.w, friction, scale)
        if compressed is None:
            done = _advance(K, state, rate, friction, scale, None)
            if done:
                compressed = state.P[0], state.work
            continue
        impulse, work = compressed
        goal = (1.0 + restitution) * impulse if law == "poisson" else (1.0 - restitution**2) * work
        if _advance(K, state, rate, friction, scale, (law, goal)):
            return state.P, sticks
    raise HeldError("slip and stick change without an end; lower the friction", [0])


def impulse_rate(K: Array, w: Array, friction: float, scale: float) -> tuple[Array, bool]:
    """Return the rates of the impulses by p, (1, f), and whether it sticks."""
    slip = float(np.hypot(w[1], w[2]))
    if slip > STILL * scale:
        return np.array([1.0, *(-friction * w[1:] / slip)]), False
    if not K[1:, 1:].any():
        return np.array([1.0, 0.0, 0.0]), True
    holding = -np.linalg.lstsq(K[1:, 1:], K[1:, 0], rcond=RANK)[0]
    if float(np.linalg.norm(holding)) <= friction * (1.0 + 1e-12):
        return np.array([1.0, *holding]), True
    direction = slip_onset(K[1:, 1:], K[1:, 0], friction)
    return np.array([1.0, *(-friction * direction)]), False


def _advance(
    K: Array, state: ProcessState, rate: Array, friction: float, scale: float,
    goal: tuple[str, float] | None,
) -> bool:  # fmt: skip
    """Go on until the phase ends (True) or the slip does (False); the state is changed.

    Args:
        K: Impulse matrix.
        state: Where it begins, and where it ends.
        rate: Rates of the impulses by p.
        friction: μ.
        scale: Of the velocities.
        goal: None: compression, which ends at w_n = 0; else the law and the impulse or the work at
            which restitution ends.
    """
    growth = K @ rate
    slip = float(np.hypot(state.w[1], state.w[2]))
    moving = slip > STILL * scale
    turning = abs(state.w[1] * growth[2] - state.w[2] * growth[1])
    if moving and turning > 1e-13 * slip * max(float(np.abs(growth).max()), 1e-300):
        return _advance_turning(K, state, friction, scale, goal)
    slowing = float(state.w[1:] @ growth[1:]) / slip if moving else 0.0
    stop = slip / -slowing if slowing < 0.0 else np.inf
    end = straight_end(state, float(growth[0]), goal)
    if not np.isfinite(min(stop, end)):
        raise HeldError("it is compressed without an end: nothing yields along the normal", [0])
    x = min(stop, end)
    state.work += float(state.w[0]) * x + 0.5 * float(growth[0]) * x * x
    state.w = state.w + growth * x
    state.P = state.P + rate * x
    if stop < end:
        state.w[1:] = 0.0
    return end <= stop


def straight_end(state: ProcessState, growth: float, goal: tuple[str, float] | None) -> float:
    """Return how far p goes until the phase ends, while w_n = a + growth x."""
    a = float(state.w[0])
    if goal is None:
        return -a / growth if growth > 0.0 else np.inf
    law, value = goal
    if law == "poisson":
        return max(value - float(state.P[0]), 0.0)
    left = value - state.work  # a x + growth x² / 2 = left
    if left <= 0.0:
        return 0.0
    if growth == 0.0:
        return left / a if a > 0.0 else np.inf
    root = a * a + 2.0 * growth * left
    return (-a + float(np.sqrt(root))) / growth if root >= 0.0 else np.inf


def _advance_turning(
    K: Array, state: ProcessState, friction: float, scale: float, goal: tuple[str, float] | None
) -> bool:
    """Do the same while the direction of slip turns: y = [w, P_t, work] over p."""
    from scipy.integrate import solve_ivp

    def rates(_: float, y: Array) -> Array:
        slip = max(float(np.hypot(y[1], y[2])), 1e-300)
        f = -friction * y[1:3] / slip
        return np.concatenate([K @ [1.0, *f], f, y[:1]])

    def stops(_: float, y: Array) -> float:
        return float(np.hypot(y[1], y[2])) - 0.5 * STILL * scale

    def ends(p: float, y: Array) -> float:
        if goal is None:
            return float(y[0])
        return (p if goal[0] == "poisson" else float(y[5])) - goal[1]

    stops.terminal = ends.terminal = True  # type: ignore[attr-defined]
    ends.direction = 1.0  # type: ignore[attr-defined]
    start = float(state.P[0])
    y = np.concatenate([state.w, state.P[1:], [state.work]])
    longest = 1e3 * scale / float(K[0, 0]) if K[0, 0] > 0.0 else np.inf
    done = solve_ivp(
        rates, (start, start + longest), y, method="DOP853", rtol=1e-12,
        atol=1e-13 * max(scale, 1e-300), events=[stops, ends],
    )  # fmt: skip
    if done.status != 1:
        raise HeldError("it is compressed without an end: nothing yields along the normal", [0])
    last = done.y[:, -1]
    state.w, state.work = last[:3].copy(), float(last[5])
    state.P = np.array([done.t[-1], last[3], last[4]])
    if done.t_events is not None and done.t_events[0].size:
        state.w[1:] = 0.0
        return False
    return True
