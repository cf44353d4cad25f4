"""The impact of two systems over any scalar: ``ImpactEquations.at``.

By the unilateral law the real parts of the numbers decide which points push; with these alone the
equations are those of the printed law, where a point that was opening is to stay closed.  So do
real parts decide which rows of loops and constraints are independent; the others are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, final

import numpy as np

from poinsot.algebra.collision_equations import CollisionMatrices, TracedCollision
from poinsot.algebra.notation import Notation
from poinsot.errors import ModelError, ShapeError
from poinsot.expr import Program, build, fresh_symbols
from poinsot.expr.any_scalar import as_scalars, is_symbolic, kind_of, replay_over
from poinsot.expr.rank import rank, row_basis
from poinsot.expr.singularity import constraint_weight, regular_factor
from poinsot.impacts.impact_law import Contacts, HeldError, can_move, jump
from poinsot.impacts.law_names import BY_VELOCITIES, UNILATERAL, check_names
from poinsot.model import suggestion
from poinsot.spatial import Array

__all__ = ["ScalarImpact", "impact_at"]

WHERE: Final = "an impact over any scalar"
REDUNDANT: Final = (
    f"{WHERE}: its impulses are not unique: points are redundant; leave some out, or take "
    "ps.collide, which finds the least ones"
)
SOLVED: Final = ("impulses", "constraint_impulses", "changes", "v_after")
GIVEN: Final = ("mass_matrix", "constraint_jacobian", "A", "base_rates")


@final
@dataclass(frozen=True, eq=False)
class ScalarImpact:
    """What an impact does, of the scalars that were given; s points, n velocities of both.

    Attributes:
        mass_matrix: M, shape (n, n).
        A: Rates of opening by the velocities, shape (s, n).
        rates_before: How fast the points open before it, shape (s,).
        H: What Newton's law asks of the change of these rates, shape (s,).
        G: Impulse matrix, shape (s, s).
        impulses: At the points, shape (s,); 0 where points are let go by the unilateral law.
        changes: Of all velocities, shape (n,).
        v: Velocities after it, shape (n,).
        J: Rows of loops and constraints, shape (m, n).
        constraint_impulses: Along these rows, shape (m,); 0 of rows that depend on others.
    """

    mass_matrix: Array
    A: Array
    rates_before: Array
    H: Array
    G: Array
    impulses: Array
    changes: Array
    v: Array
    J: Array
    constraint_impulses: Array


def impact_at(
    traced: TracedCollision, q: Sequence[Any], v: Sequence[Any],
    parameters: Mapping[str, Any], own: Mapping[str, float | None], law: str,
) -> ScalarImpact:  # fmt: skip
    """Return an impact at scalars; those of ``ImpactEquations.at``, with numbers of their own."""
    if law not in BY_VELOCITIES:
        check_names(WHERE, law)
        raise ModelError(f"{WHERE}: law {law!r} has no equations; take 'printed' or 'unilateral'")
    if traced.is_rough:
        raise ModelError(
            f"{WHERE}: friction decides by cases and has no equations; take ps.collide"
        )
    symbols = traced.symbols
    for key, values, wanted in (("q", q, symbols.q), ("v", v, symbols.v)):
        if np.ndim(np.asarray(values, object)) != 1 or len(values) != len(wanted):
            raise ShapeError(f"{WHERE}: {key} must have shape ({len(wanted)},), got {values!r:.80}")
    names = [str(x.value) for x in symbols.parameters]
    for name in parameters:
        if name not in names:
            raise ModelError(f"{WHERE}: no parameter {name!r}; {suggestion(name, names)}")
    missing = [name for name in names if parameters.get(name, own.get(name)) is None]
    if missing:
        raise ModelError(f"{WHERE}: give a value for parameter {missing[0]!r}")
    numbers = [parameters[name] if name in parameters else own[name] for name in names]
    kind = kind_of([*q, *v, *parameters.values()])
    scalars = [as_scalars(kind, x) for x in (q, v, numbers)]
    matrices = build(
        {"q": symbols.q, "parameters": symbols.parameters}, {name: traced[name] for name in GIVEN}
    )
    M, J, A, b = replay_over(kind, matrices, scalars[0], scalars[2])
    kept, moved = _independent(J), _regular(kind, M, J)
    e = scalars[2][-len(A) :]
    rates, H, G = _replayed(kind, ("rates_before", "H", "G"), moved, J[kept], A, b, scalars[1], e)
    chosen = np.arange(len(A))
    if law == UNILATERAL:
        chosen = _pushing(kind, scalars[1], (moved, J, A, rates, e))
        closes = np.array([_real(x) < 0.0 for x in rates])
        e = np.where(closes, e, 0 * e)  # what opened before is to stay closed, if it has to push
    else:
        _check_none_opens(rates)
        _check_none_is_held(moved, J, A)
    P, R, changes, v_after = 0 * rates, as_scalars(kind, [0] * len(J)), 0 * scalars[1], scalars[1]
    if chosen.size:
        rows = J[kept], A[chosen], b[chosen], scalars[1], e[chosen]
        _check_unique(kind, G[np.ix_(chosen, chosen)])
        P[chosen], R[kept], changes, v_after = _replayed(kind, SOLVED, moved, *rows)
    return ScalarImpact(M, A, rates, H, G, P, changes, v_after, J, R)


def _independent(J: Array) -> Array:
    """Return the numbers of rows on which all others depend, ascending, by real parts."""
    if any(is_symbolic(x) for x in J.ravel()):
        raise ModelError(
            f"{WHERE}: nobody knows of formulas which rows of loops and constraints are "
            "independent; give numbers for q and for lengths (velocities and masses may be symbols)"
        )
    if not len(J):
        return np.arange(0)
    basis, order = row_basis(_reals(J))
    return np.sort(np.array(order)[basis.chosen])


def _regular(kind: type, M: Array, J: Array) -> Array:
    """Return a mass matrix of the same allowed motions that is regular, M or M + w JᵀJ."""
    if any(is_symbolic(x) for x in M.ravel()):
        return M
    numbers, rows = _reals(M), _reals(J)
    if regular_factor(numbers) is not None:
        return M
    square = rows.T @ rows
    w = constraint_weight(numbers, square)
    if regular_factor(numbers + w * square) is None:
        raise ModelError(f"{WHERE}: joints move nothing that has inertia; give them some")
    return np.asarray(M + as_scalars(kind, [w])[0] * (J.T @ J))


def _replayed(kind: type, names: tuple[str, ...], *inputs: Array) -> list[Array]:
    """Return quantities of an impact by its matrices M, J, A and so on."""
    M, J, A = inputs[:3]
    solution = _solution(len(J), len(A), len(M), names)
    try:
        with np.errstate(all="ignore"):
            return list(replay_over(kind, solution, *inputs))
    except ZeroDivisionError:
        raise ModelError(REDUNDANT) from None


def _pushing(kind: type, v: Array, given: tuple[Array, Array, Array, Array, Array]) -> Array:
    """Return the numbers of the points that push by the unilateral law, by real parts.

    Args:
        kind: Of scalars.
        v: Velocities before.
        given: M, J, A, rates before and restitutions.
    """
    if any(is_symbolic(x) for array in (v, *given) for x in array.ravel()):
        raise ModelError(
            f"{WHERE}: law='unilateral' decides by size which points push, which formulas have "
            "not; give numbers, or take law='printed'"
        )
    M, J, A, u, e = map(_reals, given)
    try:
        done = jump(M, _reals(v), J, np.zeros(len(J)), Contacts(A, u, e))
    except HeldError as error:
        raise ModelError(f"{WHERE}: points {[k + 1 for k in error.contacts]}: {error}") from None
    return np.flatnonzero(done.impulses > 0.0)


def _real(x: Any) -> float:  # noqa: ANN401 (any number)
    """Return the real part of a number as a float; SymPy's numbers have no ``real``."""
    return complex(x).real


def _reals(array: Array) -> Array:
    """Return the real parts of numbers as floats."""
    return np.array([_real(x) for x in array.ravel()]).reshape(array.shape)


@lru_cache(maxsize=32)
def _solution(m: int, s: int, n: int, names: tuple[str, ...]) -> Program:
    """Return quantities of an impact by its matrices, in which no numbers are rounded."""
    sizes = {"M": (n, n), "J": (m, n), "A": (s, n), "b": (s,), "v": (n,), "e": (s,)}
    given = {key: fresh_symbols(key, int(np.prod(size))) for key, size in sizes.items()}
    M, J, A, b, v, e = (given[key].reshape(size) for key, size in sizes.items())
    none = np.zeros(0, dtype=object)
    symbols = Notation(none, v, none, none, none, none, e, {})
    whole = TracedCollision(
        "an impact", symbols, is_plain=True, is_rough=False,
        matrices=CollisionMatrices(M, J, A, b, e), are_rows_independent=True,
    )  # fmt: skip
    return build(given, {name: whole[name] for name in names})


def _is_unique(kind: type, G: Array) -> bool:
    """Say whether impulses are unique; of fractions they are wherever there are some."""
    if kind is Fraction:
        return True
    numbers = G.astype(np.complex128).real
    size = np.sqrt(np.diagonal(numbers))
    return bool((size > 0.0).all()) and rank(numbers / np.outer(size, size)) == len(G)


def _check_unique(kind: type, G: Array) -> None:
    """Reject impulses that are not unique; of formulas nobody knows."""
    if not any(is_symbolic(x) for x in G.ravel()) and not _is_unique(kind, G):
        raise ModelError(REDUNDANT)


def _check_none_opens(rates: Array) -> None:
    """Reject points that open; of formulas nobody knows."""
    for k, u in enumerate(rates, start=1):
        if not is_symbolic(u) and _real(u) > 0:
            raise ModelError(
                f"{WHERE}: point {k} opens before the impact, and Newton's law would turn that "
                "round: leave it out, or take law='unilateral'"
            )


def _check_none_is_held(M: Array, J: Array, A: Array) -> None:
    """Reject points that constraints hold; of formulas nobody knows."""
    if not len(J) or any(is_symbolic(x) for array in (M, A) for x in array.ravel()):
        return
    held = np.flatnonzero(~can_move(*map(_reals, (M, J, A))))
    if held.size:
        raise ModelError(
            f"{WHERE}: points {[k + 1 for k in held.tolist()]}: the constraints do not let them "
            "move; leave them out"
        )
