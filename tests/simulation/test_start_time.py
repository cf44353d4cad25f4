"""Runs that do not begin at t = 0: the same motion as with laws that are moved in time."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.library import double_pendulum, four_bar, four_bar_configuration

CART = ps.System("cart", [ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)], gravity=(0, 0, 0))
STARTS = (-7.25, -0.5, 0.3, 12.0)
METHODS = {
    "dp8": {}, "dp5": {}, "stiff": {"integrator": "stiff"}, "rk4": {"step": 0.01},
    "symplectic": {"step": 0.01}, "symplectic4": {"step": 0.01},
}  # fmt: skip


def cart_at(t, start):
    """Return where the cart under sin(3 t) is that was at rest at x = 0 at the start."""
    v0 = math.cos(3 * start) / 3
    return v0 * (t - start) - (np.sin(3 * t) - math.sin(3 * start)) / 9


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("method", METHODS)
def test_forces_see_the_time(method, start):
    """Check the cart under sin(3 t) against the closed form, at stored times and between them."""
    how = {"integrator": method, **METHODS[method]}
    run = ps.simulate(CART, [0.0], [0.0], 2.0, start=start, tau=lambda t, q, v: [np.sin(3 * t)],
                      **how)  # fmt: skip
    tolerance = 1e-4 if method == "symplectic" else 1e-7
    assert run.t[0] == start
    assert run.t[-1] == start + 2.0
    assert_allclose(run.q[:, 0], cart_at(run.t, start), atol=tolerance)
    between = np.linspace(start, start + 2.0, 17)
    assert_allclose(run.at(between)[0][:, 0], cart_at(between, start), atol=tolerance)
    assert_allclose(run.tau()[:, 0], np.sin(3 * run.t))
    assert_allclose(run.evaluate("t"), run.t)
    assert_array_equal(run.repeat().q, run.q)


@pytest.mark.parametrize("start", STARTS)
def test_stored_times(start):
    """Check that times to store count from the start, and lists of times are those of the run."""

    def simulated(save):
        return ps.simulate(CART, [0.0], [1.0], 1.0, start=start, save=save)

    assert_allclose(simulated(0.25).t, start + np.array([0, 0.25, 0.5, 0.75, 1]), rtol=1e-15)
    listed = start + np.array([0.0, 0.125, 0.5])
    assert_array_equal(simulated(listed).t, listed)
    assert_array_equal(simulated(listed[1:]).t, listed[1:])
    assert_allclose(simulated(listed).q[:, 0], listed - start, atol=1e-12)
    with pytest.raises(ps.ModelError, match="the start, to"):
        simulated([start - 0.1, start])


@pytest.mark.parametrize("method", ["dp8", "rk4", "stiff"])
@pytest.mark.parametrize("start", STARTS)
def test_signals(method, start):
    """Check a force in steps whose breaks lie before, in and behind the run."""
    how = {"step": 0.05} if method == "rk4" else {}
    edges = np.array([-9.0, -7.0, -6.0, 0.0, 0.5, 1.0, 12.5, 13.0, 40.0])
    forces = np.array([3.0, -2.0, 1.0, 5.0, -4.0, 2.0, -3.0, 1.0, 0.0])
    signal = ps.Signal(edges, forces[:, None], kind="hold")
    run = ps.simulate(CART, [0.0], [0.0], 2.0, start=start, tau=signal, integrator=method, **how)
    inner = edges[(edges > start) & (edges < start + 2.0)]
    knots = np.concatenate([[start], inner, [start + 2.0]])
    held = forces[np.searchsorted(edges, knots[:-1], side="right") - 1]
    assert_allclose(run.v[-1, 0], held @ np.diff(knots), atol=1e-9)
    assert np.isin(inner, run.t).all()


def test_signals_that_must_not_be_left():
    """Check that the range of samples is held against the times of the run."""
    signal = ps.Signal([5.0, 8.0], [[1.0], [1.0]], beyond="error")
    ps.simulate(CART, [0.0], [0.0], 2.0, start=5.5, tau=signal)
    for start in (0.0, 7.0):
        with pytest.raises(ps.ModelError, match=f"from {start:g} to {start + 2:g} s"):
            ps.simulate(CART, [0.0], [0.0], 2.0, start=start, tau=signal)


@pytest.mark.parametrize("start", STARTS)
def test_events_and_their_times(start):
    """Check events of the time alone and of a motion that has begun late."""
    ticks = ps.Event("tick", "sin(20*t)")
    passes = ps.Event("pass", "cart - 0.5")
    run = ps.simulate(CART, [0.0], [1.0], 2.0, start=start, events=[ticks, passes], max_step=0.05)
    k = np.arange(math.ceil(20 * start / math.pi), math.floor(20 * (start + 2) / math.pi) + 1)
    found = [event.t for event in run.events if event.name == "tick"]
    assert_allclose(found, k * math.pi / 20, atol=1e-10)
    assert_allclose([event.t for event in run.events if event.name == "pass"], [start + 0.5],
                    atol=1e-12)  # fmt: skip


def test_prescribed_motions_and_the_base():
    """Check a closed system with a motion of the time, and a base that moves, against t = 0."""
    system = four_bar()
    q = four_bar_configuration(0.7)
    run = ps.simulate(system, q, np.zeros(system.nv), 0.5, start=3.0)
    same = ps.simulate(system, q, np.zeros(system.nv), 0.5)
    assert_allclose(run.q[-1], same.q[-1], atol=1e-9)
    drive = ps.PrescribedMotion("drive", "cart", "t**2")
    driven = ps.System("driven", CART.bodies, gravity=(0, 0, 0), constraints=[drive])
    run = ps.simulate(driven, [4.0], [4.0], 1.0, start=2.0)
    assert_allclose(run.q[:, 0], run.t**2, rtol=1e-10)
    with pytest.raises(ps.ModelError, match="does not obey"):
        ps.simulate(driven, [4.0], [4.0], 1.0)


@pytest.mark.parametrize("method", ["rk4", "dp8"])
@pytest.mark.parametrize("start", STARTS)
def test_batches(method, start):
    """Check that each run of a batch is, bit for bit, what it is alone."""
    how = {"step": 0.03} if method != "dp8" else {"save": 0.25}
    law = {"tau": lambda t, q, v: np.array([np.sin(3 * t), -v[1]]), "integrator": method, **how}
    starts = np.random.default_rng(1).normal(size=(5, 2))
    runs = ps.simulate(double_pendulum(), starts, [0.0, 0.1], 1.0, start=start, **law)
    assert runs.t[0] == start
    assert (runs.reached == start + 1.0).all()
    for k, q in enumerate(starts):
        alone = ps.simulate(double_pendulum(), q, [0.0, 0.1], 1.0, start=start, **law)
        assert_array_equal(runs.t, alone.t)
        assert_array_equal(runs.q[k], alone.q)
        assert runs[k].status.time == start + 1.0
        assert_array_equal(runs[k].repeat().q, alone.q)


def test_a_lost_run_of_a_batch_tells_when():
    """Check times and counts of runs in lanes that are lost, against the same run alone."""
    law = {"tau": lambda t, q, v: [1.0 / ps.select(t < 3.4, 1.0, 0.0)], "integrator": "rk4"}
    with pytest.warns(ps.SimulationWarning):
        runs = ps.simulate(CART, [[0.0], [1.0]], [0.0], 1.0, start=3.0, step=0.03, **law)
    with pytest.warns(ps.SimulationWarning):
        alone = ps.simulate(CART, [1.0], [0.0], 1.0, start=3.0, step=0.03, **law)
    assert 3.3 < alone.status.time < 3.4
    assert (runs.reached == alone.status.time).all()
    assert runs[1].statistics.steps == alone.statistics.steps


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_files(tmp_path, suffix):
    """Check that a file knows when its run began."""
    run = ps.simulate(CART, [0.0], [0.0], 2.0, start=-1.5, tau=lambda t, q, v: [np.sin(3 * t)])
    again = ps.load_run(run.save(tmp_path / f"run.{suffix}"))
    assert_array_equal(again.at(0.123)[0], run.at(0.123)[0])
    assert_array_equal(again.repeat().t, run.t)
    assert_array_equal(again.repeat().q, run.q)


def test_checkpoints(tmp_path):
    """Check that a run resumed from a checkpoint is the one never stopped, bit for bit."""
    law = {"tau": lambda t, q, v: [np.sin(3 * t)], "start": 2.5, "events": [ps.Event("e", "cart")]}
    whole = ps.simulate(CART, [-0.1], [0.0], 9.0, **law)
    file = tmp_path / "run.npz"
    with pytest.warns(ps.SimulationWarning):
        ps.simulate(CART, [-0.1], [0.0], 9.0, **law, checkpoint=file, max_steps=5)
    run = ps.resume(file, max_steps=10**6)
    assert_array_equal(run.t, whole.t)
    assert_array_equal(run.q, whole.q)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"start": "now"}, ps.ArrayTypeError, "start must be a time, got str"),
        ({"start": math.nan}, ps.ModelError, "start must be finite"),
        ({"start": 1e17}, ps.ModelError, "too far apart"),
        ({"save": 1e-9}, ps.PoinsotError, "GiB.*store fewer states"),
        ({"start": 1e11, "save": 1e-5}, ps.ModelError, "tell apart"),
        ({"events": 3}, ps.ArrayTypeError, "events must be a list of Event, got 3"),
        ({"events": "cart"}, ps.ArrayTypeError, "events must be a list of Event"),
        ({"contacts": 3}, ps.ArrayTypeError, "contacts must be a list of Contact, got 3"),
        ({"integrator": []}, ps.ModelError, r"unknown integrator \[\]; choose one of 'dp8'"),
        ({"integrator": None}, ps.ModelError, "unknown integrator None"),
        ({"checkpoint": 3}, ps.ArrayTypeError, "checkpoint must be the path of a file .npz"),
        ({"checkpoint": b"a.npz"}, ps.ArrayTypeError, "checkpoint must be the path"),
        ({"save": "often"}, ps.ArrayTypeError, "save must hold real numbers"),
    ],
)
def test_wrong_arguments_are_refused(wrong, error, message):
    """Check that what cannot be is named, at once."""
    with pytest.raises(error, match=message):
        ps.simulate(CART, [0.0], [0.0], 100.0, **wrong)
