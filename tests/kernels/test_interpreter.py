"""The interpreter against the plainest evaluation: one Python float after the other."""

import math

import numpy as np
import pytest

from poinsot.expr import Op, Port, Program, build, symbol_array
from poinsot.kernels.interpreter import InterpreterKernel
from tests.kernels.machines import (
    HUGE,
    SPECIAL,
    interpret,
    random_inputs,
    random_program,
    same_kind,
)

SEEDS = range(30)


def guarded(function):
    """Return a function of ``math`` that gives what IEEE 754 gives where that one raises."""

    def safe(*operands):
        try:
            return function(*operands)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return safe


def divide(a, b):
    if b != 0:
        return a / b
    return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)


def log(x):
    return -math.inf if x == 0 else guarded(math.log)(x)


def power(a, b):
    odd = b == math.floor(b) and abs(b) < 2**53 and int(b) % 2 if math.isfinite(b) else False
    if a == 0 and b < 0:
        return math.copysign(math.inf, a) if odd else math.inf
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if a < 0 and odd else math.inf
    except ValueError:
        return math.nan


def unordered(relation):
    return lambda a, b: math.nan if a != a or b != b else float(relation(a, b))


PLAIN = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.DIV: divide,
    Op.NEG: lambda a: -a,
    Op.SQRT: guarded(math.sqrt),
    Op.SIN: guarded(math.sin),
    Op.COS: guarded(math.cos),
    Op.TAN: guarded(math.tan),
    Op.ASIN: guarded(math.asin),
    Op.ACOS: guarded(math.acos),
    Op.ATAN2: math.atan2,
    Op.EXP: guarded(math.exp),
    Op.LOG: log,
    Op.POW: power,
    Op.MIN: lambda a, b: math.nan if a != a or b != b else min(a, b),
    Op.MAX: lambda a, b: math.nan if a != a or b != b else max(a, b),
    Op.ABS: abs,
    Op.SIGN: lambda a: a if a != a else float((a > 0) - (a < 0)),
    Op.LESS: unordered(lambda a, b: a < b),
    Op.LESS_EQUAL: unordered(lambda a, b: a <= b),
    Op.EQUAL: unordered(lambda a, b: a == b),
    Op.FLOOR: lambda a: a if not math.isfinite(a) else math.copysign(math.floor(a), a),
    Op.SELECT: lambda c, a, b: c if c != c else a if c != 0 else b,
}
"""The operations once more, on Python floats and without NumPy."""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("special", [(), (*SPECIAL, *HUGE)], ids=["middling", "special"])
def test_every_step_of_random_programs_is_that_of_plain_floats(seed, special):
    """Show all values of a program and repeat each step from the interpreter's own operands."""
    program = random_program(seed, everything=True)
    inputs = random_inputs(program, 20, seed, special, share=0.4)
    y = np.concatenate(interpret(program, *inputs), axis=1)
    np.testing.assert_array_equal(y[:, :5], np.concatenate(inputs, axis=1))
    np.testing.assert_array_equal(y[:, 5:9], np.tile(program.constants, (20, 1)))
    for k, (op, args) in enumerate(program.steps, start=program.first_step):
        plain = np.array([PLAIN[op](*map(float, row)) for row in y[:, args]])
        assert same_kind(y[:, k], plain).all(), (op, y[:, args], y[:, k], plain)
        with np.errstate(invalid="ignore"):
            near = np.abs(y[:, k] - plain) <= 1e-15 * np.abs(plain) + 1e-320
        assert (near | ~np.isfinite(plain)).all(), (op, y[:, args], y[:, k], plain)


@pytest.mark.parametrize("seed", SEEDS)
def test_results_of_a_state_do_not_depend_on_the_others(seed):
    """Evaluate states together and one at a time."""
    program = random_program(seed)
    inputs = random_inputs(program, 25, seed)
    together = interpret(program, *inputs)
    for k in range(25):
        alone = interpret(program, *[x[k : k + 1] for x in inputs])
        for y, z in zip(alone, together, strict=True):
            assert same_kind(y[0], z[k]).all()
            np.testing.assert_allclose(y[0], z[k], rtol=1e-12, atol=1e-12)


def test_constant_and_input_results_fill_the_batch():
    """Broadcast constants, steps of constants, and inputs to every state."""
    x = symbol_array("x", 2)
    program = build({"x": x}, {"c": np.array([[1.5, 2.5], [x[1], x[0]]]), "d": 4.0})
    states = np.arange(10.0).reshape(5, 2)
    c, d = interpret(program, states)
    ones = np.ones(5)
    np.testing.assert_array_equal(c, np.stack([1.5 * ones, 2.5 * ones, *states.T[::-1]], axis=1))
    np.testing.assert_array_equal(d, np.full((5, 1), 4.0))
    folded = Program((Port("x", (1,)),), (Port("y", ()),), (2.0,), ((Op.MUL, (1, 1)),), (2,))
    np.testing.assert_array_equal(interpret(folded, np.zeros((3, 1)))[0], np.full((3, 1), 4.0))


def test_batches_of_no_states_are_fine():
    """Evaluate nothing, with random programs and with one that has no steps."""
    for program in (random_program(0), Program((Port("x", (2,)),), (Port("y", ()),), (), (), (1,))):
        inputs = [np.empty((0, port.size)) for port in program.inputs]
        assert [len(y) for y in interpret(program, *inputs)] == [0] * len(program.outputs)


def test_inputs_stay_as_they_are_and_outputs_are_written_in_place():
    """Run on read-only inputs and watch the outputs' own memory."""
    program = random_program(1)
    inputs = random_inputs(program, 4, 1)
    for x in inputs:
        x.flags.writeable = False
    outputs = [np.full((4, port.size), np.nan) for port in program.outputs]
    kernel = InterpreterKernel(program)
    kernel.run(inputs, outputs)
    assert kernel.program is program
    for y, z in zip(outputs, interpret(program, *inputs), strict=True):
        np.testing.assert_array_equal(y, z)


def test_warnings_stay_inside():
    """Divide by zero and overflow without a warning."""
    x = symbol_array("x", 1)[0]
    program = build({"x": np.array([x])}, {"y": [1 / x, (x - 1).log(), (x + 800).exp()]})
    (y,) = interpret(program, np.zeros((2, 1)))
    assert np.isinf(y[:, 0]).all()
    assert np.isnan(y[:, 1]).all()
    assert np.isinf(y[:, 2]).all()
