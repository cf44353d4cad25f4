"""Laws of motion on random systems, without any other implementation."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings

from poinsot import Free
from poinsot.formulations import energy
from poinsot.formulations.kinematics import body_pose
from poinsot.formulations.passive_forces import spring_energy
from poinsot.formulations.recursive.articulated import articulated_forward_dynamics
from poinsot.formulations.recursive.composite import (
    mass_matrix_along_paths,
    mass_matrix_in_base,
)
from poinsot.formulations.recursive.factored import factored_forward_dynamics
from poinsot.formulations.recursive.inverse import bias, gravity_force, inverse_dynamics
from tests.identities.along import assert_rate, rate_along
from tests.oracles.agreement import TOLERANCE, assert_agree
from tests.random_examples import examples
from tests.strategies import cases, summed_mass_matrix

FEW = 12
"""Bodies where rates are taken: the tips of longer chains move too fast for differences."""
WAYS_TO_ACCELERATE = (
    articulated_forward_dynamics,
    partial(factored_forward_dynamics, mass_matrix=mass_matrix_along_paths),
    partial(factored_forward_dynamics, mass_matrix=mass_matrix_in_base),
)


@pytest.mark.parametrize("way", [mass_matrix_along_paths, mass_matrix_in_base])
@settings(max_examples=examples(8))
@given(case=cases())
def test_mass_matrix_is_that_of_the_bodies(way, case):
    """Check M = sum of Jᵀ I J and armature: symmetric to the bit and positive definite."""
    M = way(case.mechanism, case.q)
    assert np.array_equal(M, M.T)
    assert np.all(np.linalg.eigvalsh(M) > 0.0)
    assert_agree(M, summed_mass_matrix(case.mechanism, case.q))


@settings(max_examples=examples(8))
@given(cases())
def test_kinetic_energy_is_that_of_the_mass_matrix(case):
    """Check that the bodies' energies add up to vᵀ M v / 2."""
    M = mass_matrix_along_paths(case.mechanism, case.q)
    assert_agree(0.5 * case.v @ M @ case.v, energy.kinetic_energy(case.mechanism, case.q, case.v))


@settings(max_examples=examples(8))
@given(cases())
def test_inverse_dynamics_is_affine_in_acceleration(case):
    """Check tau(a) = M a + bias, whatever the velocity."""
    m, q, v, a = case.mechanism, case.q, case.v, case.a
    M, c = mass_matrix_in_base(m, q), bias(m, q, v)
    assert_agree(inverse_dynamics(m, q, v, 0.0 * a), c)
    size = np.max(np.abs(M) @ np.abs(a) + np.abs(c), initial=0.0)
    error = np.max(np.abs(inverse_dynamics(m, q, v, a) - c - M @ a), initial=0.0)
    assert error <= TOLERANCE * size


@pytest.mark.parametrize("way", WAYS_TO_ACCELERATE)
@settings(max_examples=examples(6))
@given(case=cases())
def test_forward_dynamics_undoes_inverse_dynamics(way, case):
    """Check a(tau(a)) = a, as well as the condition of M allows, and tau(a(tau)) = tau."""
    m, q, v, a, tau = case.mechanism, case.q, case.v, case.a, case.tau
    M, c = mass_matrix_in_base(m, q), bias(m, q, v)
    if m.nv:
        condition = np.linalg.cond(M) * (1.0 + np.max(np.abs(c)) / np.max(np.abs(M @ a)))
        tolerance = TOLERANCE + 50 * np.finfo(float).eps * condition
        assert_agree(way(m, q, v, inverse_dynamics(m, q, v, a)), a, tolerance)
    solution = way(m, q, v, tau)
    size = np.max(np.abs(M) @ np.abs(solution) + np.abs(c) + np.abs(tau), initial=0.0)
    error = np.max(np.abs(inverse_dynamics(m, q, v, solution) - tau), initial=0.0)
    assert error <= TOLERANCE * size


@settings(max_examples=examples(8))
@given(cases(FEW))
def test_power_is_balanced(case):
    """Check d/dt (kinetic + potential energy) = tau·v - vᵀ D v for any motion."""
    m, q, v, a = case.mechanism, case.q, case.v, case.a

    def total(q, v):
        return energy.kinetic_energy(m, q, v) + energy.potential_energy(m, q)

    tau = inverse_dynamics(m, q, v, a)
    lost = sum(
        v[part] @ body.joint.damping_matrix() @ v[part]
        for body, part in zip(m.bodies, m.v_slices, strict=True)
    )
    size = np.abs(tau) @ np.abs(v) + abs(total(q, v))
    assert_rate(rate_along(total, m, q, v, a), tau @ v - lost, size)


@settings(max_examples=examples(8))
@given(cases(FEW))
def test_gravity_force_is_the_slope_of_its_energy(case):
    """Check gravity_force·v = d/dt of the energy of gravity while the bodies move with v."""
    m, q, v = case.mechanism, case.q, case.v
    slope = rate_along(lambda q, _: energy.gravity_energy(m, q), m, q, v)
    force = gravity_force(m, q)
    assert_rate(slope, force @ v, np.abs(force) @ np.abs(v) + abs(energy.gravity_energy(m, q)))


@settings(max_examples=examples(8))
@given(cases(FEW))
def test_spring_force_is_the_slope_of_its_energy(case):
    """Check that the bias at rest is gravity and the slope of the energy of the springs."""
    m, q, v = case.mechanism, case.q, case.v
    force = bias(m, q, 0.0 * v) - gravity_force(m, q)
    slope = rate_along(lambda q, _: spring_energy(m, q), m, q, v)
    assert_rate(slope, force @ v)
    assert_agree(energy.potential_energy(m, q), energy.gravity_energy(m, q) + spring_energy(m, q))


@settings(max_examples=examples(8))
@given(cases(FEW, root=Free()))
def test_momentum_changes_by_outer_forces_only(case):
    """Check d/dt momentum = gravity + the wrench on the floating base, whatever happens inside."""
    m, q, v, tau = case.mechanism, case.q, case.v, case.tau
    (root,) = m.roots
    a = articulated_forward_dynamics(m, q, v, tau)
    weight = sum(body.mass for body in m.bodies) * np.array(m.gravity)
    wrench = body_pose(m, root, q).force_to_parent(tau[m.v_slices[root]])
    expected = wrench + np.concatenate([weight, np.cross(energy.centre_of_mass(m, q), weight)])
    rate = rate_along(lambda q, v: energy.momentum(m, q, v), m, q, v, a)
    assert_rate(rate, expected, np.max(np.abs(mass_matrix_in_base(m, q)) @ np.abs(a)))


@settings(max_examples=examples(8))
@given(cases(FEW))
def test_momentum_is_mass_times_velocity_of_the_centre(case):
    """Check the linear momentum against the rate of the mass centre."""
    m, q, v = case.mechanism, case.q, case.v
    mass = sum(body.mass for body in m.bodies)
    rate = rate_along(lambda q, _: energy.centre_of_mass(m, q), m, q, v)
    momentum = energy.momentum(m, q, v)
    assert_rate(mass * rate, momentum[:3], mass * np.max(np.abs(energy.centre_of_mass(m, q))))
