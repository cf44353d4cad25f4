"""Orbits and boundary-value problems: against closed forms and published numbers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import poinsot as ps
from poinsot.errors import ModelError, ShapeError

G, LENGTH = 9.81, 0.7


@cache
def _pendulum() -> ps.System:
    """A point mass at the end of a rod, an angle from below; torque a + b t."""
    bob = ps.Body("bob", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -LENGTH))
    return ps.System("pendulum", [bob], parameters={"a": 0.0, "b": 0.0}, free=["a", "b"])


@cache
def _cart() -> ps.System:
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)
    return ps.System("cart", [cart], parameters={"a": 0.0, "b": 0.0}, free=["a", "b"])


def _period(amplitude: float) -> float:
    return float(4 * ellipk(np.sin(amplitude / 2) ** 2) * np.sqrt(LENGTH / G))


@pytest.mark.parametrize("segments", [1, 3])
def test_period_of_a_pendulum(segments: int) -> None:
    """T = 4 K(sin(A/2)) / ω; area is conserved, so that the multipliers' product is 1."""
    orbit = ps.shoot(
        _pendulum(), [1.2], [0.0], 1.7, unknown=["duration"], periodic=["q", "v"],
        segments=segments, rtol=1e-11,
    )  # fmt: skip
    assert abs(orbit.duration - _period(1.2)) < 1e-9
    assert len(orbit.runs) == segments
    assert np.abs(orbit.multipliers - 1.0).max() < 1e-5  # a double eigenvalue
    assert abs(np.prod(orbit.multipliers) - 1.0) < 1e-9
    assert "duration" in str(orbit)


@pytest.mark.parametrize("how", ["period", "section"])
def test_limit_cycle_of_van_der_pol(how: str) -> None:
    """Amplitude and period as published [Amore2018]; Liouville's formula.

    The multipliers are 1 and exp of the integral of the divergence, 1 - x², over a period.
    """
    system, law = _cart(), lambda t, q, v: (1 - q**2) * v - q
    given: dict[str, Any] = {"unknown": ["q", "duration"], "periodic": ["q", "v"]}
    if how == "section":
        top = ps.Event("top", "v.cart", direction="down")
        given = {"unknown": "q", "periodic": "q", "section": top}
    orbit = ps.shoot(system, [1.9], [0.0], 7.0, tau=law, rtol=1e-11, **given)
    assert abs(orbit.q[0] - 2.008619860874843) < 1e-9
    assert abs(orbit.duration - 6.663286859323130) < 1e-9
    t = np.linspace(0.0, orbit.duration, 2001)[:-1]
    x = orbit.runs[0].at(t)[0]
    liouville = np.exp(np.mean(1 - x**2) * orbit.duration)
    assert abs(orbit.multipliers[-1] - liouville) < 1e-9
    assert orbit.multipliers.size == (1 if how == "section" else 2)
    assert abs(abs(orbit.multipliers[0]) - (liouville if how == "section" else 1.0)) < 1e-7


def test_gait_of_a_rimless_wheel() -> None:
    """ω² = cos²2α (ω² + 4 (g/l) sin α sin γ), whose map of ω has the slope cos² 2α [McGeer1990]."""
    alpha, gamma, turn = 0.3, 0.08, np.cos(0.6)
    leg = ps.Body("leg", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, LENGTH))
    wheel = ps.System("wheel", [leg])
    step = ps.Event(
        "step", lambda t, q, v: q[0] - (gamma + alpha), direction="up",
        reset_state=lambda t, q, v: (q - 2 * alpha, turn * v),
    )  # fmt: skip
    gait = ps.shoot(
        wheel, [gamma - alpha], [1.5], 3.0, unknown=["v"], periodic=["q", "v"], section=step,
        rtol=1e-11,
    )  # fmt: skip
    gained = 4 * G / LENGTH * np.sin(alpha) * np.sin(gamma)
    assert abs(gait.v[0] - turn * np.sqrt(gained / (1 - turn**2))) < 1e-8
    assert np.abs(gait.multipliers - [turn**2, 0.0]).max() < 1e-7


def test_simplest_walker_against_scipy() -> None:
    """The gait of two massless legs [Garcia1998]: SciPy's own step returns to it, and nearby."""
    slope = 0.009
    legs = [ps.Body(name, joint=ps.Prismatic("x"), mass=1.0) for name in ("stance", "swing")]

    def law(t: Any, q: Any, v: Any) -> list[Any]:
        fall = np.sin(q[0] - slope)
        return [fall, fall + (v[0] ** 2 - np.cos(q[0] - slope)) * np.sin(q[1])]

    def exchanged(t: Any, q: Any, v: Any) -> tuple[list[Any], list[Any]]:
        c = np.cos(2 * q[0])
        return [-q[0], -2 * q[0]], [c * v[0], c * (1 - c) * v[0]]

    heel = ps.Event("heel", lambda t, q, v: q[1] - 2 * q[0], direction="up", reset_state=exchanged)
    gait = ps.shoot(
        ps.System("walker", legs, gravity=(0, 0, 0)), [0.2, 0.4], [-0.2, -0.015], 6.0, tau=law,
        unknown=["q", "v"], periodic=["q", "v"], section=heel, rtol=1e-12,
    )  # fmt: skip

    def step(y: np.ndarray) -> np.ndarray:
        def strikes(t: float, y: np.ndarray) -> float:
            return y[1] - 2 * y[0] if t > 1.0 else 1.0  # not where the legs pass each other

        strikes.terminal, strikes.direction = True, 1  # type: ignore[attr-defined]
        rates = lambda t, y: [*y[2:], *law(t, y[:2], y[2:])]  # noqa: E731
        how = {"rtol": 1e-11, "atol": 1e-12, "method": "DOP853", "events": strikes}
        end = solve_ivp(rates, (0.0, 6.0), y, **how).y[:, -1]
        return np.concatenate(exchanged(0.0, end[:2], end[2:]))

    y = np.concatenate([gait.q, gait.v])
    assert np.abs(step(y) - y).max() < 1e-9
    slopes = [(step(y + d) - step(y - d)) / 2e-5 for d in 1e-5 * np.eye(4)]
    values = np.linalg.eigvals(np.array(slopes).T)
    assert np.abs(np.sort_complex(values) - np.sort_complex(gait.multipliers)).max() < 1e-5
    assert abs(gait.multipliers[0]) < 1.0  # it is stable


@pytest.mark.parametrize("segments", [1, 3])
def test_rest_to_rest_by_a_linear_force(segments: int) -> None:
    """From 0 to d in T with F = a + b t: a = 6 d / T², b = -12 d / T³, m = 1."""
    a, b = ps.symbols("a b")
    answer = ps.shoot(
        _cart(), [0.0], [0.0], 2.0, unknown=["a", "b"], end=["cart - 0.5", "v.cart"],
        tau=lambda t, q, v: [a + b * t], segments=segments,
    )  # fmt: skip
    assert abs(answer.unknowns["a"] - 0.75) < 1e-10
    assert abs(answer.unknowns["b"] + 0.75) < 1e-10
    assert answer.multipliers.size == 0
    assert answer.residual < 1e-10


def test_amplitude_from_a_quarter_of_the_period() -> None:
    """It passes below after T(A)/4 where it is let go from A; that it is at rest is a formula."""
    quarter = _period(1.2) / 4
    answer = ps.shoot(
        _pendulum(), [0.9], [0.1], quarter, unknown=["q", "v"], end="bob", start="v.bob",
        rtol=1e-11,
    )  # fmt: skip
    assert abs(answer.q[0] - 1.2) < 1e-9
    assert "q.bob  0.3 more than the guess" in str(answer)
    assert abs(answer.v[0]) < 1e-10


def test_fall_from_the_top_by_segments() -> None:
    """From near the top to below: where the motion is unstable nodes hold it; energy is kept."""
    fall = ps.shoot(
        _pendulum(), [np.pi], [0.5], 1.0, unknown=["v"], end=["bob - 2*pi"], segments=2,
        nodes=([[np.pi + 0.5]], [[2.0]]), rtol=1e-11,
    )  # fmt: skip
    below = fall.runs[-1].v[-1, 0]
    assert abs(below**2 - fall.v[0] ** 2 - 4 * G / LENGTH) < 1e-7
    assert abs(fall.runs[0].q[-1, 0] - fall.runs[1].q[0, 0]) < 1e-9


def test_turn_of_a_closed_system() -> None:
    """After one turn of the crank a four-bar has the speeds that it began with: energy is kept."""
    linkage = ps.library.four_bar()
    q = linkage.assemble(np.array([0.7, -0.3, 0.2])[: linkage.nq])
    v = linkage.consistent_velocity(q, [30.0, *[0.0] * (linkage.nv - 1)])
    end = f"{linkage.velocity_names[0]} - ({q[0]} + 2*pi)"
    turn = ps.shoot(linkage, q, v, 0.4, unknown="duration", periodic="v", end=end, rtol=1e-10)
    assert np.abs(turn.runs[0].v[-1] - v).max() < 1e-7


def test_mistakes_are_named() -> None:
    """Counts, names, missing convergence and formulas with the time."""
    system = _pendulum()
    start = (system, [1.0], [0.0], 2.0)

    def rejected(match: str, error: type[Exception] = ModelError, **given: Any) -> None:
        with pytest.raises(error, match=match):
            ps.shoot(*start, **given)

    rejected(r"3 unknowns \(q\.bob, v\.bob, duration\) and only 2 conditions.*keep one entry",
             unknown=["q", "v", "duration"], periodic=["q", "v"])  # fmt: skip
    rejected(r"'bbo'; .*'v\.bob'|'q\.bob'", unknown=["q.bbo"], end=["bob"])
    rejected("periodic 'w'", unknown=["q"], periodic=["w"])
    rejected("end= must be a list of names or formulas", unknown=["q"], end={"bob": 0.5})
    rejected("unknown= is empty", unknown=[], end=["bob"])
    rejected("segments must be a whole number", unknown=["q"], end=["bob"], segments=2.5)
    rejected("give segments= too", unknown=["q"], end=["bob"], nodes=([[0.0]], [[0.0]]))
    rejected(r"section must be a ps\.Event", unknown=["q"], end=["bob"], section="bob")
    with pytest.raises(ModelError, match="duration must be positive, got 0"):
        ps.shoot(system, [1.0], [0.0], 0, unknown=["duration"], periodic=["q"])
    rejected("has the time t", unknown=["q"], end=["bob - t"])
    rejected("'a' is unknown twice", unknown=["a", "a"], end=["bob", "v.bob"])
    rejected(r"shapes \(2, 1\) and \(2, 1\)", ShapeError, unknown=["a"], end=["bob"], segments=3,
             nodes=([[0.0]], [[0.0]]))  # fmt: skip
    rejected(r"'bob - 3' at the end is -\d.* off after \d+ simulations; 1 unknowns for 2",
             ps.ShootingError, unknown=["duration"], end=["bob - 3", "v.bob"])  # fmt: skip
    never = ps.Event("never", "bob - 3")
    rejected("section 'never' is not reached within 2 s", ps.ShootingError, unknown=["q"],
             periodic=["q"], section=never)  # fmt: skip
    passes = ps.Event("passes", "bob", stop=True)
    rejected("event 'passes' stops the motion.*section=", ps.ShootingError, unknown=["q"],
             periodic=["q"], events=[passes])  # fmt: skip
    rejected("save= is not for it", unknown=["q"], periodic=["q"], save=0.1)
    rejected("'duration' is no unknown", unknown=["duration"], periodic=["q"], section=never)
    rejected(r"guess of 'a', 0, must lie between.*1 and 2", unknown=["a"], end=["bob"],
             bounds={"a": (1.0, 2.0)})  # fmt: skip
    rejected("one segment", unknown=["q"], periodic=["q"], section=never, segments=2)
    rejected("forces depend on the time", unknown=["duration"], periodic=["q"], segments=2,
             tau=lambda t, q, v: [np.sin(t)])  # fmt: skip
