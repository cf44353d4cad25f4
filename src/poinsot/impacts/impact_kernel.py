"""Impacts of two trees as machine code: many states at once.

Machine code does not look whether impulses are unique; the least pivot of the impulse matrix tells
it afterwards, and states where it is small are left to ``impact_law.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from poinsot.expr import maximum, minimum, select
from poinsot.expr.linalg import cholesky, ldl, ldl_solve, solve_lower, solve_lower_transposed
from poinsot.impacts.law_names import PRINTED
from poinsot.spatial import Array

__all__ = ["impact_of_trees", "unilateral_impulses"]


def impact_of_trees(
    masses: Sequence[Array], rows: Sequence[Array], velocities: Sequence[Array], given: Array,
    e: Array, law: str,
) -> dict[str, Array]:  # fmt: skip
    """Return what an impact does, over any scalar; s points, as in ``impact_law.py``.

    G = A M⁻¹ Aᵀ, G P = H = -(1 + e) u, dv = M⁻¹ Aᵀ P      [Zhang1996, (3.25), (3.29), (3.30)]

    Args:
        masses: Mass matrices of the systems, shapes (n, n).
        rows: Rates of opening by their velocities, shapes (s, n).
        velocities: Before it, shapes (n,).
        given: Rates of opening by motions of the bases, shape (s,).
        e: Restitution, shape (s,).
        law: "printed" or "unilateral".

    Returns:
        "impulses", "rates_before", "rates", shapes (s,); "changes" of all velocities; "pivot", the
        least one of G by its diagonal, shape (1,).
    """
    u = given + sum(A @ v for A, v in zip(rows, velocities, strict=True))
    factors = [cholesky(M) for M in masses]
    B = [solve_lower(L, A.T) for L, A in zip(factors, rows, strict=True)]
    G = sum(half.T @ half for half in B)
    L, inverses = ldl(G)
    sines = [1.0 / (d * g) for d, g in zip(inverses, np.diagonal(G), strict=True)]
    pivot = sines[0]
    for sine in sines[1:]:
        pivot = minimum(pivot, sine)
    if law == PRINTED:
        P = ldl_solve(L, inverses, -(1.0 + e) * u)
    else:
        least = np.array([maximum(0.0, x) for x in -e * u], dtype=u.dtype)
        P = unilateral_impulses(G, least - u)
    parts = [
        solve_lower_transposed(factor, half @ P) for factor, half in zip(factors, B, strict=True)
    ]
    return {
        "impulses": P,
        "rates_before": u,
        "rates": u + G @ P,
        "changes": np.concatenate(parts),
        "pivot": np.array([pivot]),
    }


def unilateral_impulses(G: Array, h: Array) -> Array:
    """Return the P with 0 <= P, 0 <= G P - h, P (G P - h) = 0, over any scalar, shape (s,).

    All 2ˢ sets of points that push are solved, and the one that violates the inequalities least, in
    units of h, is taken: G is positive definite, so exactly one set obeys them but for ties,
    which give the same P (K. G. Murty, Linear Complementarity, 1988, theorem 3.1).

    Args:
        G: Shape (s, s).
        h: Shape (s,).

    >>> unilateral_impulses(np.array([[2.0, 1.0], [1.0, 1.0]]), np.array([4.0, 1.0])).tolist()
    [2.0, 0.0]
    """
    s = len(h)
    best: list[Any] = [0.0] * s
    least: Any = None
    for pushing in product((True, False), repeat=s):
        inside = [k for k in range(s) if pushing[k]]
        P = ldl_solve(*ldl(G[np.ix_(inside, inside)]), h[inside]) if inside else h[:0]
        beyond: Any = 0.0
        for k, x in zip(inside, P, strict=True):
            beyond = maximum(beyond, -x * G[k, k])
        for k in set(range(s)) - set(inside):
            beyond = maximum(beyond, h[k] - sum(G[k, inside] * P))
        full = dict(zip(inside, P, strict=True))
        if least is None:
            least, best = beyond, [full[k] for k in range(s)]
            continue
        better = beyond < least
        best = [select(better, full.get(k, 0.0), x) for k, x in enumerate(best)]
        least = minimum(beyond, least)
    return np.array([maximum(0.0, x) for x in best], dtype=h.dtype)
