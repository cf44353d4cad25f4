"""Configurations where the freedom jumps: passed on the smooth branch, or named where it ends."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import trace, trace_rolled
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel
from poinsot.library import (
    n_four_bar,
    n_four_bar_state,
    peaucellier,
    peaucellier_configuration,
    slider_crank,
    slider_crank_configuration,
)
from poinsot.simulation.running.status import Outcome

POSITION, VELOCITY = 1e-10, 1e-9
"""What every stored state must obey."""


def obeys(system, t, q, v):
    """Assert that states are on the constraints."""
    pairs = zip(t, q, v, strict=True)
    missed = [
        (system.constraint_residual(a, t=time), system.constraint_rate(a, b, t=time))
        for time, a, b in pairs
    ]
    phi, rate = (np.abs(part).max() for part in zip(*missed, strict=True))
    assert phi <= POSITION
    assert rate <= VELOCITY


def one_angle(inertia, slope, force, start, t):
    """Return an angle and its rate at the end: I a + I' w² / 2 = force, by SciPy."""

    def equation(_, y):
        return [y[1], (force(y[0]) - slope(y[0]) * y[1] ** 2 / 2) / inertia(y[0])]

    run = solve_ivp(equation, (0.0, t), start, "DOP853", rtol=1e-13, atol=1e-13)
    return run.y[:, -1]


@pytest.mark.parametrize(
    ("n", "rtol", "method"),
    [(1, 1e-8, "dp8"), (2, 1e-6, "dp5"), (2, 1e-12, "dp8"), (3, 1e-10, "dp8")],
)
def test_ladder_stays_a_parallelogram(n, rtol, method):
    """Rods lie along one line twice in a turn, where n + 1 motions are free (IFToMM A02)."""
    length, mass, g = 0.5, 3.0, 9.81
    system = n_four_bar(n, length=length, mass=mass, g=g)
    q, v = n_four_bar_state(n, rate=-2.0)
    run = ps.simulate(system, q, v, 10.0, rtol=rtol, integrator=method)
    assert run.status.ok
    inertia = mass * length**2 * ((n + 1) / 3 + n)
    weight = mass * g * length * ((n + 1) / 2 + n)
    expected = one_angle(
        lambda x: inertia, lambda x: 0.0, lambda x: -weight * np.cos(x), [q[0], v[0]], 10.0
    )
    ways = np.where(np.arange(2 * n + 1) % 2 == 0, 1.0, -1.0)
    wanted = np.outer(expected, ways)
    np.testing.assert_allclose([run.q[-1], run.v[-1]], wanted, rtol=0, atol=100 * rtol + 1e-9)
    assert np.ptp(run.energy()) <= rtol * run.kinetic_energy().max() + 1e-9
    obeys(system, run.t, run.q, run.v)
    assert np.abs(run.v - run.v[:, :1] * ways).max() < 1e-6


def test_states_between_steps_over_the_place():
    """States at any time, and those stored at given times, are as good as those of steps."""
    system, (q, v) = n_four_bar(2), n_four_bar_state(2)
    run = ps.simulate(system, q, v, 3.0, rtol=1e-10)
    flat = run.t[np.argsort(np.abs(np.sin(run.q[:, 0])))[:20]]
    times = np.unique(np.concatenate([flat + dt for dt in np.linspace(-0.03, 0.03, 13)]))
    saved = ps.simulate(system, q, v, 3.0, rtol=1e-10, save=times)
    for states in (run.at(times), (saved.q, saved.v)):
        obeys(system, times, *states)
        energy = system.kinetic_energy(*states) + system.potential_energy(states[0])
        assert np.abs(energy - run.energy()[0]).max() < 1e-7
    np.testing.assert_allclose(run.at(times)[0], saved.q, rtol=0, atol=1e-8)


@pytest.mark.parametrize("rtol", [1e-6, 1e-8, 1e-11])
def test_slider_crank_with_equal_rods_turns_over(rtol):
    """With the slider over the pivot crank and rod could turn together; they do not."""
    l, masses, g = 0.3, (1.0, 0.8, 1.5), 9.81
    system = slider_crank(crank=l, rod_length=l, masses=masses, g=g)
    q = slider_crank_configuration(0.5, crank=l, rod_length=l)
    v = system.consistent_velocity(q, [9.0, 0.0, 0.0], joints=["crank"])
    run = ps.simulate(system, q, v, 3.0, rtol=rtol)
    crank, rod, slider = (m * l**2 for m in masses)
    expected = one_angle(
        lambda x: crank / 3 + rod / 3 + (2 * rod + 4 * slider) * np.sin(x) ** 2,
        lambda x: (2 * rod + 4 * slider) * np.sin(2 * x),
        lambda x: -(masses[0] + masses[1]) * g * l / 2 * np.cos(x),
        [0.5, 9.0],
        3.0,
    )
    np.testing.assert_allclose([run.q[-1, 0], run.v[-1, 0]], expected, rtol=1e-9, atol=50 * rtol)
    assert np.ptp(run.energy()) <= rtol * run.kinetic_energy().max()
    obeys(system, run.t, run.q, run.v)


def test_peaucellier_passes():
    """A linkage of the library that swings through its singular places."""
    system, q = peaucellier(), peaucellier_configuration(0.3)
    run = ps.simulate(system, q, system.consistent_velocity(q, np.full(system.nv, 2.0)), 3.0)
    assert run.status.ok
    assert np.ptp(run.energy()) <= 1e-8 * run.kinetic_energy().max()
    obeys(system, run.t, run.q, run.v)


@pytest.mark.parametrize(
    "options", [{"rtol": 1e-4}, {"rtol": 1e-8}, {"rtol": 1e-6, "integrator": "stiff"}]
)
def test_what_cannot_be_passed_is_named(options):
    """A slider is pushed farther than its crank and rod reach."""
    base = slider_crank(crank=0.3, rod_length=0.5)
    q = slider_crank_configuration(1.0, crank=0.3, rod_length=0.5)
    push = ps.PrescribedMotion("push", "slider", f"{q[2]} + 0.3*t")
    system = ps.System(
        "pushed", base.bodies, gravity=base.gravity, loops=base.loops, constraints=[push]
    )
    v = system.consistent_velocity(q, np.zeros(3))
    with pytest.warns(ps.SimulationWarning, match="singular configuration .* 'push: motion'"):
        run = ps.simulate(system, q, v, 3.0, **options)
    assert run.status.outcome is Outcome.SINGULAR
    assert abs(run.status.time - (0.8 - q[2]) / 0.3) < 1e-6
    assert run.t[-1] == run.status.time
    obeys(system, run.t, run.q, run.v)


def test_equal_steps_keep_the_constraints_up_to_there():
    """A method without error control stops where the constraints would move a state far."""
    base = slider_crank(crank=0.3, rod_length=0.5)
    q = slider_crank_configuration(1.0, crank=0.3, rod_length=0.5)
    push = ps.PrescribedMotion("push", "slider", f"{q[2]} + 0.3*t")
    system = ps.System("pushed", base.bodies, loops=base.loops, constraints=[push])
    v = system.consistent_velocity(q, np.zeros(3))
    with pytest.warns(ps.SimulationWarning, match="would be a jump"):
        run = ps.simulate(system, q, v, 3.0, integrator="rk4", step=1e-3)
    obeys(system, run.t, run.q, run.v)


def test_clearance_falls_with_the_distance():
    """Both forms of the projection tell how far from the place a state is."""
    mechanism = n_four_bar(3).mechanism
    kernels = (
        InterpreterKernel(trace(mechanism, Request("projected_state"))),
        RolledInterpreterKernel(trace_rolled(mechanism, Request("projected_state"))),
    )
    angles = np.array([1e-2, 1e-3, 1e-4])
    for kernel in kernels:
        clear = []
        for angle in angles:
            q, v = n_four_bar_state(3, angle=angle)
            out = np.empty((1, 2 * mechanism.nv + 1))
            kernel.run([q[None], v[None]], [out])
            clear.append(out[0, -1])
        np.testing.assert_allclose(np.array(clear) / clear[0], angles / angles[0], rtol=1e-3)


def test_many_loops_pass():
    """The rolled form of the projection passes as well."""
    n = 45
    system, (q, v) = n_four_bar(n), n_four_bar_state(n)
    run = ps.simulate(system, q, v, 2.0)
    assert run.status.ok
    assert np.ptp(run.energy()) <= 1e-8 * run.kinetic_energy().max()
    ways = np.where(np.arange(2 * n + 1) % 2 == 0, 1.0, -1.0)
    assert np.abs(run.v - run.v[:, :1] * ways).max() < 1e-6
