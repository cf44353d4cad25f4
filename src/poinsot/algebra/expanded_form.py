"""Expressions multiplied out and brought to their shortest form, for small systems."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import numpy as np

from poinsot.algebra.normal_form import NormalForm
from poinsot.algebra.notation import Notation
from poinsot.algebra.polynomial import ONE, Polynomial, TooLargeError
from poinsot.algebra.shortest_form import Presentation
from poinsot.errors import PoinsotError
from poinsot.expr import Expr, all_to_sympy, as_expr
from poinsot.spatial import Array

MOST_TERMS: Final = 1_500
"""Terms that an entry may have, written out; nobody reads more."""

MOST_UNKNOWNS: Final = 3
"""Accelerations that are solved for by Cramer's rule."""


def expanded(entries: Array, symbols: Notation, what: str) -> Array:
    """Return expressions in their shortest form, in the same shape.

    Args:
        entries: Expressions and numbers, any shape.
        symbols: Those that they are made of, in the order in which they are written.
        what: What they are; opens the message of an error.

    Raises:
        PoinsotError: They have too many terms.
    """
    roots = [as_expr(x) for x in np.ravel(entries).tolist()]
    form = _form(symbols)
    try:
        polynomials = form.polynomials(roots)
    except TooLargeError:
        raise _refusal(what) from None
    write = Presentation(form, symbols.rates).expression
    return _filled([write(polynomial) for polynomial in polynomials], np.shape(entries))


def expanded_solution(M: Array, force: Array, symbols: Notation, what: str) -> Array:
    """Return the solution of M x = force by Cramer's rule, each entry one quotient, shape (n,).

    Args:
        M: Symmetric matrix of expressions, shape (n, n).
        force: Right-hand side, shape (n,).
        symbols: Those that they are made of, in the order in which they are written.
        what: What the solution is; opens the message of an error.

    Raises:
        PoinsotError: There are too many unknowns or terms, or M is singular.
    """
    n = len(force)
    if n > MOST_UNKNOWNS:
        raise PoinsotError(
            f"{what} for {n} velocities would be quotients of determinants that nobody reads; take "
            ".compact, or mass_matrix and bias"
        )
    form = _form(symbols)
    try:
        entries = form.polynomials([as_expr(x) for x in (*np.ravel(M).tolist(), *force.tolist())])
        matrix = [entries[n * i : n * i + n] for i in range(n)]
        right = entries[n * n :]
        determinant = _determinant(form, matrix)
        numerators = [_determinant(form, _with_column(matrix, k, right)) for k in range(n)]
    except TooLargeError:
        raise _refusal(what) from None
    write = Presentation(form, symbols.rates).expression
    if not determinant:
        raise PoinsotError(
            f"{what}: the determinant of the mass matrix is 0, whatever the parameters are; give "
            "all that moves a mass, or an inertia where it turns"
        )
    if determinant.keys() == {ONE}:  # divide the coefficients by the constant
        inverse = form.arithmetic.power(determinant, -1)
        return _filled(
            [write(form.arithmetic.multiply(numerator, inverse)) for numerator in numerators], (n,)
        )
    below = write(determinant)
    return _filled([write(numerator) / below for numerator in numerators], (n,))


def as_sympy(entries: Array) -> Any:  # noqa: ANN401 (SymPy)
    """Return expressions as SymPy's: one formula, a column or a matrix."""
    import sympy

    shape = np.shape(entries)
    flat = all_to_sympy(np.ravel(entries).tolist(), {"pi": sympy.pi})
    if not shape:
        return flat[0]
    return sympy.Matrix(shape[0], shape[1] if len(shape) > 1 else 1, flat)


def _determinant(form: NormalForm, rows: list[list[Polynomial]]) -> Polynomial:
    """Return a determinant by its first row; 1 where there is none."""
    if not rows:
        return {ONE: Fraction(1)}
    do = form.arithmetic
    total: Polynomial = {}
    for k, entry in enumerate(rows[0]):
        if entry:
            minor = _determinant(form, [[*row[:k], *row[k + 1 :]] for row in rows[1:]])
            total = do.add(total, do.multiply(entry, minor), -1 if k % 2 else 1)
    return total


def _with_column(
    matrix: list[list[Polynomial]], k: int, column: list[Polynomial]
) -> list[list[Polynomial]]:
    return [[*row[:k], b, *row[k + 1 :]] for row, b in zip(matrix, column, strict=True)]


def _form(symbols: Notation) -> NormalForm:
    """Return a normal form whose generators begin with the symbols, in their order."""
    form = NormalForm(MOST_TERMS)
    form.polynomials(symbols.ordered)
    return form


def _filled(entries: list[Expr], shape: tuple[int, ...]) -> Array:
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    return array.reshape(shape)


def _refusal(what: str) -> PoinsotError:
    return PoinsotError(
        f"{what}, multiplied out, has an entry of over {MOST_TERMS} terms; take .compact, which "
        "names what is shared, or give some parameters numbers"
    )
