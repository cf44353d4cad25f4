"""NumPy's functions on arrays of expressions and on single ones: the same as on numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import poinsot as ps
from poinsot.expr import build, maximum, minimum, symbol, traced
from poinsot.expr.traced_array import TracedArray
from tests.expr.graphs import evaluate
from tests.formulations.loaded import slider
from tests.kernels.machines import interpret

x, y, z = symbols = [symbol(name) for name in "xyz"]
NUMBERS = [np.array(values) for values in ([0.3, -0.8, 0.0], [-2.5, 2.5, 1.0], [0.7, 0.7, -0.1])]

FUNCTIONS = {
    "sign": np.sign,
    "where": lambda a: np.where(a < 0.5, -a, 2.0),
    "where of both": lambda a: np.where(np.logical_and(a > -1, np.logical_not(a >= 0.5)), a, 0),
    "where of one": lambda a: np.where(np.logical_or(a <= -1, a > 0.5), 1.0, a),
    "where equal": lambda a: np.where(a == 0.7, a, np.where(a != 0.0, 1.0, 2.0)),
    "clip": lambda a: np.clip(a, -0.5, 0.5),
    "clip above": lambda a: np.clip(a, None, 0.5),
    "minimum": lambda a: np.minimum(a, 0.1),
    "maximum": lambda a: np.maximum(0.1, a),
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "arctan2": lambda a: np.arctan2(1.0, a + 5.0),
    "hypot": lambda a: np.hypot(a, 3.0),
    "mixed": lambda a: np.tanh(3 * np.sign(a) * np.abs(a) ** 2) + np.exp(-a),
}
OF_ARRAYS = {
    "largest": np.max,
    "smallest": np.min,
    "any": lambda a: np.where(np.any(a > 0.5), 1.0, -1.0),
    "all": lambda a: np.where(np.all(a > -1), 1.0, -1.0),
    "norm": np.linalg.norm,
    "stacked": lambda a: np.sign(np.concatenate([a, -a])),
    "method": lambda a: a.clip(-0.4, 0.6),
    "number first": lambda a: np.where(a[0] < a, a, a[0] * a),
    "expression first": lambda a: np.where(a[0] * a < 0, a, 0),
    "product": lambda a: np.minimum(np.arange(9.0).reshape(3, 3) @ a, 1.0),
}


@pytest.mark.parametrize("name", [*FUNCTIONS, *OF_ARRAYS])
def test_arrays_trace_as_numbers_compute(name):
    """Evaluate what an array of symbols becomes, for several numbers."""
    function = (FUNCTIONS | OF_ARRAYS)[name]
    result = function(traced(symbols))
    for numbers in NUMBERS:
        expected = function(numbers)
        assert np.shape(result) == np.shape(expected)
        np.testing.assert_allclose(
            evaluate(result, symbols, numbers), expected, rtol=2e-15, atol=1e-16
        )


@pytest.mark.parametrize("name", FUNCTIONS)
def test_single_expressions_trace_as_numbers_compute(name):
    """Give NumPy a single symbol, and get a single expression."""
    result = FUNCTIONS[name](x)
    for numbers in NUMBERS:
        expected = float(FUNCTIONS[name](numbers[0]))
        np.testing.assert_allclose(evaluate(result, symbols, numbers), expected, rtol=2e-15)


@given(st.floats(-800, 800))
def test_hyperbolic_functions_keep_their_digits(number):
    """Compare with the library's, near zero and where exp overflows."""
    with np.errstate(over="ignore"):
        for function in (np.sinh, np.cosh, np.tanh):
            expected = function(number)
            result = float(evaluate(function(x), [x], [number]))
            if abs(number) < 709.0:
                assert abs(result - expected) <= 1e-15 * 4 * abs(expected)
            elif function is np.tanh:
                assert result == expected


def test_plain_arrays_stay_plain():
    """Check that formulas over plain arrays are not slowed by arrays of this kind."""
    plain = np.array([x, y, z], dtype=object)
    for result in (x * np.ones(3), np.ones(3) * x, plain * x, x + plain, plain @ plain * plain):
        assert type(result) is np.ndarray
    assert type(traced(plain) * x) is type(x * traced(plain)) is TracedArray


def test_control_laws_may_choose_with_numpy():
    """Simulate a slider under laws written with NumPy and with select: the same motion."""

    def with_numpy(t, q, v):
        push = np.where(t < 0.5, 1.0, np.clip(-v, -0.3, 0.3))
        return push - np.tanh(4 * v) - 0.1 * np.sign(q) + np.where(q[0] < 0.2, 0.5, 0.0)

    def with_select(t, q, v):
        held = maximum(minimum(-v[0], 0.3), -0.3)
        push = ps.select(t < 0.5, 1.0, held) + ps.select(q[0] < 0.2, 0.5, 0.0)
        drag = (np.exp(8 * v[0]) - 1) / (np.exp(8 * v[0]) + 1)
        side = ps.select(q[0] > 0, 1.0, ps.select(q[0] < 0, -1.0, 0.0))
        return [push - drag - 0.1 * side]

    runs = [
        ps.simulate(slider(), [0.0], [0.0], 1.5, tau=law, max_step=0.01)
        for law in (with_numpy, with_select)
    ]
    np.testing.assert_allclose(runs[0].q[-1], runs[1].q[-1], rtol=1e-9)
    assert runs[0].q[-1, 0] > 0.1


@pytest.mark.parametrize("number", [2.7, -2.7, 3.0, -0.2])
def test_whole_numbers_and_remainders(number):
    """Trace np.floor, np.ceil and % of arrays and of single expressions, and evaluate them."""
    x = symbol("x")
    array = traced([x, -x])
    values = [*np.floor(array), *np.ceil(array), *(array % 0.7), x % 0.7, np.floor(x)]
    program = build({"x": np.array([x])}, {"y": np.array(values)})
    (result,) = interpret(program, np.array([[number]]))
    both = np.array([number, -number])
    expected = [*np.floor(both), *np.ceil(both), *(both % 0.7), number % 0.7]
    np.testing.assert_allclose(result[0], [*expected, np.floor(number)], atol=1e-15)
