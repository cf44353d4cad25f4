"""Rows that are nearly parallel, to any part: what they say another constraint says clearly."""

import numpy as np
from hypothesis import given, settings

import poinsot as ps
from tests.closed.nearly_parallel import nearly_parallel
from tests.random_examples import examples

POSITION, VELOCITY = 1e-10, 1e-9
"""What every stored state must obey."""


def largest(*arrays):
    """Return the largest absolute number, at least 1."""
    return max(1.0, *(float(np.abs(x).max()) for x in arrays))


@settings(max_examples=examples(5))
@given(nearly_parallel())
def test_nothing_changes_by_a_constraint_that_follows_from_others(case):
    """Compare accelerations, forces and the report with those of the system without it."""
    tau = np.ones(case.system.nv)
    a, expected = (one.forward_dynamics(case.q, case.v, tau) for one in (case.system, case.plain))
    np.testing.assert_allclose(a, expected, rtol=0.0, atol=1e-8 * largest(expected))
    J, gamma = case.system.constraint_jacobian(case.q), case.system.constraint_bias(case.q, case.v)
    assert np.abs(J @ a + gamma).max() < 1e-9 * largest(gamma, np.abs(J) @ np.abs(a))
    lam = case.system.multipliers(case.q, case.v, tau).values
    plain = case.plain.multipliers(case.q, case.v, tau).values
    forces = J.T @ lam, case.plain.constraint_jacobian(case.q).T @ plain
    np.testing.assert_allclose(*forces, rtol=0.0, atol=1e-7 * largest(*forces))
    assert np.linalg.norm(lam) < 1.01 * np.linalg.norm(plain) + 1e-7
    mobility = case.system.mobility(case.q)
    assert mobility.rank == 2
    (redundant,) = mobility.redundant
    assert redundant in case.system.row_names[1:]
    assert not redundant.startswith("g")


@settings(max_examples=examples(4))
@given(nearly_parallel())
def test_runs_keep_the_constraints(case):
    """Ask for what every run promises, in every step and in between."""
    run = ps.simulate(case.system, case.q, case.v, 0.5)
    for q, v in ((run.q, run.v), run.at(np.linspace(0.0, run.t[-1], 20))):
        assert np.abs(case.system.constraint_residual(q)).max() <= POSITION
        assert np.abs(case.system.constraint_rate(q, v)).max() <= VELOCITY
    exact = ps.simulate(case.plain, case.q, case.v, 0.5)
    assert run.status.ok == exact.status.ok
