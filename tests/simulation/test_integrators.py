"""The integrators: tolerances, an independent integrator, energy, quaternions, resumption."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.kernels.llvm.target import Target
from poinsot.library import chain, double_pendulum
from poinsot.simulation.integrate import integrate
from poinsot.simulation.laws.equations import equations
from poinsot.simulation.running import workspace
from poinsot.simulation.running.checks import accuracy as checked_accuracy
from poinsot.simulation.running.run_plan import Plan
from poinsot.simulation.stepping import stepper
from poinsot.simulation.stepping.quaternions import quaternion_starts
from tests.random_examples import examples
from tests.strategies import cases

METHODS = ("dp8", "dp5", "stiff")
TIGHT = 1e-12
EXACT_ENERGY = 1e-8


def top():
    """Return a body on a spherical joint with another one on a spherical joint."""
    upper = ps.Body(
        "upper", joint=ps.Spherical(), mass=2.0, com=(0.1, 0.2, -0.5), inertia=(0.1, 0.2, 0.25)
    )
    lower = ps.Body(
        "lower", "upper", ps.Spherical(), ps.Pose((0, 0, -1)), 1.0, (0, 0.1, -0.5), (0.1, 0.1, 0.05)
    )
    return ps.System("two tops", [upper, lower])


def free_body():
    body = ps.Body("box", joint=ps.Free(), mass=2.0, com=(0.1, 0.2, -0.1), inertia=(0.1, 0.2, 0.25))
    return ps.System("free box", [body])


def start(system, seed=0):
    rng = np.random.default_rng(seed)
    return system.random(rng), rng.uniform(-2.0, 2.0, system.nv)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("system", [double_pendulum(), top()], ids=lambda system: system.name)
def test_error_follows_tolerance(method, system):
    q, v = start(system)
    exact = ps.simulate(system, q, v, 2.0, rtol=TIGHT)
    for rtol in (1e-5, 1e-7, 1e-9):
        run = ps.simulate(system, q, v, 2.0, rtol=rtol, integrator=method)
        assert np.abs(run.q[-1] - exact.q[-1]).max() < 3.0 * rtol


@pytest.mark.slow
@settings(max_examples=examples(5))
@given(cases(max_bodies=5))
def test_agrees_with_scipy(case):
    """Check random trees of all joints, with passive and joint forces, against SciPy."""
    mechanism = case.mechanism
    if mechanism.nv == 0:
        return
    system, nq = ps.System("tree", mechanism.bodies, gravity=mechanism.gravity), mechanism.nq

    def rate(t, y):
        q, v = y[:nq], y[nq:]
        return np.hstack([system.position_rate(q, v), system.forward_dynamics(q, v, case.tau)])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.SimulationWarning)
        run = ps.simulate(system, case.q, case.v, 0.3, tau=case.tau, rtol=1e-10, max_steps=20_000)
    if not run.status.ok:  # three angles about to lock, where SciPy's steps vanish too
        assert np.linalg.cond(system.mass_matrix(run.q[-1])) > 1e8
        return
    assume(run.statistics.evaluations < 20_000)  # stiff: SciPy would take minutes
    y0 = np.hstack([case.q, case.v])
    theirs = solve_ivp(rate, (0.0, 0.3), y0, method="DOP853", rtol=1e-12, atol=1e-12)
    scale = 1.0 + np.abs(theirs.y).max()
    assert_allclose(np.hstack([run.q[-1], run.v[-1]]), theirs.y[:, -1], atol=1e-8 * scale)


@pytest.mark.parametrize(
    "system", [double_pendulum(), chain(7), top(), free_body()], ids=lambda system: system.name
)
@pytest.mark.parametrize("method", METHODS)
def test_energy_stays(system, method):
    """Check the promise: drift at most 1e-8 of the largest kinetic energy in 10 s by default."""
    for seed in range(3):
        run = ps.simulate(system, *start(system, seed), 10.0, integrator=method)
        energy = run.energy()
        drift = np.abs(energy - energy[0]).max()
        assert drift <= EXACT_ENERGY * run.kinetic_energy().max()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("system", [top(), free_body()], ids=lambda system: system.name)
def test_quaternions_stay_on_the_sphere(system, method):
    run = ps.simulate(system, *start(system), 5.0, integrator=method, rtol=1e-4)
    between = run.at(np.linspace(0.0, 5.0, 777))[0]
    sampled = ps.simulate(system, *start(system), 5.0, integrator=method, rtol=1e-4, save=0.01)
    for q in (run.q, between, sampled.q):
        for k in quaternion_starts(system.mechanism):
            assert_allclose(np.linalg.norm(q[:, k : k + 4], axis=1), 1.0, atol=1e-14)


@pytest.mark.parametrize("times", [None, np.linspace(0.0, 2.0, 41)], ids=["steps", "times"])
@pytest.mark.parametrize("method", [*METHODS, "rk4", "symplectic"])
def test_resumes_to_the_same_bits(method, times):
    """Check that coming back to Python after every step, and growing, changes nothing."""
    system = top()
    state = np.hstack(start(system))
    law = equations(system.mechanism, None)
    accuracy = checked_accuracy(method, step=0.03 if method not in METHODS else None)
    whole = integrate(law, state, accuracy, Plan(2.0, times=times))
    for chunk in (1, 7):
        parts = integrate(law, state, accuracy, Plan(2.0, times=times, chunk=chunk))
        assert_array_equal(whole.t, parts.t)
        assert_array_equal(whole.q, parts.q)
        assert_array_equal(whole.v, parts.v)
        assert whole.statistics.evaluations == parts.statistics.evaluations


@pytest.mark.parametrize("n", range(1, 10))
def test_every_length_of_vector(n):
    """Check lengths around those of registers: n equal oscillators move as one does."""
    mass = ps.Body("0", joint=ps.Prismatic("x", stiffness=4.0), mass=1.0)
    bodies = [mass] + [
        ps.Body(str(k), joint=ps.Prismatic("x", stiffness=4.0), mass=1.0) for k in range(1, n)
    ]
    run = ps.simulate(ps.System("row", bodies, gravity=(0, 0, 0)), np.ones(n), np.zeros(n), 3.0)
    assert_allclose(run.q[-1], np.cos(6.0), atol=1e-8)
    assert_allclose(run.v[-1], -2.0 * np.sin(6.0), atol=1e-8)


@pytest.mark.parametrize("lanes", [2, 4, 8])
@pytest.mark.parametrize(
    ("method", "options"), [("dp8", {}), ("stiff", {}), ("symplectic", {"step": 0.01})]
)
def test_every_width_of_register(method, options, lanes, monkeypatch):
    """Check that the code for narrower and wider registers finds the same motion."""

    class Narrow:
        @staticmethod
        def current():
            return replace(Target.current(), width=lanes)

    system = top()
    usual = ps.simulate(system, *start(system), 1.0, integrator=method, **options)
    for module in (stepper, workspace):
        monkeypatch.setattr(module, "Target", Narrow)
    stepper.compiled.cache_clear()
    try:
        run = ps.simulate(system, *start(system), 1.0, integrator=method, **options)
    finally:
        stepper.compiled.cache_clear()
    assert_allclose(run.q[-1], usual.q[-1], atol=1e-9)


def test_step_limits_are_kept():
    run = ps.simulate(double_pendulum(), [0.1, 0.2], [0, 0], 1.0, max_step=0.01, first_step=1e-3)
    assert run.t[1] == 1e-3
    assert np.diff(run.t).max() <= 0.0101
    assert run.t[-1] == 1.0


def test_statistics_count():
    run = ps.simulate(double_pendulum(), [2.0, 0.2], [0, 0], 5.0)
    s = run.statistics
    assert s.steps == len(run) - 1
    assert s.evaluations == 2 + 12 * s.steps + 11 * s.rejected
    assert 0.0 < s.wall_time < 60.0
