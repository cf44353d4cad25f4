"""Signals: samples over time as forces, in laws, on the base, in wrenches."""

import math
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.interpolate import CubicSpline

import poinsot as ps
from poinsot.library import double_pendulum
from tests.formulations.loaded import slider


def after_force(signal, t, m=2.0):
    """Return place and speed of a mass at rest after a force over time, by quadrature."""
    knots = [one for one in signal.times if 0 < one < t]
    v = quad(signal, 0, t, points=knots, limit=400, epsabs=1e-13)[0] / m
    x = quad(lambda s: (t - s) * signal(s), 0, t, points=knots, limit=400, epsabs=1e-13)[0] / m
    return x, v


@pytest.mark.parametrize("method", ["dp8", "dp5", "rk4", "stiff"])
@pytest.mark.parametrize("kind", ["hold", "linear", "cubic"])
def test_a_mass_under_samples_goes_where_quadrature_says(kind, method):
    """Compare a run under sampled forces with integrals, with jumps at odd times."""
    rng = np.random.default_rng(3)
    times = np.cumsum(rng.uniform(0.03, 0.4, 12)) - 0.5
    signal = ps.Signal(times, 10 * rng.normal(size=12), kind)
    options = {"step": 0.01} if method == "rk4" else {}
    run = ps.simulate(slider(), [0.0], [0.0], 2.5, tau=signal, integrator=method, **options)
    assert run.status.ok
    x, v = after_force(signal, 2.5)
    tolerance = 1e-6 if (kind, method) == ("cubic", "rk4") else 1e-10
    assert_allclose([run.q[-1, 0], run.v[-1, 0]], [x, v], rtol=0, atol=tolerance)
    if kind != "cubic":
        inside = times[(times > 0) & (times < 2.5)]
        assert np.isin(inside, run.t).all(), "steps end where the force jumps or bends"
    q, _ = run.at(1.234)
    assert_allclose(q[0], after_force(signal, 1.234)[0], atol=max(tolerance, 1e-9))


def test_values_between_samples():
    """Compare with SciPy's spline and with the definitions, beyond the ends too."""
    t, y = np.array([0.0, 0.5, 2.0, 2.2, 4.0]), np.array([[1, 2], [0, 5], [3, 3], [1, 0], [2, 2.0]])
    at = np.array([-1.0, 0.0, 0.3, 0.5, 1.99, 2.0, 2.1, 3.9, 4.0, 9.0])
    cubic = ps.Signal(t, y, "cubic")
    assert_allclose(cubic(at), CubicSpline(t, y)(np.clip(at, 0, 4)), atol=1e-13)
    linear = ps.Signal(t, y[:, 0])
    assert_allclose(linear(at), np.interp(at, t, y[:, 0]), atol=1e-14)
    hold = ps.Signal(t, y[:, 0], "hold")
    assert_allclose(hold(at), [1, 1, 1, 0, 0, 3, 3, 1, 2, 2])
    assert hold(0.2) == 1.0
    assert cubic(0.3).shape == (2,)


def test_signals_in_laws_beside_the_state():
    """Compare a law of two signals and the state with the same law as formulas."""
    system = double_pendulum()
    t = np.linspace(0, 3, 4001)
    follow = ps.Signal(t, np.column_stack([np.sin(2 * t), np.cos(t)]), "cubic")
    gain = ps.Signal([0.0, 1.0, 2.0], [5.0, 20.0, 10.0], "hold")
    sampled = ps.simulate(
        system, [0.1, 0.2], [0.0, 0.0], 3.0, save=[3.0],
        tau=lambda t, q, v: gain(t) * (follow(t) - q) - v,
    )  # fmt: skip
    assert sampled.status.ok

    def law(t, q, v):
        k = ps.select(t < 1.0, 5.0, ps.select(t < 2.0, 20.0, 10.0))
        return k * (np.array([np.sin(2 * t), np.cos(t)]) - q) - v

    whole = ps.simulate(system, [0.1, 0.2], [0.0, 0.0], 3.0, tau=law, rtol=1e-11, save=[3.0])
    assert_allclose(sampled.q[-1], whole.q[-1], atol=1e-7)
    assert_allclose(sampled.tau()[0], gain(3.0) * (follow(3.0) - sampled.q[-1]) - sampled.v[-1])


def test_many_samples_are_cheap_to_look_up():
    """Check that 100 000 samples cost no more evaluations than a formula does, and no Python."""
    t = np.linspace(0, 10, 100_001)
    signal = ps.Signal(t, np.sin(t), "cubic")
    system = slider()
    run = ps.simulate(system, [0.0], [0.0], 10.0, tau=signal, save=[10.0])
    same = ps.simulate(system, [0.0], [0.0], 10.0, tau=lambda t, q, v: np.sin(t), save=[10.0])
    assert_allclose(run.q[-1], same.q[-1], atol=1e-9)
    assert run.statistics.evaluations <= 1.5 * same.statistics.evaluations


def test_wrenches_over_time():
    """Check numbers, functions and signals as wrenches on bodies against joint forces."""
    system = double_pendulum()
    name = system.body_names[1]
    start = ([0.3, -0.2], [0.0, 1.0])

    def as_tau(wrench):
        def law(t, q, v):
            return np.array(system.jacobian(name, [float(one) for one in q])).T @ wrench(t)

        return ps.Callback(law)

    constant = np.array([1.0, -2.0, 0.5, 0.3, 0.7, -0.4])
    by_wrench = ps.simulate(system, *start, 1.0, wrenches={name: constant}, save=[1.0])
    by_tau = ps.simulate(system, *start, 1.0, tau=as_tau(lambda t: constant), save=[1.0])
    assert_allclose(by_wrench.q, by_tau.q, atol=1e-8)
    t = np.linspace(0, 1, 50)
    signal = ps.Signal(t, np.outer(np.sin(3 * t), constant), "cubic")
    sampled = ps.simulate(system, *start, 1.0, wrenches={name: signal}, save=[1.0])
    law = ps.simulate(
        system, *start, 1.0, wrenches={name: lambda t, q, v: np.sin(3 * t) * constant}, save=[1.0]
    )
    assert_allclose(sampled.q, law.q, atol=1e-6)
    assert np.abs(sampled.q - by_wrench.q).max() > 1e-3
    drag = ps.simulate(
        system, *start, 1.0, wrenches={name: lambda t, q, v: [0, 0, 0, 0, -3.0 * v[1], 0]}
    )
    assert drag.energy()[-1] < drag.energy()[0]
    assert_allclose(
        drag.acceleration()[-1],
        system.forward_dynamics(
            drag.q[-1], drag.v[-1], wrenches={name: [0, 0, 0, 0, -3 * drag.v[-1, 1], 0]}
        ),
        atol=1e-12,
    )


def test_a_base_that_follows_samples():
    """Compare a shaken pendulum under sampled acceleration with the formula."""
    system = double_pendulum()
    t = np.linspace(0, 2, 2001)
    shake = ps.Signal(t, 3 * np.sin(5 * t), "cubic")

    def base(acceleration):
        return lambda t: (np.eye(3), np.zeros(6), [acceleration(t), 0, 0, 0, 0, 0])

    runs = [
        ps.simulate(system, [0.1, 0], [0, 0], 2.0, base=base(law), save=[2.0])
        for law in (shake, lambda t: 3 * np.sin(5 * t))
    ]
    assert_allclose(runs[0].q, runs[1].q, atol=1e-8)


def test_runs_with_signals_are_pickled_and_saved(tmp_path):
    """Check that a run that was driven by samples comes back with them, and between its states."""
    hold = ps.Signal([0.0, 0.3, 0.7], [3.0, -2.0, 1.0], "hold")
    system = slider()
    run = ps.simulate(
        system, [0.0], [0.0], 1.0, tau=lambda t, q, v: [hold(t) - 0.1 * v[0]],
        wrenches={"mass": ps.Signal([0, 1], np.outer([0, 2.0], [1, 0, 0, 0, 0, 0]))}, save=0.25,
    )  # fmt: skip
    run.save(tmp_path / "run.npz")
    for again in (pickle.loads(pickle.dumps(run)), ps.load_run(tmp_path / "run.npz")):
        assert np.array_equal(again.q, run.q)
        assert np.array_equal(again.at(0.61)[0], run.at(0.61)[0])
        assert np.array_equal(again.acceleration(), run.acceleration())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ps.Signal([0, 1, 1], [1, 2, 3]), "1 s and then 1 s at number 2.*hold"),
        (lambda: ps.Signal([0], [1]), "two times at least"),
        (lambda: ps.Signal([0, 1], [1, 2, 3]), "as there are 2 times"),
        (lambda: ps.Signal([0, 1], [1, math.nan]), "must be finite"),
        (lambda: ps.Signal([0, 1], [1, 2], "spline"), "kind must be one of"),
        (lambda: ps.Signal([0, 1], [1, 2], beyond="extrapolate"), "beyond must be one of"),
        (lambda: push(ps.Signal([0, 1], [1, 2], beyond="error")), "goes from 0 to 2 s"),
        (lambda: push(ps.Signal([0, 1], [[1, 2], [3, 4]])), r"shape \(n, 1\)"),
        (lambda: push(lambda t, q, v: ps.Signal([0, 1], [1, 2])(t - 0.1)), "time t itself"),
        (lambda: push(lambda t, q, v: ps.Signal([0, 1], [1, 2])(ps.symbols("t1"))), "not of t1;"),
        (lambda: push(lambda t, q, v: ps.Signal([0, 1], [1, 2])(q[0])), "time t itself"),
        (lambda: push(None, wrenches={"mass": [1, 2, 3]}), r"shape \(6,\), got \(3,\)"),
        (lambda: push(None, wrenches={"masse": np.zeros(6)}), "did you mean 'mass'"),
        (lambda: push(None, wrenches=[1, 2]), "which body"),
    ],
)
def test_mistakes_are_named(make, message):
    """Check that wrong samples, sizes and times are refused with words."""
    with pytest.raises(ps.PoinsotError, match=message):
        make()


def push(tau, **options):
    return ps.simulate(slider(), [0.0], [0.0], 2.0, tau=tau, **options)


def test_breaks_that_differ_by_rounding_are_one():
    """Check two signals that jump at one time but for rounding, and a run that ends there."""
    one = ps.Signal([0.0, 0.7, 1.0], [1.0, 5.0, 2.0], "hold")
    other = ps.Signal([0.0, np.nextafter(0.7, 1), 1.0], [2.0, -8.0, 0.0], "hold")
    for end in (0.7, np.nextafter(0.7, 1), 0.9, 1.0):
        run = ps.simulate(
            slider(), [0.0], [0.0], end, tau=lambda t, q, v: [one(t) + other(t)], save=[0.3, end]
        )
        assert run.status.ok
        v = (3.0 * 0.7 + max(end - 0.7, 0.0) * -3.0) / 2.0
        assert_allclose(run.v[-1, 0], v, atol=1e-12)
        assert_allclose(run.at(0.69)[1][0], 3.0 * 0.69 / 2.0, atol=1e-12)


def test_the_stiff_method_knows_rates_of_signals():
    """Compare stiff runs with a gain and a goal out of samples, in the model and in the law."""
    t = np.linspace(0.0, 1.0, 21)
    goal, gain = ps.Signal(t, np.sin(5 * t), "cubic"), ps.Signal(t, 2e3 * (1 + t * t))
    hold = ps.Signal([0.0, 0.31, 0.6], [5.0, -3.0, 1.0], "hold")
    law = ps.JointForce("mass", "gain*(goal - q) - 100*v")
    system = ps.System(
        "servo", slider().bodies, forces=[law], parameters={"gain": gain, "goal": goal}
    )
    ends = []
    for method, rtol in (("dp8", 1e-11), ("stiff", 1e-6), ("stiff", 1e-8)):
        run = ps.simulate(
            system, [0.1], [0.0], 1.0, integrator=method, rtol=rtol, save=[1.0],
            tau=lambda t, q, v: [hold(t) * (1 - q[0] ** 2)],
        )  # fmt: skip
        assert run.status.ok
        ends.append([run.q[-1, 0], run.v[-1, 0]])
    assert_allclose(ends[1], ends[0], atol=1e-6)
    assert_allclose(ends[2], ends[0], atol=1e-8)


def test_many_runs_under_wrenches_and_signals():
    """Check that runs side by side are the runs alone, in lanes and in threads."""
    system, starts = double_pendulum(), np.array([[0.1, 0.2], [0.3, 0.4], [0.0, 0.0]])
    hold = ps.Signal([0.0, 0.33, 0.7], [1.0, -5.0, 3.0], "hold")
    name = system.body_names[1]
    for options in (
        {"wrenches": {name: lambda t, q, v: [np.sin(t), 0, 0, 0, 0.3 * v[1], 0]},
         "integrator": "rk4", "step": 0.01},
        {"tau": lambda t, q, v: [hold(t), 0 * t]},
    ):  # fmt: skip
        many = ps.simulate(system, starts, [0.0, 0.0], 1.0, save=[1.0], **options)
        alone = ps.simulate(system, starts[1], [0.0, 0.0], 1.0, save=[1.0], **options)
        assert_allclose(many[1].q, alone.q, rtol=0, atol=1e-12)
