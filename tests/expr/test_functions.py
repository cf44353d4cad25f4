"""Functions that take floats and expressions alike."""

import math

import numpy as np
import pytest

from poinsot.expr import (
    Expr,
    Op,
    atan2,
    constant,
    cos,
    equal,
    maximum,
    minimum,
    select,
    sign,
    sin,
    sqrt,
    symbol,
)
from tests.expr.graphs import evaluate

x, y = symbol("x"), symbol("y")

CASES = [
    (sin, np.sin, [0.7]),
    (cos, np.cos, [0.7]),
    (sqrt, np.sqrt, [0.7]),
    (sign, np.sign, [-0.7]),
    (atan2, np.arctan2, [0.7, -0.4]),
    (minimum, min, [0.7, -0.4]),
    (maximum, max, [0.7, -0.4]),
    (equal, lambda a, b: float(a == b), [0.7, 0.7]),
    (select, lambda c, a, b: a if c else b, [1.0, 2.0, 3.0]),
]


@pytest.mark.parametrize(("function", "reference", "numbers"), CASES)
def test_floats_symbols_and_constants_agree(function, reference, numbers):
    """Call each function with floats, with constants and with symbols that get these numbers."""
    symbols = [symbol(f"f[{k}]") for k in range(len(numbers))]
    expected = reference(*numbers)
    on_floats = function(*numbers)
    assert isinstance(on_floats, float)
    assert on_floats == pytest.approx(expected)
    assert float(function(*map(constant, numbers))) == pytest.approx(expected)
    expr = function(*symbols)
    assert isinstance(expr, Expr)
    assert evaluate(expr, symbols, numbers) == pytest.approx(expected)


def test_numpy_functions_trace_object_arrays():
    """Apply NumPy's own functions to an array of expressions."""
    array = np.array([x, y], dtype=object)
    for ufunc in (np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.sqrt, np.exp, np.log):
        numbers = np.array([0.3, 0.8])
        np.testing.assert_allclose(evaluate(ufunc(array), [x, y], numbers), ufunc(numbers))
    assert np.arctan2(array, array[::-1])[0] is atan2(x, y)
    assert (array @ array) is x * x + y * y


def test_choices_between_equals_need_no_choice():
    """Fold min(a, a), max(a, a) and a choice between equal branches."""
    assert minimum(x, x) is x
    assert maximum(x, x) is x
    assert select(x < y, y, y) is y


def test_select_with_a_known_condition_takes_the_branch():
    """Fold choices whose condition is a number, NaN included."""
    assert select(1.0, x, y) is x
    assert select(constant(0.0), x, y) is y
    assert math.isnan(select(math.nan, x, y))


def test_mixed_operands_are_lifted():
    """Give a float beside an expression to each function of several operands."""
    assert atan2(x, 2.0).args == (x, constant(2.0))
    assert maximum(0.0, x).op is Op.MAX
    assert select(x < 0, 1.0, y).args[1] is constant(1.0)
