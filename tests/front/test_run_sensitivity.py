"""Derivatives of runs: against differences of runs with the same steps, and closed forms."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import poinsot as ps
from poinsot.errors import ModelError
from poinsot.simulation.sensitivities.recomputed_states import RecomputedStates

Kit = tuple[ps.System, np.ndarray, np.ndarray, dict[str, Any]]
STEP = 1e-5
"""Of differences, whose error is 1e-10 of the third derivatives."""


@cache
def _top() -> Kit:
    """A spinning top that carries a pendulum: quaternions, a force law and a further state."""
    m, length, c = ps.symbols("m length c")
    top = ps.Body("top", joint=ps.Spherical(), mass=m, com=(0.1, 0, 0.3), inertia=(0.3, 0.2, 0.1))
    tail = ps.Body("tail", parent="top", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, length))
    system = ps.System(
        "top", [top, tail], parameters={"m": 2.0, "length": 0.4, "c": 0.3},
        free=["m", "length", "c"],
        states=[ps.State("heat", rate="c*v.tail**2 - heat", initial=0.2)],
    )  # fmt: skip
    how = {"tau": lambda t, q, v: -c * v * np.cos(t)}
    return system, np.array([0.5, 0.5, 0.5, 0.5, 0.3]), np.array([0.4, -1.0, 2.0, 0.7]), how


@cache
def _four_bar() -> Kit:
    """A four-bar linkage, with the distance of its pivots as a parameter."""
    m, base = ps.symbols("m base")
    bodies = [
        ps.Body(
            name, parent=parent, pose=ps.Pose((x, 0, 0)), joint=ps.Revolute("z"), mass=mass,
            com=(0.2, 0, 0), inertia=(0.01, 0.1, 0.1),
        )
        for name, parent, x, mass in (
            ("crank", "world", 0.0, m), ("coupler", "crank", 0.3, 2.0),
            ("rocker", "coupler", 0.8, 1.5),
        )
    ]  # fmt: skip
    ends = {"first": ("world", ps.Pose((base, 0, 0))), "second": ("rocker", ps.Pose((0.6, 0, 0)))}
    system = ps.System(
        "four-bar", bodies, gravity=(0, -9.81, 0), parameters={"m": 1.0, "base": 0.7},
        free=["m", "base"], loops=[ps.Loop("pin", joint=ps.Revolute("z"), **ends)],
    )  # fmt: skip
    q = system.assemble([0.8, -0.365, -2.407])
    return system, q, system.consistent_velocity(q, [1.0, 0.0, 0.0]), {}


def _differences(kit: Kit, name: str, **how: Any) -> tuple[np.ndarray, ...]:
    """Return differences of q (along integrate), v and further states by one of the columns."""
    system, q, v, given = kit
    group, _, joint = name.partition(".")
    unit = np.zeros(system.nv)
    if joint:
        unit[system.velocity_names.index(joint)] = STEP
    values = []
    for sign in (1.0, -1.0):
        state, rest = (q, v), dict(given)
        if group == "q":
            state = (system.integrate(q, sign * unit), v)
        elif group == "v":
            state = (q, v + sign * unit)
        elif name in system.states:
            rest["states"] = {name: 0.2 + sign * STEP}
        else:
            rest["parameters"] = {name: float(system.parameters[name]) + sign * STEP}
        run = ps.simulate(system, *state, 0.3, **rest, **how)
        values.append((run.q, run.v, *run.states.values()))
    (q1, *one), (q2, *two) = values
    by_q = np.array([system.difference(b, a) for a, b in zip(q1, q2, strict=True)])
    return tuple(x / (2 * STEP) for x in (by_q, *(a - b for a, b in zip(one, two, strict=True))))


TOP = ("q.top.wy", "q.tail", "v.top.wx", "heat", "m", "length", "c")
STIFF = {"integrator": "stiff", "max_step": 0.1, "first_step": 0.1, "rtol": 0.1, "atol": 0.1}
"""Tolerances so coarse that all steps are as long as they may be."""
CASES = [
    pytest.param(_top, TOP, {"integrator": "rk4", "step": 0.05}, id="steps"),
    pytest.param(_top, TOP[1::2], {"integrator": "rk4", "step": 0.05, "save": 0.013}, id="between"),
    pytest.param(_four_bar, ("m", "base"), {"integrator": "rk4", "step": 0.05}, id="loop"),
    pytest.param(_top, TOP, STIFF, id="stiff"),
    pytest.param(_top, TOP[1::2], STIFF | {"save": 0.013}, id="stiff, between"),
    pytest.param(
        _four_bar,
        ("m", "base"),
        STIFF | {"max_step": 0.025, "first_step": 0.025},
        id="stiff, loop",
    ),
]


@pytest.mark.parametrize(("make", "names", "how"), CASES)
def test_sensitivity_is_that_of_the_steps(make: Any, names: Any, how: Any) -> None:
    """Differences of runs with the same coarse steps agree: not only the exact motion does."""
    kit = make()
    system, q, v, given = kit
    run = ps.simulate(system, q, v, 0.3, **given, **how)
    result = run.sensitivity(names)
    assert result.by == names
    for k, name in enumerate(names):
        by_q, by_v, *further = _differences(kit, name, **how)
        assert np.abs(result.q[:, :, k] - by_q).max() < 1e-6
        assert np.abs(result.v[:, :, k] - by_v).max() < 1e-6
        for state, change in zip(result.states.values(), further, strict=True):
            assert np.abs(state[:, k] - change).max() < 1e-6


def test_gradient_equals_forward_sensitivities() -> None:
    """The adjoint gives what forward derivatives of the same number at the end are."""
    fixed = {"integrator": "rk4", "step": 0.05}
    for (system, q, v, given), how in (
        (_top(), fixed), (_four_bar(), fixed), (_top(), STIFF),
    ):  # fmt: skip
        run = ps.simulate(system, q, v, 0.3, **how, **given)
        joint = system.velocity_names[-1]
        expression = f"m*sin({joint})*v.{joint}" + ("+ heat**2" if system.states else "")
        gradient, forward = run.gradient(expression), run.sensitivity()
        assert tuple(gradient) == forward.by
        at_end = forward.of(expression)[-1]
        assert np.abs(np.array(list(gradient.values())) - at_end).max() < 1e-12
        assert np.abs(at_end).max() > 0.1


def test_blocks_of_steps_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little memory there is, forward and adjoint derivatives are the same."""
    system, q, v, given = _top()
    run = ps.simulate(system, q, v, 0.3, integrator="rk4", step=0.05, save=0.02, **given)
    whole, gradient = run.sensitivity(), run.gradient("tail")
    monkeypatch.setattr("poinsot.simulation.sensitivities.transitions.MEMORY", 1e4)
    assert np.abs(run.sensitivity().q - whole.q).max() < 1e-13
    again = run.gradient("tail")
    assert max(abs(again[name] - value) for name, value in gradient.items()) < 1e-13


@pytest.mark.parametrize("system", ["top", "controlled"])
def test_states_that_are_simulated_again(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From checkpoints, some steps apart, derivatives are the same bit for bit."""
    kit = _top()
    if system == "controlled":
        force = ps.SampledState("force", update="-9*cart", every=0.1)
        cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=2.0)
        drive = ps.JointForce("cart", "force - 40*sin(q)")
        whole = ps.System("cart", [cart], states=[force], forces=[drive])
        kit = whole, np.array([0.3]), np.array([0.0]), {}
    moving, q, v, given = kit
    run = ps.simulate(moving, q, v, 1.0, save=0.21, **given)
    name = moving.velocity_names[-1]
    stored, gradient = run.sensitivity(), run.gradient(name)
    monkeypatch.setattr("poinsot.simulation.sensitivities.step_states.MOST_STATES", 0.0)
    monkeypatch.setattr("poinsot.simulation.sensitivities.recomputed_states.CHUNK", 5)
    assert np.array_equal(run.sensitivity().q, stored.q)
    assert run.gradient(name) == gradient


def test_memory_of_runs_with_events_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ball that bounces, under a law that an event switches: the same, in five rows at a time."""
    c = ps.symbols("c")
    ball = ps.Body("ball", joint=ps.Prismatic("z"), mass=1.0)
    system = ps.System("ball", [ball], parameters={"c": 0.01}, free=["c"])
    floor = ps.Event("floor", "ball", direction="down", reset=lambda t, q, v: -v)
    damped = ps.Event("damped", lambda t, q, v: t - 1.0, tau=lambda t, q, v: -c * v)
    wall = ps.Contact(ps.PointOnSurface("roof", "ball", "0.79 - z"), 0.9)
    given = {"events": [floor, damped], "contacts": [wall], "save": [3.0]}
    run = ps.simulate(system, [0.7], [1.5], 3.0, **given)
    stored, gradient = run.sensitivity(), run.gradient("ball")
    made: list[RecomputedStates] = []

    def recomputed(trajectory: Any) -> RecomputedStates:
        made.append(RecomputedStates(trajectory))
        return made[-1]

    monkeypatch.setattr("poinsot.simulation.sensitivities.step_states.RecomputedStates", recomputed)
    monkeypatch.setattr("poinsot.simulation.sensitivities.step_states.MOST_STATES", 0.0)
    monkeypatch.setattr("poinsot.simulation.sensitivities.recomputed_states.CHUNK", 5)
    again = run.sensitivity()
    assert np.array_equal(again.q, stored.q)
    assert np.array_equal(again.event_times, stored.event_times)
    assert again.event_margins == pytest.approx(stored.event_margins, rel=1e-9)
    assert run.gradient("ball") == gradient
    assert {event.name for event in run.events} == {"floor", "damped", "roof"}
    for states in made:
        assert states.shape[0] > 2 * 8  # how many steps there are is a matter of rounding
        assert states.most_rows <= 5 + 3  # a row more, and two of an event


def test_long_programs_go_along_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns one by one are those of the dense Jacobian, projection and quaternions included."""
    for system, q, v, given in (_top(), _four_bar()):
        run = ps.simulate(system, q, v, 0.1, integrator="rk4", step=0.05, **given)
        with monkeypatch.context() as patch:
            dense, backward = run.sensitivity(), run.gradient(f"m*v.{system.velocity_names[-1]}")
            patch.setattr("poinsot.simulation.sensitivities.rate_products.LONGEST", 0)
            along, forward = run.sensitivity(), run.gradient(f"m*v.{system.velocity_names[-1]}")
        assert max(abs(forward[name] - value) for name, value in backward.items()) < 1e-12
        assert np.abs(along.q - dense.q).max() < 1e-12
        assert np.abs(along.v - dense.v).max() < 1e-12


def test_long_programs_of_stiff_go_along_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Second derivatives of rolled programs are those of straight ones, quaternions included."""
    for system, q, v, given in (_top(), _four_bar()):
        run = ps.simulate(system, q, v, 0.1, **STIFF, **given)
        straight = run.sensitivity()
        with monkeypatch.context() as patch:
            patch.setattr("poinsot.simulation.sensitivities.rate_products.LONGEST", 0)
            rolled = run.sensitivity()
        assert np.abs(rolled.q - straight.q).max() < 1e-11
        assert np.abs(rolled.v - straight.v).max() < 1e-10


@pytest.mark.parametrize("integrator", ["dp8", "stiff"])
def test_signal_that_jumps_within_a_run(integrator: str) -> None:
    """Of x'' = u(t) / m with a jump at 0.5 s: x(1) = (1/2 + 1/8) / m, dx/dm = -x / m."""
    m = ps.symbols("m")
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=m)
    system = ps.System("cart", [cart], parameters={"m": 2.0}, free=["m"])
    force = ps.Signal([0.0, 0.5], [[1.0], [2.0]], kind="hold")
    run = ps.simulate(system, [0.0], [0.0], 1.0, tau=force, integrator=integrator)
    result = run.sensitivity("m")
    assert abs(run.q[-1, 0] - 0.625 / 2.0) < 1e-12
    assert abs(result.q[-1, 0, 0] + 0.625 / 4.0) < 1e-12
    assert abs(result["m"][1][-1, 0] + 1.5 / 4.0) < 1e-12


def test_signals_under_stiff_are_those_of_the_steps() -> None:
    """A spring under samples of a sine, in coarse steps: against differences of the same steps."""
    k = ps.symbols("k")
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=2.0)
    system = ps.System("cart", [cart], parameters={"k": 9.0}, free=["k"])
    times = np.linspace(0.0, 1.0, 21)
    wave = ps.Signal(times, np.sin(7 * times), kind="cubic")

    def run(stiffness: float = 9.0) -> ps.Run:
        tau = lambda t, q, v: [wave(t) * (1 + k * v[0] ** 2) - k * q[0] ** 3]  # noqa: E731
        start = [0.8], [0.0], 0.3
        return ps.simulate(system, *start, tau=tau, parameters={"k": stiffness}, **STIFF)

    more, less = run(9.0 + STEP), run(9.0 - STEP)
    assert np.array_equal(more.t, less.t)
    result = run().sensitivity("k")
    assert np.abs((more.v - less.v) / (2 * STEP) - result.v[:, :, 0]).max() < 1e-8


def test_runs_side_by_side_have_the_derivatives_of_each() -> None:
    """Of v' = v² / m, v = v0 / (1 - v0 t / m): closed form; NaN where one has become infinite."""
    m = ps.symbols("m")
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=m)
    system = ps.System("cart", [cart], parameters={"m": 2.0}, free=["m"])
    v0 = np.array([0.5, 1.0, 8.0])
    with pytest.warns(ps.SimulationWarning):
        runs = ps.simulate(system, [0.0], v0[:, None], 0.6, tau=lambda t, q, v: v**2, save=0.2)
    result = runs.sensitivity(("v", "m"))
    rest = 1 - v0[:2, None] * runs.t / 2
    exact = np.stack([1 / rest**2, -(v0[:2, None] ** 2) * runs.t / 4 / rest**2], axis=-1)
    assert result.v.shape == (3, 4, 1, 2)
    assert np.abs(result.v[:2, :, 0] - exact).max() < 1e-6
    assert np.isnan(result.q[2, 2:]).all()
    assert np.isfinite(result.q[2, :2]).all()
    assert np.array_equal(result.of("2*v.cart")[1], 2 * result.each[1].v[:, 0])


def test_runs_from_files_have_the_same_derivatives(tmp_path: Path) -> None:
    """Bit for bit: of a saved run that is read again, and of one resumed from a checkpoint."""
    system, q, v, given = _top()
    run = ps.simulate(system, q, v, 0.3, **given)
    with pytest.warns(ps.SimulationWarning):
        ps.simulate(system, q, v, 0.3, max_steps=4, checkpoint=tmp_path / "run.npz", **given)
    read = ps.load_run(run.save(tmp_path / "whole.npz"))
    for again in (read, ps.resume(tmp_path / "run.npz", max_steps=1000)):
        assert np.array_equal(again.sensitivity("m").q, run.sensitivity("m").q)
        assert again.gradient("tail", "m") == run.gradient("tail", "m")


def test_impacts_against_differences() -> None:
    """An arm on a cart hits a wall: by start, mass, and of the times of the impacts."""
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=ps.symbols("m"))
    arm = ps.Body("arm", parent="cart", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    system = ps.System("cart", [cart, arm], parameters={"m": 2.0}, free=["m"])
    wall = ps.Contact(ps.PointOnSurface("wall", ("arm", (0, 0, -1.0)), "x + 0.3"), 0.6)

    def run(angle: float = -0.2, mass: float = 2.0) -> ps.Run:
        start = [0.0, angle], [-0.5, 0.0]
        return ps.simulate(system, *start, 1.5, contacts=[wall], parameters={"m": mass}, rtol=1e-11)

    result = run().sensitivity(("q.arm", "m"))
    assert len(result.event_times) > 1
    pairs = [run(-0.2 + s * STEP) for s in (1, -1)], [run(mass=2.0 + s * STEP) for s in (1, -1)]
    for k, (more, less) in enumerate(pairs):
        assert np.abs((more.v[-1] - less.v[-1]) / (2 * STEP) - result.v[-1, :, k]).max() < 1e-6
        times = [(a.t - b.t) / (2 * STEP) for a, b in zip(more.events, less.events, strict=True)]
        assert np.abs(np.array(times) - [x[k] for x in result.event_times]).max() < 1e-6


def test_impacts_of_a_closed_system() -> None:
    """A four-bar whose coupler hits a wall, again and again: against differences of runs."""
    system, q, v, _ = _four_bar()
    wall = ps.Contact(ps.PointOnSurface("wall", ("coupler", (0.5, 0, 0)), "y - 0.37"), 0.6)

    def run(mass: float = 1.0) -> ps.Run:
        given = {"contacts": [wall], "parameters": {"m": mass}, "rtol": 1e-11}
        return ps.simulate(system, q, v, 0.6, **given)

    result = run().sensitivity("m")
    assert len(result.event_times) > 1
    more, less = run(1.0 + STEP), run(1.0 - STEP)
    assert np.abs((more.v[-1] - less.v[-1]) / (2 * STEP) - result.v[-1, :, 0]).max() < 1e-6
    times = [(a.t - b.t) / (2 * STEP) for a, b in zip(more.events, less.events, strict=True)]
    assert np.abs(np.array(times) - np.ravel(result.event_times)).max() < 1e-6


def _rejected(match: str, run: ps.Run, *by: Any) -> None:
    with pytest.raises(ModelError, match=match):
        run.sensitivity(*by)


def test_what_cannot_be_differentiated_is_rejected() -> None:
    """Each message names the thing and the remedy."""
    system, q, v, _ = _four_bar()
    run = ps.simulate(system, q, v, 0.1)
    _rejected(r"nothing to vary is called 'bsae'.*'base'", run, "bsae")
    _rejected(r"'m' is in by= twice", run, ("m", "parameters"))
    _rejected(r"from t = 0 s to 0\.1 s, got 0\.2", run, "m", [0.2])
    whirl, *begin, _ = _top()
    _rejected("dp8", ps.simulate(whirl, *begin, 0.1, integrator="symplectic", step=0.05), "m")
    called = ps.Callback(lambda t, q, v: 0 * v)
    by_python = ps.simulate(system, q, v, 0.1, tau=called)
    _rejected("no Callback", by_python, "m")
    with pytest.raises(ModelError, match=r"gradient: .*no Callback"):
        by_python.gradient("crank", "m")
    turned = ps.Callback(lambda t, q, v: -v)
    back = ps.Event("back", "crank - 0.801", reset=turned)
    _rejected(
        "'back' does has no derivative.*traced", ps.simulate(system, q, v, 0.1, events=[back])
    )
    bob = ps.Body("bob", joint=ps.Revolute("y"), mass=ps.symbols("m"), com=(0, 0, -1))
    fixed = ps.System("pendulum", [bob], parameters={"m": 1.0})
    _rejected(r"free=\['m'\]", ps.simulate(fixed, [0.1], [0.0], 0.1), "m")
