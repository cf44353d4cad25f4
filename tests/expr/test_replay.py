"""A program run again on other scalars."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from poinsot.expr import Expr, build, fresh_symbols, maximum, select, sqrt
from poinsot.expr.replay import replay
from poinsot.kernels.interpreter import InterpreterKernel


def _program():
    x = fresh_symbols("x", 3)
    y = np.sin(x[0]) * x[1] - sqrt(x[2] * x[2] + 1.0) / maximum(x[0], x[1])
    z = select(x[0] > x[1], x[2], -x[2]) ** 3
    return build({"x": x}, {"y": y, "z": np.array([[z, x[1]], [np.exp(x[0]), 2.0]])})


def _interpreted(program, *inputs):
    kernel = InterpreterKernel(program)
    outputs = [np.empty((1, port.size)) for port in program.outputs]
    kernel.run([np.asarray(x, float)[None].reshape(1, -1) for x in inputs], outputs)
    shapes = [port.shape for port in program.outputs]
    return [out.reshape(shape) for out, shape in zip(outputs, shapes, strict=True)]


@pytest.mark.parametrize("seed", range(5))
def test_numbers_give_what_the_interpreter_gives(seed):
    """Run on floats, outputs in their shapes."""
    program, x = _program(), np.random.default_rng(seed).uniform(-1, 2, 3)
    y, z = replay(program, x)
    expected = _interpreted(program, x)
    assert y.dtype == z.dtype == float
    assert (y.shape, z.shape) == ((), (2, 2))
    assert_allclose(y, expected[0], rtol=1e-15)
    assert_allclose(z, expected[1], rtol=1e-15)


def test_expressions_give_the_program_of_other_expressions():
    """Put expressions of one variable in, and a number among them, and run what comes out."""
    program, (u,) = _program(), fresh_symbols("u", 1)
    y, z = replay(program, np.array([u, 0.5, u * u], dtype=object))
    assert isinstance(y[()], Expr)
    whole = build({"u": np.array([u])}, {"y": y, "z": z})
    found = _interpreted(whole, [1.3])
    for result, expected in zip(found, replay(program, np.array([1.3, 0.5, 1.69])), strict=True):
        assert_allclose(result, expected, rtol=1e-14)


def test_zeros_fold_away():
    """Leave out what a zero makes vanish."""
    x = fresh_symbols("x", 2)
    product = build({"x": x}, {"y": x[0] * x[1] + 3.0})
    (y,) = replay(product, np.array([fresh_symbols("u", 1)[0], 0.0], dtype=object))
    assert float(y[()]) == 3.0
