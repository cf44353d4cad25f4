"""Every method with all that may act on a system, against the default at a tight tolerance."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import double_pendulum, four_bar, four_bar_configuration
from poinsot.simulation.stepping.integrators import INTEGRATORS

HOW = {
    "dp5": ({"rtol": 1e-8}, 1e-7),
    "stiff": ({"rtol": 1e-8}, 1e-7),
    "rk4": ({"step": 2e-3}, 1e-7),
    "symplectic": ({"step": 5e-4}, 5e-5),
    "symplectic4": ({"step": 5e-3}, 1e-6),
}
"""Options, and how near the result must be."""
each_method = pytest.mark.parametrize("method", HOW)
START = {"q": [0.4, -0.3], "v": [1.0, 0.5], "duration": 1.0}


def test_every_method_is_here():
    assert {*HOW, "dp8"} == set(INTEGRATORS)


def agrees(system, method, **arguments):
    """Return whether a method finds the motion that dp8 finds, at the end and on the way."""
    options, near = HOW[method]
    exact = ps.simulate(system, **arguments, rtol=1e-11)
    run = ps.simulate(system, **arguments, integrator=method, **options)
    assert run.status.ok
    times = np.linspace(0.0, arguments["duration"], 7)
    for ours, theirs in zip(run.at(times), exact.at(times), strict=True):
        assert_allclose(ours, theirs, atol=near * (1.0 + np.abs(theirs).max()))
    return run


@each_method
def test_free_parameters(method):
    m, l = ps.symbols("m l")
    rods = [
        ps.Body(
            name, parent, ps.Revolute("y"), ps.Pose((0, 0, z)), m, (0, 0, -l / 2), (m * l, m, m)
        )
        for name, parent, z in (("upper", "world", 0.0), ("lower", "upper", -l))
    ]
    system = ps.System("rods", rods, parameters={"m": 1.0, "l": 0.5}, free=("m", "l"))
    run = agrees(system, method, **START, parameters={"l": 0.8}, tau=lambda t, q, v: -m * v)
    numbers = ps.System("rods", rods, parameters={"m": 1.0, "l": 0.8})
    options, _ = HOW[method]
    other = ps.simulate(numbers, **START, tau=lambda t, q, v: -v, integrator=method, **options)
    assert_allclose(run.q[-1], other.q[-1], atol=1e-11)


@each_method
def test_moving_base(method):
    def base(t):
        angle, rate, change = 0.5 * np.sin(2 * t), np.cos(2 * t), -2 * np.sin(2 * t)
        c, s = np.cos(angle), np.sin(angle)
        return [[c, 0, s], [0, 1, 0], [-s, 0, c]], [0, 0, 0, 0, rate, 0], [0, 1, 0, 0, change, 0]

    agrees(double_pendulum(), method, **START, base=base)


@each_method
def test_wrenches(method):
    push = {"upper": lambda t, q, v: [np.sin(t), 0, q[0], 0, v[1], 0]}
    agrees(double_pendulum(), method, **START, wrenches=push)


@each_method
def test_force_elements(method):
    """Check a spring between points, friction, a stop and a law of time among the elements."""
    plain = double_pendulum()
    forces = [
        ps.Spring(("upper", (0, 0, -0.5)), ("world", (1, 0, 0)), stiffness=30.0, damping=2.0),
        ps.JointForce(plain.bodies[0].name, "sin(3*t) - 0.2*v"),
    ]
    system = ps.System("loaded", plain.bodies, gravity=plain.gravity, forces=forces)
    agrees(system, method, **START)


@each_method
def test_loops_that_are_driven(method):
    """Check a loop with springs in its pin, and a joint that a function of time moves."""
    plain = four_bar()
    q = four_bar_configuration(0.8)
    v = np.linalg.svd(plain.constraint_jacobian(q))[2][-1]
    v *= 2.0 / v[0]
    system = ps.System(
        "driven",
        plain.bodies,
        gravity=plain.gravity,
        loops=plain.mechanism.closures,
        constraints=[ps.PrescribedMotion("drive", "crank", "0.8 + 2*t + 0.3*t**2")],
    )
    run = agrees(system, method, q=q, v=v, duration=1.0)
    assert_allclose(run.q[-1, 0], 3.1, atol=1e-12)
    assert_allclose(run.v[-1, 0], 2.6, atol=1e-11)


@each_method
def test_events_and_files(method, tmp_path):
    """Check a stop at a crossing, and a run that comes back from a file and goes on between."""
    options, near = HOW[method]
    event = ps.Event("down", lambda t, q, v: q[0] - 0.3, stop=True)
    run = ps.simulate(double_pendulum(), **START, events=[event], integrator=method, **options)
    exact = ps.simulate(double_pendulum(), **START, events=[event], rtol=1e-11)
    assert run.t[-1] == pytest.approx(exact.t[-1], abs=near)
    assert abs(run.q[-1, 0] - 0.3) < 1e-10
    run.save(tmp_path / "run.npz")
    again = ps.load_run(tmp_path / "run.npz")
    times = np.linspace(0.0, run.t[-1], 9)
    assert_allclose(again.at(times)[0], run.at(times)[0], atol=1e-14)


@each_method
def test_many_runs(method):
    options = HOW[method][0] | {"save": 0.1}
    starts = np.array([[0.4, -0.3], [0.1, 0.2], [1.0, 1.0]])
    runs = ps.simulate(double_pendulum(), starts, [0.0, 0.5], 0.5, integrator=method, **options)
    for q, run in zip(starts, runs, strict=True):
        one = ps.simulate(double_pendulum(), q, [0.0, 0.5], 0.5, integrator=method, **options)
        assert_allclose(run.q[-1], one.q[-1], atol=1e-12)
