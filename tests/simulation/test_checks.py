"""Wrong questions: each error names what was expected."""

import math

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import double_pendulum

FREE = ps.System("free", [ps.Body("box", joint=ps.Free(), mass=1.0, inertia=(1, 1, 1))])
GOOD = {"q": [0.1, 0.2], "v": [0.0, 0.0], "duration": 1.0}


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"q": [0.1]}, ps.ShapeError, r"q must have shape \(2,\), nq"),
        ({"q": np.zeros((2, 3))}, ps.ShapeError, r"\(\.\.\., 2\) for many runs, got \(2, 3\)"),
        ({"v": [0.1, 0.2, 0.3]}, ps.ShapeError, r"v must have shape \(2,\), nv"),
        ({"q": [0.1, math.nan]}, ps.ModelError, "q must be finite"),
        ({"v": [0.1, math.inf]}, ps.ModelError, "v must be finite"),
        ({"v": [0.1, 1j]}, ps.ArrayTypeError, "real numbers"),
        ({"v": [[0.1], [1, 2]]}, ps.ArrayTypeError, "real numbers"),
        ({"duration": 0.0}, ps.ModelError, "duration must be positive"),
        ({"duration": -1}, ps.ModelError, "got -1"),
        ({"duration": math.inf}, ps.ModelError, "finite"),
        ({"duration": "10"}, ps.ArrayTypeError, "number, got str"),
        ({"rtol": 0.0}, ps.ModelError, "rtol"),
        ({"rtol": 1e-15}, ps.ModelError, "rtol must be from 1e-12 to 0.1"),
        ({"rtol": 1.0}, ps.ModelError, "rtol"),
        ({"atol": -1e-9}, ps.ModelError, "atol"),
        ({"max_step": 0.0}, ps.ModelError, "max_step"),
        ({"first_step": math.nan}, ps.ModelError, "first_step"),
        ({"max_steps": 0}, ps.ModelError, "max_steps"),
        ({"max_steps": 2.5}, ps.ModelError, "max_steps must be a whole number, got 2.5"),
        (
            {"integrator": "ode45"},
            ps.ModelError,
            "unknown integrator 'ode45'; choose one of 'dp8'",
        ),
        ({"step": 1e-3}, ps.ModelError, "'dp8' chooses its steps.*max_step.*'rk4'"),
        ({"integrator": "rk4"}, ps.ModelError, r"say which, as in step=1e-3"),
        ({"integrator": "rk4", "step": 0.0}, ps.ModelError, "step must be positive"),
        ({"integrator": "rk4", "step": "1"}, ps.ArrayTypeError, "step must be a number"),
        ({"integrator": "rk4", "step": 0.1, "rtol": 1e-8}, ps.ModelError, "'rk4'.*has no rtol"),
        ({"integrator": "rk4", "step": 0.1, "atol": 1e-8}, ps.ModelError, "has no atol"),
        ({"integrator": "rk4", "step": 0.1, "max_step": 0.1}, ps.ModelError, "has no max_step"),
        ({"integrator": "rk4", "step": 0.1, "first_step": 0.1}, ps.ModelError, "has no first_step"),
        ({"save": -0.1}, ps.ModelError, "save must be positive"),
        ({"save": [0.0, 2.0]}, ps.ModelError, "from 0 s, the start, to 1 s, the end"),
        ({"save": [0.5, 0.5]}, ps.ModelError, "increasing"),
        ({"save": []}, ps.ModelError, "at least one"),
    ],
)
def test_wrong_arguments_are_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        ps.simulate(double_pendulum(), **(GOOD | wrong))


def test_quaternion_far_from_unit_is_refused():
    with pytest.raises(ps.ModelError, match=r"joint 'box', q\[3:7\].*length 1, got 2"):
        ps.simulate(FREE, [0, 0, 0, 2, 0, 0, 0], np.zeros(6), 1.0)


def test_quaternion_near_unit_is_normalised():
    q = FREE.random(np.random.default_rng(0))
    q[3:] *= 1.0 + 1e-7
    run = ps.simulate(FREE, q, np.zeros(6), 1.0)
    assert np.linalg.norm(run.q[0, 3:]) == pytest.approx(1.0, abs=1e-15)


def test_arguments_are_undriven_equations():
    q, v = np.array([0.1, 0.2]), np.zeros(2)
    ps.simulate(double_pendulum(), q, v, 1.0)
    assert q.tolist() == [0.1, 0.2]
    assert not v.any()


@pytest.mark.parametrize(("save", "count"), [(0.1, 11), (0.3, 4), (1.0, 2), (7.0, 1)])
def test_even_times_start_at_zero_and_stay_inside(save, count):
    run = ps.simulate(double_pendulum(), **GOOD, save=save)
    assert run.t == pytest.approx(save * np.arange(count), abs=1e-15)
    assert run.status.time == 1.0


def test_times_that_do_not_start_at_zero():
    run = ps.simulate(double_pendulum(), **GOOD, save=[0.25, 0.5, 1.0])
    every = ps.simulate(double_pendulum(), **GOOD)
    assert run.t.tolist() == [0.25, 0.5, 1.0]
    assert run.q[-1] == pytest.approx(every.q[-1], abs=1e-14)
