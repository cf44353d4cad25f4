"""Texts: they read like the expression, and mean it too."""

import math
from functools import partial

import numpy as np
from hypothesis import assume

from poinsot.expr import Op, build, show, show_expr, symbol, symbol_array
from poinsot.expr.program_text import LONG_LINE
from poinsot.expr.text import show_number
from tests.expr.graphs import (
    INNER,
    evaluate,
    follow,
    is_tame,
    law,
    on_expr,
    on_floats,
    points,
    recipes,
)

a, b, c = symbol("a"), symbol("b"), symbol("c")
NAMES = {op.name.lower(): partial(on_floats, op) for op in INNER}


@law(recipes, points)
def test_text_of_an_expression_has_its_value(recipe, point):
    """Evaluate the text as Python with the meanings in scope."""
    assume(is_tame(recipe, point))
    expr = follow(recipe, [a, b, c], on_expr)[-1]
    text = str(expr)
    assume("nodes>" not in text)
    names = dict(zip("abc", point, strict=True))
    got = float(eval(text, {**NAMES, **names}))
    np.testing.assert_allclose(got, float(evaluate(expr, [a, b, c], point)), rtol=1e-9, atol=1e-9)


@law(recipes, points)
def test_text_of_a_program_has_its_values(recipe, point):
    """Run the lines of a program as Python statements."""
    assume(is_tame(recipe, point))
    x, y = symbol_array("x", 3), np.array(follow(recipe, symbol_array("x", 3), on_expr)[3:])
    lines = show(build({"x": x}, {"y": y})).splitlines()
    scope = {**NAMES, "x": point, "y": [0.0] * len(y)}
    for line in lines[1:]:
        exec(line.strip(), scope)
    np.testing.assert_allclose(scope["y"], evaluate(y, x, point), rtol=1e-9, atol=1e-9)


def test_parentheses_stand_where_they_must():
    """Read expressions of every strength, most of which print in canonical order."""
    texts = {
        "a - b - c": a - b - c,
        "a - (b - c)": a - (b - c),
        "a / b / c": a / b / c,
        "a / (b / c)": a / (b / c),
        "-a": -a,
        "-a / b": -(a / b),
        "(a - b) ** c": (a - b) ** c,
        "a ** b ** c": a ** (b**c),
        "(a ** b) ** c": (a**b) ** c,
        "a ** (-1.5)": a**-1.5,
        "a - b < c": a - b < c,
        "(a < b) - c": (a < b) - c,
        "a < (b < c)": a < (b < c),
    }
    for text, expr in texts.items():
        assert show_expr(expr) == text


def test_functions_are_shown_by_name():
    """Read the text of each operation that is no operator."""
    assert show_expr(a.arctan2(b)) == "atan2(a, b)"
    assert show_expr(abs(a).sqrt()) == "sqrt(abs(a))"
    assert show_expr((a - b).exp()) == "exp(a - b)"


def test_numbers_are_short():
    """Write whole numbers without a point and others in full."""
    assert [show_number(v) for v in (2.0, -3.0, 0.1, 1e20)] == ["2", "-3", "0.1", "1e+20"]
    assert show_number(math.inf) == "inf"
    assert show_number(math.nan) == "nan"


def test_long_expressions_show_their_size():
    """Shorten a deep chain and a small graph that would be exponentially long."""
    deep = shared = a
    for _ in range(20_000):
        deep = deep.sin()
        shared = shared * shared + b
    assert "over 200 nodes" in show_expr(deep)
    assert "over 200 nodes" in show_expr(shared)


def test_programs_name_shared_and_long_values():
    """Read the lines of a program with a shared value and of one with a long sum."""
    x = symbol_array("x", 2)
    shared = x[0].sin()
    text = show(build({"x": x}, {"y": [shared - x[1], shared * shared]}))
    assert text.splitlines() == [
        "program (x[2]) -> (y[2])",
        "  t0 = sin(x[0])",
        "  y[0] = t0 - x[1]",
        "  y[1] = t0 * t0",
    ]
    chain = x[0]
    for _ in range(500):
        chain = chain.sin() - x[1]
    lines = show(build({"x": x}, {"y": chain})).splitlines()
    assert max(map(len, lines)) < 2 * LONG_LINE
    assert Op.SIN.name.lower() in lines[1]
