"""The impact of two systems over any scalar: ``ImpactEquations.at``.

The printed law without friction has equations of formulas.  By all others the real parts of the
numbers decide what pushes, sticks and slips: the impact in floats tells its phases, each of which
is solved over the numbers (``impacts/phase_over_scalars.py``).  So do real parts decide which rows
of loops and constraints are independent; the others are left out.
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
from poinsot.expr.any_scalar import as_scalars, is_symbolic, kind_of, real, reals, replay_over
from poinsot.expr.rank import independent_rows, rank
from poinsot.expr.singularity import constraint_weight, regular_factor
from poinsot.front.impact_by_phases import WHERE, ImpactOverScalars
from poinsot.impacts.impact_law import can_move
from poinsot.impacts.impact_point import ImpactPoint
from poinsot.impacts.law_names import PRINTED
from poinsot.impacts.phase_over_scalars import REDUNDANT
from poinsot.model import suggestion
from poinsot.spatial import Array

__all__ = ["AskedImpact", "ScalarImpact", "impact_at"]

SOLVED: Final = ("impulses", "constraint_impulses", "changes", "v_after")


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
        friction_impulses: At the points across the normals, in inertial axes, shape (s, 3).
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
    friction_impulses: Array

    def __str__(self) -> str:
        shown = {
            "opens before with": self.rates_before,
            "impulses": self.impulses,
            "friction impulses": self.friction_impulses,
            "changes of velocities": self.changes,
            "velocities after": self.v,
        }
        return "\n".join(f"{key}: {_listed(array)}" for key, array in shown.items())


@final
@dataclass(frozen=True, eq=False)
class AskedImpact:
    """What ``ImpactEquations.at`` is given.

    Attributes:
        q: Of both systems.
        v: Before the impact.
        parameters: By name.
        own: Numbers of parameters of their own, by name.
        law: Of the points.
        order: At once, or one after the other.
    """

    q: Sequence[Any]
    v: Sequence[Any]
    parameters: Mapping[str, Any]
    own: Mapping[str, float | None]
    law: str
    order: str


def impact_at(
    traced: TracedCollision, points: Sequence[ImpactPoint], asked: AskedImpact
) -> ScalarImpact:
    """Return an impact at scalars; those of ``ImpactEquations.at``, with numbers of their own."""
    kind, scalars = _scalars(traced, asked)
    given = traced.matrices
    outputs = {
        "M": given.M, "J": given.J, "A": given.A, "b": given.b, "e": given.e,
        "across": given.across, "slip": given.slip, "friction": given.friction,
    }  # fmt: skip
    symbols = traced.symbols
    program = build({"q": symbols.q, "parameters": symbols.parameters}, outputs)
    matrices = CollisionMatrices(
        **dict(zip(outputs, replay_over(kind, program, *scalars[::2]), strict=True))
    )
    v, e = scalars[1], matrices.e
    kept, moved = _independent(traced, matrices.J), _regular(kind, matrices.M, matrices.J)
    rows = moved, matrices.J[kept]
    u, H, G = _replayed(kind, ("rates_before", "H", "G"), *rows, matrices.A, matrices.b, v, e)
    R, across = as_scalars(kind, [0] * len(matrices.J)), as_scalars(kind, [0] * 3 * len(e))
    across = across.reshape(-1, 3)
    if asked.law == PRINTED and asked.order == "simultaneous" and not traced.is_rough:
        _check_none_opens(u)
        _check_none_is_held(moved, matrices.J, matrices.A)
        _check_unique(kind, G)
        P, R[kept], changes, v_after = _replayed(kind, SOLVED, *rows, matrices.A, matrices.b, v, e)
    else:
        law = ImpactOverScalars(kind, points, matrices, v, asked.law, asked.order)
        impulses = law.impulses(*rows)
        P, changes, R[kept] = law.pushed(impulses, *rows)
        v_after, across = v + changes, law.across_normals(impulses)
    results = matrices.M, matrices.A, u, H, G, P, changes, v_after, matrices.J, R, across
    return ScalarImpact(*(np.asarray(x, float) if kind is float else x for x in results))


def _scalars(traced: TracedCollision, asked: AskedImpact) -> tuple[type, list[Array]]:
    """Return the kind of the numbers, and q, v and all parameters."""
    symbols = traced.symbols
    for key, values, wanted in (("q", asked.q, symbols.q), ("v", asked.v, symbols.v)):
        if np.ndim(np.asarray(values, object)) != 1 or len(values) != len(wanted):
            raise ShapeError(f"{WHERE}: {key} must have shape ({len(wanted)},), got {values!r:.80}")
    names = [str(x.value) for x in symbols.parameters]
    for name in asked.parameters:
        if name not in names:
            raise ModelError(f"{WHERE}: no parameter {name!r}; {suggestion(name, names)}")
    known = {**asked.own, **asked.parameters}
    missing = [name for name in names if known.get(name) is None]
    if missing:
        raise ModelError(f"{WHERE}: give a value for parameter {missing[0]!r}")
    numbers = [known[name] for name in names]
    _check_numbers({"q": asked.q, "v": asked.v} | {f"parameter {x!r}": [known[x]] for x in names})
    of_points = [
        [(name, known[name]) for name in (str(x.value) for x in array) if name in names]
        for array in (traced.matrices.e, traced.matrices.friction)
    ]
    _check_laws(*of_points)
    kind = kind_of([*asked.q, *asked.v, *asked.parameters.values()])
    return kind, [as_scalars(kind, x) for x in (asked.q, asked.v, numbers)]


def _check_numbers(given: Mapping[str, Sequence[Any]]) -> None:
    """Reject what is no finite number and no formula."""
    for name, values in given.items():
        for x in values:
            try:
                is_number = is_symbolic(x) or np.isfinite(complex(x))
            except (TypeError, ValueError):
                is_number = False
            if not is_number or isinstance(x, str):
                raise ModelError(f"{WHERE}: {name}: give finite numbers or formulas, got {x!r:.80}")


def _check_laws(restitutions: Sequence[tuple[str, Any]], frictions: Sequence[Any]) -> None:
    """Reject numbers that no restitution and no friction has; of formulas nobody knows."""
    for name, e in restitutions:
        if not is_symbolic(e) and not 0.0 <= real(e) <= 1.0:
            raise ModelError(f"{WHERE}: {name}: restitution must be from 0 to 1, got {e}")
    for name, mu in frictions:
        if not is_symbolic(mu) and real(mu) < 0.0:
            raise ModelError(f"{WHERE}: {name}: friction must be at least 0, got {mu}")


def _independent(traced: TracedCollision, J: Array) -> Array:
    """Return the numbers of rows on which all others depend, by real parts, or as was told."""
    if any(is_symbolic(x) for x in J.ravel()):
        if traced.independent is None:
            raise ModelError(
                f"{WHERE}: nobody knows of formulas which rows of loops and constraints are "
                "independent; give numbers for q and for lengths, or derive_impact numbers for all "
                "parameters (velocities and masses may be symbols)"
            )
        return np.array(traced.independent, dtype=int)
    return independent_rows(reals(J)) if len(J) else np.arange(0)


def _regular(kind: type, M: Array, J: Array) -> Array:
    """Return a mass matrix of the same allowed motions that is regular, M or M + w JᵀJ."""
    if any(is_symbolic(x) for array in (M, J) for x in array.ravel()):
        return M
    numbers, rows = reals(M), reals(J)
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
        matrices=CollisionMatrices(M, J, A, b, e, none, none, none), independent=tuple(range(m)),
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
        if not is_symbolic(u) and real(u) > 0:
            raise ModelError(
                f"{WHERE}: point {k} opens before the impact, and Newton's law would turn that "
                "round: leave it out, or take law='unilateral'"
            )


def _check_none_is_held(M: Array, J: Array, A: Array) -> None:
    """Reject points that constraints hold; of formulas nobody knows."""
    if not len(J) or any(is_symbolic(x) for array in (M, A) for x in array.ravel()):
        return
    held = np.flatnonzero(~can_move(*map(reals, (M, J, A))))
    if held.size:
        raise ModelError(
            f"{WHERE}: points {[k + 1 for k in held.tolist()]}: the constraints do not let them "
            "move; leave them out"
        )


def _listed(array: Array) -> str:
    """Return numbers of any kind in a line, rows with semicolons between them."""
    return "; ".join(", ".join(map(str, row)) for row in np.atleast_2d(array).tolist())
