"""Runs that go on: a run that is cut and continued is the one that never stopped."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.library import double_pendulum, four_bar, four_bar_configuration
from tests.random_examples import examples

CART = ps.System("cart", [ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)], gravity=(0, 0, 0))
BALL = ps.System("ball", [ps.Body("ball", joint=ps.Prismatic("z"), mass=1.0)])
FLOOR = ps.Contact(ps.PointOnSurface("floor", ("ball", (0, 0, 0)), "z"), 0.7)


def waves(t, q, v):
    """A force of the time."""
    return [np.sin(3 * t)]


def test_the_cart_goes_on():
    """Check that a force of the time goes on after a stop, against the closed form."""
    stop = ps.Event("second", "t - 1", stop=True)
    run = ps.simulate(CART, [0.0], [0.0], 5.0, tau=waves, events=[stop])
    assert_allclose(run.t[-1], 1.0)
    more = run.continued(1.0)
    assert_allclose(more.t[[0, -1]], [1.0, 2.0])
    assert_allclose(more.q[:, 0], more.t / 3 - np.sin(3 * more.t) / 9, atol=1e-8)
    assert more.events == ()
    third = more.continued(0.5, tau=None)
    assert_allclose(third.q[-1, 0], 2 / 3 - math.sin(6) / 9 + 0.5 * (1 - math.cos(6)) / 3)


@settings(max_examples=examples(5))
@given(st.floats(0.05, 1.9))
def test_cut_anywhere(cut):
    """Check a force of the time, a signal, a base that moves and events, cut at any time."""
    samples = np.array([[1.0, 0.0], [-2.0, 1.0], [0.5, -1.0], [3.0, 1.0]])
    signal = ps.Signal([0.0, 0.6, 1.1, 1.7], samples, kind="hold")

    def law(t, q, v):
        return signal(t) + np.sin(3 * t)

    def base(t):
        return np.eye(3), np.array([np.cos(t), 0, 0, 0, 0, 0]), np.array([-np.sin(t)] + [0] * 5)

    system = double_pendulum()
    first, second = system.coordinate_names
    switch = ps.Event("switch", f"{second} - 0.4", direction="up", tau=[0.3, -0.2])
    laws = {"tau": law, "base": base, "events": [ps.Event("pass", first), switch]}
    whole = ps.simulate(system, [0.4, -0.3], [1.0, 0.5], 2.0, **laws)
    run = ps.simulate(system, [0.4, -0.3], [1.0, 0.5], cut, **laws)
    more = run.continued(2.0 - cut)
    assert_allclose(more.t[0], cut)
    assert_allclose(more.q[-1], whole.q[-1], atol=1e-6)
    assert_allclose(more.v[-1], whole.v[-1], atol=1e-6)
    both = [*run.events, *more.events]
    assert [event.name for event in both] == [event.name for event in whole.events]
    assert_allclose([event.t for event in both], [event.t for event in whole.events], atol=1e-6)
    assert_allclose(more.tau()[-1], whole.tau()[-1], atol=1e-5)


@pytest.mark.parametrize("cut", [0.2, 0.45, 0.46, 1.0, 1.3])
def test_contacts_go_on(cut):
    """Check that a ball that bounces does so after the cut, and at the cut's other side."""
    whole = ps.simulate(BALL, [1.0], [0.0], 2.0, contacts=[FLOOR])
    run = ps.simulate(BALL, [1.0], [0.0], cut, contacts=[FLOOR])
    more = run.continued(2.0 - cut)
    assert_allclose([event.t for event in (*run.events, *more.events)],
                    [event.t for event in whole.events])  # fmt: skip
    assert_allclose(more.q[-1], whole.q[-1], atol=1e-9)


def test_impact_then_on():
    """Check that a stop at an event late in a run is not found again in a short one after it."""
    mark = ps.Event("mark", "cart - 1234.5", stop=True)
    run = ps.simulate(CART, [0.0], [1.0], 2000.0, events=[mark])
    assert run.t[-1] == pytest.approx(1234.5)
    for duration in (1e-3, 1.0, 100.0):
        more = run.continued(duration)
        assert more.events == ()
        assert more.t[-1] == run.t[-1] + duration


def test_stops_are_counted_on():
    """Check that an event that stops at the third time counts what was before the cut."""
    tick = ps.Event("tick", "sin(pi*t)", stop=3)
    law = {"events": [tick], "max_step": 0.1}
    run = ps.simulate(CART, [0.0], [0.0], 2.5, **law)
    more = run.continued(9.0)
    assert more.t[-1] == pytest.approx(3.0)
    assert more.continued(9.0).t[-1] == pytest.approx(6.0)


def test_the_law_that_an_event_switched_to_goes_on():
    """Check the law after the cut, also when it is cut again and read from a file."""
    half = ps.Event("half", "cart - 0.5", direction="up", tau=-3.0)
    run = ps.simulate(CART, [0.0], [1.0], 0.7, events=[half])
    more = run.continued(0.1).continued(0.2)
    assert_allclose(more.tau()[:, 0], -3.0)
    assert_allclose(more.v[-1, 0], 1.0 - 3.0 * 0.5)


@pytest.mark.parametrize("save", [None, 0.3, [0.1, 0.4]])
def test_the_end_is_where_it_goes_on(save):
    """Check that a run goes on from its end, not from the last state that was stored."""
    run = ps.simulate(CART, [0.0], [0.0], 1.0, tau=waves, save=save)
    more = run.continued(1.0)
    assert_allclose(more.t[[0]], [1.0])
    assert_allclose(more.q[:, 0], more.t / 3 - np.sin(3 * more.t) / 9, atol=1e-8)
    if save == 0.3:
        assert_allclose(np.diff(more.t), 0.3)


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_runs_from_files_go_on(tmp_path, suffix):
    """Check that what comes from a file goes on with the same bits, and so does a pickle."""
    half = ps.Event("half", "cart - 0.05", direction="up", tau=-3.0)
    run = ps.simulate(CART, [0.0], [0.0], 1.0, tau=waves, events=[half]).continued(0.5)
    again = ps.load_run(run.save(tmp_path / f"run.{suffix}"))
    for one in (again, pickle.loads(pickle.dumps(run))):
        assert_array_equal(one.continued(1.0).q, run.continued(1.0).q)


def test_runs_of_batches_go_on():
    """Check that runs of a batch go on as if they had been alone."""
    starts = [[0.1, 0.2], [0.7, -0.3]]
    law = {"tau": lambda t, q, v: np.array([np.sin(3 * t), 0.0]), "save": 0.3}
    runs = ps.simulate(double_pendulum(), starts, [0.0, 0.0], 1.0, start=0.5, **law)
    whole = ps.simulate(double_pendulum(), starts, [0.0, 0.0], 2.0, start=0.5, **law)
    for one, all_of_it in zip(runs, whole, strict=True):
        assert_allclose(one.continued(0.8).q[-1], all_of_it.at(2.1)[0], atol=1e-7)


def test_checkpoints_of_runs_that_go_on(tmp_path):
    """Check that counts and start are in a checkpoint too."""
    tick = ps.Event("tick", "sin(pi*t)", stop=3)
    run = ps.simulate(CART, [0.0], [0.0], 2.5, events=[tick], max_step=0.1)
    file = tmp_path / "more.npz"
    with pytest.warns(ps.SimulationWarning):
        run.continued(9.0, checkpoint=file, max_steps=2)
    more = ps.resume(file, max_steps=10**6)
    assert_array_equal(more.t, run.continued(9.0).t)
    assert more.t[-1] == pytest.approx(3.0)


def test_closed_systems_go_on():
    """Check a mechanism with a loop, cut and whole."""
    system, q = four_bar(), four_bar_configuration(0.7)
    whole = ps.simulate(system, q, np.zeros(system.nv), 1.0)
    run = ps.simulate(system, q, np.zeros(system.nv), 0.4).continued(0.6)
    assert_allclose(run.q[-1], whole.q[-1], atol=1e-7)


def test_changes():
    """Check that changes hold from the cut on, and all else stays."""
    c = ps.symbols("c")
    system = ps.System("cart", CART.bodies, gravity=(0, 0, 0), parameters={"c": 0.0}, free=("c",))

    def spring(t, q, v):
        return -c * q

    pull = {"cart": lambda t, q, v: [t, 0, 0, 0, 0, 0]}
    run = ps.simulate(system, [0.0], [0.0], 1.0, tau=spring, wrenches=pull)
    assert_allclose(run.v[-1, 0], 0.5)
    assert_allclose(run.continued(1.0, tau=-1.0).v[-1, 0], 2.0 - 1.0)
    assert_allclose(run.continued(1.0, wrenches=None).v[-1, 0], 0.5)
    sprung = run.continued(1.0, wrenches=None, parameters={"c": 4.0})
    assert_allclose(sprung.q[-1, 0], math.cos(2) / 6 + 0.25 * math.sin(2))
    assert sprung.parameters == {"c": 4.0}
    equal = run.continued(1.0, integrator="rk4", step=0.25)
    assert_allclose(equal.t, [1.0, 1.25, 1.5, 1.75, 2.0])
    assert equal.continued(0.5).accuracy.integrator == "rk4"
    assert equal.continued(0.5, integrator="dp5", rtol=1e-6).accuracy.rtol == 1e-6
    there = ps.Event("there", "t - 1.5", stop=True)
    assert run.continued(1.0, events=[there]).t[-1] == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"start": 0.0}, "'start' cannot be changed"),
        ({"speed": 1}, "'speed' cannot be changed.*tau"),
        ({"events": 3}, "events must be a list"),
        ({"integrator": "ode45"}, "unknown integrator 'ode45'"),
        ({"parameters": {"k": 1.0}}, "k"),
    ],
)
def test_wrong_changes_are_refused(wrong, message):
    """Check that errors name what cannot be changed."""
    run = ps.simulate(CART, [0.0], [0.0], 1.0)
    with pytest.raises(ps.PoinsotError, match=message):
        run.continued(1.0, **wrong)


def test_what_files_cannot_hold(tmp_path):
    """Check that contacts and laws that a file could not hold are asked for."""
    traced = ps.Contact(ps.Holonomic("floor", lambda q, t: q[0]), 0.7)
    run = ps.simulate(BALL, [1.0], [0.0], 1.0, contacts=[traced])
    again = ps.load_run(run.save(tmp_path / "ball.npz"))
    with pytest.raises(ps.ModelError, match=r"event 'floor'.*contacts= again"):
        again.continued(1.0)
    more = again.continued(1.0, contacts=[traced])
    assert_array_equal(more.q[-1], run.continued(1.0, contacts=[traced]).q[-1])
    called = ps.simulate(CART, [0.0], [0.0], 1.0, tau=ps.Callback(lambda t, q, v: 1.0))
    again = ps.load_run(called.save(tmp_path / "called.npz"))
    with pytest.raises(ps.PoinsotError, match="Python function"):
        again.continued(1.0)
    assert_allclose(again.continued(1.0, tau=0.0).v[-1], 1.0)


def test_warnings_point_to_the_caller():
    """Check that a run that ends early warns where it was asked for."""
    run = ps.simulate(CART, [0.0], [0.0], 1.0)
    with pytest.warns(ps.SimulationWarning, match="2 steps") as caught:
        run.continued(1.0, max_steps=2, max_step=0.01)
    assert caught[0].filename == __file__
