"""How far the rank of the constraints is from changing, as one straight-line program.

What ``System.mobility`` tells of one configuration and what derivatives of accelerations warn by,
for programs that cannot warn: exported ones.

    B = Q T,     distance of row j from the space of the others = 1 / |row j of T⁻¹|

with the independent rows B as columns, their orthonormal basis Q and the triangle T.  Rows that are
left out become independent next to the configuration where, to first order,

    λᵀ (D_u J) w ≠ 0

with multipliers λ that do no work (left null space) and free motions u, w, here one of each.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from poinsot.expr import fresh_symbols, maximum, select, sqrt, tangent
from poinsot.expr.least_squares import Basis, allowed, orthonormal
from poinsot.expr.rank_tolerances import NEARLY_SINGULAR, RISING
from poinsot.expr.replay import with_values
from poinsot.expr.sparse_arithmetic import dot, is_zero, times, total
from poinsot.formulations.constrained.constraint_rows import all_rows, unmasked_jacobian
from poinsot.formulations.position_rate import position_rate
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array, Scalar

__all__ = ["constraint_margin"]

FREE: Final = 1e-6
"""Squared length of what constraints leave of a unit vector, up to which nothing can move."""


def constraint_margin(mechanism: Mechanism, q: Array, environment: Environment) -> Array:
    """Return near, margin, rank and rise of the constraints, shape (4,).

        near    1 next to or at a change of rank, else 0
        margin  distance of the nearest independent row from the others, relative to the longest;
                next to a change of rank it is less than ``NEARLY_SINGULAR``; 1 without any
        rank    number of independent rows, of a loop the largest remainders first; where some are
                redundant the margin depends on which, and ``mobility`` takes them in order
        rise    rate at which rows that are left out become independent, relative to that of the
                rows; at a change of rank it is more than ``RISING``

    Args:
        mechanism: The bodies, loops and constraints.
        q: Configuration [m or rad], shape (nq,).
        environment: Its time counts.
    """
    J = all_rows(mechanism, q, np.zeros(mechanism.nv), environment.t).J
    longest = _largest(dot(row, row) for row in J.tolist())
    basis = orthonormal(J.tolist(), blocks=mechanism.row_slices)
    inverse = _inverted_triangle(basis)
    least = longest
    for row, direction in zip(inverse, basis.directions, strict=True):
        distance = 1.0 / total(times(x, x) for x in row)
        least = _smaller(least, select(direction.kept > 0.5, distance, least))
    margin = sqrt(_positive(least) / _positive(longest))
    rise = _rise(mechanism, q, environment, basis, inverse, longest)
    rank = total(direction.kept for direction in basis.directions)
    near = maximum(_truth(margin < NEARLY_SINGULAR), _truth(rise > RISING))
    return np.array([near, margin, rank, rise])


def _rise(
    mechanism: Mechanism, q: Array, environment: Environment, basis: Basis,
    inverse: list[list[Scalar]], longest: Scalar,
) -> Scalar:  # fmt: skip
    """Return |λᵀ (D_u J) w| for one free motion each, relative to the rows and their rates."""
    rng = np.random.default_rng(0)  # any motions will do, but for some that nobody meets
    u, w = (_unit(allowed(basis, rng.normal(size=mechanism.nv).tolist())) for _ in range(2))
    symbols = fresh_symbols("q", mechanism.nq)
    J = unmasked_jacobian(mechanism, symbols, environment)
    rates = tangent(
        J @ np.array(w, object), symbols, position_rate(mechanism, symbols, np.array(u))
    )
    g = with_values(np.asarray(rates), symbols, q).tolist()
    taken = [
        total(times(hot, g[k]) for k, hot in direction.chosen.items())
        for direction in basis.directions
    ]
    n = len(taken)
    y = [total(times(inverse[i][j], taken[i]) for i in range(n)) for j in range(n)]
    kept = basis.kept
    risen: list[Scalar] = []
    for k, rate in enumerate(g):
        shared = [times(y[i], basis.directions[i].along[k]) for i in range(n)]
        risen.append(abs(times(1.0 - kept[k], rate - total(shared))))
    scale = maximum(longest, _largest(times(rate, rate) for rate in g))
    return total(risen) / sqrt(_positive(scale))


def _inverted_triangle(basis: Basis) -> list[list[Scalar]]:
    """Return T⁻¹ by rows, T_ij being q_i times the row of direction j; 1 for those left out."""
    directions, n = basis.directions, len(basis.directions)
    T: list[list[Scalar]] = [[0.0] * n for _ in range(n)]
    for j, direction in enumerate(directions):
        for i in range(j + 1):
            along = directions[i].along
            products = (times(hot, along[k]) for k, hot in direction.chosen.items())
            T[i][j] = times(direction.kept, total(products))
        T[j][j] = select(direction.kept > 0.5, T[j][j], 1.0)
    inverse: list[list[Scalar]] = [[0.0] * n for _ in range(n)]
    for j in range(n):
        inverse[j][j] = 1.0 / T[j][j]
        for i in reversed(range(j)):
            known = total(times(T[i][k], inverse[k][j]) for k in range(i + 1, j + 1))
            inverse[i][j] = -times(known, inverse[i][i])
    return inverse


def _unit(vector: list[Scalar]) -> list[Scalar]:
    """Return a vector of unit length, or zeros where it is next to nothing."""
    squared = dot(vector, vector)
    if is_zero(squared):
        return vector
    inverse = select(squared > FREE, 1.0 / sqrt(select(squared > FREE, squared, 1.0)), 0.0)
    return [times(inverse, x) for x in vector]


def _largest(numbers: Any) -> Scalar:  # noqa: ANN401 (an iterable of them)
    largest: Scalar = 0.0
    for x in numbers:
        largest = maximum(largest, x)
    return largest


def _smaller(a: Scalar, b: Scalar) -> Scalar:
    return select(b < a, b, a)


def _positive(x: Scalar) -> Scalar:
    return maximum(x, np.finfo(float).tiny)


def _truth(condition: Any) -> Scalar:  # noqa: ANN401 (a bool or an expression)
    return select(condition, 1.0, 0.0)
