"""Expressions become SymPy's and come back; SymPy says what they are worth."""

import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from poinsot.errors import FormulaError
from poinsot.expr import Op, build, symbol
from poinsot.expr.from_sympy import from_sympy, is_sympy
from poinsot.expr.ops import ARITY, LEAVES
from poinsot.expr.to_sympy import all_to_sympy, sympy_number, to_sympy
from tests.expr.graphs import (
    BUILD,
    N_LEAVES,
    follow,
    is_tame,
    law,
    on_expr,
    on_floats,
    points,
    recipes,
    run,
)
from tests.random_examples import examples

NAMES = [f"x{k}" for k in range(N_LEAVES)]
X = [symbol(name) for name in NAMES]
SHORT = recipes.filter(lambda recipe: len(recipe) <= 4)


def value(formula, at):
    """Return what SymPy makes of a formula where the symbols have these numbers."""
    given = {sp.Symbol(name): sp.Float(x, 30) for name, x in zip(NAMES, at, strict=True)}
    return float(sp.N(formula.subs(given), 20))


@settings(max_examples=examples(8), deadline=None)
@given(SHORT, points)
def test_sympy_agrees_with_the_table_of_meanings(recipe, at):
    """Compare random formulas of every operation, evaluated by SymPy with thirty digits."""
    assume(is_tame(recipe, at))
    expected = follow(recipe, at, on_floats)[-1]
    found = value(to_sympy(follow(recipe, X, on_expr)[-1]), at)
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@settings(max_examples=examples(8), deadline=None)
@given(SHORT, points)
def test_there_and_back(recipe, at):
    """Bring random formulas back from SymPy: they are worth the same."""
    assume(is_tame(recipe, at))
    expected = follow(recipe, at, on_floats)[-1]
    back = from_sympy(to_sympy(follow(recipe, X, on_expr)[-1]))
    program = build({"x": np.array(X, dtype=object)}, {"y": back})
    assert_allclose(run(program, at)[0], expected, rtol=1e-9, atol=1e-9)


def test_every_operation_is_there():
    """Convert one formula of each operation."""
    a, b, c = X
    for op in Op:
        if op not in LEAVES:
            operands = (a, b, c)[: ARITY[op]]
            formula = to_sympy(BUILD[op](*operands))
            assert formula.free_symbols == {sp.Symbol(str(x.value)) for x in operands}, op


@law(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_keep_every_bit(x):
    """Convert any float to SymPy and back."""
    assert float(sympy_number(x)) == x
    assert float(from_sympy(sympy_number(x))) == x


def test_fractions_are_exact():
    """Numbers that people write become what they mean."""
    assert sympy_number(9.81) == sp.Rational(981, 100)
    assert sympy_number(1 / 12) == sp.Rational(1, 12)
    assert sympy_number(math.pi / 3) == sp.pi / 3
    assert sympy_number(0.1234567890123456).is_Float


def test_what_is_shared_is_converted_once():
    """A chain of squares has 2^60 terms written out; its conversion ends."""
    x = symbol("x")
    for _ in range(60):
        x = (x + 1.0) * (x + 1.0)
    a, b = all_to_sympy([x, x])
    assert a is b


def test_other_symbols_may_stand_for_ours():
    """Give symbols with assumptions."""
    m = sp.Symbol("m", positive=True)
    assert to_sympy((symbol("m") * symbol("m")).sqrt(), {"m": m}) == m


def test_forms_that_people_write():
    """Read roots, quotients, hyperbolic functions, cases and conditions."""
    x, y, z = sp.symbols("x0:3")
    at = [0.3, -0.7, 1.9]
    formulas = [
        sp.sqrt(z) + 1 / sp.sqrt(z) + z ** sp.Rational(3, 2) + sp.E**x + sp.exp(-y) + 2**x,
        x * y / (3 * z**2) - sp.Rational(2, 7) * x + sp.pi * y / 2 - sp.cot(z) * sp.sec(x),
        sp.sinh(x) + sp.cosh(y) * sp.tanh(z) + sp.atan(y) + sp.atan2(y, x) + sp.csc(z),
        sp.Piecewise((x, x > y), (z, True)) + sp.Piecewise((x, sp.Eq(x, y)), (z, z >= 1)),
        sp.Piecewise((x, (x > 0) & (y > 0)), (y, (z > 5) | (y < 0)), (z, True)),
        sp.Piecewise((x, sp.Ne(x, y)), (z, True)) + sp.Min(x, y, z) * sp.Max(x, y) + sp.Abs(y),
    ]
    for formula in formulas:
        program = build({"x": np.array(X, dtype=object)}, {"y": from_sympy(formula)})
        assert_allclose(run(program, at)[0], value(formula, at), rtol=1e-12)


def test_assumptions_do_not_matter():
    """A positive mass is the mass of this name."""
    assert from_sympy(sp.Symbol("m", positive=True)) is symbol("m")
    assert is_sympy(sp.Symbol("m"))
    assert not is_sympy("m")


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (sp.Function("theta")(sp.Symbol("t")), "plain symbol"),
        (sp.I * sp.Symbol("x"), "real"),
        (sp.gamma(sp.Symbol("x")), "gamma"),
        (sp.oo, "finite"),
    ],
)
def test_what_has_no_counterpart_is_refused(formula, words):
    """Refuse functions, complex numbers and infinities, and say why."""
    with pytest.raises(FormulaError, match=words):
        from_sympy(formula)
