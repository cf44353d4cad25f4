"""The stiff method: its coefficients, exact derivatives, stiff systems against SciPy."""

import itertools
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.library import (
    chain,
    double_pendulum,
    four_bar,
    four_bar_configuration,
    n_four_bar,
    n_four_bar_state,
)
from poinsot.model.changed import changed
from poinsot.simulation.laws.equations import equations
from poinsot.simulation.running.run_plan import Accuracy
from poinsot.simulation.running.workspace import Workspace
from poinsot.simulation.stepping import directional_jacobian, motion_program, tree_jacobian
from poinsot.simulation.stepping.integrators import rosenbrock
from poinsot.simulation.stepping.integrators.rodas5p import RODAS5P
from poinsot.simulation.stepping.motion_graph import Graph
from poinsot.simulation.stepping.quaternions import with_unit_quaternions
from tests.random_examples import examples
from tests.strategies import cases

N = len(RODAS5P.stages)


def rows(sparse):
    matrix = np.zeros((len(sparse), N))
    for i, row in enumerate(sparse):
        for j, value in row.items():
            matrix[i, j] = value
    return matrix


def classical():
    """Return alpha, Gamma and b of the method, from the form without products of matrices.

    u = Gamma k, so a = alpha Gamma⁻¹, c = 1 / gamma - Gamma⁻¹, m = b Gamma⁻¹
    [HNW2, section IV.7].
    """
    Gamma = np.linalg.inv(np.eye(N) / RODAS5P.gamma - rows(RODAS5P.mixed))
    return rows(RODAS5P.stages) @ Gamma, Gamma, rows([RODAS5P.solution])[0] @ Gamma


def trees(order):
    """Return all rooted trees of an order, as sorted tuples of subtrees."""
    if order == 1:
        return {()}
    found = set()
    for sizes in itertools.chain.from_iterable(
        itertools.combinations_with_replacement(range(1, order), n) for n in range(1, order)
    ):
        if sum(sizes) == order - 1:
            for children in itertools.product(*map(trees, sizes)):
                found.add(tuple(sorted(children)))
    return found


def size(tree):
    return 1 + sum(map(size, tree))


def density(tree):
    return size(tree) * prod(map(density, tree))


def weight(tree):
    """Return the elementary weights of the stages: beta along single branches, alpha where many."""
    alpha, Gamma, _ = classical()
    if len(tree) == 1:
        return (alpha + Gamma) @ weight(tree[0])
    return np.prod([alpha @ weight(child) for child in tree], axis=0) if tree else np.ones(N)


def test_there_are_seventeen_conditions():
    assert [len(trees(order)) for order in range(1, 6)] == [1, 1, 2, 4, 9]


@pytest.mark.parametrize("order", range(1, 6))
def test_conditions_of_order(order):
    """Check sum of b_i Phi_i(tree) = 1 / density, and the embedded method up to order 4."""
    alpha, Gamma, b = classical()
    embedded = b - Gamma[-1]
    for tree in trees(order):
        assert b @ weight(tree) == pytest.approx(1.0 / density(tree), abs=1e-12)
        if order < 5:
            assert embedded @ weight(tree) == pytest.approx(1.0 / density(tree), abs=1e-12)
    assert_allclose(alpha.sum(1), RODAS5P.nodes, atol=1e-13)
    assert_allclose(Gamma.sum(1), RODAS5P.times, atol=1e-13)


def test_it_is_stiffly_accurate():
    """Check that b is the last row of alpha + Gamma: fast parts are gone after one step."""
    alpha, Gamma, b = classical()
    assert_allclose(b, (alpha + Gamma)[-1], atol=1e-12)


@pytest.mark.parametrize("order", range(1, 5))
def test_conditions_of_dense_output(order):
    """Check sum of b_i(s) Phi_i(tree) = s**order / density between the ends."""
    _, Gamma, b = classical()
    r0, r1, r2 = rows(RODAS5P.dense) @ Gamma
    for s in (0.2, 0.5, 0.9):
        between = s * (b + (1 - s) * (r0 + s * (r1 + s * r2)))
        for tree in trees(order):
            assert between @ weight(tree) == pytest.approx(s**order / density(tree), abs=1e-11)


def slopes(system, law, t, state, parameters=None):
    """Return the derivatives of [qdot, a] by [q, v] and t that a step uses."""
    motion = equations(system.mechanism, law, parameters=parameters)
    work = Workspace(motion, Accuracy("stiff", 1e-8, 1e-8))
    nq, nv = system.mechanism.nq, system.mechanism.nv
    work.begin(t, t + 1.0, state)
    control, rows_t, rows_y = work.control, np.empty(2), np.empty((2, work.width))
    control.h, control.pause = 1e-3, 1
    control.row_t, control.row_y = rows_t.ctypes.data, rows_y.ctypes.data
    work.run()
    D = work.buffers["slopes"].reshape(nq + nv, nq + nv + 1)
    M = work.buffers["mass"].reshape(nv, nv)
    return np.vstack([D[:nq], np.linalg.solve(M, D[nq:])])


def differences(system, law, t, state, h=1e-5):
    """Return the same by differences of order 4."""
    nq = system.mechanism.nq

    def rate(z):
        q, v = with_unit_quaternions(system.mechanism, z[:nq]), z[nq:-1]
        tau = np.asarray(law(z[-1], q, v), float)
        return np.hstack([system.position_rate(q, v), system.forward_dynamics(q, v, tau)])

    z, steps = np.append(state, t), h * np.eye(state.size + 1)
    return np.transpose(
        [
            (8 * (rate(z + d) - rate(z - d)) - (rate(z + 2 * d) - rate(z - 2 * d))) / (12 * h)
            for d in steps
        ]
    )


def swing(t, q, v):
    return [3.0 * np.sin(2.0 * t) - 0.3 * v[0] * abs(v[0]), *(-0.2 * v[1:] ** 3)]


@settings(max_examples=examples(5))
@given(cases(max_bodies=2), st.floats(0.0, 2.0))
def test_derivatives_of_random_trees(case, t):
    mechanism = case.mechanism
    if mechanism.nv == 0:
        return
    system = ps.System("tree", mechanism.bodies, gravity=mechanism.gravity)
    state = np.hstack([case.q, case.v])
    theirs = differences(system, swing, t, state)
    assert_allclose(
        slopes(system, swing, t, state), theirs, atol=1e-6 * (1.0 + np.abs(theirs).max())
    )


def closed():
    system = four_bar()
    q = four_bar_configuration(0.8)
    return system, q, 3.0 * np.linalg.svd(system.constraint_jacobian(q))[2][-1]


def test_derivatives_of_a_closed_system():
    system, q, v = closed()
    state = np.hstack([q, v])
    theirs = differences(system, swing, 0.3, state)
    assert_allclose(slopes(system, swing, 0.3, state), theirs, atol=1e-6 * np.abs(theirs).max())


def stiff_chain(n=4, stiffness=1e6, damping=1e4):
    """Return masses in a row on springs and dampers a thousand times faster than what is asked."""
    bodies = [
        ps.Body(
            f"m{k}",
            f"m{k - 1}" if k else "world",
            ps.Prismatic("x", stiffness=stiffness if k else 4.0, damping=damping if k else 0.0),
            mass=1.0,
        )
        for k in range(n)
    ]
    return ps.System("stiff chain", bodies, gravity=(0, 0, 0))


def spherical_pair(damping=4e3):
    """Return two bodies on ball joints in syrup."""
    bodies = [
        ps.Body(
            name,
            parent,
            ps.Spherical(damping=damping),
            ps.Pose((0, 0, place)),
            1.0,
            (0.1, 0.2, -0.5),
            (0.1, 0.2, 0.25),
        )
        for name, parent, place in (("upper", "world", 0.0), ("lower", "upper", -1.0))
    ]
    return ps.System("syrup", bodies)


def scipy_radau(system, y0, t_end, law=None):
    nq = system.nq

    def rate(t, y):
        q, v = y[:nq], y[nq:]
        tau = np.zeros(system.nv) if law is None else np.asarray(law(t, q, v), float)
        return np.hstack([system.position_rate(q, v), system.forward_dynamics(q, v, tau)])

    return solve_ivp(rate, (0.0, t_end), y0, method="Radau", rtol=1e-9, atol=1e-11).y[:, -1]


def test_stiff_chain_takes_few_steps():
    """Check a chain whose springs settle in 1e-4 s, over 2 s, against SciPy and against dp8."""
    system = stiff_chain()
    y0 = np.array([0.5, 0.01, -0.01, 0.02, 0.0, 1.0, -1.0, 0.5])
    stiff = ps.simulate(system, y0[:4], y0[4:], 2.0, integrator="stiff", rtol=1e-7)
    assert_allclose(np.hstack([stiff.q[-1], stiff.v[-1]]), scipy_radau(system, y0, 2.0), atol=1e-6)
    explicit = ps.simulate(system, y0[:4], y0[4:], 2.0, rtol=1e-7)
    assert_allclose(stiff.q[-1], explicit.q[-1], atol=1e-6)
    assert 40 * stiff.statistics.steps < explicit.statistics.steps
    assert 40 * stiff.statistics.evaluations < explicit.statistics.evaluations


def test_van_der_pol_through_a_law():
    """Check x'' = 300 (1 - x²) x' - x, whose velocity jumps, with the force as a traced law."""
    mass = ps.System("oscillator", [ps.Body("m", joint=ps.Prismatic("x"), mass=1.0)])

    def law(t, q, v):
        return [300.0 * (1.0 - q[0] ** 2) * v[0] - q[0]]

    run = ps.simulate(mass, [2.0], [0.0], 200.0, tau=law, integrator="stiff", rtol=1e-7)
    theirs = scipy_radau(mass, np.array([2.0, 0.0]), 200.0, law)
    assert_allclose([run.q[-1, 0], run.v[-1, 0]], theirs, atol=1e-4)
    assert run.statistics.steps < 1500


def test_stiff_motion_of_quaternions_and_time():
    """Check bodies on ball joints in syrup, under a law of time, against SciPy."""
    system = spherical_pair()

    def law(t, q, v):
        return [4e3 * np.sin(t), 0, 0, 0, 6e3 * np.cos(3 * t), 0]

    q, v = system.random(np.random.default_rng(1)), np.full(6, 2.0)
    run = ps.simulate(system, q, v, 1.0, tau=law, integrator="stiff", rtol=1e-7)
    theirs = scipy_radau(system, np.hstack([q, v]), 1.0, law)
    assert_allclose(np.hstack([run.q[-1], run.v[-1]]), theirs, atol=1e-6)
    explicit = ps.simulate(system, q, v, 1.0, tau=law, rtol=1e-7)
    assert 5 * run.statistics.steps < explicit.statistics.steps


def test_stiff_loop():
    """Check a four-bar whose pins are full of syrup: on the loop, and as dp8 finds it."""
    plain, q, v = closed()
    mechanism = plain.mechanism
    bodies = [changed(body, joint=ps.Revolute("z", damping=1e4)) for body in mechanism.bodies]
    system = ps.System("syrup", bodies, gravity=mechanism.gravity, loops=mechanism.closures)
    run = ps.simulate(system, q, v, 0.5, integrator="stiff", rtol=1e-7)
    explicit = ps.simulate(system, q, v, 0.5, rtol=1e-7)
    assert_allclose(run.q[-1], explicit.q[-1], atol=1e-7)
    assert np.abs(system.constraint_residual(run.q)).max() < 1e-12
    assert 10 * run.statistics.steps < explicit.statistics.steps


def along_directions(monkeypatch):
    """Let no Jacobian be one list of formulas."""
    monkeypatch.setattr(rosenbrock, "jacobian_kernel", lambda equations: None)


def two_bodies():
    """Return two bodies on ball joints, with a state."""
    system, rng = spherical_pair(damping=2.0), np.random.default_rng(6)
    return system, system.random(rng), rng.uniform(-1, 1, 6)


def many_loops(n, damping=0.0):
    """Return four-bars in a row with damping in every joint, and a state of them."""
    mechanism = n_four_bar(n).mechanism
    bodies = [changed(body, joint=ps.Revolute("z", damping=damping)) for body in mechanism.bodies]
    system = ps.System("row", bodies, gravity=mechanism.gravity, loops=mechanism.closures)
    return system, *n_four_bar_state(n)


@pytest.mark.parametrize("make", [closed, two_bodies, lambda: many_loops(2)])
def test_derivatives_along_directions(make, monkeypatch):
    """Check the Jacobian in lanes against the formulas, with a law of state and time."""
    system, q, v = make()
    state = np.hstack([q, v])
    exact = slopes(system, swing, 0.3, state)
    along_directions(monkeypatch)
    found = slopes(system, swing, 0.3, state)
    assert_allclose(found, exact, atol=1e-12 * np.abs(exact).max())


def test_derivatives_of_large_trees_are_closed_forms(monkeypatch):
    """Check a branched tree with damping, springs, armature and a parameter against the graph."""
    passive = {"damping": 0.3, "stiffness": 2.0, "armature": 0.1}
    bodies = [
        ps.Body("a", joint=ps.Revolute("y", **passive), mass=ps.symbols("m"), com=(0.1, 0, -0.4)),
        ps.Body("b", "a", ps.Prismatic("x", **passive), ps.Pose((0.3, 0, 0)), 1.0, (0, 0.1, 0.2)),
        ps.Body("c", "a", ps.Revolute("x"), ps.Pose((0, 0.3, 0)), 2.0, (0, 0.1, 0.2)),
    ]
    system = ps.System("tree", bodies)
    state, numbers = np.random.default_rng(5).uniform(-1, 1, 6), np.array([1.5])
    expected = slopes(system, None, 0.3, state, parameters=numbers)
    monkeypatch.setattr(tree_jacobian, "FEW", 0)
    motion = equations(system.mechanism, None, parameters=numbers)
    (kernel,) = RODAS5P.kernels(motion)
    assert isinstance(kernel, RolledKernel)
    found = slopes(system, None, 0.3, state, parameters=numbers)
    assert_allclose(found, expected, atol=1e-12 * np.abs(expected).max())
    (kernel,) = RODAS5P.kernels(equations(system.mechanism, swing, parameters=numbers))
    assert not isinstance(kernel, RolledKernel)  # a law of the state is differentiated


def test_derivatives_along_directions_of_rolled_equations(monkeypatch):
    """Check rolled equations against straight ones: a chain, and loops with redundant rows."""
    along_directions(monkeypatch)
    rng = np.random.default_rng(3)
    tree = chain(5)
    cases = [(tree, rng.uniform(-1, 1, 5), rng.uniform(-1, 1, 5)), many_loops(3)]
    for system, q, v in cases:
        state = np.hstack([q, v])
        monkeypatch.setattr(motion_program, "LONGEST_CODE", 10**6)
        straight = slopes(system, swing, 0.3, state)
        monkeypatch.setattr(motion_program, "LONGEST_CODE", 0)
        directional_jacobian._kernel.cache_clear()
        rolled = slopes(system, swing, 0.3, state)
        assert_allclose(rolled, straight, atol=1e-9 * np.abs(straight).max())
        assert np.any(rolled != straight)


def test_derivatives_along_directions_of_signals_and_parameters(monkeypatch):
    """Check samples, whose rates are derivatives by time, and a free parameter."""
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=ps.symbols("m"), com=(0, 0, -0.4))
    system = ps.System("rod", [rod])
    force = ps.Signal([0.0, 1.0], [[0.0], [3.0]])
    known = slopes(system, force, 0.25, np.array([0.3, 0.2]), parameters=np.array([1.5]))
    along_directions(monkeypatch)
    found = slopes(system, force, 0.25, np.array([0.3, 0.2]), parameters=np.array([1.5]))
    assert_allclose(found, known, atol=1e-12)
    inertia = 1.5 * 0.4**2
    weight = 1.5 * np.linalg.norm(system.mechanism.gravity)
    assert_allclose(found[1], [-weight * 0.4 * np.cos(0.3) / inertia, 0.0, 3.0 / inertia])


def test_stiff_motion_of_many_loops():
    """Check thirty loops in syrup, 61 joints: on the loops, and as dp8 finds it."""
    system, q, v = many_loops(30, damping=3e5)
    run = ps.simulate(system, q, v, 0.02, integrator="stiff", rtol=1e-6)
    explicit = ps.simulate(system, q, v, 0.02, rtol=1e-6)
    assert_allclose(run.q[-1], explicit.q[-1], atol=1e-7)
    assert np.abs(system.constraint_residual(run.q)).max() < 1e-11
    assert 10 * run.statistics.steps < explicit.statistics.steps


def test_stiff_further_states():
    """Check a lag of 1e-6 s: the state follows its goal at once, x = g - T dg/dt."""
    lag = ps.State("lag", rate="(sin(t) - lag)/1e-6")
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.4))
    system = ps.System("rod", [rod], states=[lag])
    run = ps.simulate(system, [0.3], [0.0], 1.0, integrator="stiff", rtol=1e-8)
    assert_allclose(run.states["lag"][-1], np.sin(1.0) - 1e-6 * np.cos(1.0), atol=1e-9)
    alone = ps.simulate(ps.System("rod", [rod]), [0.3], [0.0], 1.0, rtol=1e-10)
    assert_allclose(run.q[-1], alone.q[-1], atol=1e-8)
    assert run.statistics.steps < 500


def by_differences(law):
    """Return a law as one that Python calls, which has no formula."""
    return ps.Callback(law)


def test_differences_where_there_are_no_formulas():
    """Check that derivatives by differences are those of formulas, of trees and their laws."""
    system = spherical_pair()
    rng = np.random.default_rng(2)
    state = np.hstack([system.random(rng), rng.uniform(-1, 1, system.nv)])
    exact = slopes(system, swing, 0.7, state)
    found = slopes(system, by_differences(swing), 0.7, state)
    assert_allclose(found, exact, atol=1e-8 * np.abs(exact).max())
    assert np.abs(found - exact).max() > 0.0


def test_stiff_motion_under_a_callback():
    """Check a law that Python calls: as far from SciPy as the law that is compiled."""
    mass = ps.System("oscillator", [ps.Body("m", joint=ps.Prismatic("x"), mass=1.0)])

    def law(t, q, v):
        return [1e4 * (np.sin(t) - v[0]) - q[0]]

    run, exact = (
        ps.simulate(mass, [2.0], [0.0], 3.0, tau=tau, integrator="stiff", rtol=1e-8)
        for tau in (by_differences(law), law)
    )
    assert_allclose(run.at(exact.t)[0], exact.q, atol=1e-8)
    assert run.statistics.steps < 1.1 * exact.statistics.steps
    assert_allclose(exact.q[-1, 0], scipy_radau(mass, np.array([2.0, 0.0]), 3.0, law)[0], atol=1e-7)


def test_stiff_motion_under_samples():
    """Check a force of samples, whose slope is found ahead and not across a bend."""
    mass = ps.System(
        "damped", [ps.Body("m", joint=ps.Prismatic("x", damping=1e4), mass=1.0)], gravity=(0, 0, 0)
    )
    times = np.array([0.0, 0.5, 1.0, 2.0])
    force = ps.Signal(times, 1e4 * np.array([[0.0], [1.0], [-1.0], [0.5]]))
    run = ps.simulate(mass, [0.0], [0.0], 2.0, tau=force, integrator="stiff", rtol=1e-8)
    exact = ps.simulate(mass, [0.0], [0.0], 2.0, tau=force, rtol=1e-8)
    assert_allclose(run.at(times)[0], exact.at(times)[0], atol=1e-8)
    assert 20 * run.statistics.steps < exact.statistics.steps


def test_stiff_motion_of_rolled_equations():
    """Check a long chain, whose equations are loops over its joints, in syrup."""
    n = 60
    bodies = [
        ps.Body(
            f"link{k}",
            f"link{k - 1}" if k else "world",
            ps.Revolute("y", damping=50.0),
            ps.Pose((0.1 if k else 0.0, 0, 0)),
            0.1,
            (0.05, 0, 0),
            (1e-5, 1e-4, 1e-4),
        )
        for k in range(n)
    ]
    system = ps.System("long chain", bodies)
    assert not Graph.exists(equations(system.mechanism, None))
    q = np.full(n, 0.02)
    run = ps.simulate(system, q, np.zeros(n), 0.02, integrator="stiff", rtol=1e-4)
    exact = ps.simulate(system, q, np.zeros(n), 0.02, rtol=1e-6)
    assert np.abs(exact.q[-1] - q).max() > 5e-4
    assert_allclose(run.q[-1], exact.q[-1], atol=1e-6)
    assert 20 * run.statistics.steps < exact.statistics.steps


def test_what_it_cannot_do_it_says():
    system, q, v = closed()
    law = ps.Callback(lambda t, q, v: [0.0, 0.0, 0.0])
    with pytest.raises(ps.PoinsotError, match=r"'stiff'.*tau is called by Python.*'dp8'"):
        ps.simulate(system, q, v, 0.1, integrator="stiff", tau=law)
    long = chain(1001)
    with pytest.raises(ps.PoinsotError, match=r"'stiff'.*1001 velocities.*'dp8'"):
        ps.simulate(long, np.zeros(1001), np.zeros(1001), 0.1, integrator="stiff")
    with pytest.raises(ps.ModelError, match="'stiff' chooses its steps"):
        ps.simulate(double_pendulum(), [0, 0], [0, 0], 1.0, integrator="stiff", step=0.1)
