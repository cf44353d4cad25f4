"""The law of impact: velocities after impulses at contacts and in constraints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.expr.rank import null_space, rank, row_space, unit_rows
from poinsot.expr.rank_tolerances import RANK
from poinsot.expr.singularity import constraint_weight, regular_factor
from poinsot.impacts.nearest_vector import ContradictionError, shortest
from poinsot.spatial import Array

__all__ = [
    "Contacts",
    "HeldError",
    "Jump",
    "can_move",
    "impulse_matrix",
    "jump",
    "printed_jump",
    "pushed",
    "stuck_error",
]

OPEN = 1e-8
"""Residual of the constraints that is accepted, relative to their rates."""
ROUNDING = 64.0 * float(np.finfo(np.float64).eps)
"""Part of the terms of a sum that may be rounding."""


@final
@dataclass(frozen=True, eq=False)
class Contacts:
    """Contacts that touch, s of them.

    Attributes:
        A: Rates of the gaps by v, shape (s, nv) [Zhang1996, (3.28)].
        rates: Rates of the gaps before the impact, negative where they close, shape (s,): the
            bracket of [Zhang1996, (3.25)] along the normal.
        restitution: Newton's coefficients e, σ of [Zhang1996, (3.15)], shape (s,).
    """

    A: Array
    rates: Array
    restitution: Array


@final
@dataclass(frozen=True, eq=False)
class Jump:
    """What an impact does.

    Attributes:
        change: v after it less v before it, shape (nv,) [Zhang1996, (3.3), (3.31)].
        impulses: At the contacts, not negative, shape (s,).
        held: Of the rows of constraints, of least norm where they depend on each other, shape (m,).
        unique: Whether no other impulses at the contacts would do the same.
    """

    change: Array
    impulses: Array
    held: Array
    unique: bool


@final
class HeldError(PoinsotError):
    """No velocity obeys the constraints, or the constraints and a contact, or M is singular.

    Attributes:
        contacts: The contacts that contradict, by number; empty: constraints alone, or M.
    """

    def __init__(self, what: str, contacts: list[int]) -> None:
        super().__init__(what)
        self.contacts = contacts


def stuck_error(contacts: list[int]) -> HeldError:
    """Return the error of contacts that cannot open, by number."""
    them = "it" if len(contacts) == 1 else "them"
    return HeldError(f"the constraints do not let {them} move", contacts)


def jump(M: Array, v: Array, J: Array, missed: Array, contacts: Contacts) -> Jump:
    """Return the change of velocity in an impact without friction.

        M dv = Aᵀ P + Jᵀ R,      J dv + missed = 0,
        0 <= P,      0 <= w - max(0, -e u),      P (w - max(0, -e u)) = 0,

    u and w = u + A dv being the rates of the gaps before and after it.  Contacts that close leave
    each other with e times the rate with which they came; one whose impulse would have to pull has
    none, and is faster.  It is the shortest dv in the metric of M that obeys the inequalities, so
    dv is unique.  If all contacts close and no impulse is negative, it is Newton's law (3.15) with
    the equations M dv = Aᵀ P and A dv = H = -(1 + e) u [Zhang1996, (3.13), (3.27)], solved by
    A M⁻¹ Aᵀ P = H [Zhang1996, (3.30)].  Without contacts it is the sudden
    imposition of J: v after it is the projection of v before it, in the metric of M.

    Args:
        M: Mass matrix, shape (nv, nv).
        v: Velocity before, shape (nv,); how large it is says what is rounding.
        J: Rows of the constraints, shape (m, nv).
        missed: What v misses of them, J v and their rate by the time alone, shape (m,).
        contacts: What touches.

    Raises:
        HeldError: If no velocity satisfies all constraints.
    """
    A, u = contacts.A, contacts.rates
    L, weight = _factor(M, J)
    B = np.linalg.solve(L, A.T).T
    C, y, free = J, np.zeros(v.size), _free_rows(A, J, L)
    if J.size:
        C = np.linalg.solve(L, J.T).T
        y = _onto(C, missed, float(np.max(np.abs(J) @ np.abs(v))))
    bounds = np.maximum(0.0, -contacts.restitution * u) - u - B @ y  # H of (3.25), one-sided
    least = ROUNDING * (np.abs(A) @ np.abs(v) + np.abs(u))
    bounds = np.where(bounds <= least, np.minimum(bounds, 0.0), bounds)
    moves = _moving(free, B)
    stuck = np.flatnonzero(~moves & (bounds > 0.0)).tolist()
    if stuck:
        raise stuck_error(stuck)
    P, unique = np.zeros(u.size), True
    try:
        change, P[moves], unique = shortest(free[moves], bounds[moves])  # (3.30), one-sided
    except ContradictionError as error:
        numbers = np.flatnonzero(moves)[error.rows].tolist()
        raise HeldError("no velocity gives them all what their restitution asks", numbers) from None
    y = y + change
    dv = np.linalg.solve(L.T, y)  # (3.29)
    R = missed
    if J.size:
        R = np.linalg.lstsq(C.T, y - B.T @ P, rcond=RANK)[0] - weight * (J @ dv)
    return Jump(dv, P, R, unique)


def printed_jump(M: Array, v: Array, J: Array, contacts: Contacts) -> Jump:
    """Return the change of velocity in which every contact obeys Newton's law, even by pulling.

        M dv = Aᵀ P + Jᵀ R,    J dv = 0,    A dv = H = -(1 + e) u    [Zhang1996, (3.13), (3.27)]

    Impulses first, (A M⁻¹ Aᵀ) P = H (3.30), then dv = M⁻¹ Aᵀ P (3.29).  Where contacts depend on
    each other P has the least norm; dv is unique.

    Args:
        M: Mass matrix, shape (nv, nv).
        v: Velocity before, which obeys the constraints, shape (nv,).
        J: Rows of the constraints, shape (m, nv).
        contacts: What touches.

    Raises:
        HeldError: If no velocity gives every contact what its restitution asks; ``contacts`` are
            those whose rows depend on each other and contradict.
    """
    A, u = contacts.A, contacts.rates
    L = _factor(M, J)[0]
    free = _free_rows(A, J, L)
    H = -(1.0 + contacts.restitution) * u  # (3.25)
    y = np.linalg.lstsq(free, H, rcond=RANK)[0]
    left = np.abs(free @ y - H)
    scale = np.abs(A) @ np.abs(v) + np.abs(u)
    if (left > OPEN * max(float(scale.max(initial=0.0)), float(np.abs(H).max(initial=0.0)))).any():
        moves = _moving(free, np.linalg.solve(L, A.T).T)
        if not moves[H != 0.0].all():
            raise stuck_error(np.flatnonzero(~moves & (H != 0.0)).tolist())
        null = null_space(free.T)
        misses = np.abs(null.T @ H) > OPEN * float(np.abs(H).max())
        wrong = np.flatnonzero(np.abs(null[:, misses]).max(axis=1, initial=0.0) > RANK).tolist()
        raise HeldError(
            "no velocity gives them all what their restitution asks; law='unilateral' may let some "
            "of them open faster",
            wrong,
        )
    P = np.linalg.lstsq(free.T, y, rcond=RANK)[0]
    return replace(pushed(M, J, A, P), unique=rank(unit_rows(free)[0]) == u.size)


def pushed(M: Array, J: Array, A: Array, P: Array) -> Jump:
    """Return what given impulses do to velocities that obey the constraints.

    M dv = Aᵀ P + Jᵀ R,      J dv = 0      [Zhang1996, (3.29)]
    """
    L, weight = _factor(M, J)
    y = _free_rows(A, J, L).T @ P
    dv = np.linalg.solve(L.T, y)
    R = np.zeros(0)
    if J.size:
        C, B = np.linalg.solve(L, J.T).T, np.linalg.solve(L, A.T).T
        R = np.linalg.lstsq(C.T, y - B.T @ P, rcond=RANK)[0] - weight * (J @ dv)
    return Jump(dv, P, R, unique=True)


def impulse_matrix(M: Array, J: Array, A: Array) -> tuple[Array, int]:
    """Return G = A M⁻¹ Aᵀ of [Zhang1996, (3.30)], shape (s, s), under constraints, and its rank."""
    free = _free_rows(A, J, _factor(M, J)[0])
    return free @ free.T, rank(unit_rows(free)[0]) if free.size else 0


def can_move(M: Array, J: Array, A: Array) -> Array:
    """Return which contacts impulses along them can open under constraints, shape (s,)."""
    L = _factor(M, J)[0]
    return _moving(_free_rows(A, J, L), np.linalg.solve(L, A.T).T)


def _moving(free: Array, B: Array) -> Array:
    """Return which rows in the metric of M are not zero when less what constraints hold."""
    moves = np.linalg.norm(free, axis=1) > RANK * np.linalg.norm(B, axis=1)
    return np.asarray(moves)


def _free_rows(A: Array, J: Array, L: Array) -> Array:
    """Return the rows of contacts in the metric of M, less what constraints hold."""
    B = np.linalg.solve(L, A.T).T
    if not J.size:
        return B
    held = row_space(np.linalg.solve(L, J.T).T)
    return B - (B @ held) @ held.T


def _factor(M: Array, J: Array) -> tuple[Array, float]:
    """Return L and w with M + w JᵀJ = L Lᵀ; w is 0 unless M is singular.

    Constrained motions may be massless: w has no effect on allowed motions.
    """
    L, weight = regular_factor(M), 0.0
    if L is None:
        square = J.T @ J
        weight = constraint_weight(M, square)
        L = regular_factor(M + weight * square)
    if L is None:
        raise HeldError("joints move nothing that has inertia", [])
    return L, weight


def _onto(C: Array, missed: Array, size: float) -> Array:
    """Return y of least norm with C y + missed = 0; ``size`` is the scale of the rates in it."""
    y = np.linalg.lstsq(C, -missed, rcond=RANK)[0]
    left = np.abs(C @ y + missed)
    if (left > OPEN * max(float(np.max(np.abs(missed))), size)).any():
        raise HeldError("no velocity obeys all constraints", [])
    return np.asarray(y)
