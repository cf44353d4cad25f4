"""The impulses of one phase of an impact over any numbers, what pushes and sticks being known."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

import numpy as np

from poinsot.errors import ModelError, PoinsotError
from poinsot.expr.any_scalar import as_scalars, length, real, reals, solve_over
from poinsot.expr.rank import rank
from poinsot.impacts.impact_phase import ImpactPhase
from poinsot.impacts.impact_process import impact_process
from poinsot.spatial import Array

__all__ = ["REDUNDANT", "ScalarPoints", "phase_impulses"]

STEPS: Final = 20
"""Steps of Newton's method for the direction of slip, from that of floats: each doubles digits."""
FEW: Final = 2
"""Steps that are always taken, so that imaginary parts converge too; the last ones change less."""
NONE: Final = 1e-13
"""Velocity by an impulse along it that counts as none, relative to the largest of all points."""
REDUNDANT: Final = (
    "an impact over any scalar: its impulses are not unique: points are redundant, or friction "
    "holds what a normal impulse stops already; leave some out, or take ps.collide, which finds "
    "least ones"
)
NO_DIRECTION: Final = (
    "the direction of slip has no exact value as a fraction: take floats, or mpmath"
)


@final
@dataclass(frozen=True, eq=False)
class ScalarPoints:
    """Points that touch, s of them, over numbers of a kind.

    Attributes:
        kind: From ``kind_of``.
        K: Velocities along normals and tangents by impulses along them, shape (3 s, 3 s).
        e: Restitutions, shape (s,).
        friction: Coulomb's μ, shape (s,).
        reversed_slip: Tangential restitutions, shape (s,).
    """

    kind: type
    K: Array
    e: Array
    friction: Array
    reversed_slip: Array


def phase_impulses(
    points: ScalarPoints, phase: ImpactPhase, before: Array, given: Array, law: str
) -> Array:
    """Return the impulses of a phase (``impact_phase.py``), shape (s, 3).

    Args:
        points: What touches.
        phase: The phase in floats, which tells what pushes, sticks and slips.
        before: Velocities before it, shape (s, 3).
        given: Normal impulses of points that do not push, shape (s,).
        law: Of the point that is followed along its impulse, if one is.

    Raises:
        ModelError: If impulses are not unique.
        PoinsotError: If fractions have no exact result.
    """
    if phase.is_followed:
        k = phase.point
        assert k is not None, "one point is followed"
        own = slice(3 * k, 3 * k + 3)
        numbers = points.e[k], points.friction[k], law
        P = 0 * before
        P[k] = impact_process(points.K[own, own], before[k], *numbers, kind=points.kind)[0]
        return P
    slips = _slips(points, phase)
    P = _exactly(points.kind, phase.P.ravel() if slips else np.zeros(phase.P.size))
    last = np.inf
    for step in range(STEPS if slips else 1):
        left, residual = _equations(points, phase, (before, given), P.reshape(-1, 3))
        change = _step(points, left, residual)
        P = P - change
        moved = max(float(abs(x)) for x in change)
        if step >= FEW and (moved == 0.0 or moved > last / 2.0 or _is_exact(points.kind, P)):
            break
        last = moved
    if slips and _is_exact(points.kind, P):
        _, residual = _equations(points, phase, (before, given), P.reshape(-1, 3))
        if any(x != 0 for x in residual):
            raise PoinsotError(NO_DIRECTION)
    return P.reshape(-1, 3)


def _exactly(kind: type, numbers: Array) -> Array:
    """Return floats as numbers of a kind, SymPy's as fractions."""
    if kind is not object:
        return as_scalars(kind, numbers.tolist())
    import sympy

    return as_scalars(kind, [sympy.Rational(*x.as_integer_ratio()) for x in numbers.tolist()])


def _unit_matrix(kind: type, n: int) -> Array:
    return np.asarray(as_scalars(kind, np.eye(n, dtype=int).ravel().tolist()).reshape(n, n))


def _slips(points: ScalarPoints, phase: ImpactPhase) -> bool:
    """Say whether a point slips, so that the equations are not linear."""
    return bool((~phase.sticks & (reals(points.friction) > 0.0) & (phase.P[:, 0] > 0.0)).any())


def _equations(
    points: ScalarPoints, phase: ImpactPhase, start: tuple[Array, Array], P: Array
) -> tuple[Array, Array]:
    """Return derivatives of the equations by the impulses, (3 s, 3 s), and what misses, (3 s,).

    Of slip, with its direction d = σ/|σ|,

        r = P_t + μ P_n d,      dr = dP_t + μ d dP_n + (μ P_n / |σ|) (1 - d dᵀ) dσ
    """
    before, given = start
    K, s, units = points.K, len(P), _unit_matrix(points.kind, P.size)
    after = before + (K @ P.ravel()).reshape(s, 3)
    left, residual = np.empty(K.shape, dtype=object), np.empty(3 * s, dtype=object)
    none = phase.kind != "velocities"
    for k in range(s):
        n, across = 3 * k, slice(3 * k + 1, 3 * k + 3)
        if phase.pushes[k]:
            b = 0 if none or phase.bounces[k] == 0.0 else points.e[k]
            left[n], residual[n] = K[n], after[k, 0] + b * before[k, 0]
        else:
            left[n], residual[n] = units[n], P[k, 0] - given[k]
        held = 0 if none else points.reversed_slip[k]
        slip, mu = after[k, 1:] + held * before[k, 1:], points.friction[k]
        left[across], residual[across] = units[across], P[k, 1:]
        if phase.sticks[k]:
            left[across], residual[across] = _sticking(K, across, slip, P[k, 1:])
        elif real(mu) > 0.0 and phase.P[k, 0] > 0.0:
            if _is_exact(points.kind, slip) and slip[0] != 0 and slip[1] != 0:
                raise PoinsotError(NO_DIRECTION)
            size = length(points.kind, slip[0], slip[1])
            d, force = slip / size, mu * P[k, 0]
            turn = (_unit_matrix(points.kind, 2) - np.outer(d, d)) * (force / size)
            left[across] = units[across] + np.outer(mu * d, units[n]) + turn @ K[across]
            residual[across] = P[k, 1:] + force * d
    return left, residual


def _sticking(K: Array, across: slice, slip: Array, P_t: Array) -> tuple[Array, Array]:
    """Return the equations of a point that sticks, (2, 3 s), and what misses, (2,).

    Where impulses along a direction move nothing, as across the plane of a motion, there is none
    along it: z · P_t = 0 with K_tt z = 0.
    """
    own = K[across, across]
    numbers = reals(own)
    left, residual = K[across].copy(), slip.copy()
    along = rank(numbers) if numbers.max() > NONE * float(reals(np.diagonal(K)).max()) else 0
    stronger = int(numbers[1, 1] > numbers[0, 0])
    for row in (0, 1) if along == 0 else (1 - stronger,) if along == 1 else ():
        z = 0 * P_t
        z[row] = own[stronger, stronger] if along else 1 + z[row]
        z[1 - row] = -own[stronger, row] if along else z[1 - row]
        left[row] = 0 * left[row]
        left[row, across], residual[row] = z, z @ P_t
    return left, residual


def _step(points: ScalarPoints, left: Array, residual: Array) -> Array:
    """Return the change of the impulses."""
    numbers = reals(left)
    size = np.linalg.norm(numbers, axis=1)
    if not size.all() or rank(numbers / size[:, None]) < len(numbers):
        raise ModelError(REDUNDANT)
    return np.asarray(solve_over(left, residual))


def _is_exact(kind: type, P: Array) -> bool:
    """Say whether numbers are fractions, or SymPy's exact ones."""
    return kind is Fraction or (kind is object and all(x.is_rational for x in P))
