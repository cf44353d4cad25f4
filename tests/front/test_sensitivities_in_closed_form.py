"""Derivatives of runs against closed forms, in 50 digits where these are not elementary."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import poinsot as ps


def test_pendulum_in_closed_form() -> None:
    """By the amplitude and the length: sin(θ/2) = k cd(ω t, k), k = sin(θ0/2), in 50 digits."""
    length = ps.symbols("length")
    bob = ps.Body("bob", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -length))
    system = ps.System("pendulum", [bob], parameters={"length": 0.7}, free=["length"])
    run = ps.simulate(system, [0.9], [0.0], 2.0, rtol=1e-12)
    result = run.sensitivity(("q", "length"), t=[1.3, 2.0])

    def angle(amplitude: Any, length: Any, t: float) -> Any:
        k = mpmath.sin(amplitude / 2)
        u = mpmath.sqrt(mpmath.mpf(9.81) / length) * t
        return 2 * mpmath.asin(k * mpmath.ellipfun("cd", u, k=k))

    with mpmath.workdps(50):
        for row, t in enumerate((1.3, 2.0)):
            start = (mpmath.mpf(0.9), mpmath.mpf(0.7))
            for column, order in enumerate(((1, 0), (0, 1))):
                exact = mpmath.diff(lambda a, b, t=t: angle(a, b, t), start, order)
                assert abs(result.q[row, 0, column] - float(exact)) < 1e-10


@pytest.mark.parametrize("kind", ["event", "contact"])
def test_pendulum_against_a_wall_in_closed_form(kind: str) -> None:
    """Let go at A, a wall below, and back: θ = 2 asin(e k sn(ω (t - K(k) / ω), e k))."""
    length, e = ps.symbols("length e")
    bob = ps.Body("bob", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -length))
    values = {"length": 0.7, "e": 0.8}
    system = ps.System("pendulum", [bob], parameters=values, free=list(values))
    wall = ps.Event("wall", "bob", direction="down", reset=lambda t, q, v: -e * v)
    below = ps.Contact(ps.FormulaConstraint("wall", "bob", {"bob": "bob"}), 0.8)
    what: dict[str, Any] = {"contacts": [below]} if kind == "contact" else {"events": [wall]}
    run = ps.simulate(system, [0.9], [0.0], 0.9, rtol=1e-12, atol=1e-12, **what)
    result = run.sensitivity(("q", "length", "e")[: 2 if kind == "contact" else 3])

    def angle(amplitude: Any, length: Any, e: Any) -> Any:
        k, omega = mpmath.sin(amplitude / 2), mpmath.sqrt(mpmath.mpf(9.81) / length)
        u = omega * mpmath.mpf(0.9) - mpmath.ellipk(k**2)
        return 2 * mpmath.asin(e * k * mpmath.ellipfun("sn", u, k=e * k))

    with mpmath.workdps(50):
        start = tuple(map(mpmath.mpf, (0.9, 0.7, 0.8)))
        for column, order in enumerate(np.eye(3, dtype=int)[: len(result.by)].tolist()):
            exact = float(mpmath.diff(angle, start, tuple(order)))
            assert abs(result.q[-1, 0, column] - exact) < 1e-10
    assert len(run.events) == 1


def test_sleigh_in_closed_form() -> None:
    """By mass and turning rate, a row on velocities holding: u = c tanh(k t + atanh(u0 / c))."""
    sled = ps.Body(
        "sled", "world", ps.Planar(), mass=ps.symbols("m"), com=(0.4, 0, 0), inertia=[0.1] * 3
    )
    blade = ps.KnifeEdge("blade", "sled")
    system = ps.System("sleigh", [sled], parameters={"m": 2.0}, free=["m"], constraints=[blade])
    run = ps.simulate(
        system, [0, 0, 0.3], [0.5 * np.cos(0.3), 0.5 * np.sin(0.3), 0.8], 2.0, rtol=1e-12
    )
    speed = run.sensitivity(("m", "v.sled.angle")).of(
        "v.sled.x*cos(sled.angle) + v.sled.y*sin(sled.angle)"
    )

    def along(m: Any, turn: Any) -> Any:
        inertia, u = mpmath.mpf(0.1) + m * mpmath.mpf(0.4) ** 2, mpmath.mpf(0.5)
        c = mpmath.sqrt(u**2 + inertia / m * turn**2)
        return c * mpmath.tanh(c * m * mpmath.mpf(0.4) / inertia * 2 + mpmath.atanh(u / c))

    with mpmath.workdps(50):
        for column, order in enumerate(((1, 0), (0, 1))):
            exact = float(mpmath.diff(along, (mpmath.mpf(2), mpmath.mpf(0.8)), order))
            assert abs(speed[-1, column] - exact) < 1e-10


@pytest.mark.parametrize("integrator", ["dp8", "stiff"])
@pytest.mark.parametrize("delay", [0.0, 0.04])
def test_digital_controller_in_closed_form(integrator: str, delay: float) -> None:
    """F = -k x - 2 v at 0, 0.1, ... s, held: by the start and by k as the recursion has it."""
    every = 0.1
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=2.0)
    force = ps.SampledState("force", update="-k*cart - 2*v.cart", every=every, delay=delay)
    system = ps.System(
        "cart", [cart], parameters={"k": 9.0}, free=["k"], states=[force],
        forces=[ps.JointForce("cart", "force")],
    )  # fmt: skip

    def end(start: complex, k: complex, t: float) -> complex:
        x, v, held, now = start, 0.0 + 0.0j, 0.0 + 0.0j, 0.0
        while now < t - 1e-9:
            new = -k * x - 2 * v
            for length, force in ((delay, held), (every - delay, new)):
                span, held = min(length, t - now), force
                x, v = x + v * span + held / 4 * span**2, v + held / 2 * span
                now += span
        return x

    run = ps.simulate(system, [0.3], [0.0], 1.03, integrator=integrator, rtol=1e-10)
    times, tiny = [0.5, 0.73, 1.03], 1e-30
    result = run.sensitivity(("q", "k"), times)
    for row, t in enumerate(times):
        exact = end(0.3 + 1j * tiny, 9.0, t).imag / tiny, end(0.3, 9.0 + 1j * tiny, t).imag / tiny
        assert np.abs(result.q[row, 0] - exact).max() < 1e-11
    gradient = run.gradient("cart", ("q", "k"))
    assert np.abs(np.array(list(gradient.values())) - result.q[-1, 0]).max() < 1e-12


def test_sampled_joint_forces_in_closed_form() -> None:
    """A spring -k x as joint force, half of which is measured every 0.1 s and opposes it, held."""
    k, every = ps.symbols("k"), 0.1
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=2.0)
    felt = ps.SampledState("felt", update="-tau.cart/2", every=every)
    system = ps.System(
        "cart", [cart], parameters={"k": 9.0}, free=["k"], states=[felt],
        forces=[ps.JointForce("cart", "felt")],
    )  # fmt: skip

    def end(start: complex, k: complex) -> complex:
        x, v, w = start, 0.0 + 0.0j, np.sqrt(k / 2)
        for _ in range(7):
            middle = x / 2  # the force k x / 2 is held
            c, s = np.cos(w * every), np.sin(w * every)
            x, v = middle + (x - middle) * c + v * s / w, v * c - (x - middle) * w * s
        return x

    run = ps.simulate(system, [0.3], [0.0], 0.7, tau=lambda t, q, v: -k * q, rtol=1e-11)
    tiny = 1e-30
    exact = end(0.3 + 1j * tiny, 9.0).imag / tiny, end(0.3, 9.0 + 1j * tiny).imag / tiny
    assert np.abs(run.sensitivity(("q", "k")).q[-1, 0] - exact).max() < 1e-10
    backward = np.array(list(run.gradient("cart", ("q", "k")).values()))
    assert np.abs(backward - exact).max() < 1e-10


def test_events_in_closed_form() -> None:
    """A ball from z bounces: t1 = sqrt(2 z / g), t2 = t1 (1 + 2 e), z(t) = e g t1 s - g s² / 2."""
    e, g, z, t = ps.symbols("e"), 9.81, 0.8, 0.6
    ball = ps.Body("ball", joint=ps.Prismatic("z"), mass=1.0)
    system = ps.System("ball", [ball], parameters={"e": 0.7}, free=["e"])
    floor = ps.Event("floor", "ball", direction="down", reset=lambda t, q, v: -e * v)
    top = ps.Event("top", "v.ball", direction="down")
    run = ps.simulate(system, [z], [0.0], 1.1, events=[floor, top], save=[t, 1.1])
    result = run.sensitivity(("q", "e"))
    t1 = np.sqrt(2 * z / g)
    by_z = 1 / (g * t1)
    assert [event.name for event in run.events] == ["floor", "top", "floor"]
    for bounces, change in zip((0.0, 0.7, 1.4), result.event_times, strict=True):
        by_e = {0.0: 0.0, 0.7: t1, 1.4: 2 * t1}[bounces]
        assert np.abs(change - [by_z * (1 + bounces), by_e]).max() < 1e-8
    s = t - t1
    height_by_z = 0.7 * g * (s - t1) * by_z + g * s * by_z
    row = run.t.tolist().index(t)
    assert np.abs(result.q[row, 0] - [height_by_z, g * t1 * s]).max() < 1e-8
    assert np.array_equal(result.q[0, 0], [1.0, 0.0])  # before the first bounce, and after it:
    assert np.abs(result.q[1, 0] - [-0.7, 0.0]).max() < 1e-8
    backward = np.array(list(run.gradient("ball", ("q", "e")).values()))
    assert np.abs(backward - result.q[-1, 0]).max() < 1e-12


def test_law_that_an_event_switches() -> None:
    """A force 1 from x = p on: with speed 1 before, x(t) = t + (t - p)² / 2, dx/dp = -(t - p)."""
    p = ps.symbols("p")
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)
    system = ps.System("cart", [cart], parameters={"p": 0.4}, free=["p"])
    push = ps.Event("push", lambda t, q, v: q[0] - p, direction="up", tau=[1.0])
    run = ps.simulate(system, [0.0], [1.0], 1.0, events=[push])
    result = run.sensitivity(("q", "p"))
    assert abs(result.event_times[0] - [-1.0, 1.0]).max() < 1e-12
    assert abs(result.q[-1, 0] - [1.0 + 0.6, -0.6]).max() < 1e-12


def test_accelerations_and_joint_forces() -> None:
    """Of x = cos(w t) under tau = -w² x: a = tau, da/dw = -2 w x + w² t sin(w t)."""
    w = ps.symbols("w")
    mass = ps.Body("mass", joint=ps.Prismatic("x"), mass=1.0)
    system = ps.System("o", [mass], parameters={"w": 3.0}, free=["w"])
    starts = np.array([[1.0], [2.0]])
    law = {"tau": lambda t, q, v: -(w**2) * q, "rtol": 1e-11, "save": 0.5}
    runs = ps.simulate(system, starts, [0.0], 2.0, **law)
    exact = starts * (-6 * np.cos(3 * runs.t) + 9 * runs.t * np.sin(3 * runs.t))
    square = -9 * starts * np.cos(3 * runs.t)
    for formula, slope in (
        ("a.mass", exact), ("tau.mass", exact), ("a.mass*tau.mass", 2 * square * exact),
    ):  # fmt: skip
        assert np.abs(runs.sensitivity("w").of(formula)[..., 0] - slope).max() < 1e-7
        assert np.abs(runs.gradient(formula, "w")["w"] - slope[:, -1]).max() < 1e-7
    with pytest.raises(ps.ModelError, match=r"the runs go up to t = 2 s, got 3"):
        runs.sensitivity("w", [1.0, 3.0])
