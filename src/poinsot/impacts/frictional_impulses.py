"""Impulses with Coulomb friction in several points at once: complementarity in second-order cones.

Impulses that act in any case may be all; else projections bring them near, or where they do not,
impulses in polyhedral cones; which tells what slips, sticks or opens.  Newton's method for these
equations then gives them to rounding, and every inequality is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from poinsot.expr.rank_tolerances import RANK
from poinsot.impacts.impact_law import HeldError
from poinsot.impacts.polyhedral_friction import polyhedral_impulses
from poinsot.spatial import Array

__all__ = ["FrictionalContacts", "frictional_impulses"]

SWEEPS: Final = ((30, 1.0), (100, 0.5), (300, 0.2))
"""Sweeps of projections before each attempt of Newton's method, and their relaxation."""
EDGES: Final = (8, 16, 32, 64, 128)
"""Edges of the cones that are tried after them, until three have no impulses."""
SLOW: Final = (1e-6, 1e-4, 1e-2)
"""Slip that may become none, relative to the velocities."""
STEPS: Final = 30
"""Steps of Newton's method."""
CONVERGED: Final = 1e-13
"""Step that ends it, and residual of projections that is small, relative to the velocities."""
HOLDS: Final = 1e-10
"""Violation of an inequality that counts as rounding, relative to the velocities and impulses."""


@final
@dataclass(frozen=True, eq=False)
class FrictionalContacts:
    """Points that touch, s of them, each with a normal and two tangents.

    Attributes:
        K: Impulse matrix: velocities in the points by impulses in them, shape (3 s, 3 s) [kg⁻¹].
        u: Velocities before along normal and tangents, shape (s, 3) [m/s].
        after: Least normal velocities afterwards, not negative, shape (s,) [m/s].
        given: Normal impulses that act in any case, not negative, shape (s,) [N s].
        friction: Coulomb's μ, shape (s,).
        speed_before: Size of the velocities from which rounding has come, if that is not ``u``:
            after compression all may be zero [m/s].
    """

    K: Array
    u: Array
    after: Array
    given: Array
    friction: Array
    speed_before: float = 0.0

    @property
    def speed(self) -> float:
        """Size of the velocities [m/s]: those before, and what the given impulses add to them."""
        sizes = [float(np.abs(self.u).max()), self.speed_before, 1e-300]
        pushes = np.zeros(self.u.shape)
        pushes[:, 0] = self.given
        return max(*sizes, float(np.abs(self.K @ pushes.ravel()).max()))

    def velocities(self, P: Array) -> Array:
        """Return the velocities after impulses P (s, 3), shape (s, 3)."""
        return np.asarray(self.u + (self.K @ P.ravel()).reshape(-1, 3))


def frictional_impulses(contacts: FrictionalContacts) -> tuple[Array, Array]:
    """Return the impulses, shape (s, 3), and which points stick, shape (s,).

        w = u + K P,      0 <= P_n - given  ⟂  w_n - after >= 0,
        |P_t| <= μ P_n,      P_t = -μ P_n w_t / |w_t| where it slips

    Friction opposes the slip after the impact, in the exact cone.  Of several solutions one is
    found.  One exists for any friction where nothing is asked of the velocities after (Poisson's
    law, no restitution), or where impulses in different points do not depend on each other.

    Raises:
        HeldError: If none is found.

    >>> sphere = FrictionalContacts(np.diag([1.0, 3.5, 3.5]), np.array([[-1.0, 0.7, 0.0]]),
    ...                             np.zeros(1), np.zeros(1), np.array([0.1]))
    >>> impulses, sticks = frictional_impulses(sphere)
    >>> print(abs(impulses.round(12)), sticks)
    [[1.  0.1 0. ]] [False]
    """
    for P in _near(contacts):
        for opens, sticks in _guesses(contacts, P):
            solution = _newton(contacts, P, opens, sticks)
            if solution is not None and _holds(contacts, solution, opens, sticks):
                return solution, sticks
    asked = " and give what restitution asks" if contacts.after.any() else ""
    less = " or the restitution, or take law='poisson'" if asked else ""
    raise HeldError(
        f"no impulses were found that push and obey the law of friction{asked}; lower the friction"
        f"{less}",
        list(range(len(contacts.u))),
    )


def _near(contacts: FrictionalContacts) -> Iterator[Array]:
    """Yield impulses that may be near a solution, shape (s, 3)."""
    P = np.zeros(contacts.u.shape)
    P[:, 0] = contacts.given
    opening = contacts.velocities(P)
    opening[:, 0] -= contacts.after
    yield P
    for sweeps, relaxation in SWEEPS:
        P = _projected(contacts, P, sweeps, relaxation)
        yield P
    empty = 0
    for edges in EDGES:
        impulses = polyhedral_impulses(
            contacts.K, opening, contacts.given, contacts.friction, edges
        )
        if impulses is not None:
            yield impulses
        else:
            empty += 1
            if empty == 3:
                return


def _projected(contacts: FrictionalContacts, P: Array, sweeps: int, relaxation: float) -> Array:
    """Return impulses after projections onto the cones, one point after the other.

    P ← proj(P - r (w_n - after, w_t)): normal impulses first, then tangential ones onto the
    disc of radius μ P_n (P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92, 1991).
    """
    P, s = P.copy(), len(contacts.u)
    K = contacts.K.reshape(s, 3, 3 * s)
    normal = [1.0 / max(K[k, 0, 3 * k], 1e-300) for k in range(s)]
    tangential = [
        1.0 / max(float(np.linalg.norm(K[k, 1:, 3 * k + 1 : 3 * k + 3], 2)), 1e-300)
        for k in range(s)
    ]
    small = CONVERGED * contacts.speed
    for _ in range(sweeps):
        change = 0.0
        for k in range(s):
            before = P[k].copy()
            w = contacts.u[k] + K[k] @ P.ravel()
            least, mu = contacts.given[k], contacts.friction[k]
            P[k, 0] = max(least, P[k, 0] - normal[k] * (w[0] - contacts.after[k]))
            w[1:] += K[k, 1:, 3 * k] * (P[k, 0] - before[0])
            trial = P[k, 1:] - tangential[k] * w[1:]
            size, bound = float(np.hypot(*trial)), mu * P[k, 0]
            P[k, 1:] = trial if size <= bound else trial * (bound / size)
            P[k] = before + relaxation * (P[k] - before)
            change = max(change, float(np.abs((P[k] - before) / normal[k]).max()))
        if change <= small:
            break
    return P


def _guesses(contacts: FrictionalContacts, P: Array) -> list[tuple[Array, Array]]:
    """Return which points open and which stick, as projections tell it, the likeliest first."""
    slip = np.hypot(*contacts.velocities(P).T[1:]) / contacts.speed
    bound = contacts.friction * P[:, 0]
    opens = P[:, 0] <= contacts.given * (1.0 + 1e-12)
    inside = np.hypot(P[:, 1], P[:, 2]) < bound * (1.0 - 1e-9)
    slow = [(slip <= limit) & (bound > 0.0) for limit in SLOW]
    return [(opens, sticks) for sticks in (inside, inside | slow[0], *slow)]


def _newton(contacts: FrictionalContacts, P: Array, opens: Array, sticks: Array) -> Array | None:
    """Return impulses of points that open, stick or slip as told, or None.

    Unknown are the normal impulse of each point that does not open, the tangential ones of those
    that stick, and the direction of slip θ of those that slip, P_t = -μ P_n (cos θ, sin θ).
    """
    w = contacts.velocities(P)
    angle = np.arctan2(w[:, 2], w[:, 1])
    rubbing = contacts.friction * P[:, 0] > 0.0
    backward = np.arctan2(-P[:, 2], -P[:, 1])
    angle = np.where(rubbing & (np.hypot(P[:, 1], P[:, 2]) > 0.0), backward, angle)
    scale = contacts.speed
    for _ in range(STEPS):
        residual, columns = _equations(contacts, P, angle, opens, sticks)
        if not residual.size:
            return P
        step = np.linalg.lstsq(columns, -residual, rcond=RANK)[0]
        P, angle = _moved(contacts, P, angle, opens, sticks, step)
        if not np.isfinite(P).all():
            return None
        if float(np.abs(residual).max()) <= CONVERGED * scale:
            return P
    return P


def _equations(
    contacts: FrictionalContacts, P: Array, angle: Array, opens: Array, sticks: Array
) -> tuple[Array, Array]:
    """Return what must vanish, shape (m,), and its derivatives by the unknowns, shape (m, m)."""
    w, units = contacts.velocities(P), np.eye(P.size)
    residual: list[float] = []
    rows: list[Array] = []  # residuals by velocities
    pushes: list[Array] = []  # impulses by unknowns
    turns: list[float] = []  # residuals by directions of slip, at equal velocities
    for k in range(len(P)):
        normal, first, second = units[3 * k : 3 * k + 3]
        cosine, sine = np.cos(angle[k]), np.sin(angle[k])
        along, across = cosine * first + sine * second, cosine * second - sine * first
        mu = contacts.friction[k]
        if not opens[k]:
            residual.append(w[k, 0] - contacts.after[k])
            rows.append(normal)
            pushes.append(normal if sticks[k] else normal - mu * along)
            turns.append(0.0)
        if sticks[k]:
            residual += w[k, 1:].tolist()
            rows += [first, second]
            pushes += [first, second]
            turns += [0.0, 0.0]
        elif mu * P[k, 0] > 0.0:
            residual.append(float(across @ w.ravel()))
            rows.append(across)
            pushes.append(-mu * P[k, 0] * across)
            turns.append(-float(along @ w.ravel()))
    if not residual:
        return np.zeros(0), np.zeros((0, 0))
    return np.array(residual), np.array(rows) @ contacts.K @ np.array(pushes).T + np.diag(turns)


def _moved(
    contacts: FrictionalContacts, P: Array, angle: Array, opens: Array, sticks: Array, step: Array
) -> tuple[Array, Array]:
    """Return impulses and directions after a step of Newton's method."""
    P, angle = P.copy(), angle.copy()
    given = iter(step.tolist())
    for k in range(len(P)):
        rubs = not sticks[k] and contacts.friction[k] * P[k, 0] > 0.0
        if not opens[k]:
            P[k, 0] += next(given)
        if sticks[k]:
            P[k, 1] += next(given)
            P[k, 2] += next(given)
            continue
        if rubs:
            turn = next(given)
            angle[k] += np.clip(turn, -0.5, 0.5)
        bound = contacts.friction[k] * P[k, 0]
        P[k, 1:] = -bound * np.cos(angle[k]), -bound * np.sin(angle[k])
    return P, angle


def _holds(contacts: FrictionalContacts, P: Array, opens: Array, sticks: Array) -> bool:
    """Tell whether impulses obey the law, equations and inequalities."""
    w = contacts.velocities(P)
    speed = contacts.speed
    force = max(float(np.abs(P).max()), 1e-300)
    bound = contacts.friction * P[:, 0]
    slip = np.hypot(w[:, 1], w[:, 2])
    along = np.sum(P[:, 1:] * w[:, 1:], axis=1)
    closed = np.abs(w[:, 0] - contacts.after)
    return bool(
        (P[:, 0] >= contacts.given - HOLDS * force).all()
        and (w[:, 0] >= contacts.after - HOLDS * speed).all()
        and (closed[~opens] <= HOLDS * speed).all()
        and (slip[sticks] <= HOLDS * speed).all()
        and (np.hypot(P[:, 1], P[:, 2]) <= bound + HOLDS * force).all()
        and (along + bound * slip <= HOLDS * force * speed)[~sticks].all()
    )
