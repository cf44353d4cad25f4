"""Runs that cannot go on: they say when and why, and keep what they have."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import double_pendulum
from poinsot.simulation.running.status import Outcome, SimulationWarning

METHODS = ("dp8", "dp5", "stiff")


def two_sliders():
    bodies = [ps.Body(name, joint=ps.Prismatic("x"), mass=1.0) for name in ("calm", "wild")]
    return ps.System("sliders", bodies, gravity=(0, 0, 0))


def failing(law, **options):
    with pytest.warns(SimulationWarning, match="sliders"):
        return ps.simulate(two_sliders(), [0, 0], [0.1, 1], 3.0, tau=law, **options)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("save", [None, 0.3])
def test_not_a_number_stops(method, save):
    """Check a force that does not exist beyond t = 1."""
    run = failing(lambda t, q, v: [0.0, np.sqrt(1.0 - t)], integrator=method, save=save)
    assert run.status.outcome is Outcome.NOT_FINITE
    assert not run.status.ok
    assert run.status.time == run.t[-1] == pytest.approx(1.0, abs=1e-6)
    assert "'wild'" in run.status.message
    assert np.isfinite(run.q).all()
    assert np.isfinite(run.v).all()
    assert run.v[-1, 1] == pytest.approx(1.0 + 2.0 / 3.0, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_not_a_number_at_the_start_stops_at_once(method):
    run = failing(lambda t, q, v: [np.sqrt(t - 1.0), 0.0], integrator=method)
    assert run.status.outcome is Outcome.NOT_FINITE
    assert run.status.time == 0.0
    assert len(run) == 1
    assert "'calm'" in run.status.message
    assert run.at(0.0)[1].tolist() == [0.1, 1.0]


@pytest.mark.parametrize("method", METHODS)
def test_step_collapses_where_the_motion_runs_away(method):
    """Check v' = v²: v = 1 / (1 - t) has no value at t = 1."""
    run = failing(lambda t, q, v: [0.0, v[1] ** 2], integrator=method)
    assert run.status.outcome is Outcome.STEP_COLLAPSED
    assert run.status.time == pytest.approx(1.0, abs=1e-6)
    assert "'wild'" in run.status.message
    early = run.t < 0.9
    assert run.v[early, 1] == pytest.approx(1.0 / (1.0 - run.t[early]), rel=1e-7)


def test_force_with_a_pole_stops():
    run = failing(lambda t, q, v: [0.0, (1.0 - t) ** -2])
    assert run.status.outcome in (Outcome.STEP_COLLAPSED, Outcome.NOT_FINITE)
    assert run.status.time == pytest.approx(1.0, abs=1e-6)


def test_too_many_steps():
    with pytest.warns(SimulationWarning, match="max_steps"):
        run = ps.simulate(double_pendulum(), [1, 2], [0, 0], 10.0, max_steps=25)
    assert run.status.outcome is Outcome.TOO_MANY_STEPS
    assert run.statistics.steps + run.statistics.rejected == 25
    assert run.status.time == run.t[-1] < 10.0


def test_what_was_reached_is_as_good_as_ever():
    with pytest.warns(SimulationWarning):
        short = ps.simulate(double_pendulum(), [1, 2], [0, 0], 10.0, max_steps=25)
    whole = ps.simulate(double_pendulum(), [1, 2], [0, 0], 10.0)
    assert (short.q == whole.q[: len(short)]).all()


def test_success_says_so():
    run = ps.simulate(double_pendulum(), [1, 2], [0, 0], 1.0)
    assert run.status.ok
    assert run.status.time == 1.0
    assert run.status.message == "reached t = 1 s"


@pytest.mark.parametrize("integrator", ["dp8", "rk4"])
def test_a_stop_after_the_last_row_that_is_asked_for(integrator):
    """Stop at 0.95 s, when the last state to store, at 0.9 s, has been stored."""
    how = {"step": 0.01, "max_steps": 95} if integrator == "rk4" else {"max_step": 0.01}
    if integrator == "dp8":
        how["events"] = [ps.Event("stop", "t - 0.95", stop=True)]
        run = ps.simulate(double_pendulum(), [0.1, 0.2], [0, 0], 1.0, save=0.3, **how)
    else:
        with pytest.warns(SimulationWarning, match="max_steps"):
            run = ps.simulate(
                double_pendulum(), [0.1, 0.2], [0, 0], 1.0, save=0.3, integrator="rk4", **how
            )
    np.testing.assert_allclose(run.t, [0.0, 0.3, 0.6, 0.9, 0.95], rtol=1e-12)
