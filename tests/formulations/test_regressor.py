"""Regressors: linear in the parameters, equal to the dynamics, and to Pinocchio's."""

import numpy as np
import pytest
from hypothesis import given, settings

from poinsot.formulations.energy import gravity_energy
from poinsot.formulations.recursive.inverse import inverse_dynamics
from poinsot.formulations.regressor import (
    energy_regressor,
    inertial_parameters,
    regressor,
    regressor_in_one_frame,
    regressor_in_world_axes,
)
from poinsot.model import Body, Mechanism
from tests.random_examples import examples
from tests.strategies import cases, random_case, summed_mass_matrix

IN_PINOCCHIO = (0, 1, 2, 3, 4, 7, 5, 8, 9, 6)
"""Where its parameters m, mc, Ixx, Ixy, Iyy, Ixz, Iyz, Izz are among ours."""


def numbers(array):
    return np.array(array, dtype=float)


def relative(x, y):
    return np.max(np.abs(x - y), initial=0.0) / max(np.max(np.abs(y), initial=0.0), 1e-9)


@pytest.mark.parametrize("algorithm", [regressor, regressor_in_one_frame, regressor_in_world_axes])
@settings(max_examples=examples(8), deadline=None)
@given(case=cases(max_bodies=15, passive=False))
def test_regressor_times_parameters_is_inverse_dynamics(algorithm, case):
    """Compare every algorithm with the recursive equations on random trees of all joints."""
    state = case.q, case.v, case.a
    Y, pi = numbers(algorithm(case.mechanism, *state)), numbers(inertial_parameters(case.mechanism))
    assert relative(Y @ pi, numbers(inverse_dynamics(case.mechanism, *state))) < 1e-11


@settings(max_examples=examples(6), deadline=None)
@given(cases(max_bodies=10, passive=False))
def test_algorithms_agree_column_by_column(case):
    """Compare every entry: what cancels in the product with the parameters shows here."""
    state = case.q, case.v, case.a
    world = numbers(regressor_in_world_axes(case.mechanism, *state))
    for algorithm in (regressor, regressor_in_one_frame):
        assert relative(numbers(algorithm(case.mechanism, *state)), world) < 1e-11


@settings(max_examples=examples(5), deadline=None)
@given(cases(max_bodies=10, passive=False))
def test_energy_regressor_times_parameters_is_the_energy(case):
    """Compare with vᵀ M v / 2 and the energy of gravity."""
    mechanism, q, v = case.mechanism, case.q, case.v
    found = numbers(energy_regressor(mechanism, q, v)) @ numbers(inertial_parameters(mechanism))
    kinetic = 0.5 * v @ summed_mass_matrix(mechanism, q) @ v
    falling = float(gravity_energy(mechanism, q))
    assert abs(found - kinetic - falling) <= 1e-11 * (abs(kinetic) + abs(falling) + 1.0)


@pytest.mark.parametrize("seed", range(6))
def test_columns_are_pinocchios(seed):
    """Compare each column with computeJointTorqueRegressor."""
    pin = pytest.importorskip("pinocchio")
    from tests.oracles.pinocchio_model import PinocchioOracle

    kinds = ("revolute", "prismatic", "spherical", "free", "translation", "cylindrical")
    case = random_case(seed=seed, n_bodies=7, passive=False, kinds=kinds)
    oracle = PinocchioOracle(case.mechanism)
    state = oracle.q(case.q), oracle.v(case.v), oracle.v(case.a)
    theirs = pin.computeJointTorqueRegressor(oracle.model, oracle.data, *state)
    ours = numbers(regressor(case.mechanism, case.q, case.v, case.a))
    for i in range(7):
        joint, _ = oracle.places[i]
        block = theirs[:, 10 * (joint - 1) : 10 * joint]
        mine = ours[:, 10 * i : 10 * i + 10][oracle.v_index][:, IN_PINOCCHIO]
        assert relative(mine, block) < 1e-11


def test_columns_do_not_depend_on_the_parameters():
    """Change all masses and keep the regressor."""
    case = random_case(seed=3, n_bodies=5, passive=False)
    other = Mechanism(
        "heavier",
        [
            Body(b.name, b.parent, b.joint, b.pose, 2.0 * b.mass + 1.0, b.com, b.inertia)
            for b in case.mechanism.bodies
        ],
        case.mechanism.gravity,
    )
    state = case.q, case.v, case.a
    np.testing.assert_array_equal(
        numbers(regressor(case.mechanism, *state)), numbers(regressor(other, *state))
    )
