"""Closed-form derivatives of the dynamics against Pinocchio's and against graph differentiation."""

import numpy as np
import pytest
from hypothesis import example, given, settings

import poinsot as ps
from poinsot.expr import build, fresh_symbols, jacobian
from poinsot.formulations.dynamics_derivatives import (
    differentiated_inverse_dynamics,
    forward_dynamics_derivatives,
    inverse_dynamics_derivatives,
    inverse_dynamics_second_derivatives,
)
from poinsot.formulations.recursive.inverse import inverse_dynamics
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.model import Environment
from tests.oracles.pinocchio_model import PinocchioOracle, pin
from tests.random_examples import examples
from tests.strategies import KINDS, cases, random_case, summed_mass_matrix


def on_numbers(compute, mechanism, q, v, a, environment=None):
    """Return derivatives of symbols, evaluated at a state."""
    state = (q, v, a)
    symbols = {name: fresh_symbols(name, x.size) for name, x in zip("qva", state, strict=True)}
    result = compute(mechanism, *symbols.values(), environment)
    y = np.empty((1, result.size))
    program = build(symbols, {"y": result})
    InterpreterKernel(program).run([x[None] for x in state], [y])
    return y.reshape(result.shape)


def assert_close(x, y, tolerance):
    """Assert agreement relative to the largest entry, or to 1."""
    assert np.max(np.abs(x - y), initial=0.0) <= tolerance * np.max(np.abs(y), initial=1.0)


@settings(max_examples=examples(15))
@given(case=cases(max_bodies=8, passive=False))
def test_pinocchio_agrees_with_inverse_dynamics(case):
    """Compare with Pinocchio's analytic derivatives: joints it has not are rows of its own."""
    oracle = PinocchioOracle(case.mechanism)
    found = inverse_dynamics_derivatives(case.mechanism, case.q, case.v, case.a)
    theirs = pin.computeRNEADerivatives(
        oracle.model, oracle.data, oracle.q(case.q), oracle.v(case.v), oracle.v(case.a)
    )
    order = np.ix_(oracle.v_index, oracle.v_index)
    for k, matrix in enumerate(theirs):
        expected = np.triu(matrix) + np.triu(matrix, 1).T if k == 2 else matrix
        assert_close(np.asarray(found[k], float)[order], expected, 1e-9)


@settings(max_examples=examples(10))
@given(case=cases(max_bodies=6, passive=False))
def test_pinocchio_agrees_with_forward_dynamics(case):
    """Compare with Pinocchio's derivatives of inverse dynamics and M by its definition.

    Its own of forward dynamics lose half the digits where a joint is a row of others without mass.
    """
    oracle, (q, v) = PinocchioOracle(case.mechanism), (case.q, case.v)
    found = forward_dynamics_derivatives(case.mechanism, q, v, case.tau).astype(float)
    M = summed_mass_matrix(case.mechanism, q)
    a = np.linalg.solve(M, case.tau - oracle.bias(q, v))
    order = np.ix_(oracle.v_index, oracle.v_index)
    theirs = pin.computeRNEADerivatives(
        oracle.model, oracle.data, oracle.q(q), oracle.v(v), oracle.v(a)
    )
    for k, forces in enumerate((-theirs[0], -theirs[1], np.eye(len(M)))):
        scale = np.max(np.abs(M) @ np.abs(found[k]), initial=1.0)
        error = np.abs((M @ found[k])[order] - forces)  # as the forces they stand for
        assert np.max(error, initial=0.0) <= 1e-9 * scale


@pytest.mark.parametrize("kind", KINDS)
def test_closed_form_agrees_with_differentiation(kind):
    """Check every joint, damping, springs and armature included, along ``integrate``."""
    case = random_case(7, 5, kinds=(kind,))
    state = (case.q, case.v, case.a)
    expected = on_numbers(differentiated_inverse_dynamics, case.mechanism, *state)
    found = inverse_dynamics_derivatives(case.mechanism, *state)
    assert_close(np.asarray(found, float), expected, 1e-11)


def test_loads_count():
    """Check wrenches on bodies, a moving base and gravity that is not the mechanism's."""
    case = random_case(3, 6)
    rng = np.random.default_rng(0)
    wrenches = {1: rng.normal(size=6), 4: rng.normal(size=6)}
    environment = Environment(rng.normal(size=3), *rng.normal(size=(2, 6)), wrenches)
    state = (case.q, case.v, case.a)
    expected = on_numbers(differentiated_inverse_dynamics, case.mechanism, *state, environment)
    found = inverse_dynamics_derivatives(case.mechanism, *state, environment)
    assert_close(np.asarray(found, float), expected, 1e-11)


def test_elements_that_depend_on_the_state():
    """Check a spring with a damper between two links, and a spring along a joint."""
    arm = ps.library.double_pendulum()
    upper, lower = (body.name for body in arm.bodies)
    forces = [
        ps.Spring((upper, (0.1, 0.2, 0.0)), ("world", (1.0, 0.0, 0.0)), 30.0, 2.0, length=0.2),
        ps.Spring((lower, (0.3, 0.0, 0.0)), (upper, (0.0, 0.4, 0.0)), 20.0, 1.0, length=0.1),
        ps.JointForce(lower, "-3*q - 0.5*v**3"),
    ]
    system = ps.System("held arm", arm.bodies, forces=forces)
    rng = np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, 2))
    for k, by in enumerate("qva"):
        expected = system.derivative("inverse_dynamics", q, v, a, by=by)
        assert_close(system.inverse_dynamics_derivatives(q, v, a)[k], expected, 1e-11)


ONE_VELOCITY = ("revolute", "prismatic", "helical")


def twice_differentiated(mechanism, q, v, a, environment):
    """Return the graph of inverse dynamics, differentiated by q q, v v, q v and a q."""
    by_q, by_v = (jacobian(inverse_dynamics(mechanism, q, v, a, environment), x) for x in (q, v))
    by_qv = np.swapaxes(jacobian(by_v, q), 1, 2)
    by_aq = np.swapaxes(jacobian(by_q, a), 1, 2)
    return np.stack([jacobian(by_q, q), jacobian(by_v, v), by_qv, by_aq])


@settings(max_examples=examples(6))
@given(case=cases(min_bodies=3, max_bodies=5, kinds=ONE_VELOCITY))
@example(case=random_case(0, 4, kinds=ONE_VELOCITY))
@example(case=random_case(2, 4, kinds=ONE_VELOCITY))
def test_second_derivatives_of_random_trees(case):
    """Compare with two differentiations of the graph: branches, several roots, loads, a base."""
    rng = np.random.default_rng(2)
    wrenches = {case.body(): rng.normal(size=6)}
    environment = Environment(rng.normal(size=3), *rng.normal(size=(2, 6)), wrenches)
    state = (case.q, case.v, case.a)
    found = inverse_dynamics_second_derivatives(case.mechanism, *state, environment)
    expected = on_numbers(twice_differentiated, case.mechanism, *state, environment)
    for x, y in zip(np.asarray(found, float), expected, strict=True):
        assert_close(x, y, 1e-10)
