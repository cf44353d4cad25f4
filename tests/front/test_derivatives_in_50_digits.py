"""Derivatives of orders 1 to 3 against differences in 60 digits, where truncation is nothing."""

import operator
from itertools import product

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.evaluate.request import request_for
from poinsot.evaluate.trace import trace
from poinsot.expr import Op

MEANING = {
    Op.ADD: operator.add, Op.SUB: operator.sub, Op.MUL: operator.mul, Op.DIV: operator.truediv,
    Op.NEG: operator.neg, Op.SIN: mpmath.sin, Op.COS: mpmath.cos, Op.SQRT: mpmath.sqrt,
}  # fmt: skip
DIGITS, STEP = 60, mpmath.mpf(10) ** -13
"""Third differences lose 39 of the digits; the error of a central difference is of order 1e-26."""


def in_digits(program, inputs):
    """Return the results of a program in many digits."""
    values = [*inputs, *map(mpmath.mpf, program.constants)]
    for op, arguments in program.steps:
        values.append(MEANING[op](*(values[a] for a in arguments)))
    return np.array([values[k] for k in program.results], dtype=object)


def differences(program, inputs, entries, order):
    """Return all derivatives of an order by some inputs, by nested central differences."""
    if order == 0:
        return in_digits(program, inputs)
    columns = []
    for k in entries:
        ends = []
        for sign in (1, -1):
            moved = list(inputs)
            moved[k] = moved[k] + sign * STEP
            ends.append(differences(program, moved, entries, order - 1))
        columns.append((ends[0] - ends[1]) / (2 * STEP))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_inverse_dynamics(order):
    """Check a rotating, a lifting and a telescoping joint, by q and by v."""
    system = ps.library.rrp_arm()
    rng = np.random.default_rng(order)
    state = rng.normal(size=(3, system.nv))
    program = trace(system.mechanism, request_for("inverse_dynamics"))
    n = system.nv
    with mpmath.workdps(DIGITS):
        inputs = [mpmath.mpf(x) for x in state.ravel()]
        for by, entries in (("q", range(n)), ("v", range(n, 2 * n))):
            expected = differences(program, inputs, entries, order).astype(float)
            found = system.derivative("inverse_dynamics", *state, by=(by,) * order)
            assert_allclose(found, expected, rtol=1e-10, atol=1e-10 * (1 + np.abs(expected).max()))


def test_second_derivatives_in_closed_form():
    """Check those by q q, v v, q v and a q."""
    system = ps.library.rrp_arm()
    n, state = system.nv, np.random.default_rng(4).normal(size=(3, system.nv))
    program = trace(system.mechanism, request_for("inverse_dynamics"))
    with mpmath.workdps(DIGITS):
        inputs = [mpmath.mpf(x) for x in state.ravel()]
        whole = differences(program, inputs, range(3 * n), 2).astype(float)
    q, v, a = (slice(k * n, (k + 1) * n) for k in range(3))
    expected = np.stack([whole[:, i, j] for i, j in ((q, q), (v, v), (q, v), (a, q))])
    found = system.inverse_dynamics_second_derivatives(*state)
    assert_allclose(found, expected, atol=1e-11 * np.abs(expected).max())


def test_both_routes_for_the_mass_matrix():
    """Check the third derivatives of M, differentiated and as products of screws."""
    system = ps.library.rrp_arm()
    q = np.random.default_rng(0).normal(size=system.nq)
    program = trace(system.mechanism, request_for("mass_matrix"))
    n = system.nv
    with mpmath.workdps(DIGITS):
        expected = differences(program, [mpmath.mpf(x) for x in q], range(n), 3)
    expected = expected.astype(float).reshape((n,) * 5)
    found = system.derivative("mass_matrix", q, by=("q",) * 3)
    vectors = system.coefficient_vectors(q)
    scale = 1 + np.abs(expected).max()
    assert_allclose(found, expected, atol=1e-10 * scale)
    for i, j, *by in product(range(n), repeat=5):
        assert abs(vectors.a(i, j, by) - expected[i, j, *by]) <= 1e-10 * scale


@pytest.mark.parametrize("make", [ps.library.rrp_arm, ps.library.double_pendulum])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_time_derivatives_along_polynomials(make, order):
    """Differentiate joint forces over a polynomial motion as a function of the time alone."""
    system = make()
    n, rng = system.nv, np.random.default_rng(order)
    program = trace(system.mechanism, request_for("inverse_dynamics"))
    with mpmath.workdps(DIGITS):
        motions = [[mpmath.mpf(x) for x in row] for row in rng.normal(size=(n, 7))]

        def state(count, t):
            """Return q(t) and its derivatives, one row after the other."""
            return [_derivative(row, k, t) for k in range(count) for row in motions]

        def force(t, entry):
            return in_digits(program, state(3, t))[entry]

        moment = mpmath.mpf("0.3")
        expected = [float(mpmath.diff(lambda t, k=k: force(t, k), moment, order)) for k in range(n)]
        rates = np.array(state(3 + order, moment), float).reshape(-1, n)
    found = system.time_derivative("inverse_dynamics", *rates, order=order)
    assert_allclose(found, expected, rtol=1e-10, atol=1e-11 * (1 + np.abs(expected).max()))


def _derivative(coefficients, order, t):
    """Return a derivative of a polynomial, coefficients of 1, t, t², ..."""
    terms = range(order, len(coefficients))
    return sum(coefficients[k] * mpmath.ff(k, order) * t ** (k - order) for k in terms)
