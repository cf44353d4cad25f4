"""Parameters from measured motions: against linear regression, and from noisy runs."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import poinsot as ps
from poinsot.errors import ModelError, ModelWarning, PoinsotError, ShapeError
from poinsot.library.bicycle import BENCHMARK_BICYCLE, bicycle_state

TRUE = {"mass": 0.7, "length": 1.0}
T = np.linspace(0.1, 2.5, 40)


@cache
def _double_pendulum() -> ps.System:
    mass, length = ps.symbols("mass length")
    upper = ps.Body("upper", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -length))
    lower = ps.Body(
        "lower", parent="upper", pose=ps.Pose((0, 0, -length)), joint=ps.Revolute("y"), mass=mass,
        com=(0, 0, -0.6),
    )  # fmt: skip
    guesses = {"mass": 0.9, "length": 0.9}
    return ps.System("arm", [upper, lower], parameters=guesses, free=list(TRUE))


def _measured(seed: int, noise: float, start: float = 0.8) -> ps.Measurement:
    """Angles of a run with noise; the velocity at the start is taken for zero, and is not."""
    system = _double_pendulum()
    run = ps.simulate(system, [start, 0.3], [0.1, -0.2], T[-1], parameters=TRUE)
    angles = run.at(T)[0] + noise * np.random.default_rng(seed).normal(size=(T.size, 2))
    samples = {"upper": angles[:, 0], "upper + lower": angles.sum(axis=1)}
    samples["upper"][3] = np.nan
    return ps.Measurement(T, samples, q=[start, 0.3], v=[0.0, 0.0], unknown=["v"])


def test_straight_motion_is_linear_regression() -> None:
    """Of a free cart, x = x0 + v t: estimates and deviations are those of the closed form."""
    cart = ps.System("cart", [ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)])
    t = np.linspace(0.5, 4.0, 9)
    x = 0.3 + 2.0 * t + 0.1 * np.cos(7 * t)
    data = ps.Measurement(t, {"cart": x}, q=[0.1], v=[1.5], unknown=["q", "v"])
    result = ps.fit(cart, data, [])
    A = np.stack([np.ones_like(t), t], axis=1)
    (x0, v0), (squares,), *_ = np.linalg.lstsq(A, x)
    covariance = squares / 7 * np.linalg.inv(A.T @ A)
    assert abs(result.estimates["q.cart"] + 0.1 - x0) < 1e-9
    assert abs(result.estimates["v.cart"] + 1.5 - v0) < 1e-9
    assert np.abs(result.covariance - covariance).max() < 1e-9
    known = ps.Measurement(t, {"cart": x}, q=[0.1], v=[1.5], unknown="v", deviation={"cart": 0.2})
    again = ps.fit(cart, known, [], confidence=0.6826895)
    assert abs(again.deviations["v.cart"] - 0.2 / np.sqrt(t @ t)) < 1e-9
    low, high = again.intervals["v.cart"]
    assert abs((high - low) / 2 - again.deviations["v.cart"]) < 1e-8


def test_noisy_runs_give_back_mass_and_length() -> None:
    """All lie within intervals of 99.9 %, which are as narrow as the noise asks for."""
    system = _double_pendulum()
    for seed in range(3):
        result = ps.fit(system, _measured(seed, 0.01), ["mass", "length"], confidence=0.999)
        for name, value in (TRUE | {"v.upper": 0.1, "v.lower": -0.2}).items():
            low, high = result.intervals[name]
            assert low < value < high, (seed, name)
            assert high - low < 0.2
    assert 0.008 < result.noise < 0.02
    assert "mass" in str(result)


@cache
def _pendulum_of_four() -> tuple[ps.System, dict[str, float], dict[str, Any], np.ndarray]:
    """A double pendulum with unknown masses and lengths, its true values, start and motion."""
    m1, m2, l1, l2 = ps.symbols("m1 m2 l1 l2")
    upper = ps.Body("upper", joint=ps.Revolute("y"), mass=m1, com=(0, 0, -l1))
    lower = ps.Body(
        "lower", parent="upper", pose=ps.Pose((0, 0, -l1)), joint=ps.Revolute("y"), mass=m2,
        com=(0, 0, -l2),
    )  # fmt: skip
    true = {"m1": 1.0, "m2": 0.7, "l1": 1.0, "l2": 0.6}
    guesses = {"m1": 1.2, "m2": 0.8, "l1": 0.9, "l2": 0.7}
    system = ps.System("arm", [upper, lower], parameters=guesses, free=list(true))
    start = {"q": [0.8, 0.3], "v": [0.0, 0.0], "options": {"tau": [0.5, 0.0]}}
    run = ps.simulate(system, start["q"], start["v"], T[-1], tau=[0.5, 0.0], parameters=true)
    return system, true, start, run.at(T)[0]


@cache
def _ride() -> tuple[ps.System, dict[str, float], dict[str, Any], np.ndarray]:
    """A bicycle that was pushed sideways, with four unknown parameters."""
    true = {name: BENCHMARK_BICYCLE[name] for name in ("mB", "xB", "zB", "c")}
    known = ps.library.bicycle()
    system = ps.library.bicycle(**dict(zip(true, ps.symbols("mB xB zB c"), strict=True)))
    q, v = bicycle_state(known, 4.6)
    v = v.copy()
    v[known.velocity_names.index("lean")] += 0.5
    start = {"q": q, "v": known.consistent_velocity(q, v)}
    run = ps.simulate(system, start["q"], start["v"], T[-1], parameters=true)
    return system, true, start, run.at(T)[0]


def _coverage(kit: Any, noise: float, seeds: int, confidence: float) -> np.ndarray:
    """Return for each seed and parameter whether its interval has the true value."""
    system, true, start, path = kit()
    columns = {"arm": ("upper", "lower"), "bicycle": ("lean", "steer", "heading")}[system.name]
    numbers = [system.coordinate_names.index(name) for name in columns]
    guesses = {name: 1.05 * value for name, value in true.items()}
    inside = []
    for seed in range(seeds):
        x = path[:, numbers] + noise * np.random.default_rng(seed).normal(
            size=(T.size, len(columns))
        )
        samples = dict(zip(columns, x.T, strict=True))
        result = ps.fit(system, ps.Measurement(T, samples, **start), guesses, confidence=confidence)
        ends = [result.intervals[name] for name in true]
        inside.append([a < y < b for (a, b), y in zip(ends, true.values(), strict=True)])
    return np.array(inside)


def test_masses_and_lengths_within_their_intervals() -> None:
    """Of a double pendulum, all four of them in 19 of 20 seeds."""
    assert _coverage(_pendulum_of_four, 0.01, 20, 0.95).all(axis=1).sum() >= 19


@pytest.mark.long
@pytest.mark.parametrize(("kit", "noise"), [(_pendulum_of_four, 0.01), (_ride, 0.002)])
def test_intervals_hold_as_often_as_they_say(kit: Any, noise: float) -> None:
    """Those of 95 % in 300 seeds: each parameter as often as that, to three deviations."""
    inside = _coverage(kit, noise, 300, 0.95)
    often = inside.sum(axis=0)
    assert inside[:20].all(axis=1).sum() >= 19
    assert np.abs(often - 285).max() <= 3 * np.sqrt(300 * 0.95 * 0.05)


def test_several_runs_are_fitted_together() -> None:
    """Without noise two runs give the true values, each with a start of its own."""
    data = [_measured(0, 0.0), _measured(0, 0.0, start=0.5)]
    result = ps.fit(_double_pendulum(), data, {"mass": 0.6, "length": 1.1}, rtol=1e-10)
    assert abs(result.estimates["mass"] - 0.7) < 1e-6
    assert abs(result.estimates["length"] - 1.0) < 1e-6
    assert abs(result.estimates["v.lower[1]"] + 0.2) < 1e-6
    assert len(result.runs) == 2


def test_constraint_that_moves_with_the_parameter() -> None:
    """A point mass on a rod of unknown length, in x and z, from the motion of a hinged one."""
    hinge = ps.Body("bob", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.9))
    run = ps.simulate(ps.System("hinge", [hinge]), [0.7], [0.0], 2.0, rtol=1e-10)
    t = np.linspace(0.1, 2.0, 15)
    x = -0.9 * np.sin(run.at(t)[0][:, 0])
    rail = ps.Body("rail", joint=ps.Prismatic("x"))
    bob = ps.Body("bob", parent="rail", joint=ps.Prismatic("z"), mass=1.0)
    rod = ps.Distance("rod", ("world", (0, 0, 0)), ("bob", (0, 0, 0)), ps.symbols("length"))
    system = ps.System(
        "point", [rail, bob], constraints=[rod], parameters={"length": 1.0}, free=["length"]
    )
    start = [-0.9 * np.sin(0.7), -0.9 * np.cos(0.7)]
    data = ps.Measurement(t, {"rail": x}, q=start, v=[0.0, 0.0])
    result = ps.fit(system, data, {"length": 0.95}, rtol=1e-10)
    assert abs(result.estimates["length"] - 0.9) < 1e-8


def test_what_data_cannot_tell_apart_is_said() -> None:
    """Of a spring and a mass only the ratio acts on the motion: the warning names both."""
    m, k = ps.symbols("m k")
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=m)
    system = ps.System("spring", [cart], parameters={"m": 2.0, "k": 8.0}, free=["m", "k"])
    t = np.linspace(0.1, 2.0, 10)
    data = ps.Measurement(t, {"cart": np.cos(2.1 * t)}, q=[1.0], v=[0.0])
    with pytest.warns(ModelWarning, match="do not tell m, k apart"):
        result = ps.fit(system, data, ["m", "k"], tau=lambda t, q, v: -k * q)
    assert np.isinf(result.deviations["m"])
    assert abs(result.estimates["k"] / result.estimates["m"] - 2.1**2) < 1e-6


def test_mistakes_are_named() -> None:
    """Unknown names, shapes, times, too few samples, a run that fails."""
    system, data = _double_pendulum(), _measured(0, 0.0)
    with pytest.raises(ModelError, match=r"no free parameter 'lenght'.*'length'"):
        ps.fit(system, data, ["lenght"])
    with pytest.raises(ModelError, match=r"bounds of 'mas'.*'mass'"):
        ps.fit(system, data, ["mass"], bounds={"mas": (0, 1)})
    with pytest.raises(ModelError, match=r"data must be a ps\.Measurement.* got NoneType"):
        ps.fit(system, None, ["length"])
    with pytest.raises(ModelError, match="confidence"):
        ps.fit(system, data, ["mass"], confidence=95)
    known = ps.Measurement([0.1], {"upper": [0.8]}, q=[0.8, 0.3], v=[0, 0])
    with pytest.raises(ModelError, match="nothing to find"):
        ps.fit(system, known, [])
    with pytest.raises(ModelError, match="values must be by formula"):
        ps.Measurement([0.1], [0.8], q=[0.8, 0.3], v=[0, 0])
    with pytest.raises(ModelError, match="deviation must be by formula"):
        ps.Measurement([0.1], {"upper": [0.8]}, q=[0.8, 0.3], v=[0, 0], deviation=0.1)
    with pytest.raises(ModelError, match="t must be times"):
        ps.Measurement(None, {"upper": [0.8]}, q=[0.8, 0.3], v=[0, 0])
    few = ps.Measurement([0.1], {"upper": [0.8]}, q=[0.8, 0.3], v=[0, 0], unknown=["v.uper"])
    with pytest.raises(ModelError, match=r"'v\.uper'.*'v\.upper'"):
        ps.fit(system, few, ["mass"])
    few = ps.Measurement([0.1], {"upper": [0.8]}, q=[0.8, 0.3], v=[0, 0])
    with pytest.raises(ModelError, match="1 samples cannot determine 1 unknowns"):
        ps.fit(system, few, ["mass"])
    with pytest.raises(ShapeError, match="'upper' must have one sample"):
        ps.Measurement([0.1, 0.2], {"upper": [0.8]}, q=[0.8, 0.3], v=[0, 0])
    with pytest.raises(ModelError, match="times that increase"):
        ps.Measurement([0.2, 0.1], {"upper": [0.8, 0.7]}, q=[0.8, 0.3], v=[0, 0])
    with pytest.raises(ModelError, match=r"deviation of 'uper'.*'upper'"):
        ps.Measurement([0.2], {"upper": [1.0]}, q=[0, 0], v=[0, 0], deviation={"uper": 1.0})
    with (
        pytest.warns(ps.SimulationWarning),
        pytest.raises(PoinsotError, match="the run ends early"),
    ):
        ps.fit(system, data, ["mass"], max_steps=3)
