"""Constraints, reactions and the augmented system of all bodies as free ones."""

import numpy as np
import pytest
from hypothesis import given, settings

from poinsot.expr import fresh_symbols
from poinsot.formulations import newton_euler
from poinsot.formulations.newton_euler import augmented
from poinsot.formulations.newton_euler.bodies import free_bodies, global_jacobian, to_com
from poinsot.formulations.passive_forces import passive_force
from poinsot.model import Body, Environment, Euler, Mechanism, Revolute
from tests.formulations.surrounded import random_surroundings, still
from tests.oracles.agreement import TOLERANCE, assert_agree
from tests.random_examples import examples
from tests.strategies import cases, random_case


@settings(max_examples=examples(6))
@given(cases(12))
def test_jacobian_obeys_the_constraints_between_neighbours(case):
    """Check D J̄ = S: unit velocity of a joint moves its body against the parent, and no other."""
    m = case.mechanism
    bodies = free_bodies(m, case.q, case.v, still(case))
    J, S = np.zeros((2, 6 * m.n_bodies, m.nv))
    for i, (numbers, rows) in enumerate(global_jacobian(m, bodies)):
        J[6 * i : 6 * i + 6, numbers] = rows
        S[6 * i : 6 * i + 6, m.v_slices[i]] = bodies[i].S
    difference = augmented.relative_motion(m, bodies) @ J - S
    assert np.max(np.abs(difference), initial=0.0) < 1e-12 * np.max(np.abs(J), initial=1.0) ** 2


@settings(max_examples=examples(6))
@given(cases(12))
def test_multipliers_are_the_reactions(case):
    """Check the unknown wrenches of the augmented system against those by the bodies' equations."""
    m, q, v, environment = case.mechanism, case.q, case.v, random_surroundings(case)
    motion = augmented.solved_motion(m, q, v, case.tau, environment)
    expected = newton_euler.reactions(m, q, v, motion.a, environment)
    wrenches = motion.F.reshape(m.n_bodies, 6)
    found = [to_com(body).force_to_parent(F) for body, F in zip(m.bodies, wrenches, strict=True)]
    M = newton_euler.mass_matrix(m, q)
    rounding = 50 * np.finfo(float).eps * np.linalg.cond(M) if m.nv else 0.0
    assert_agree(np.array(found), np.array(list(expected.values())), TOLERANCE + rounding)


@settings(max_examples=examples(6))
@given(cases(12))
def test_velocities_are_the_jacobian_times_those_of_the_joints(case):
    """Check V = J̄ v for a base at rest."""
    m = case.mechanism
    bodies = free_bodies(m, case.q, case.v, still(case))
    for body, (numbers, J) in zip(bodies, global_jacobian(m, bodies), strict=True):
        assert_agree(J @ case.v[numbers], body.V)


@settings(max_examples=examples(6))
@given(cases(12))
def test_reactions_along_the_joint_are_the_joint_forces(case):
    """Check Sᵀ F = tau - passive - armature a for every joint."""
    m, q, v, a, environment = case.mechanism, case.q, case.v, case.a, random_surroundings(case)
    tau = newton_euler.inverse_dynamics(m, q, v, a, environment)
    wrenches = newton_euler.reactions(m, q, v, a, environment)
    found = np.zeros(m.nv)
    for i, body in enumerate(m.bodies):
        own = m.v_slices[i]
        S = body.joint.motion_subspace(q[m.q_slices[i]])
        found[own] = S.T @ wrenches[i] + body.joint.armature_matrix() @ a[own]
    assert_agree(found + passive_force(m, q, v), tau)


def test_reaction_carries_the_weight():
    """Check the wrench on a beam held at its end: weight upwards, and weight times lever."""
    m = Mechanism("beam", [Body("beam", mass=2.0, com=(0.5, 0.0, 0.0))], gravity=(0.0, 0.0, -10.0))
    nothing = np.zeros(0)
    wrench = newton_euler.reactions(m, nothing, nothing, nothing, Environment.of(m))[0]
    assert_agree(wrench, np.array([0.0, 0.0, 20.0, 0.0, -10.0, 0.0]))


def test_expressions_have_no_forward_dynamics():
    """Check that symbols are refused with the reason, wherever they are."""
    m = Mechanism("pendulum", [Body("rod", joint=Revolute("y"), mass=1.0, com=(0, 0, -1))])
    (x,), number, environment = fresh_symbols("q", 1), np.zeros(1), Environment.of(m)
    with pytest.raises(TypeError, match="numerically"):
        newton_euler.forward_dynamics(m, np.array([x]), number, number, environment)
    environment = Environment(np.array([0.0, 0.0, x]))
    with pytest.raises(TypeError, match="numerically"):
        newton_euler.forward_dynamics(m, number, number, number, environment)


def test_dependent_motions_of_a_joint():
    """Check gimbal lock, where the drives' armature alone keeps the accelerations determined."""
    joint = Euler("zyx", armature=0.3)
    m = Mechanism("locked", [Body("top", joint=joint, mass=1.0, com=(0.1, 0.2, 0.3))])
    q, v, tau = np.array([0.4, np.pi / 2, -0.7]), np.ones(3), np.array([1.0, 2.0, 3.0])
    a = newton_euler.forward_dynamics(m, q, v, tau, Environment.of(m))
    M, bias = newton_euler.mass_matrix(m, q), newton_euler.bias(m, q, v, Environment.of(m))
    assert_agree(a, np.linalg.solve(M, tau - bias))


def test_many_bodies_stay_sparse():
    """Check that the augmented system of a long chain is solved, and has few entries."""
    case = random_case(3, 300, kinds=("revolute",), passive=False)
    m = case.mechanism
    bodies = free_bodies(m, case.q, case.v, still(case))
    D = augmented.relative_motion(m, bodies)
    assert D.nnz <= 72 * m.n_bodies
    a = newton_euler.forward_dynamics(m, case.q, case.v, case.tau, still(case))
    assert np.isfinite(a).all()
