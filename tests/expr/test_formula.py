"""Formulas: binding as in Python, values on floats and expressions, errors that point."""

import math
import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from poinsot.errors import FormulaError, PoinsotError
from poinsot.expr import build, optimise, symbol
from poinsot.expr.formula import COMPOSED, CONSTANTS, DEEPEST, FUNCTIONS, parse, variables
from poinsot.expr.formula_tokens import LONGEST
from poinsot.expr.ops import ARITY
from tests.kernels.machines import interpret
from tests.random_examples import examples

VALUES = {"x": 0.7, "y": -1.3, "long_name2": 2.5}
EVAL = {
    **{"sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin},
    **{"acos": np.arccos, "atan2": np.arctan2, "exp": np.exp, "log": np.log, "min": np.minimum},
    **{"max": np.maximum, "abs": np.abs, "sign": np.sign, "pi": math.pi},
    "select": lambda condition, a, b: a if condition else b,
    **{"floor": np.floor, "ceil": np.ceil, "mod": lambda x, y: x - y * np.floor(np.divide(x, y))},
    **{"atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh},
    "clamp": lambda x, low, high: np.minimum(np.maximum(x, low), high),
}


def smoothstep(low, high, x):
    s = EVAL["clamp"](np.divide(x - low, high - low), 0.0, 1.0)
    return s * s * (3.0 - 2.0 * s)


def interp(x, x1, y1, x2, y2):
    return y1 + EVAL["clamp"](np.divide(x - x1, x2 - x1), 0.0, 1.0) * (y2 - y1)


EVAL |= {"smoothstep": smoothstep, "interp": interp}
WORDS = ("sin", "select", "smoothstep", "tanh", "x", "1", "(", ")", ",", "**", "-", "+", " ")
COMPARISONS = ("<", "<=", ">", ">=", "==")


def operations(inner):
    """Build larger formulas of smaller ones, without parentheses too, so that binding matters."""
    counts = {name: ARITY[op] for name, op in FUNCTIONS.items()}
    counts |= {name: count for name, (_, count) in COMPOSED.items()} | {"interp": 5}
    calls = [st.tuples(*[inner] * count).map(_call(name)) for name, count in counts.items()]
    condition = st.tuples(inner, st.sampled_from(COMPARISONS), inner).map(" ".join)
    return st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "**"]), inner).map("".join),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"-{text}"),
        inner.map(lambda text: f"+ {text}"),
        condition.map(lambda text: f"(1 * ({text}))"),  # NumPy's truths are not numbers
        st.tuples(condition, inner, inner).map(_call("select")),
        *calls,
    )


def _call(name):
    return lambda parts: f"{name}({', '.join(parts)})"


LEAVES = st.sampled_from(["x", "y", "long_name2", "pi", "2", "0.5", "3.", ".25", "1e-1", "0"])
FORMULAS = st.recursive(LEAVES, operations, max_leaves=12)


@settings(max_examples=examples(77))
@given(FORMULAS)
@example("-x**2")
@example("2**-x**2")
@example("x - y - 2 / y / 2 * 3")
@example("- -x ** -+y")
def test_formulas_mean_what_python_means(text):
    """Compare with Python's own parser, all numbers being those of NumPy (1/0 is infinite)."""
    names = {name: np.float64(value) for name, value in (EVAL | VALUES).items() if name in VALUES}
    with np.errstate(all="ignore"):
        expected = eval(_numbers(text), {**EVAL, **names, "N": np.float64})
    value = parse(text, VALUES)
    assert type(value) is float
    if not np.isfinite(expected) or np.isnan(value):  # comparisons with NaN are NaN for us only
        return
    np.testing.assert_allclose(value, float(expected), rtol=1e-12, atol=1e-300)


def _numbers(text):
    """Return the formula with its numbers as NumPy's, whose arithmetic never raises."""
    return re.sub(r"(?<![\w.])([0-9.]+(?:e-1)?)", r"N(\1)", text)


@settings(max_examples=examples(38))
@given(FORMULAS)
def test_expressions_have_the_same_value(text):
    """Parse over symbols, interpret, and compare with floats."""
    expected = parse(text, VALUES)
    symbols = {name: symbol(name) for name in VALUES}
    value = parse(text, symbols)
    inputs = {name: np.array([node]) for name, node in symbols.items()}
    program = optimise(build(inputs, {"value": np.array([value])}))
    (result,) = interpret(program, *[np.array([[number]]) for number in VALUES.values()])
    if np.isfinite(expected) and np.isfinite(result[0, 0]):
        np.testing.assert_allclose(result[0, 0], expected, rtol=1e-9, atol=1e-12)


@settings(max_examples=examples(96))
@given(
    st.one_of(
        st.text(max_size=40),
        st.text(alphabet="xy01.e+-*/<>=(), sincotaqrml^", max_size=60),
        st.lists(st.sampled_from([*WORDS, *COMPARISONS])).map("".join),
    )
)
def test_no_text_raises_anything_else(text):
    """Fuzz: a formula has a value or a FormulaError with a caret under a character of it."""
    for names in (VALUES, {name: symbol(name) for name in VALUES}):
        try:
            parse(text, names)
        except FormulaError as error:
            _, shown, caret = str(error).split("\n")
            assert caret.strip() == "^"
            assert len(caret) <= len(shown) + 1


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("x + ", 4, "something is missing here"),
        ("2x", 1, "there must be an operator before 'x'; for a product write *"),
        ("2 (x)", 2, "operator before '('"),
        ("1 + sin x", 4, r"sin is a function; write sin(...)"),
        ("cos", 0, "cos is a function"),
        ("x + sn(y)", 4, "unknown function 'sn'; did you mean 'sin'?"),
        ("x * (y + 1", 4, "this '(' is never closed"),
        ("sin(x", 3, "this '(' is never closed"),
        ("x + long_name", 4, "unknown name 'long_name'; did you mean 'long_name2'?"),
        ("x + w", 4, "unknown name 'w'; known are x, y, long_name2, pi"),
        ("x^2", 1, "unexpected '^'; for powers write **"),
        ("x = 2", 2, "unexpected '='; to compare write =="),
        ("x < y < 1", 6, "comparisons do not chain"),
        ("x)", 1, "unexpected ')'"),
        ("x, y", 1, "unexpected ','"),
        ("(x, y)", 2, "unexpected ','"),
        ("min(x)", 0, "min takes 2 arguments, got 1"),
        ("sin(x, y)", 0, "sin takes 1 argument, got 2"),
        ("select(x < 1, y)", 0, "select takes 3 arguments, got 2"),
        ("sin()", 0, "sin takes 1 argument, got 0"),
        ("sin(x,)", 6, "in place of ')'"),
        ("x +* y", 3, "in place of '*'"),
        ("1e999 + x", 0, "1e999 is too large"),
        ("x.real", 0, "unknown name 'x.real'"),
        ("__import__('os')", 0, "unknown function '__import__'"),
        ("x[0]", 1, "use round brackets"),
        ("", 0, "the formula is empty"),
        ("\t\n", 2, "the formula is empty"),
    ],
)
def test_errors_point_at_the_character(text, place, message):
    """Check what is said, and the column of the caret."""
    with pytest.raises(FormulaError) as caught:
        parse(text, VALUES)
    said, shown, caret = str(caught.value).split("\n")
    assert message in said
    assert shown == "    " + text.replace("\t", " ").replace("\n", " ")
    assert caret == " " * (4 + place) + "^"
    assert isinstance(caught.value, PoinsotError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "text",
    ["(" * 5000 + "x" + ")" * 4999, "-" * 9000 + "x", "x**" * 3000 + "x", "sin(" * 2000, "x<" * 99],
)
def test_deep_nesting_is_refused(text):
    """Check that no recursion runs away."""
    with pytest.raises(FormulaError, match=f"more than {DEEPEST} deep|do not chain"):
        parse(text, VALUES)


def test_sizes_up_to_the_limits_work():
    """Check nesting and length just below the limits, and that the length is bounded."""
    deep = DEEPEST - 1
    assert parse("(" * deep + "x" + ")" * deep, VALUES) == 0.7
    n = LONGEST // 2
    assert parse("x+" * (n - 1) + "x", {"x": 1.0}) == n
    assert parse("x*" * (n - 1) + "x", {"x": symbol("x")}) is not None
    with pytest.raises(FormulaError, match=f"at most {LONGEST} characters, got {LONGEST + 1}"):
        parse("x" * (LONGEST + 1), VALUES)


def test_long_formulas_are_shown_in_part():
    """Point into the middle of a long text."""
    text = "x + " * 100 + "?" + " + x" * 100
    with pytest.raises(FormulaError) as caught:
        parse(text, VALUES)
    _, shown, caret = str(caught.value).split("\n")
    assert len(shown) < 140
    assert shown[len(caret) - 1] == "?"


def test_names():
    """Let given names go before constants, and tell which names a formula has."""
    assert parse("pi", {}) == math.pi
    assert parse("pi + min", {"pi": 3.0, "min": 1.0}) == 4.0
    assert variables("a*sin(t) - select(b < 2, pi, 1)") == {"a", "t", "b", "pi"}
    assert set(CONSTANTS) == {"pi"}
    with pytest.raises(FormulaError, match="must be text, got 3"):
        parse(3, {})


def test_numbers_follow_ieee():
    """Check that no arithmetic raises or leaves the real numbers."""
    assert parse("1/0", {}) == math.inf
    assert parse("10**400", {}) == math.inf
    assert math.isnan(parse("(0-1)**0.5", {}))
    assert math.isnan(parse("log(-1)", {}))


def test_interpolation_goes_through_its_points():
    """Compare straight lines through points with NumPy's, between and beyond them."""
    x = np.linspace(-1, 4, 101)
    found = [parse("interp(x, 0, 1, 1, 3, 2.5, -2)", {"x": value}) for value in x]
    assert np.allclose(found, np.interp(x, [0, 1, 2.5], [1, 3, -2]), atol=1e-15)
    with pytest.raises(FormulaError, match="interp takes x and two or more points"):
        parse("interp(x, 0, 1, 2)", {"x": 0.0})
