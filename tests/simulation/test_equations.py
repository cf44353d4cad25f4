"""Joint forces: none, constant, or a law that is traced and compiled."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.expr import maximum, select
from poinsot.library import double_pendulum


def slider(**options):
    body = ps.Body("mass", joint=ps.Prismatic("x", **options), mass=2.0)
    return ps.System("slider", [body], gravity=(0, 0, 0))


def driven(t, k=8.0, c=0.8, force=3.0, w=2.5, m=2.0):
    """Return x and v of m x'' + c x' + k x = force cos(w t) from rest at x = 1."""
    w0, d = math.sqrt(k / m), c / (2 * m)
    a = force / m * (w0**2 - w**2) / ((w0**2 - w**2) ** 2 + (2 * d * w) ** 2)
    b = force / m * 2 * d * w / ((w0**2 - w**2) ** 2 + (2 * d * w) ** 2)
    wd = math.sqrt(w0**2 - d**2)
    p = 1.0 - a
    r = (d * p - b * w) / wd
    e = np.exp(-d * t)
    x = a * np.cos(w * t) + b * np.sin(w * t) + e * (p * np.cos(wd * t) + r * np.sin(wd * t))
    v = -a * w * np.sin(w * t) + b * w * np.cos(w * t)
    v += e * ((-d * p + wd * r) * np.cos(wd * t) + (-d * r - wd * p) * np.sin(wd * t))
    return x, v


@pytest.mark.parametrize("method", ["dp8", "dp5"])
def test_driven_oscillator_is_the_closed_form(method):
    def law(t, q, v):
        return -8.0 * q - 0.8 * v + 3.0 * np.cos(2.5 * t)

    run = ps.simulate(slider(), [1.0], [0.0], 10.0, tau=law, integrator=method)
    x, v = driven(run.t)
    assert_allclose(run.q[:, 0], x, atol=1e-8)
    assert_allclose(run.v[:, 0], v, atol=3e-8)
    t = np.linspace(0.0, 10.0, 501)
    assert_allclose(np.hstack(run.at(t)), np.column_stack(driven(t)), atol=3e-8)


def test_constant_forces_and_none():
    """Check x = tau t² / 2 m, and that no force is the force zero."""
    run = ps.simulate(slider(), [0.0], [0.0], 2.0, tau=[3.0])
    assert_allclose(run.q[:, 0], 0.75 * run.t**2, atol=1e-12)
    system = double_pendulum()
    free, zero, number = (
        ps.simulate(system, [0.3, 0.1], [0, 0], 1.0, tau=tau) for tau in (None, [0.0, 0.0], 0.0)
    )
    assert_array_equal(free.q, zero.q)
    assert_array_equal(free.q, number.q)


def test_law_of_state_equals_passive_forces():
    """Check a spring and a damper as a law against those of the model."""
    model = ps.simulate(slider(stiffness=5.0, damping=0.3), [1.0], [0.2], 4.0, rtol=1e-11)
    law = ps.simulate(
        slider(), [1.0], [0.2], 4.0, rtol=1e-11, tau=lambda t, q, v: -5.0 * q - 0.3 * v
    )
    assert_allclose(law.q[-1], model.q[-1], atol=1e-11)


def test_choices_by_select():
    """Check a force that is cut off: steps find the corner."""
    run = ps.simulate(
        slider(), [0.0], [0.0], 2.0, tau=lambda t, q, v: [select(t < 1.0, 2.0, 0.0)], max_step=0.1
    )
    assert_allclose(run.v[-1], 1.0, atol=1e-6)
    ramp = ps.simulate(
        slider(), [0.0], [0.0], 2.0, tau=lambda t, q, v: maximum(t - 1.0, 0.0), max_step=0.1
    )
    assert_allclose(ramp.v[-1], 0.25, atol=1e-6)


def test_same_law_is_compiled_once_but_traced_anew():
    """Check that a law is read again: what it closes over may have changed."""
    gain = [1.0]
    ends = []
    for gain[0] in (1.0, 2.0, 1.0):
        run = ps.simulate(slider(), [1.0], [0.0], 1.0, tau=lambda t, q, v: -gain[0] * q)
        ends.append(run.q[-1, 0])
    assert ends[0] == ends[2] != ends[1]


def branch(t, q, v):
    return [1.0 if q[0] > 0 else -1.0]


@pytest.mark.parametrize(
    "law",
    [branch, lambda t, q, v: [math.sin(t)], lambda t, q, v: np.cbrt(q)],
    ids=["branch", "math", "cbrt"],
)
def test_law_that_does_not_trace_says_so(law):
    with pytest.raises(ps.PoinsotError, match=r"could not be traced.*np\.sin.*select\("):
        ps.simulate(slider(), [1.0], [0.0], 1.0, tau=law)


@pytest.mark.parametrize(
    ("tau", "error", "message"),
    [
        ([1.0, 2.0], ps.ShapeError, r"shape \(1,\).*got \(2,\).*function tau"),
        (lambda t, q, v: [1.0, 2.0], ps.ShapeError, r"must return 1 joint forces"),
        ([math.nan], ps.ModelError, "finite"),
        (lambda t, q, v: [math.inf], ps.ModelError, "for every t, q, v"),
        (([0.0, 1.0], [[0.0], [1.0]]), ps.PoinsotError, "function"),
        ("gravity", ps.ArrayTypeError, "function"),
    ],
)
def test_wrong_forces_are_refused(tau, error, message):
    with pytest.raises(error, match=message):
        ps.simulate(slider(), [1.0], [0.0], 1.0, tau=tau)


def test_rigid_system_is_refused():
    system = ps.System("stone", [ps.Body("stone", mass=1.0)])
    with pytest.raises(ps.ModelError, match="no degree of freedom"):
        ps.simulate(system, [], [], 1.0)
