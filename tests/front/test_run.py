"""The object that a simulation returns."""

import copy
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.library import chain, double_pendulum


@pytest.fixture(scope="module")
def run():
    return ps.simulate(double_pendulum(), [1.0, 2.0], [0.0, 0.0], 3.0)


def test_shapes(run):
    n = len(run)
    assert run.t.shape == (n,)
    assert run.q.shape == run.v.shape == (n, 2)
    assert run.energy().shape == run.kinetic_energy().shape == (n,)
    assert run.t[0] == 0.0
    assert run.t[-1] == 3.0
    assert run.system == double_pendulum()


def test_energy_is_the_sum(run):
    assert_array_equal(run.energy(), run.kinetic_energy() + run.potential_energy())
    assert run.kinetic_energy()[0] == 0.0


def test_is_immutable(run):
    with pytest.raises(AttributeError, match="immutable"):
        run.t = 0
    with pytest.raises(AttributeError, match="immutable"):
        del run.t
    for array in (run.t, run.q, run.v):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def turning(t):
    c, s = np.cos(t), np.sin(t)
    return [[c, -s, 0], [s, c, 0], [0, 0, 1]], [0, 0, 0, 0, 0, 1], np.zeros(6)


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"tau": [0.3, -0.1]},
        {"tau": lambda t, q, v: -v * ps.select(t < 0.5, 0.1, t)},
        {"base": ps.BaseMotion(velocity=(0, 0, 0, 0, 0, 2))},
        {"base": turning, "tau": lambda t, q, v: -0.3 * v},
    ],
    ids=["no drive", "constant", "law", "base", "base law"],
)
def test_survives_pickling_and_copying(keywords):
    """Machine code does not travel; states, laws and what lies between the states do."""
    run = ps.simulate(double_pendulum(), [1.0, 2.0], [0.0, 0.0], 1.0, **keywords)
    t = np.linspace(0.0, 1.0, 17)
    for other in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run), copy.copy(run)):
        assert other.system == run.system
        assert other.status == run.status
        assert not other.q.flags.writeable
        assert_array_equal(other.at(t)[0], run.at(t)[0])


def test_repr(run):
    assert repr(run) == f"Run('double pendulum', {len(run)} states from 0 s to 3 s)"


def test_at_stored_times_returns_the_stored_states(run):
    q, v = run.at(run.t)
    assert_array_equal(q, run.q)
    assert_array_equal(v, run.v)


def test_at_takes_any_shape_and_order(run):
    t = np.random.default_rng(0).uniform(0.0, 3.0, (4, 5))
    q, v = run.at(t)
    assert q.shape == v.shape == (4, 5, 2)
    one_q, one_v = run.at(float(t[2, 3]))
    assert one_q.shape == one_v.shape == (2,)
    assert_array_equal(one_q, q[2, 3])
    assert_array_equal(one_v, v[2, 3])
    assert run.at([])[0].shape == (0, 2)


@pytest.mark.parametrize("t", [-1e-9, 3.0001, np.nan, [0.0, 4.0]])
def test_at_outside_the_run_is_refused(run, t):
    with pytest.raises(ps.ModelError, match=r"from t = 0 s to 3 s"):
        run.at(t)


def test_ends_are_the_ends_up_to_rounding(run):
    """Times of events, and sums of steps, are seldom the number that one writes."""
    last = run.t[-1]
    for t in (last, np.nextafter(last, 9.0), last + 2 * np.spacing(last)):
        assert_array_equal(run.at(t)[0], run.q[-1])


def test_at_takes_numbers(run):
    with pytest.raises(ps.ArrayTypeError, match="at: t must hold real numbers"):
        run.at("now")


@pytest.mark.parametrize("save", [None, 0.5])
@pytest.mark.parametrize("method", ["dp8", "dp5"])
@pytest.mark.parametrize("system", [double_pendulum(), chain(3)], ids=lambda system: system.name)
def test_at_is_as_accurate_as_the_steps(system, method, save):
    q, v = np.full(system.nv, 0.8), np.zeros(system.nv)
    t = np.linspace(0.0, 2.0, 401)
    exact = np.hstack(ps.simulate(system, q, v, 2.0, rtol=1e-12).at(t))
    for rtol in (1e-6, 1e-8):
        between = ps.simulate(system, q, v, 2.0, rtol=rtol, integrator=method, save=save).at(t)
        assert_allclose(np.hstack(between), exact, atol=20.0 * rtol)


def test_saved_states_are_those_of_at(run):
    saved = ps.simulate(double_pendulum(), [1.0, 2.0], [0.0, 0.0], 3.0, save=0.01)
    q, v = run.at(saved.t)
    assert len(saved) == 301
    assert_allclose(saved.q, q, atol=1e-12)
    assert_allclose(saved.v, v, atol=1e-12)
    assert saved.statistics.steps == run.statistics.steps


def test_print_says_how_it_ended_and_what_it_took():
    """Print a run with events and a callback, and one that stopped early."""
    system = double_pendulum()
    run = ps.simulate(
        system, [2.0, 0.0], [0.0, 0.0], 3.0,
        events=[ps.Event("down", "pose.lower.z + 0.9")], tau=ps.Callback(lambda t, q, v: 0 * v),
    )  # fmt: skip
    text = str(run)
    assert "double pendulum: reached t = 3 s" in text
    assert f"{len(run)} states from 0 s to 3 s" in text
    assert f"dp8: {run.statistics.steps} steps, {run.statistics.rejected} rejected, " in text
    assert " ms of preparation" in text or " s of preparation" in text
    assert f"callback: {run.statistics.callback_calls} calls" in text
    assert f"events: down ({len(run.events)})" in text
    with pytest.warns(ps.SimulationWarning):
        short = ps.simulate(system, [2.0, 0.0], [0.0, 0.0], 3.0, max_steps=5)
    assert "after 5 steps" in str(short)
    assert "events" not in str(short)


def test_preparation_is_told_and_kept_in_files(tmp_path):
    """Look at the time before the first step, in a file too,."""
    run = ps.simulate(double_pendulum(), [0.1, 0.2], [0.0, 0.0], 0.1)
    assert run.statistics.preparation_time > 0.0
    again = ps.load_run(run.save(tmp_path / "run.npz"))
    assert again.statistics == run.statistics
