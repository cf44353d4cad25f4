"""Impact with Coulomb friction in one point: restitution along the normal, and stick or slip."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.expr.rank_tolerances import RANK
from poinsot.impacts.impact_law import HeldError
from poinsot.impacts.slip_directions import slip_directions
from poinsot.spatial import Array

__all__ = ["friction_impulse"]

DIRECTIONS: Final = 180
"""Directions of slip that are tried before the right one is sought between two of them."""
STICKS: Final = 1e-9
"""Slip that counts as none, relative to the velocities before."""


def friction_impulse(K: Array, u: Array, restitution: float, friction: float) -> tuple[Array, bool]:
    """Return the impulse (n, t₁, t₂) in a point that closes, and whether it sticks afterwards.

        w = u + K P,    w_n = -e u_n,    |P_t| <= μ P_n,    P_t = -μ P_n w_t / |w_t| where it slips

    Newton's restitution with friction that opposes the slip after the impact.  Of several
    solutions (eccentric impacts with much friction) sticking comes first, by the least impulse.

    Args:
        K: Impulse matrix of the normal and two tangents, shape (3, 3) [kg⁻¹].
        u: Velocities before it along them, u[0] < 0, shape (3,) [m/s].
        restitution: e.
        friction: μ.

    Raises:
        HeldError: If no impulse pushes and obeys the law.

    >>> K = np.diag([1 / 1.2, 2.5, 2.5])                     # a disc that lands sliding
    >>> impulse, sticks = friction_impulse(K, np.array([-1.5, -3.0, 0.0]), 0.5, 0.2)
    >>> print(abs(impulse.round(9)), sticks)
    [2.7  0.54 0.  ] False
    """
    wanted = np.array([-(1.0 + restitution) * u[0], -u[1], -u[2]])
    size = float(np.abs(u).max())

    def sticks(P: Array) -> bool:
        holds = bool(np.abs(K @ P - wanted).max() <= STICKS * size)
        return holds and P[0] >= 0.0 and np.hypot(*P[1:]) <= friction * P[0] * (1.0 + STICKS)

    least = np.linalg.lstsq(K, wanted, rcond=RANK)[0]
    if sticks(least):
        return least, True

    def across(angle: float) -> float:
        return _slipping(K, u, wanted[0], friction, angle)[1]

    slow = None
    for angle in slip_directions(across, DIRECTIONS):
        P, _, along = _slipping(K, u, wanted[0], friction, angle)
        if along > STICKS * size:
            return P, False
        slow = P if along > 0.0 else slow
    held = _with_least_friction(K, wanted)
    if sticks(held):
        return held, True
    if slow is not None:
        return slow, False
    raise HeldError(
        "no impulse with so much friction pushes and gives what restitution asks; lower the "
        "friction",
        [0],
    )


def _with_least_friction(K: Array, wanted: Array) -> Array:
    """Return the impulse that changes velocities as wanted with the least friction, shape (3,).

    Where K is singular, as of a single joint, impulses that hold are not unique, and the least of
    all may need more friction than there is: K (1, f) = τ wanted, |f| least, P = (1, f) / τ.
    """
    square = float(wanted @ wanted)
    apart = np.eye(3) - np.outer(wanted, wanted) / square
    columns = apart @ K / np.trace(K)
    columns[np.abs(columns) <= RANK] = 0.0
    f = np.linalg.lstsq(columns[:, 1:], -columns[:, 0], rcond=RANK)[0]
    rate = np.array([1.0, *f])
    along = float(wanted @ K @ rate)
    return rate * (square / along) if along > 0.0 else np.zeros(3)


def _slipping(
    K: Array, u: Array, wanted: float, friction: float, angle: float
) -> tuple[Array, float, float]:
    """Return the impulse against slip in a direction; slip across and along it afterwards."""
    direction = np.array([np.cos(angle), np.sin(angle)])
    resistance = K[0, 0] - friction * K[0, 1:] @ direction
    if resistance <= 0.0:
        return np.zeros(3), np.nan, np.nan
    P = wanted / resistance * np.array([1.0, *(-friction * direction)])
    slip = u[1:] + K[1:] @ P
    return P, float(direction[0] * slip[1] - direction[1] * slip[0]), float(direction @ slip)
