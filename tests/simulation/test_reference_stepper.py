"""The compiled stepper against its definition in plain Python, step by step."""

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.request import Request
from poinsot.library import (
    andrews_squeezer,
    andrews_squeezer_configuration,
    chain,
    double_pendulum,
    four_bar,
    four_bar_configuration,
)
from poinsot.simulation.running.workspace import STEP_SHARE
from poinsot.simulation.stepping.integrators import INTEGRATORS
from poinsot.simulation.stepping.reference_stepper import ReferenceStepper
from tests.random_examples import examples
from tests.strategies import cases

ADAPTIVE = ("dp8", "dp5")


def reference(system, q, v, duration, integrator, *, rtol=0.0, step=0.0, tau=None):
    """Return the reference of a run."""
    nq = system.nq

    def rate(t, y):
        q, v = y[:nq], y[nq:]
        forces = None if tau is None else tau(t, q, v)
        return np.hstack([system.position_rate(q, v), system.forward_dynamics(q, v, forces)])

    project = None
    if system.row_names:
        onto = evaluators_of(system.mechanism).find(Request("projected_state"))

        def project(t, y):
            for _ in range(2):
                y = onto((y[:nq], y[nq:]))[:-1]
            return y

    tolerance = STEP_SHARE * rtol
    return ReferenceStepper(
        INTEGRATORS[integrator], rate, 0.0, np.hstack([q, v]).astype(float), duration,
        tolerance, tolerance, step, project,
    )  # fmt: skip


def compare(system, q, v, duration, integrator, tau=None, **options):
    """Assert the same steps, taken and rejected, the same states at their ends and between."""
    run = ps.simulate(system, q, v, duration, integrator=integrator, tau=tau, **options)
    stepper = reference(system, run.q[0], run.v[0], duration, integrator, tau=tau, **options)
    times, states, middle = [stepper.t], [stepper.y], []
    while not stepper.is_finished:
        at = stepper.advance()
        middle.append(at(0.5 * (times[-1] + stepper.t)))
        times.append(stepper.t)
        states.append(stepper.y)
    assert (run.statistics.steps, run.statistics.rejected) == (stepper.accepted, stepper.rejected)
    scale = 1.0 + np.abs(run.q).max() + np.abs(run.v).max()
    assert_allclose(run.t, times, rtol=1e-7, atol=1e-9 * duration)
    assert_allclose(np.hstack([run.q, run.v]), np.array(states), atol=1e-6 * scale)
    between = ps.simulate(
        system, q, v, duration, integrator=integrator, tau=tau, save=middle_of(times), **options
    )
    assert_allclose(np.hstack([between.q, between.v]), np.array(middle), atol=1e-6 * scale)


def middle_of(times):
    return 0.5 * (np.array(times[:-1]) + np.array(times[1:]))


@pytest.mark.parametrize("integrator", ADAPTIVE)
@pytest.mark.parametrize("rtol", [1e-3, 1e-5])
def test_error_control(integrator, rtol):
    """Follow a double pendulum and an arm, whose steps grow, shrink and are rejected."""
    compare(double_pendulum(), [2.0, -1.0], [0.0, 3.0], 2.0, integrator, rtol=rtol)
    compare(chain(4), np.full(4, 0.7), np.zeros(4), 1.0, integrator, rtol=rtol)


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_rejections(integrator):
    """Follow a force that changes quickly: steps are rejected, equally often."""
    slider = ps.System("s", [ps.Body("s", joint=ps.Prismatic("x"), mass=1.0)], gravity=(0, 0, 0))

    def pulse(t, q, v):
        return 50.0 * np.exp(-((20.0 * (t - 0.5)) ** 2)) - v

    stepper = reference(slider, [0.0], [0.0], 1.0, integrator, rtol=1e-4, tau=pulse)
    while not stepper.is_finished:
        stepper.advance()
    assert stepper.rejected > 0
    compare(slider, [0.0], [0.0], 1.0, integrator, tau=pulse, rtol=1e-4)


def test_equal_steps():
    """Follow steps of one length, the last one a little longer or shorter."""
    for step in (0.01, 0.013, 0.3):
        run = ps.simulate(double_pendulum(), [0.3, 0.1], [0, 0], 1.0, integrator="rk4", step=step)
        compare_equal = reference(
            double_pendulum(), [0.3, 0.1], [0, 0], 1.0, "rk4", step=float(run.t[1])
        )
        states = [compare_equal.y]
        while not compare_equal.is_finished:
            compare_equal.advance()
            states.append(compare_equal.y)
        assert_allclose(np.hstack([run.q, run.v]), np.array(states), atol=1e-12)


def test_the_last_bit():
    """Compare bits where every number is a sum of few powers of two, so that nothing is rounded."""
    slider = ps.System("s", [ps.Body("s", joint=ps.Prismatic("x"), mass=1.0)], gravity=(0, 0, 0))
    run = ps.simulate(
        slider, [0.5], [0.25], 4.0, tau=lambda t, q, v: 0 * t, integrator="rk4", step=0.25
    )
    stepper = reference(slider, [0.5], [0.25], 4.0, "rk4", step=0.25)
    for t, q, v in zip(run.t[1:], run.q[1:], run.v[1:], strict=True):
        stepper.advance()
        assert stepper.t == t
        assert_allclose(stepper.y, [*q, *v], rtol=4e-16)
    assert_array_equal(run.v, 0.25)


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_projection(integrator):
    """Follow linkages, the end of every step on the constraints."""
    q = four_bar_configuration(0.7)
    v = four_bar().consistent_velocity(q, [2.0, 0, 0], joints=["crank"])
    compare(four_bar(), q, v, 1.0, integrator, rtol=1e-4)
    if integrator == "dp8":
        return  # the first step of the squeezer is so short that its error is nothing but rounding
    q = andrews_squeezer_configuration()
    compare(andrews_squeezer(), q, np.zeros(7), 0.005, integrator, rtol=1e-4)


@settings(max_examples=examples(8), deadline=None)
@given(cases(max_bodies=3))
def test_random_trees(case):
    """Follow random trees without quaternions, whose length the stepper keeps besides."""
    mechanism = case.mechanism
    if mechanism.nv == 0 or mechanism.nq != mechanism.nv:
        return
    system = ps.System("tree", mechanism.bodies, gravity=mechanism.gravity)
    if np.linalg.cond(system.mass_matrix(case.q)) > 1e4:
        return
    compare(system, case.q, case.v, 0.05, "dp5", rtol=1e-4)
