"""Runs that are made longer: the same as runs of the whole duration."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.library import double_pendulum
from tests.simulation.killed import everything
from tests.simulation.test_checkpoint import METHODS

RTOL = 1e-10


@pytest.mark.parametrize(("method", "options"), METHODS)
@pytest.mark.parametrize("save", [None, 0.05])
def test_a_run_that_has_ended_goes_on(tmp_path, method, options, save):
    """Simulate 0.3 s, then on to 0.7 s: as a run of 0.7 s, to the bit with steps of rk4."""
    given = {"integrator": method, "save": save, **options}
    if not options:
        given |= {"rtol": RTOL, "atol": RTOL}
    file, start = tmp_path / "run.npz", (double_pendulum(), [1.0, 0.5], [0.3, -1.0])
    whole = ps.simulate(*start, 0.7, **given)
    ps.simulate(*start, 0.3, **given, checkpoint=file)
    longer = ps.resume(file, duration=0.7)
    assert longer.status.ok
    assert longer.t[-1] == 0.7
    if method == "rk4":
        assert_allclose(longer.t, whole.t, rtol=1e-15)
        assert_array_equal(longer.q[-1], whole.q[-1])
    else:
        assert_allclose(longer.q[-1], whole.q[-1], atol=10 * RTOL)
        assert_allclose(longer.v[-1], whole.v[-1], atol=100 * RTOL)
    if save is not None:
        assert_allclose(longer.t, whole.t, rtol=1e-15)
        assert_allclose(longer.q, whole.q, atol=10 * RTOL)
    assert_array_equal(ps.resume(file).q, longer.q)  # the file holds the longer run


def test_a_run_before_its_end_goes_on_to_the_bit(tmp_path):
    """Stop a run of 0.3 s early and make it longer: no step knows of the old end."""
    file, start = tmp_path / "run.npz", (double_pendulum(), [1.0, 0.5], [0.3, -1.0])
    whole = ps.simulate(*start, 0.7, first_step=1e-3)
    with pytest.warns(ps.SimulationWarning, match="max_steps"):
        ps.simulate(*start, 0.3, first_step=1e-3, checkpoint=file, max_steps=7)
    longer = ps.resume(file, duration=0.7, max_steps=1000)
    assert_array_equal(longer.t, whole.t)
    assert_array_equal(longer.q, whole.q)


def test_signals_samples_and_events_go_on(tmp_path):
    """Make a run longer that has all of them: they come when they would have come."""
    (system, q, v, duration), more = everything(sampled=True)
    file, more = tmp_path / "run.npz", more | {"rtol": RTOL, "atol": RTOL}
    whole = ps.simulate(system, q, v, duration, **more)
    ps.simulate(system, q, v, 0.4 * duration, **more, checkpoint=file)
    longer = ps.resume(file, duration=duration)
    assert [event.name for event in longer.events] == [event.name for event in whole.events]
    times = [[event.t for event in run.events] for run in (longer, whole)]
    assert_allclose(*times, atol=1e-7)
    assert_allclose(longer.q[-1], whole.q[-1], atol=1e-7)


@pytest.mark.parametrize("end", [0.3, 0.35])
def test_digital_controllers_go_on(tmp_path, end):
    """Count samples: one that is due at the old end is taken once."""
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)
    states = [ps.SampledState("u", update="-3*cart - v.cart", every=0.1),
              ps.SampledState("n", update="n + 1", every=0.1)]  # fmt: skip
    drive = ps.JointForce("cart", "u")
    system = ps.System("cart", [cart], states=states, forces=[drive])
    whole = ps.simulate(system, [1.0], [0.0], 0.7, rtol=RTOL, atol=RTOL)
    ps.simulate(system, [1.0], [0.0], end, rtol=RTOL, atol=RTOL, checkpoint=tmp_path / "run.npz")
    longer = ps.resume(tmp_path / "run.npz", duration=0.7)
    assert_allclose(longer.q[-1], whole.q[-1], atol=10 * RTOL)
    assert longer.evaluate("n")[-1] == whole.evaluate("n")[-1] == 7


def test_what_cannot_be_longer(tmp_path):
    file, start = tmp_path / "run.npz", (double_pendulum(), [1.0, 0.5], [0.3, -1.0])
    ps.simulate(*start, 0.3, checkpoint=file, save=[0.1, 0.2])
    with pytest.raises(ps.ModelError, match=r"takes 0\.3 s; duration must be longer, got 0\.2"):
        ps.resume(file, duration=0.2)
    assert ps.resume(file, duration=0.5).t.tolist() == [0.1, 0.2, 0.5]
    stop = ps.Event("low", lambda t, q, v: t - 0.2, stop=True)
    ps.simulate(*start, 0.3, checkpoint=file, events=[stop])
    with pytest.raises(ps.ModelError, match="cannot be made longer"):
        ps.resume(file, duration=0.5)
    assert np.isclose(ps.resume(file).t[-1], 0.2)
