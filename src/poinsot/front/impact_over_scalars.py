"""The impact of two systems over any scalar: ``ImpactEquations.at``."""

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
from poinsot.model import suggestion
from poinsot.spatial import Array

__all__ = ["ScalarImpact", "impact_at"]

WHERE: Final = "an impact over any scalar"
GIVEN: Final = ("mass_matrix", "A", "base_rates")
SOLVED: Final = ("rates_before", "H", "G", "impulses", "changes", "v_after")


@final
@dataclass(frozen=True, eq=False)
class ScalarImpact:
    """What an impact does, of the scalars that were given; s points, n velocities of both.

    Attributes:
        mass_matrix: M, shape (n, n).
        A: Rates of opening by the velocities, shape (s, n).
        rates_before: How fast the points open before it, shape (s,).
        H: Changes of these rates, shape (s,).
        G: Impulse matrix, shape (s, s).
        impulses: At the points, shape (s,).
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
    parameters: Mapping[str, Any], own: Mapping[str, float | None],
) -> ScalarImpact:  # fmt: skip
    """Return an impact at scalars; those of ``ImpactEquations.at``, with numbers of their own."""
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
    try:
        with np.errstate(all="ignore"):
            solved = replay_over(kind, _solution(*A.shape), M, A, b, scalars[1], e)
    except ZeroDivisionError:
        solved = ()
    results = dict(zip(SOLVED, solved, strict=False))
    _check(kind, results)
    return ScalarImpact(M, A, *(results[name] for name in SOLVED))


@lru_cache(maxsize=32)
def _solution(s: int, n: int) -> Program:
    """Return the program of an impact by its matrices, in which no numbers are rounded."""
    sizes = {"M": (n, n), "A": (s, n), "b": (s,), "v": (n,), "e": (s,)}
    given = {key: fresh_symbols(key, int(np.prod(size))) for key, size in sizes.items()}
    M, A, b, v, e = (given[key].reshape(size) for key, size in sizes.items())
    none = np.zeros(0, dtype=object)
    symbols = Notation(none, v, none, none, none, none, e, {})
    whole = TracedCollision(
        "an impact", symbols, is_plain=True, is_rough=False,
        matrices=CollisionMatrices(M, np.zeros((0, n)), A, b, e),
    )  # fmt: skip
    return build(given, {name: whole[name] for name in SOLVED})


def _is_unique(kind: type, G: Array) -> bool:
    """Say whether impulses are unique; of fractions they are wherever there are some."""
    if kind is Fraction:
        return True
    numbers = G.astype(np.complex128).real
    size = np.sqrt(np.diagonal(numbers))
    return bool((size > 0.0).all()) and rank(numbers / np.outer(size, size)) == len(G)


def _check(kind: type, results: dict[str, Array]) -> None:
    """Reject impulses that are not unique and points that open; of formulas nobody knows."""
    if results and any(is_symbolic(x) for array in results.values() for x in array.ravel()):
        return
    if not results or not _is_unique(kind, results["G"]):
        raise ModelError(
            f"{WHERE}: its impulses are not unique: points are redundant; leave some out, or take "
            "ps.collide, which finds the least ones"
        )
    for k, u in enumerate(results["rates_before"], start=1):
        if (u if kind is object else u.real) > 0:
            raise ModelError(
                f"{WHERE}: point {k} opens before the impact, and Newton's law would turn that "
                "round: leave it out"
            )
