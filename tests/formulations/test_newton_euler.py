"""Constraints, reactions and the augmented system of all bodies as free ones."""

import numpy as np
import pytest
from hypothesis import given, settings

from poinsot.expr import fresh_symbols
from poinsot.formulations import newton_euler
from poinsot.formulations.newton_euler import augmented
from poinsot.formulations.newton_euler.bodies import free_bodies, global_jacobian
from poinsot.formulations.passive import passive_force
from poinsot.model import Body, Mechanism, Revolute, Surroundings
from tests.formulations.surrounded import random_surroundings, still
from tests.oracles.agreement import assert_agree
from tests.strategies import cases, random_case


@settings(max_examples=30)
@given(cases(12))
def test_explicit_and_implicit_constraints_belong_together(case):
    """Check G J̄ = 0, that H J̄ = 1 gives the joints' velocities back, and the shapes."""
    m = case.mechanism
    bodies = free_bodies(m, case.q, case.v, still(case))
    D = augmented.relative_motion(m, bodies)
    G = augmented.forbidden_directions(bodies) @ D
    H = augmented.allowed_directions(bodies) @ D
    J = np.zeros((6 * m.n_bodies, m.nv))
    for i, (numbers, rows) in enumerate(global_jacobian(m, bodies)):
        J[6 * i : 6 * i + 6, numbers] = rows
    size = 1.0 + np.max(np.abs(J), initial=0.0)
    assert G.shape == (6 * m.n_bodies - m.nv, 6 * m.n_bodies)
    assert np.max(np.abs(G @ J), initial=0.0) < 1e-12 * size**2
    assert np.max(np.abs(H @ J - np.eye(m.nv)), initial=0.0) < 1e-12 * size**2


@settings(max_examples=30)
@given(cases(12))
def test_velocities_are_the_jacobian_times_those_of_the_joints(case):
    """Check V = J̄ v for a base at rest."""
    m = case.mechanism
    bodies = free_bodies(m, case.q, case.v, still(case))
    for body, (numbers, J) in zip(bodies, global_jacobian(m, bodies), strict=True):
        assert_agree(J @ case.v[numbers], body.V)


@settings(max_examples=30)
@given(cases(12))
def test_reactions_along_the_joint_are_the_joint_forces(case):
    """Check Sᵀ F = tau - passive - armature a for every joint."""
    m, q, v, a, around = case.mechanism, case.q, case.v, case.a, random_surroundings(case)
    tau = newton_euler.inverse_dynamics(m, q, v, a, around)
    wrenches = newton_euler.reactions(m, q, v, a, around)
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
    wrench = newton_euler.reactions(m, nothing, nothing, nothing, Surroundings.of(m))[0]
    assert_agree(wrench, np.array([0.0, 0.0, 20.0, 0.0, -10.0, 0.0]))


def test_expressions_have_no_forward_dynamics():
    """Check that symbols are refused with the reason, wherever they are."""
    m = Mechanism("pendulum", [Body("rod", joint=Revolute("y"), mass=1.0, com=(0, 0, -1))])
    (x,), number, around = fresh_symbols("q", 1), np.zeros(1), Surroundings.of(m)
    with pytest.raises(TypeError, match="numerically"):
        newton_euler.forward_dynamics(m, np.array([x]), number, number, around)
    around = Surroundings(np.array([0.0, 0.0, x]))
    with pytest.raises(TypeError, match="numerically"):
        newton_euler.forward_dynamics(m, number, number, number, around)


def test_many_bodies_stay_sparse():
    """Check that the augmented system of a long chain is solved, and has few entries."""
    case = random_case(3, 300, kinds=("revolute",), passive=False)
    m = case.mechanism
    bodies = free_bodies(m, case.q, case.v, still(case))
    D = augmented.relative_motion(m, bodies)
    assert D.nnz <= 72 * m.n_bodies
    a = newton_euler.forward_dynamics(m, case.q, case.v, case.tau, still(case))
    assert np.isfinite(a).all()
