"""Dynamics with constraints: the equations they solve, three ways that agree, and energy."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

from poinsot.formulations import embedding, energy, newton_euler
from poinsot.formulations.constrained import closed_quantities, loop_coordinates
from poinsot.formulations.constrained.closed_quantities import Tree
from poinsot.formulations.constrained.constraint_rows import with_closures
from poinsot.formulations.constrained.reactions import reactions
from poinsot.formulations.newton_euler.augmented import solved_motion
from poinsot.formulations.newton_euler.bodies import to_com
from poinsot.formulations.recursive import inverse
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.model import (
    AbstractClosure,
    Body,
    Environment,
    Fixed,
    Loop,
    Mechanism,
    Pose,
    Revolute,
)
from tests.closed.differences import first
from tests.closed.random_closed import assume_well_posed, closed_cases
from tests.random_examples import examples

TREE = Tree(mass_matrix_along_paths, inverse.bias)
NOTHING = 1e-10


def tree_terms(case, environment):
    """Return M and the bias of the tree."""
    m, q, v = case.mechanism, case.q, case.v
    return mass_matrix_along_paths(m, q), inverse.bias(m, q, v, environment)


def largest(*arrays):
    """Return the largest absolute number, at least 1."""
    return max(1.0, *(float(np.abs(x).max(initial=0.0)) for x in arrays))


def condition(case, M):
    """Return how much errors of accelerations may exceed those of their equations."""
    rows = case.rows().J
    units = rows / np.maximum(np.linalg.norm(rows, axis=1), 1e-3)[:, None]
    values = np.linalg.svd(units, compute_uv=False)
    values = values[values > 1e-9]
    spread = values[0] / values[-1] if len(values) else 1.0
    return spread**2 * (np.linalg.cond(M) if len(M) else 1.0)


@settings(max_examples=examples(11))
@given(closed_cases())
def test_three_ways_agree(case):
    """Check the equations of motion, and two formulations that share none of their code."""
    assume_well_posed(case)
    m, q, v, tau, environment = case.mechanism, case.q, case.v, case.tau, case.acting()
    a = closed_quantities.forward_dynamics(m, q, v, tau, environment, tree=TREE)
    lam, determined = closed_quantities.multipliers(m, q, v, tau, environment, tree=TREE)
    (M, bias), rows = tree_terms(case, environment), case.rows()
    forces = largest(np.abs(M) @ np.abs(a), bias, np.abs(rows.J.T) @ np.abs(lam))
    assert np.abs(M @ a + bias - tau - rows.J.T @ lam).max(initial=0.0) < NOTHING * forces
    free = np.linalg.solve(M, tau - bias)  # of which the constraints take most away
    size = largest(np.abs(rows.J) @ np.maximum(np.abs(a), np.abs(free)), rows.gamma)
    accepted = NOTHING + 20 * np.finfo(float).eps * condition(case, M)
    assume(accepted < 1e-6)
    assert np.abs(rows.J @ a + rows.gamma).max() < accepted * size
    reduced = embedding.forward_dynamics(m, q, v, tau, environment)
    motion = solved_motion(m, q, v, tau, environment)
    for other in (reduced, motion.a):
        assert np.abs(a - other).max(initial=0.0) < accepted * largest(a, free)
    assert np.abs(rows.J.T @ (lam - motion.lam)).max(initial=0.0) < accepted * forces
    sure = determined > 0.5
    assert np.abs(lam - motion.lam)[sure].max(initial=0.0) < accepted * largest(lam) * 100


@settings(max_examples=examples(6))
@given(closed_cases())
def test_multipliers_are_the_shortest(case):
    """Compare lam with the pseudo-inverse, and what is determined with the null space of Jᵀ."""
    assume_well_posed(case)
    m, q, v, tau, environment = case.mechanism, case.q, case.v, case.tau, case.acting()
    M, bias = tree_terms(case, environment)
    assume(condition(case, M) < 1e6)
    a = closed_quantities.forward_dynamics(m, q, v, tau, environment, tree=TREE)
    lam, determined = closed_quantities.multipliers(m, q, v, tau, environment, tree=TREE)
    needed, J = M @ a + bias - tau, case.rows().J
    expected = np.linalg.pinv(J.T, rcond=1e-8) @ needed
    np.testing.assert_allclose(lam, expected, rtol=0.0, atol=1e-8 * largest(lam, needed))
    again = closed_quantities.motion_multipliers(m, q, v, a, tau, environment, tree=TREE)
    np.testing.assert_allclose(again, expected, rtol=0.0, atol=1e-8 * largest(lam, needed))
    left, values, _ = np.linalg.svd(J)
    free = left[:, int(np.sum(values > 1e-8 * values.max(initial=1e-3))) :]
    open_ = np.linalg.norm(free, axis=1)
    assume(not np.any((open_ > 1e-8) & (open_ < 1e-4)))
    assert np.array_equal(determined > 0.5, open_ < 1e-6)


@settings(max_examples=examples(8))
@given(closed_cases(max_bodies=5))
def test_energy_changes_by_what_drives_and_dampers_do(case):
    """Check d(T + U)/dt: constraints work only where they move with the time."""
    assume_well_posed(case)
    m, q, v, tau = case.mechanism, case.q, case.v, case.tau
    quiet = case.environment(load_inputs=False)
    driven = type(quiet)(quiet.gravity, drives=case.environment().drives, t=case.t)
    environment = with_closures(m, q, v, driven)
    a = closed_quantities.forward_dynamics(m, q, v, tau, environment, tree=TREE)
    lam = closed_quantities.multipliers(m, q, v, tau, environment, tree=TREE)[0]
    speed = largest(v, np.sqrt(np.abs(a)), case.rows().J)
    assume(speed < 100.0)
    power = tau @ v - lam @ case.rows().drift
    for body, own in zip(m.bodies, m.v_slices, strict=True):
        power -= v[own] @ body.joint.damping_matrix() @ v[own]
    for k, one in enumerate(m.closures):
        if isinstance(one, AbstractClosure):
            rate = loop_coordinates.closure_velocity(m, k, q, v, quiet)
            damping = one.joint.damping_matrix() if isinstance(one, Loop) else [[one.damping]]
            power += driven.drives[k] @ rate - rate @ damping @ rate

    def total(h):
        at, moving = m.integrate(q, h * v + 0.5 * h * h * a), v + h * a
        return energy.kinetic_energy(m, at, moving) + energy.potential_energy(m, at)

    far = 4e-3 / speed**1.5
    for k, one in enumerate(m.closures):  # an angle may jump at ±π, and its spring with it
        if isinstance(one, AbstractClosure) and one.is_passive:
            ends = [
                loop_coordinates.closure_position(m, k, m.integrate(q, h * v), quiet)
                for h in (-2 * far, 2 * far)
            ]
            assume(np.abs(ends[0] - ends[1]).max(initial=0.0) < 1.0)
    found = first(total, far / 4)
    size = largest(power, np.abs(tau) @ np.abs(v), np.abs(lam) @ np.abs(case.rows().J) @ np.abs(v))
    assert abs(found - power) < 1e-6 * size + 1e-12 * abs(total(0.0)) / far


@settings(max_examples=examples(6))
@given(closed_cases())
def test_inverse_dynamics_undoes_forward_dynamics(case):
    """Check that the forces found produce a, and that none of them fights a constraint."""
    assume_well_posed(case)
    m, q, v, tau, environment = case.mechanism, case.q, case.v, case.tau, case.acting()
    M, bias = tree_terms(case, environment)
    assume(condition(case, M) < 1e6)
    a = closed_quantities.forward_dynamics(m, q, v, tau, environment, tree=TREE)
    J = case.rows().J
    found = closed_quantities.inverse_dynamics(m, range(m.nv), q, v, a, environment, tree=TREE)
    expected = tau - np.linalg.pinv(J, rcond=1e-8) @ (J @ tau)  # what is not along the rows
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-8 * largest(M @ a, bias, tau))
    again = closed_quantities.forward_dynamics(m, q, v, found, environment, tree=TREE)
    np.testing.assert_allclose(again, a, rtol=0.0, atol=1e-8 * largest(a))


@settings(max_examples=examples(6))
@given(closed_cases())
def test_some_drives_do_what_they_can(case):
    """Compare the forces of some joints with the pseudo-inverse along allowed motions."""
    assume_well_posed(case)
    m, q, v, environment = case.mechanism, case.q, case.v, case.acting()
    M, bias = tree_terms(case, environment)
    assume(m.nv and condition(case, M) < 1e6)
    J, a = case.rows().J, case.rng.uniform(-1, 1, m.nv)
    driven = np.flatnonzero(case.rng.random(m.nv) < 0.6)
    P = np.eye(m.nv) - np.linalg.pinv(J, rcond=1e-8) @ J
    P[np.abs(P) < 1e-12] = 0.0  # rounding, where nothing can move
    values = np.linalg.svd(P[:, driven], compute_uv=False)
    assume(not np.any((values > 1e-12) & (values < 1e-3)))
    expected = np.zeros(m.nv)
    expected[driven] = np.linalg.pinv(P[:, driven], rcond=1e-8) @ (P @ (M @ a + bias))
    found = closed_quantities.inverse_dynamics(m, driven.tolist(), q, v, a, environment, tree=TREE)
    size = largest(M @ a, bias, expected)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-7 * size)


@settings(max_examples=examples(6))
@given(closed_cases(kinds=("loop fixed", "loop revolute", "loop spherical", "distance", "curve")))
def test_mixed_dynamics_solve_the_same_equations(case):
    """Give one acceleration that the constraints leave open, and the other forces."""
    assume_well_posed(case)
    m, q, v, tau, environment = case.mechanism, case.q, case.v, case.tau, case.acting()
    M, _ = tree_terms(case, environment)
    assume(m.nv and condition(case, M) < 1e6)
    a = closed_quantities.forward_dynamics(m, q, v, tau, environment, tree=TREE)
    k = int(case.rng.integers(m.nv))
    rest = np.eye(m.nv)[k] - np.linalg.pinv(case.rows().J, rcond=1e-8) @ case.rows().J[:, k]
    assume(np.linalg.norm(rest) > 1e-2)
    given_a, other_tau = a.copy(), tau.copy()
    given_a[k], other_tau[k] = a[k] + 0.7, np.nan
    all_a, all_tau = closed_quantities.mixed_dynamics(
        m,
        [k],
        q,
        v,
        np.where(np.arange(m.nv) == k, given_a, np.nan),
        other_tau,
        environment,
        tree=TREE,
    )
    assert all_a[k] == pytest.approx(a[k] + 0.7, abs=1e-8 * largest(a))
    np.testing.assert_array_equal(np.delete(all_tau, k), np.delete(tau, k))
    again = closed_quantities.forward_dynamics(m, q, v, all_tau, environment, tree=TREE)
    np.testing.assert_allclose(again, all_a, rtol=0.0, atol=1e-7 * largest(all_a))


@settings(max_examples=examples(6))
@given(closed_cases(max_bodies=5))
def test_reactions_are_those_of_free_bodies(case):
    """Compare the wrenches in joints and loops with the unknowns of all bodies' equations."""
    assume_well_posed(case)
    m, q, v, tau, environment = case.mechanism, case.q, case.v, case.tau, case.acting()
    M, _ = tree_terms(case, environment)
    assume(condition(case, M) < 1e6)
    motion = solved_motion(m, q, v, tau, environment)
    found = reactions(
        m, "body", q, v, motion.a, motion.lam, environment, tree=newton_euler.reactions
    )
    expected = [
        to_com(body).force_to_parent(F)
        for body, F in zip(m.bodies, motion.F.reshape(-1, 6), strict=True)
    ]
    atol = 1e-8 * largest(found, motion.lam)
    np.testing.assert_allclose(found[: m.n_bodies], expected, rtol=0.0, atol=atol)


def projected(mechanism, q, v, environment):
    """Return q and v one step nearer to the constraints."""
    state = closed_quantities.projected_state(mechanism, q, v, environment, tree=TREE)
    return np.split(state[:-1], [mechanism.nq])


@settings(max_examples=examples(6))
@given(closed_cases(max_bodies=5))
def test_projection_meets_the_constraints(case):
    """Project a velocity, and a configuration that is a little off."""
    assume_well_posed(case)
    m, q, environment = case.mechanism, case.q, case.acting()
    M, _ = tree_terms(case, environment)
    assume(condition(case, M) < 1e5)
    away = case.rng.uniform(-1, 1, m.nv)
    v = projected(m, q, away, environment)[1]
    rows = case.rows(v=v)
    assert np.abs(rows.J @ v + rows.drift).max() < 1e-9 * largest(rows.J)
    again = projected(m, q, v, environment)[1]
    np.testing.assert_allclose(again, v, atol=1e-8 * largest(v))
    _, values, right = np.linalg.svd(rows.J)
    free = right[int(np.sum(values > 1e-8 * values.max(initial=1e-3))) :]
    impulse = free @ M @ (v - away)
    np.testing.assert_allclose(impulse, 0.0, atol=1e-8 * largest(M))

    off = m.integrate(q, 1e-4 / largest(rows.J) * away)
    back = projected(m, off, v, environment)[0]
    before, after = (np.abs(case.rows(q=x).phi).max() for x in (off, back))
    assert after < 1e-2 * before + 1e-10


def test_a_loop_that_repeats_a_joint_changes_nothing():
    """Close a hinge a second time, with frames whose numbers are not exact: rows of rounding."""
    pose = Pose((0.1, 0.2, 0.3), rpy=(0.3, 0.7, -0.4))
    hinge = Revolute((1, 2, -1))
    arm = Body("arm", joint=hinge, pose=pose, mass=1.0, com=(0.3, 0, 0), inertia=(0.1, 0.1, 0.1))
    plain = Mechanism("arm", [arm])
    again = Loop("again", ("world", pose), ("arm", Pose()), hinge)
    held = Mechanism("arm", [arm], loops=[again])
    q, v, tau = np.array([0.4]), np.array([1.0]), np.array([0.5])
    expected = embedding.forward_dynamics(plain, q, v, tau, Environment.of(plain))
    for way in (embedding, newton_euler):
        found = way.forward_dynamics(held, q, v, tau, Environment.of(held))
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    found = closed_quantities.forward_dynamics(held, q, v, tau, Environment.of(held), tree=TREE)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    lam, determined = closed_quantities.multipliers(
        held, q, v, tau, Environment.of(held), tree=TREE
    )
    assert not lam.any()
    assert not determined.any()


def test_bodies_that_are_one_already():
    """Fix two bodies to each other twice: no row says anything."""
    bodies = [
        Body("a", joint=Revolute("z"), mass=1.0, com=(1, 0, 0)),
        Body("b", "a", Fixed(), mass=1.0),
    ]
    m = Mechanism("pair", bodies, loops=[Loop("weld", ("a", Pose()), ("b", Pose()), Fixed())])
    q, v, tau = np.zeros(1), np.ones(1), np.array([2.0])
    found = closed_quantities.forward_dynamics(m, q, v, tau, Environment.of(m), tree=TREE)
    np.testing.assert_allclose(found, [2.0], rtol=1e-12)
