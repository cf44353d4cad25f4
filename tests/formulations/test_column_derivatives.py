"""Derivatives of few hinges side by side against the closed forms joint by joint."""

import numpy as np
import pytest
from hypothesis import given, settings

import poinsot as ps
from poinsot.formulations.dynamics_derivatives import (
    inverse_dynamics_derivatives,
    inverse_dynamics_second_derivatives,
)
from poinsot.formulations.recursive.column_derivatives import (
    column_forward_dynamics_derivatives,
    column_inverse_dynamics_derivatives,
)
from poinsot.formulations.recursive.column_second_derivatives import column_second_derivatives
from poinsot.formulations.recursive.inverse import bias
from poinsot.formulations.recursive.links import regrouped_links
from poinsot.model import Mechanism
from tests.columns import evaluated
from tests.random_examples import examples
from tests.strategies import cases

HINGES = {"max_bodies": 8, "min_bodies": 1, "kinds": ("revolute",)}


@settings(max_examples=examples(12))
@given(case=cases(**HINGES))
def test_inverse_dynamics(case):
    """Compare all three matrices, of trees with springs, dampers and armature."""
    columns = column_inverse_dynamics_derivatives(case.mechanism)
    found = evaluated(columns, case.q, case.v, case.a)
    expected = inverse_dynamics_derivatives(case.mechanism, case.q, case.v, case.a).astype(float)
    assert np.abs(found - expected).max() <= 1e-9 * np.abs(expected).max(initial=1.0)


@settings(max_examples=examples(12))
@given(case=cases(**HINGES))
def test_forward_dynamics(case):
    """Check that the derivatives solve M ∂a = -∂τ, at the acceleration that M and the bias give."""
    mechanism, q, v = case.mechanism, case.q, case.v
    by_q, by_v, inverse = evaluated(column_forward_dynamics_derivatives(mechanism), q, v, case.tau)
    M = inverse_dynamics_derivatives(mechanism, q, v, 0.0 * v)[2].astype(float)
    a = np.linalg.solve(M, case.tau - bias(mechanism, q, v).astype(float))
    tau_by_q, tau_by_v, _ = inverse_dynamics_derivatives(mechanism, q, v, a).astype(float)
    for found, expected in ((by_q, -tau_by_q), (by_v, -tau_by_v), (inverse, np.eye(len(M)))):
        scale = np.abs(M) @ np.abs(found) + np.abs(expected)
        assert np.abs(M @ found - expected).max() <= 1e-8 * scale.max()


@settings(max_examples=examples(4))
@given(case=cases(**HINGES | {"max_bodies": 5}))
def test_second_derivatives(case):
    """Compare all four tensors, each relative to its largest entry."""
    columns = column_second_derivatives(case.mechanism)
    found = evaluated(columns, case.q, case.v, case.a)
    state = (case.mechanism, case.q, case.v, case.a)
    expected = inverse_dynamics_second_derivatives(*state).astype(float)
    for x, y in zip(found, expected, strict=True):
        assert np.abs(x - y).max() <= 1e-9 * np.abs(y).max(initial=1.0)


@pytest.mark.parametrize(
    "joints",
    [("revolute",) * 9, ("revolute",) * 4 + ("prismatic",)],
    ids=["many", "a slider"],
)
def test_others_have_no_columns(joints):
    """Check that joints more than columns, and sliders among them, are left alone."""
    kinds = {"revolute": ps.Revolute("x"), "prismatic": ps.Prismatic("x")}
    bodies = [
        ps.Body(f"{k}", parent=f"{k - 1}" if k else "world", joint=kinds[kind], mass=1.0,
                inertia=np.eye(3), com=(0.1, 0.2, 0.3))
        for k, kind in enumerate(joints)
    ]  # fmt: skip
    mechanism = Mechanism("arm", bodies)
    assert len(regrouped_links(mechanism)) == len(joints)
    assert column_inverse_dynamics_derivatives(mechanism) is None
    assert column_forward_dynamics_derivatives(mechanism) is None
    assert column_second_derivatives(mechanism) is None
