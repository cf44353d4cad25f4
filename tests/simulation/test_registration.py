"""Integrators of users: their order, their steps against the reference, and what is refused."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.extending import StepControl, Tableau, add_integrator
from poinsot.library import double_pendulum
from tests.registries import restored_registries
from tests.simulation.test_reference_stepper import compare, rounded_products

BOGACKI_SHAMPINE = Tableau(
    nodes=(0, 1 / 2, 3 / 4), stages=({}, {0: 1 / 2}, {1: 3 / 4}),
    solution={0: 2 / 9, 1: 1 / 3, 2: 4 / 9},
    errors=({0: -5 / 72, 1: 1 / 12, 2: 1 / 9, 3: -1 / 8},), end_in_error=True,
)  # fmt: skip
HEUN = Tableau(nodes=(0, 1), stages=({}, {0: 1.0}), solution={0: 1 / 2, 1: 1 / 2})
START = {"q": [0.3, 0.1], "v": [0.0, 0.5]}


@pytest.fixture(autouse=True)
def _restored():
    with restored_registries():
        yield


def test_steps_are_those_of_the_reference():
    """Compare a method with error control step by step."""
    add_integrator("bs3", BOGACKI_SHAMPINE, order=3)
    with rounded_products():
        compare(double_pendulum(), [2.0, -1.0], [0.0, 3.0], 1.0, "bs3", rtol=1e-3)


def test_the_order_is_the_one_that_was_said():
    """Halve the steps of a method of order 2."""
    add_integrator("heun", HEUN, order=2)
    exact = ps.simulate(double_pendulum(), **START, duration=1.0, rtol=1e-12).q[-1]
    errors = [
        np.abs(
            ps.simulate(
                double_pendulum(), **START, duration=1.0, integrator="heun", step=h
            ).q[-1] - exact
        ).max()
        for h in (0.01, 0.005)
    ]  # fmt: skip
    assert 1.8 < np.log2(errors[0] / errors[1]) < 2.2


def test_batches_take_it():
    """Simulate many starts in lanes."""
    add_integrator("heun", HEUN, order=2)
    starts = np.linspace(0.1, 0.5, 5)[:, None] * [1.0, 0.5]
    runs = ps.simulate(double_pendulum(), starts, [0, 0], 0.5, integrator="heun", step=0.01)
    alone = ps.simulate(double_pendulum(), starts[3], [0, 0], 0.5, integrator="heun", step=0.01)
    np.testing.assert_allclose(runs.q[3], alone.q, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "tableau", "options", "message"),
    [
        ("dp8", HEUN, {}, "already"),
        ("x", Tableau((0, 1), ({}, {0: 0.5}), {0: 1.0}), {}, "row of stage 1 must sum to its node"),
        ("x", Tableau((0, 1), ({}, {1: 1.0}), {0: 1.0}), {}, "depends on itself or a later one"),
        ("x", Tableau((0,), ({},), {0: 0.9}), {}, "solution must sum to 1"),
        ("x", Tableau((0, 1), ({},), {0: 1.0}), {}, "2 nodes for 1 stages"),
        ("x", Tableau((0,), ({},), {0: 1.0}, ({0: 0.5},)), {}, "errors must sum to 0"),
        ("x", HEUN, {"step_control": StepControl(0.5, 0.0, 0.2, 5.0)}, "no row of errors"),
    ],
)
def test_what_contradicts_itself_is_refused(name, tableau, options, message):
    """Check names that are taken and sums of coefficients."""
    with pytest.raises(ps.ModelError, match=message):
        add_integrator(name, tableau, order=2, **options)
