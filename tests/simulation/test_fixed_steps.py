"""Methods whose step the user chooses: where they stop, what they store, how they fail."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.library import double_pendulum, four_bar, four_bar_configuration
from poinsot.simulation.running.status import Outcome, SimulationWarning

FIXED = ("rk4", "symplectic", "symplectic4")
CLOSED = ("rk4", "symplectic", "symplectic4")
START = {"q": [0.4, -0.3], "v": [1.0, 0.5], "duration": 1.0}


@pytest.mark.parametrize("method", FIXED)
@pytest.mark.parametrize(("step", "count"), [(0.1, 10), (0.3, 4), (1 / 3, 3), (0.7, 2), (5.0, 1)])
def test_equal_steps_end_at_the_end(method, step, count):
    """Check that steps are as few as none is longer than asked, and that their times are even."""
    run = ps.simulate(double_pendulum(), **START, integrator=method, step=step)
    assert_array_equal(run.t[:-1], 1.0 / count * np.arange(count))
    assert run.t[-1] == 1.0
    assert run.statistics.steps == count
    assert run.statistics.rejected == 0


def test_rk4_is_the_classical_method():
    """Check steps against the formula of textbooks, written on its own here."""
    system = double_pendulum()

    def rate(y):
        q, v = y[:2], y[2:]
        return np.hstack([v, system.forward_dynamics(q, v, np.zeros(2))])

    run = ps.simulate(system, **START, integrator="rk4", step=0.05)
    y, h = np.hstack([START["q"], START["v"]]), 0.05
    for row in np.hstack([run.q, run.v])[1:]:
        k1 = rate(y)
        k2 = rate(y + h / 2 * k1)
        k3 = rate(y + h / 2 * k2)
        k4 = rate(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        assert_allclose(row, y, rtol=1e-12)
    assert run.statistics.evaluations == 1 + 4 * run.statistics.steps


@pytest.mark.parametrize("method", FIXED)
def test_states_between_steps_are_those_of_a_finer_question(method):
    """Check that what is stored at given times is what ``at`` finds; it joins the steps."""
    times = np.linspace(0.0, 1.0, 41)
    whole = ps.simulate(double_pendulum(), **START, integrator=method, step=0.04)
    some = ps.simulate(double_pendulum(), **START, integrator=method, step=0.04, save=times)
    assert_allclose(np.hstack(whole.at(times)), np.hstack([some.q, some.v]), atol=1e-13)
    assert_array_equal(np.hstack(whole.at(whole.t)), np.hstack([whole.q, whole.v]))
    near = np.hstack(whole.at(whole.t[1:-1] - 1e-9))
    assert_allclose(near, np.hstack([whole.q, whole.v])[1:-1], atol=1e-7)


@pytest.mark.parametrize("method", FIXED)
def test_not_a_number_stops_a_run_of_equal_steps(method):
    slider = ps.System("slider", [ps.Body("s", joint=ps.Prismatic("x"), mass=1.0)])
    with pytest.warns(SimulationWarning, match=r"'s' is not finite.*smaller step"):
        run = ps.simulate(
            slider,
            [0],
            [1],
            3.0,
            tau=lambda t, q, v: [np.sqrt(1.0 - t)],
            integrator=method,
            step=0.01,
        )
    assert run.status.outcome is Outcome.NOT_FINITE
    assert run.t[-1] == pytest.approx(1.0, abs=0.011)
    assert np.isfinite(run.q).all()
    assert np.isfinite(run.v).all()


@pytest.mark.parametrize("method", FIXED)
def test_too_many_equal_steps(method):
    with pytest.warns(SimulationWarning, match=r"larger max_steps, a larger step"):
        run = ps.simulate(double_pendulum(), **START, integrator=method, step=1e-3, max_steps=10)
    assert len(run) == 11


@pytest.mark.parametrize("method", CLOSED)
def test_equal_steps_stay_on_loops(method):
    system = four_bar()
    q = four_bar_configuration(0.8)
    v = system.constraint_jacobian(q)
    v = 3.0 * np.linalg.svd(v)[2][-1]
    run = ps.simulate(system, q, v, 2.0, integrator=method, step=0.01)
    between = run.at(np.linspace(0.0, 2.0, 33))[0]
    assert np.abs(system.constraint_residual(np.vstack([run.q, between]))).max() < 1e-12
    exact = ps.simulate(system, q, v, 2.0, rtol=1e-11)
    assert_allclose(run.q[-1], exact.q[-1], atol=0.02 if method == "symplectic" else 1e-4)


@pytest.mark.parametrize("method", CLOSED)
def test_steps_that_lead_far_from_a_loop_stop(method):
    """Check that a step so long that the loop would have to jump is not taken."""
    system = four_bar()
    q = four_bar_configuration(0.8)
    v = 60.0 * np.linalg.svd(system.constraint_jacobian(q))[2][-1]
    with pytest.warns(SimulationWarning, match="smaller step"):
        run = ps.simulate(system, q, v, 2.0, integrator=method, step=0.5)
    assert run.status.outcome is Outcome.STEP_COLLAPSED
    assert len(run) >= 1


@pytest.mark.parametrize("integrator", ["symplectic", "rk4"])
def test_long_runs_take_as_many_equal_steps_as_they_need(integrator):
    """Go on beyond a million steps unless told otherwise."""
    system = ps.library.pendulum()
    options = {"integrator": integrator, "step": 1e-3, "save": 100.0}
    run = ps.simulate(system, [0.3], [0.0], 1100.0, **options)
    assert run.status.ok
    assert run.statistics.steps == 1_100_000
    with pytest.warns(ps.SimulationWarning, match="larger max_steps"):
        ps.simulate(system, [0.3], [0.0], 1.0, max_steps=10, **options)


def test_a_start_that_is_not_closed_names_its_remedy():
    """Check that assemble and consistent_velocity are named."""
    linkage = ps.library.four_bar()
    q = ps.library.four_bar_configuration(0.5)
    with pytest.raises(ps.ModelError, match=r"q = system.assemble\(q\)"):
        ps.simulate(linkage, q + 0.1, np.zeros(3), 1.0)
    with pytest.raises(ps.ModelError, match=r"v = system.consistent_velocity\(q, v\)"):
        ps.simulate(linkage, q, [1.0, 0.0, 0.0], 1.0)
