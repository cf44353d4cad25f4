"""The impact of two systems over any scalar: ``ImpactEquations.at``.

By the unilateral law the real parts of the numbers decide which points push; with these alone the
equations are those of the printed law, where a point that was opening is to stay closed.
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
from poinsot.expr.rank import rank
from poinsot.impacts.impact_law import Contacts, HeldError, jump
from poinsot.impacts.law_names import BY_VELOCITIES, UNILATERAL, check_names
from poinsot.model import suggestion
from poinsot.spatial import Array

__all__ = ["ScalarImpact", "impact_at"]

WHERE: Final = "an impact over any scalar"
REDUNDANT: Final = (
    f"{WHERE}: its impulses are not unique: points are redundant; leave some out, or take "
    "ps.collide, which finds the least ones"
)
GIVEN: Final = ("mass_matrix", "A", "base_rates")


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
    """

    mass_matrix: Array
    A: Array
    rates_before: Array
    H: Array
    G: Array
    impulses: Array
    changes: Array
    v: Array


def impact_at(
    traced: TracedCollision, q: Sequence[Any], v: Sequence[Any],
    parameters: Mapping[str, Any], own: Mapping[str, float | None], law: str,
) -> ScalarImpact:  # fmt: skip
    """Return an impact at scalars; those of ``ImpactEquations.at``, with numbers of their own."""
    if law not in BY_VELOCITIES:
        check_names(WHERE, law)
        raise ModelError(f"{WHERE}: law {law!r} has no equations; take 'printed' or 'unilateral'")
    traced["impulses"]  # refuses what has no formula
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
    M, A, b = replay_over(kind, matrices, scalars[0], scalars[2])
    e = scalars[2][-len(A) :]
    rates, H, G = _replayed(kind, ("rates_before", "H", "G"), M, A, b, scalars[1], e)
    chosen = np.arange(len(A))
    if law == UNILATERAL:
        chosen = _pushing(kind, scalars[1], (M, A, rates, e))
        closes = np.array([_real(x) < 0.0 for x in rates])
        e = np.where(closes, e, 0 * e)  # what opened before is to stay closed, if it has to push
    else:
        _check_none_opens(rates)
    P, changes, v_after = 0 * rates, 0 * scalars[1], scalars[1]
    if chosen.size:
        rows = A[chosen], b[chosen], scalars[1], e[chosen]
        _check_unique(kind, G[np.ix_(chosen, chosen)])
        P[chosen], changes, v_after = _replayed(kind, ("impulses", "changes", "v_after"), M, *rows)
    return ScalarImpact(M, A, rates, H, G, P, changes, v_after)


def _replayed(kind: type, names: tuple[str, ...], *inputs: Array) -> list[Array]:
    """Return quantities of an impact by its matrices."""
    try:
        with np.errstate(all="ignore"):
            return list(replay_over(kind, _solution(*inputs[1].shape, names), *inputs))
    except ZeroDivisionError:
        raise ModelError(REDUNDANT) from None


def _pushing(kind: type, v: Array, given: tuple[Array, Array, Array, Array]) -> Array:
    """Return the numbers of the points that push by the unilateral law, by real parts.

    Args:
        kind: Of scalars.
        v: Velocities before.
        given: M, A, rates before and restitutions.
    """
    if any(is_symbolic(x) for array in (v, *given) for x in array.ravel()):
        raise ModelError(
            f"{WHERE}: law='unilateral' decides by size which points push, which formulas have "
            "not; give numbers, or take law='printed'"
        )
    M, A, u, e = (np.vectorize(_real, otypes=[np.float64])(x) for x in given)
    speeds = np.vectorize(_real, otypes=[np.float64])(v)
    try:
        done = jump(M, speeds, np.zeros((0, v.size)), np.zeros(0), Contacts(A, u, e))
    except HeldError as error:
        raise ModelError(f"{WHERE}: points {[k + 1 for k in error.contacts]}: {error}") from None
    return np.flatnonzero(done.impulses > 0.0)


def _real(x: Any) -> float:  # noqa: ANN401 (any number)
    """Return the real part of a number as a float; SymPy's numbers have no ``real``."""
    return float(getattr(x, "real", x))


@lru_cache(maxsize=32)
def _solution(s: int, n: int, names: tuple[str, ...]) -> Program:
    """Return quantities of an impact by its matrices, in which no numbers are rounded."""
    sizes = {"M": (n, n), "A": (s, n), "b": (s,), "v": (n,), "e": (s,)}
    given = {key: fresh_symbols(key, int(np.prod(size))) for key, size in sizes.items()}
    M, A, b, v, e = (given[key].reshape(size) for key, size in sizes.items())
    none = np.zeros(0, dtype=object)
    symbols = Notation(none, v, none, none, none, none, e, {})
    whole = TracedCollision(
        "an impact", symbols, is_plain=True, is_rough=False,
        matrices=CollisionMatrices(M, np.zeros((0, n)), A, b, e),
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
