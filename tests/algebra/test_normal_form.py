"""Normal forms: equal where expressions are, and worth the same."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from poinsot.algebra.harmonics import harmonics
from poinsot.algebra.normal_form import NormalForm
from poinsot.algebra.polynomial import TooLargeError
from poinsot.algebra.shortest_form import Presentation
from poinsot.algebra.sum_of_terms import tidied
from poinsot.expr import symbol
from poinsot.expr.ops import Op
from tests.expr.graphs import (
    N_LEAVES,
    evaluate,
    follow,
    is_tame,
    on_expr,
    on_floats,
    points,
    recipes,
)
from tests.random_examples import examples

X = [symbol(f"x{k}") for k in range(N_LEAVES)]
a, b, c = X
few = settings(max_examples=examples(11), deadline=None)

sin, cos, sqrt = np.sin, np.cos, np.sqrt
EQUAL = [
    (sin(a) ** 2 + cos(a) ** 2, 1.0 + 0.0 * a),
    (sin(a + b), sin(a) * cos(b) + cos(a) * sin(b)),
    (cos(3 * a), 4 * cos(a) ** 3 - 3 * cos(a)),
    (sin(a + np.pi / 2) + cos(np.pi - a), 0.0 * a),
    (sin(-2 * a + b), sin(b) * cos(2 * a) - cos(b) * sin(2 * a)),
    ((a + b) * (a - b), a * a - b * b),
    (a / b / (a / c), c / b),
    (sqrt(a + b) * sqrt(a + b), a + b),
    (cos(np.arctan2(a, b)) * sqrt(a * a + b * b), b),
    (cos(np.arctan2(2 * sin(a), 2 * cos(a))), cos(a)),
    (sin(a / 2) ** 2 + cos(a / 2) ** 2, 1.0 + 0.0 * a),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_what_is_equal_has_one_form(one, other):
    """Check identities of arithmetic and trigonometry, and that they are true."""
    form = NormalForm(1000)
    first, second = form.polynomials([one * 1.0, other * 1.0])
    assert first == second
    at = [0.7, 0.3, 1.1]
    assert_allclose(*evaluate(np.array([one, other]), X, at), rtol=1e-13, atol=1e-13)


@few
@given(recipes, points)
def test_every_expression_is_worth_the_same(recipe, at):
    """Compare random graphs of all operations with what normal form and presentation make of them.

    Roots of squares and the like have kinks that the normal form must keep.
    """
    assume(is_tame(recipe, at))
    expected = follow(recipe, at, on_floats)[-1]
    expr = follow(recipe, X, on_expr)[-1]
    form = NormalForm(400)
    try:
        (polynomial,) = form.polynomials([expr])
    except TooLargeError:
        assume(False)
    found = Presentation(form, [X[2]]).expression(polynomial)
    assert_allclose(evaluate(found, X, at), expected, rtol=1e-6, atol=1e-8)


@few
@given(recipes, points)
def test_tidied_expressions_are_worth_the_same(recipe, at):
    """Compare random graphs with their terms and factors taken together."""
    assume(is_tame(recipe, at))
    expr = follow(recipe, X, on_expr)[-1]
    expected = follow(recipe, at, on_floats)[-1]
    assert_allclose(evaluate(tidied(expr), X, at), expected, rtol=1e-7, atol=1e-9)


@few
@given(st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.integers(1, 3)), max_size=4), points)
def test_harmonics(powers, at):
    """Compare products of sines and cosines with the sums that they are."""
    expected = np.prod([(np.sin if s else np.cos)(at[k]) ** n for k, s, n in powers])
    found = sum(
        float(value) * (np.sin if s else np.cos)(sum(n * at[k] for k, n in multiples))
        for (multiples, s), value in harmonics(powers).items()
    )
    assert_allclose(found, expected, atol=1e-12)


def test_growth_is_refused():
    """Multiply out what has more terms than allowed."""
    expr = (a + b + c + 1.0) ** 8
    with pytest.raises(TooLargeError):
        NormalForm(100).polynomials([expr])
    assert len(NormalForm(1000).polynomials([expr])[0]) == 165


def test_nothing_grows_that_cancels():
    """A power of sin² + cos² is 1 at once, however high."""
    one = sin(a) ** 2 + cos(a) ** 2
    for _ in range(40):
        one = one * (one + 0.0 * b)
    (found,) = NormalForm(10).polynomials([one])
    assert len(found) == 1


def test_rounding_is_left_out():
    """Turn by an angle and back: the numbers are not exact, the result is."""
    k, s = np.cos(0.3), np.sin(0.3)
    expr = (k * a - s * b) * k + (s * a + k * b) * s
    form = NormalForm(100)
    (polynomial,) = form.polynomials([expr])
    assert Presentation(form, []).expression(polynomial) is a


def test_pi_stays_pi():
    """Keep pi a symbol, which prints and converts exactly."""
    form = NormalForm(100)
    (polynomial,) = form.polynomials([(a - np.pi / 2) ** 2])
    found = Presentation(form, []).expression(polynomial)
    names = {str(node.value) for node in _leaves(found)}
    assert names == {"pi", "x0"}


def _leaves(expr):
    return [expr] if expr.op is Op.SYMBOL else [leaf for x in expr.args for leaf in _leaves(x)]
