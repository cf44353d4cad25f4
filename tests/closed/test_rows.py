"""The rows of every kind of constraint: values, rates and second rates, by differences."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from poinsot.formulations.constrained import loop_coordinates
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.model import Environment, Loop
from tests.closed.differences import first, second
from tests.closed.random_closed import CLOSURES, LOOPS, TIME, closed_cases, random_closed
from tests.random_examples import examples

each_kind = pytest.mark.parametrize("kind", CLOSURES)
for_all = given(seed=st.integers(0, 2**32 - 1), n_bodies=st.integers(1, 5))
few = settings(max_examples=examples(5))
BETWEEN_COORDINATES = ("gear", "rack", "prescribed", "holonomic", "formula")


FINEST_PITCH = 0.02
"""Of screws [m/rad]: differences of a finer one would reach from turn to turn."""


def one_closure(kind, seed, n_bodies):
    """Return a case whose only constraint is of this kind, and moves at no great speed."""
    case = random_closed(seed, n_bodies, 1, first=kind)
    assume(case.mechanism.closures)
    assume(np.abs(case.rows().J @ case.v + case.rows().drift).max() < 1e-9)
    pitch = getattr(getattr(case.mechanism.closures[0], "joint", None), "pitch", 1.0)
    assume(abs(pitch) > FINEST_PITCH)
    return case


def assert_rate(found, expected, *sizes):
    """Check a rate by differences, relative to the terms in it."""
    size = max([1.0, *(float(np.abs(x).max(initial=0.0)) for x in (expected, *sizes))])
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=3e-8 * size)


@each_kind
@few
@for_all
def test_rates_of_the_rows(kind, seed, n_bodies):
    """Check phi = 0, J v + drift = dphi/dt for any v, and gamma for allowed ones."""
    case = one_closure(kind, seed, n_bodies)
    m, q = case.mechanism, case.q
    assert np.abs(case.rows().phi).max(initial=0.0) < 1e-12 * max(1.0, np.abs(q).max(initial=0))
    far = max(1.0, np.abs(case.rows().J).max(initial=0.0))  # what is far away moves fast
    anywhere = case.rng.uniform(-1, 1, m.nv) / far

    for v, t_rate in ((anywhere, 0.0), (anywhere, 1.0), (0.0 * anywhere, 1.0)):

        def phi(h, v=v, t_rate=t_rate):
            return case.rows(m.integrate(q, h * v), 0.0 * v, TIME + t_rate * h).phi

        rows = case.rows(v=v)
        assert_rate(first(phi), rows.J @ v + t_rate * rows.drift)

    fast = max(1.0, np.abs(case.v).max(initial=0.0))
    assume(fast < 30.0)
    step = 2e-3 / (fast * np.sqrt(far))

    def moving(h):
        return case.rows(m.integrate(q, h * case.v), case.v, TIME + h)

    def rate(h):
        rows = moving(h)
        return rows.J @ case.v + rows.drift

    gamma = case.rows().gamma
    assert_rate(first(rate, step), gamma, far * fast**2)
    found = second(lambda h: moving(h).phi, 4 * step)
    np.testing.assert_allclose(found, gamma, rtol=0.0, atol=1e-5 * far * fast**2)


@pytest.mark.parametrize("kind", [kind for kind in CLOSURES if kind not in BETWEEN_COORDINATES])
@few
@for_all
def test_loads_do_what_multipliers_do(kind, seed, n_bodies):
    """Check that the wrenches of multipliers on bodies have the power lam·J v, any v."""
    case = one_closure(kind, seed, n_bodies)
    m, v = case.mechanism, case.rng.uniform(-1, 1, case.mechanism.nv)
    view = MechanismView(m, case.q, v, TIME)
    (one,) = m.closures
    lam = case.rng.uniform(-1, 1, len(one.locked))
    rows = case.rows(v=v)
    loads = zip(one.pairs, one.loads(view, lam), strict=True)
    power = sum(load @ view.frame(pair).V for pair, load in loads)
    size = np.abs(lam) @ np.abs(rows.J) @ np.abs(v) + 1.0
    assert abs(power - lam @ rows.J @ v) < 1e-12 * size


@settings(max_examples=examples(8))
@given(closed_cases(max_bodies=5, max_closures=2, kinds=(*LOOPS, "curve")))
def test_coordinates_of_closures(case):
    """Check velocities and accelerations of the closures' own coordinates by differences."""
    m, q, v = case.mechanism, case.q, case.v
    rows = case.rows()
    assume(np.abs(rows.J @ v).max(initial=0.0) < 1e-9)
    speed = max(1.0, np.abs(rows.J).max(initial=0.0), np.abs(v).max(initial=0.0))
    assume(speed < 30.0)
    a = -np.linalg.lstsq(rows.J, rows.gamma, rcond=1e-9)[0]
    assume(np.abs(rows.J @ a + rows.gamma).max(initial=0.0) < 1e-9 * speed**2)
    assume(np.abs(a).max(initial=0.0) < 100.0)
    environment = Environment.of(m)
    step = 1e-3 / speed**1.5

    def along(h):
        return m.integrate(q, h * v + 0.5 * h * h * a), v + h * a

    for k, one in enumerate(m.closures):

        def position(h, k=k):
            return loop_coordinates.closure_position(m, k, along(h)[0], environment)

        def own(h, k=k):
            return loop_coordinates.closure_velocity(m, k, *along(h), environment)

        start = position(0.0)
        near = [position(h) for h in (-4 * step, 4 * step)]
        assume(all(np.abs(x - start).max(initial=0.0) < 0.5 for x in near))  # no jump at ±π
        rate = one.joint.position_rate(start, own(0.0)) if isinstance(one, Loop) else own(0.0)
        assert_rate(first(position, step), rate, speed**2)
        acceleration = loop_coordinates.closure_acceleration(m, k, q, v, a, environment)
        assert_rate(first(own, step), acceleration, speed**3, a)
