"""Ranks that rolled elimination decides: those of straight-line code, wherever the state is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.request import Request
from poinsot.formulations.constrained.vanishing_rows import remaining_rows
from poinsot.library import (
    bennett,
    bennett_configuration,
    bricard,
    bricard_configuration,
    four_bar,
    n_four_bar,
    n_four_bar_state,
    scissor_lift,
    scissor_lift_configuration,
    stewart_platform,
)
from poinsot.model import Revolute
from tests.random_examples import examples

REDUNDANT = {
    "Bennett": (bennett(), bennett_configuration(0.6)),
    "Bricard": (bricard(), bricard_configuration(0.6)),
    "scissors": (scissor_lift(), scissor_lift_configuration(0.6)),
}
"""Systems with more rows than they need, in a configuration where their loops are closed."""


def both(system, name, *inputs):
    """Return a quantity straight and rolled."""
    request = Request(name)
    return [evaluators_of(system.mechanism).find(request, b)(inputs) for b in ("llvm", "rolled")]


@pytest.mark.parametrize("name", REDUNDANT)
@settings(max_examples=examples(5))
@given(seed=st.integers(0, 2**32 - 1), off=st.sampled_from([0.0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4]))
def test_redundant_rows_stay_redundant_off_the_constraints(name, seed, off):
    """Their difference is an error of the state: the same rows are dropped, and motions agree."""
    system, q = REDUNDANT[name]
    rng = np.random.default_rng(seed)
    v = np.linalg.svd(system.constraint_jacobian(q))[2][-1] * rng.uniform(-2, 2)
    q = q + off * rng.standard_normal(len(q))
    tau = rng.uniform(-1, 1, len(v))
    straight, rolled = both(system, "forward_dynamics", q, v, tau)
    assert_allclose(rolled, straight, rtol=0, atol=1e-11 * (1.0 + np.abs(straight).max()))


@pytest.mark.parametrize("angle", [1e-1, 1e-3, 1e-5, 1e-7, 0.0])
def test_nearly_singular_loops(angle):
    """A row of parallelograms that are nearly flat, where motions meet."""
    system = n_four_bar(3)
    q, v = n_four_bar_state(3)
    flat = np.where(np.abs(q) > 1e-9, q / np.abs(q).max() * angle, 0.0)
    straight, rolled = both(system, "forward_dynamics", flat, np.zeros_like(v), np.zeros_like(v))
    assert_allclose(rolled, straight, rtol=1e-6, atol=1e-6 * (1.0 + np.abs(straight).max()))


def test_rows_that_always_vanish_are_left_out():
    """Across the plane of a linkage; none of a spatial one, and none of balls."""
    assert {len(rows) for rows in remaining_rows(n_four_bar(4).mechanism).values()} == {2}
    assert len(remaining_rows(n_four_bar(4).mechanism)) == 4
    assert len(remaining_rows(four_bar().mechanism)) == 1
    assert remaining_rows(bennett().mechanism) == {}
    assert remaining_rows(stewart_platform().mechanism) == {}


def test_joints_of_other_packages_may_be_flat_in_places(monkeypatch):
    """So their loops keep all rows."""
    monkeypatch.setattr(Revolute, "__module__", "elsewhere")
    remaining_rows.cache_clear()
    assert remaining_rows(n_four_bar(2).mechanism) == {}
    remaining_rows.cache_clear()


def test_multipliers_of_rows_that_always_vanish():
    """They are 0 and not determined, as straight-line code finds them."""
    system = n_four_bar(3)
    q, v = n_four_bar_state(3)
    straight, rolled = both(system, "multipliers", q, v, np.ones_like(v))
    assert_allclose(rolled, straight, atol=1e-8 * np.abs(straight).max())
    assert not np.all(straight[1])
