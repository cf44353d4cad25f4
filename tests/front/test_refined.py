"""Derivatives of runs to a wanted accuracy."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import poinsot as ps


@cache
def _oscillator() -> ps.System:
    """x = cos(w t)."""
    mass = ps.Body("mass", joint=ps.Prismatic("x"), mass=1.0)
    spring = ps.JointForce("mass", "-w**2*q")
    return ps.System("o", [mass], parameters={"w": 3.0}, free=["w"], forces=[spring])


@pytest.mark.parametrize("integrator", ["dp8", "stiff", "rk4"])
def test_oscillator_by_its_frequency(integrator: str) -> None:
    """dx/dw = -t sin(w t): a coarse run misses it, the accuracy that is asked for is reached."""
    how = {"step": 0.2} if integrator == "rk4" else {"rtol": 1e-3, "atol": 1e-3}
    span, rtol = 4.0, 1e-6
    run = ps.simulate(_oscillator(), [1.0], [0.0], span, integrator=integrator, **how)
    exact = -run.t * np.sin(3 * run.t)
    plain = run.sensitivity("w")
    assert plain.error is None
    assert np.abs(plain.q[:, 0, 0] - exact).max() > rtol * span
    checked = run.sensitivity("w", rtol=rtol)
    assert np.array_equal(checked.t, run.t)
    assert checked.error is not None
    assert np.abs(checked.q[:, 0, 0] - exact).max() <= checked.error * span <= rtol * span
    slope = run.gradient("mass", "w", rtol=rtol)["w"]
    assert abs(slope - exact[-1]) < rtol * abs(exact[-1])


def test_events_keep_their_moments() -> None:
    """Rows just before and after a bounce are those of the bounce of the finer run."""
    floor = ps.Event("floor", "mass", direction="down", reset=lambda t, q, v: -0.7 * v)
    run = ps.simulate(_oscillator(), [1.0], [0.0], 0.8, events=[floor], rtol=1e-3, atol=1e-3)
    row = int(np.flatnonzero(np.diff(run.t) == 0.0)[0])
    change = run.sensitivity("w", rtol=1e-9)
    t = np.pi / 6  # there v = -w, and x = 0.7 sin(w (t - t1)) behind it
    assert abs(change.q[row, 0, 0] + t) < 1e-8
    assert abs(change.q[row + 1, 0, 0] - 0.7 * t) < 1e-8
    assert abs(change.q[-1, 0, 0] - 0.7 * 0.8 * np.cos(3 * (0.8 - t))) < 1e-8


def test_what_is_not_an_accuracy() -> None:
    """Values that are no accuracy, and one that is not reached, say what to do."""
    run = ps.simulate(_oscillator(), [1.0], [0.0], 0.5)
    for wrong in ("high", 0.0, True, 1e-15):
        with pytest.raises(ps.ModelError, match=rf"rtol must be a number from 1e-11.*{wrong!r}"):
            run.sensitivity("w", rtol=wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'tolerance'; did you mean by, t, rtol="):
        run.sensitivity(tolerance=1e-6)  # type: ignore[call-arg]
    with pytest.raises(ps.ModelError, match=r"by must be a name or a list of names.*'w', got 3"):
        run.sensitivity(3)  # type: ignore[arg-type]
    falling = ps.System("fall", [ps.Body("x", joint=ps.Prismatic("x"), mass=1.0)])
    with pytest.warns(ps.SimulationWarning):
        lost = ps.simulate(falling, [0.0], [8.0], 0.6, tau=lambda t, q, v: v**2)
    with pytest.raises(ps.ModelError, match="did not reach its end"):
        lost.sensitivity("v", rtol=1e-3)
