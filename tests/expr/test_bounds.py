"""Bounds of programs: whatever the inputs are in their ranges, values lie within."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poinsot.expr import Op, build, fresh_symbols, optimise, tangent
from poinsot.expr.bounds import rate_bounds, value_bounds
from poinsot.expr.node import apply, constant
from poinsot.expr.ops import ARITY, LEAVES
from poinsot.kernels.interpreter import InterpreterKernel
from tests.random_examples import examples

UNARY = [op for op in Op if ARITY[op] == 1]
BINARY = [op for op in Op if ARITY[op] == 2]
SAMPLES = 200


def outputs(program, *inputs):
    """Return the outputs of a program for one state, by the interpreter."""
    rows = [np.atleast_2d(np.asarray(one, float)) for one in inputs]
    made = [np.empty((len(rows[0]), port.size)) for port in program.outputs]
    with np.errstate(all="ignore"):
        InterpreterKernel(program).run(rows, made)
    return made


def program_of(function, n):
    """Return the program of a function of n symbols."""
    x = fresh_symbols("x", n)
    return optimise(build({"x": x}, {"y": np.array([function(*x)], dtype=object)}))


def contains(program, middle, radius, seed=0):
    """Check that values for inputs in their ranges are within the bounds; return the radius."""
    mid, rad = (one.item() for one in outputs(value_bounds(program), middle, radius))
    rng = np.random.default_rng(seed)
    places = rng.uniform(-1, 1, (SAMPLES, len(middle)))
    places[: 2 ** len(middle)] = np.array(np.meshgrid(*[[-1, 1]] * len(middle))).T.reshape(
        -1, len(middle)
    )
    (values,) = outputs(program, np.asarray(middle) + places * np.asarray(radius))
    values = values[np.isfinite(values)]
    if math.isfinite(mid) and math.isfinite(rad):
        slack = 1e-12 * (1 + abs(mid) + rad)
        assert (np.abs(values - mid) <= rad + slack).all(), (mid, rad, values.min(), values.max())
    return rad


NUMBERS = st.floats(-4, 4).map(lambda x: round(x, 3))
RADII = st.sampled_from([0.0, 1e-3, 0.1, 0.7, 3.0])


@pytest.mark.parametrize("op", UNARY, ids=lambda op: op.name)
@given(NUMBERS, RADII)
def test_functions_of_one_number(op, middle, radius):
    """Check every operation of one operand, within and beyond its domain."""
    contains(program_of(lambda x: apply(op, x), 1), [middle], [radius])


@pytest.mark.parametrize("op", BINARY, ids=lambda op: op.name)
@given(st.tuples(NUMBERS, NUMBERS), st.tuples(RADII, RADII))
def test_functions_of_two_numbers(op, middles, radii):
    """Check every operation of two operands."""
    contains(program_of(lambda x, y: apply(op, x, y), 2), middles, radii)


@pytest.mark.parametrize("exponent", [-3.0, -2.0, -0.5, 0.5, 1.5, 7.0, 20.0, 21.0, -40.0])
@given(NUMBERS, RADII)
def test_powers(exponent, middle, radius):
    """Check even, odd, broken and negative powers."""
    contains(program_of(lambda x: apply(Op.POW, x, constant(exponent)), 1), [middle], [radius])


@given(st.tuples(NUMBERS, NUMBERS, NUMBERS), st.tuples(RADII, RADII, RADII))
def test_choices(middles, radii):
    """Check both sides of a choice where either may be taken."""
    program = program_of(lambda x, y, z: apply(Op.SELECT, x < y, y * z, z - x), 3)
    contains(program, middles, radii)


@st.composite
def programs(draw):
    """Return programs of random operations on three numbers."""
    x = list(fresh_symbols("x", 3))
    values = [*x, constant(0.5), constant(-2.0)]
    inner = [op for op in Op if op not in LEAVES]
    for _ in range(draw(st.integers(1, 12))):
        op = draw(st.sampled_from(inner))
        operands = [values[draw(st.integers(0, len(values) - 1))] for _ in range(ARITY[op])]
        values.append(apply(op, *operands))
    return optimise(build({"x": np.array(x)}, {"y": np.array(values[-1:], dtype=object)}))


@settings(max_examples=examples(40))
@given(programs(), st.tuples(NUMBERS, NUMBERS, NUMBERS), st.tuples(RADII, RADII, RADII))
def test_random_programs(program, middles, radii):
    """Check whole programs of all operations."""
    contains(program, middles, radii)


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: np.sin(x) * y + x * x,
        lambda x, y: np.exp(x) / (2.0 + np.cos(y)),
        lambda x, y: np.sqrt(x * x + y * y) + np.arctan2(y, x),
        lambda x, y: np.tan(0.3 * x) - abs(y) ** 3,
    ],
)
def test_small_ranges_have_small_bounds(function):
    """Check that bounds shrink with ranges, to the true range but for the second order."""
    program = program_of(function, 2)
    middle = np.array([0.7, 1.1])
    slopes = []
    for k in range(2):
        step = np.eye(2)[k] * 1e-6
        ends = [outputs(program, middle + sign * step)[0].item() for sign in (-1, 1)]
        slopes.append((ends[1] - ends[0]) / 2e-6)
    for radius in (1e-2, 1e-3):
        true = radius * np.abs(slopes).sum()
        assert contains(program, middle, [radius] * 2) <= 3 * true + 40 * radius**2


def test_zero_in_a_divisor_and_jumps():
    """Check that nothing is claimed where a value is unbounded, and no rate where it jumps."""
    pole = program_of(lambda x: 1 / x, 1)
    assert not math.isfinite(outputs(value_bounds(pole), [0.1], [0.2])[1].item())
    t = fresh_symbols("t", 1)
    for value in (t[0].arctan2(-1.0), apply(Op.SIGN, t[0]), apply(Op.SELECT, t[0] < 0, 1 + t[0] * 0,
                  constant(3.0)), 1 / t[0]):  # fmt: skip
        jumping = build({"t": t}, {"g": np.array([value], dtype=object)})
        rates = build({"t": t}, {"rate": tangent([value], t, [1.0])})
        bounds = rate_bounds(jumping, rates)
        assert not math.isfinite(outputs(bounds, [0.0], [0.1])[1].item())
        assert math.isfinite(outputs(bounds, [0.5], [0.1])[1].item())
