"""Control laws that Python calls: what they may be, and what happens when they fail."""

import copy
import math
import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.library import double_pendulum
from poinsot.simulation.running.status import Outcome
from tests.random_examples import examples


def slider(n=1):
    bodies = [ps.Body(f"mass {i}", joint=ps.Prismatic("x"), mass=2.0) for i in range(n)]
    return ps.System("slider", bodies, gravity=(0, 0, 0))


def branching(t, q, v):
    """Cannot be traced: it branches on values and uses math."""
    return math.cos(t) if q[0] > -100.0 else 0.0


def test_a_failed_trace_names_the_remedy_and_the_remedy_works():
    with pytest.raises(ps.PoinsotError, match=r"tau=poinsot\.Callback\(function\), which is slow"):
        ps.simulate(slider(), [0.0], [0.0], 2.0, tau=branching)
    run = ps.simulate(slider(), [0.0], [0.0], 2.0, tau=ps.Callback(branching))
    assert_allclose(run.q[:, 0], 0.5 * (1.0 - np.cos(run.t)), atol=1e-9)
    t = np.linspace(0.0, 2.0, 23)
    assert_allclose(run.at(t)[0][:, 0], 0.5 * (1.0 - np.cos(t)), atol=1e-9)


@settings(max_examples=examples(5), deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["dp8", "dp5"]))
def test_called_and_compiled_laws_move_the_same(seed, method):
    """The same arithmetic on floats and in machine code leads to the same motion."""
    rng = np.random.default_rng(seed)
    K, D = rng.uniform(-1.0, 1.0, (2, 2, 2))

    def law(t, q, v):
        return [sum(K[i] * q) - sum(D[i] * v) + np.sin(t) for i in range(2)]

    q, v = rng.uniform(-1.0, 1.0, (2, 2))
    options = {"integrator": method, "save": 0.25}
    compiled = ps.simulate(double_pendulum(), q, v, 1.0, tau=law, **options)
    called = ps.simulate(double_pendulum(), q, v, 1.0, tau=ps.Callback(law), **options)
    assert_allclose(called.q, compiled.q, atol=1e-9)
    assert_allclose(called.at(compiled.t)[1], compiled.v, atol=1e-9)
    # The integrator counts the derivatives; each takes one call, and those of the start two more.
    assert called.statistics.callback_calls >= called.statistics.evaluations
    assert 0.0 < called.statistics.callback_time < called.statistics.wall_time
    assert compiled.statistics.callback_calls == 0


class Thermostat:
    """A relay with hysteresis: it pushes until x > 1 and pulls until x < -1."""

    def __init__(self):
        self.push = True

    def __call__(self, t, q, v):
        if abs(q[0]) > 1.0:
            self.push = q[0] < 0.0
        return np.array([1.0 if self.push else -1.0])


def test_objects_with_memory():
    """Between the switches the force is constant: x = t² / 4 m up to x = 1 at t = 2."""
    run = ps.simulate(slider(), [0.0], [0.0], 8.0, tau=ps.Callback(Thermostat()), max_step=0.05)
    assert run.status.ok
    early = run.t < 1.95
    assert_allclose(run.q[early, 0], run.t[early] ** 2 / 4.0, atol=1e-9)
    assert run.q[-1, 0] < run.q[:, 0].max() < 3.0


def failing(law, **options):
    with pytest.warns(ps.SimulationWarning, match="slider"):
        return ps.simulate(slider(2), [0, 0], [0.1, 1], 3.0, tau=ps.Callback(law), **options)


@pytest.mark.parametrize("method", ["dp8", "dp5"])
@pytest.mark.parametrize("save", [None, 0.25])
def test_a_law_that_raises_ends_the_run(method, save):
    calls = []

    def law(t, q, v):
        calls.append(t)
        if t > 1.0:
            raise RuntimeError("the motor has burnt out")
        return [0.0, 2.0]

    run = failing(law, integrator=method, save=save, max_step=0.1)
    assert run.status.outcome is Outcome.CALLBACK_FAILED
    assert isinstance(run.status.error, RuntimeError)
    assert "RuntimeError: the motor has burnt out" in run.status.message
    assert "law" in run.status.message
    assert calls[-1] > 1.0
    assert all(t <= 1.0 for t in calls[:-1])
    assert 0.85 <= run.status.time == run.t[-1] <= 1.0
    assert_allclose(run.v[:, 1], 1.0 + run.t, atol=1e-9)
    assert_allclose(run.at(0.5)[1][1], 1.5, atol=1e-9)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ([0.0], r"ShapeError: it returned shape \(1,\) in place of \(2,\)"),
        (3.0, r"ShapeError: it returned shape \(\)"),
        (None, "ArrayTypeError: it returned object"),
        (["a", "b"], "ArrayTypeError: it returned"),
        ([1j, 0], "ArrayTypeError: it returned complex128"),
    ],
)
def test_what_is_no_force_ends_the_run(result, words):
    run = failing(lambda t, q, v: result)
    assert run.status.outcome is Outcome.CALLBACK_FAILED
    assert len(run) == 1
    assert run.status.time == 0.0
    assert re.search(words, run.status.message)


def test_nan_is_approached_and_named():
    run = failing(lambda t, q, v: [0.0, math.nan if t > 1.0 else 2.0])
    assert run.status.outcome is Outcome.NOT_FINITE
    assert run.status.time == pytest.approx(1.0, abs=1e-6)
    assert "Callback(" in run.status.message
    assert "nan" in run.status.message
    assert_allclose(run.v[:, 1], 1.0 + run.t, atol=1e-9)


def test_at_says_why_when_the_law_fails_there():
    tape = {"broken": False}

    def law(t, q, v):
        if tape["broken"]:
            raise ValueError("broken tape")
        return np.sin(t)

    run = ps.simulate(slider(), [0.0], [0.0], 1.0, tau=ps.Callback(law))
    tape["broken"] = True
    with pytest.raises(ps.PoinsotError, match="broken tape") as caught:
        run.at(0.321)
    assert isinstance(caught.value.__cause__, ValueError)
    tape["broken"] = False
    assert_allclose(run.at(0.321)[1], (1.0 - math.cos(0.321)) / 2.0, atol=1e-9)


def test_pickles_if_the_function_does():
    run = ps.simulate(slider(), [0.0], [0.0], 1.0, tau=ps.Callback(branching))
    for other in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run)):
        assert_array_equal(other.at(0.3)[0], run.at(0.3)[0])
    local = ps.simulate(slider(), [0.0], [0.0], 1.0, tau=ps.Callback(lambda t, q, v: 1.0))
    assert_array_equal(copy.deepcopy(local).at(0.3)[0], local.at(0.3)[0])
    with pytest.raises(ps.PoinsotError, match="cannot be pickled"):
        pickle.dumps(local)


def test_only_functions():
    with pytest.raises(ps.ArrayTypeError, match="got float"):
        ps.Callback(3.0)
    assert repr(ps.Callback(branching)) == "Callback(branching)"


def test_arrays_given_may_be_kept_and_changed():
    kept = []

    def law(t, q, v):
        kept.append(q)
        q[:] = 7.0
        return 1.0

    run = ps.simulate(slider(), [0.0], [0.0], 1.0, tau=ps.Callback(law))
    assert_allclose(run.q[-1], 0.25, atol=1e-10)
    assert len({id(q) for q in kept}) == len(kept)
