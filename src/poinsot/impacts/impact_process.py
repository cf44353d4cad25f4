"""Impact in one point as a process along its normal impulse: Poisson's and Stronge's restitution.

Routh's way (1905), in space as Keller (1986): the normal impulse p grows, friction opposes the slip
of the moment, and velocities follow.

    dw/dp = K (1, f),      f = -μ s  where it slips along s,
                           f = -K_tt⁻¹ K_tn  where it sticks, possible if |f| <= μ

Compression ends where w_n = 0.  Restitution ends where p is 1 + e times the impulse of compression
(Poisson), or where the normal force has given back e² of the work of compression (Stronge 1990).

Numbers may be of any kind; cases are decided by their real parts.  Slip that turns in space has no
closed form and is followed in floats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.expr.any_scalar import length, real, reals, solve_over, square_root
from poinsot.expr.rank import rank
from poinsot.expr.rank_tolerances import RANK
from poinsot.impacts.impact_law import HeldError
from poinsot.impacts.slip_onset import slip_onset
from poinsot.spatial import Array

__all__ = ["PROCESSES", "ProcessState", "impact_process", "impulse_rate", "straight_end"]

PROCESSES: Final = ("poisson", "stronge")
STILL: Final = 1e-11
"""Slip that counts as none, relative to the velocities before."""
REST: Final = 1e-9
"""Closing, relative to the velocities before, and growth, relative to that without friction, that
count as none where slip has ended: what rounding leaves of velocities that end at once."""
HELD: Final = (
    "friction holds it, so that nothing gives back the work of compression; lower the friction, "
    "set restitution to 0, or take law='poisson'"
)
PHASES: Final = 50
"""Changes between slip and stick that an impact may have."""
IN_FLOATS: Final = (
    "slip that turns in space, or begins there, is followed in floats only; take ps.collide, or a "
    "motion in one plane"
)


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
    work: Any = 0.0


def impact_process(
    K: Array, u: Array, restitution: Any, friction: Any, law: str, *, kind: type = float  # noqa: ANN401
) -> tuple[Array, bool]:  # fmt: skip
    """Return the impulse (n, t₁, t₂) in a point that closes, and whether it sticks at the end.

    Args:
        K: Impulse matrix of the normal and two tangents, shape (3, 3) [kg⁻¹].
        u: Velocities before it along them, u[0] < 0, shape (3,) [m/s].
        restitution: e.
        friction: μ.
        law: "poisson" or "stronge".
        kind: Of the numbers, from ``kind_of``.

    Raises:
        HeldError: If the point cannot be compressed to an end: it does not yield at all.
        PoinsotError: If slip turns in space and numbers are not floats.

    >>> K = np.diag([1 / 1.2, 2.5, 2.5])                     # a disc that lands sliding
    >>> impulse, sticks = impact_process(K, np.array([-1.5, -3.0, 0.0]), 0.5, 0.2, "stronge")
    >>> print(abs(impulse.round(9)), sticks)
    [2.7  0.54 0.  ] False
    """
    w = np.array(u, dtype=float if kind is float else object)
    state = ProcessState(w, 0 * w, 0 * w[0])
    process = _Process(K, friction, float(np.abs(reals(u)).max()), kind)
    compressed: tuple[Any, Any] | None = None
    for _ in range(PHASES):
        if compressed is None:
            if process.advance(state, None)[0]:
                compressed = state.P[0], state.work
            continue
        impulse, work = compressed
        goal = (1 + restitution) * impulse if law == "poisson" else (1 - restitution**2) * work
        is_over, sticks = process.advance(state, (law, goal))
        if is_over:
            return state.P, sticks
    raise HeldError("slip and stick change without an end; lower the friction", [0])


def impulse_rate(
    K: Array, w: Array, friction: Any, scale: float, kind: type = float  # noqa: ANN401
) -> tuple[Array, bool]:  # fmt: skip
    """Return the rates of the impulses by p, (1, f), and whether it sticks."""
    slip = length(kind, w[1], w[2])
    if real(slip) > STILL * scale:
        return np.array([1, *(-friction * w[1:] / slip)]), False
    if not reals(K[1:, 1:]).any():
        return np.array([1, *(0 * w[1:])]), True
    in_plane = kind is not float and rank(reals(K[1:, 1:])) == 1
    holding = _holding(K, kind, in_plane=in_plane)
    if float(np.linalg.norm(reals(holding))) <= real(friction) * (1.0 + 1e-12):
        return np.array([1, *holding]), True
    if in_plane:  # slip grows along the only direction that there is
        onset = K[1:, 0] / length(kind, K[1, 0], K[2, 0])
    elif kind is float:
        onset = slip_onset(K[1:, 1:], K[1:, 0], friction)
    else:
        raise PoinsotError(IN_FLOATS)
    return np.array([1, *(-friction * onset)]), False


def _holding(K: Array, kind: type, *, in_plane: bool) -> Array:
    """Return f = -K_tt⁻¹ K_tn, which holds the slip; -K_tn / tr K_tt where K_tt has rank 1."""
    if in_plane:
        return np.asarray(-K[1:, 0] / (K[1, 1] + K[2, 2]))
    if kind is float:
        return np.asarray(-np.linalg.lstsq(K[1:, 1:], K[1:, 0], rcond=RANK)[0])
    return -solve_over(K[1:, 1:], K[1:, 0])


@final
@dataclass(frozen=True, eq=False)
class _Process:
    """What stays the same in a process.

    Attributes:
        K: Impulse matrix, shape (3, 3).
        friction: μ.
        scale: Of the velocities.
        kind: Of the numbers.
    """

    K: Array
    friction: Any
    scale: float
    kind: type

    def advance(self, state: ProcessState, goal: tuple[str, Any] | None) -> tuple[bool, bool]:
        """Go on until the phase ends or the slip does; return whether it is the phase, and sticks.

        Args:
            state: Where it begins, and where it ends: it is changed.
            goal: None: compression, which ends at w_n = 0; else the law and the impulse or the work
                at which restitution ends.
        """
        kind, still = self.kind, STILL * self.scale
        rate, sticks = impulse_rate(self.K, state.w, self.friction, self.scale, kind)
        growth = self.K @ rate
        slip = length(kind, state.w[1], state.w[2])
        moving = real(slip) > still
        turning = abs(real(state.w[1] * growth[2] - state.w[2] * growth[1]))
        fastest = max(float(np.abs(reals(growth)).max()), 1e-300)
        if moving and turning > 1e-13 * real(slip) * fastest:
            if kind is not float:
                raise PoinsotError(IN_FLOATS)
            return _advance_turning(self.K, state, self.friction, self.scale, goal), sticks
        slowing = (state.w[1:] @ growth[1:]) / slip if moving else 0.0
        stop = slip / -slowing if real(slowing) < 0.0 else np.inf
        end = straight_end(state, growth[0], goal, kind)
        if not moving and real(growth[0]) <= REST * real(self.K[0, 0]):
            end = self._held_end(state, goal, end)
        x = stop if real(stop) < real(end) else end
        if not np.isfinite(real(x)):
            raise HeldError("it is compressed without an end: nothing yields along the normal", [0])
        state.work = state.work + state.w[0] * x + growth[0] * x * x / 2
        state.w = state.w + growth * x
        state.P = state.P + rate * x
        if real(stop) < real(end):
            state.w[1:] = 0 * state.w[1:]
        return real(end) <= real(stop), sticks

    def _held_end(self, state: ProcessState, goal: tuple[str, Any] | None, end: Any) -> Any:  # noqa: ANN401
        """Return how far p goes where friction holds all that could move."""
        if abs(real(state.w[0])) > REST * self.scale:
            return end
        if goal is None:  # it was compressed when slip ended
            return 0 * state.P[0]
        if goal[0] == "stronge" and real(goal[1]) > real(state.work):
            raise HeldError(HELD, [0])
        return end


def straight_end(
    state: ProcessState, growth: Any, goal: tuple[str, Any] | None, kind: type = float  # noqa: ANN401
) -> Any:  # fmt: skip  # noqa: ANN401
    """Return how far p goes until the phase ends, while w_n = a + growth x."""
    a = state.w[0]
    if goal is None:
        return -a / growth if real(growth) > 0.0 else np.inf
    law, value = goal
    if law == "poisson":
        left = value - state.P[0]
        return left if real(left) > 0.0 else 0 * left
    left = value - state.work  # a x + growth x² / 2 = left
    if real(left) <= 0.0:
        return 0 * left
    if real(growth) == 0.0:
        return left / a if real(a) > 0.0 else np.inf
    root = a * a + 2 * growth * left
    return (-a + square_root(kind, root)) / growth if real(root) >= 0.0 else np.inf


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
