"""Derivatives of closed systems against Pinocchio's derivatives of rigid constraints."""

import numpy as np
from hypothesis import HealthCheck, assume, given, settings

import poinsot as ps
from tests.closed.random_closed import assume_well_posed, closed_cases
from tests.oracles.pinocchio_closed import PinocchioClosedOracle
from tests.random_examples import examples

JOINTS = ("revolute", "prismatic", "spherical", "free", "translation")


@settings(max_examples=examples(5), suppress_health_check=[HealthCheck.filter_too_much])
@given(closed_cases(5, 1, min_bodies=3, kinds=("loop fixed",), joints=JOINTS, passive=False))
def test_accelerations(case):
    """Compare derivatives by q, v and tau of bodies that are welded to each other.

    Rows of points go on differently from each other beyond the states that obey them.
    """
    m, q, v, tau = case.mechanism, case.q, case.v, case.tau
    assume_well_posed(case)
    J = case.rows().J
    assume(len(J) <= m.nv)
    system = ps.System.from_mechanism(m)
    slow = {"backend": "interpreter"}
    M = system.mass_matrix(q, **slow)
    assume(np.linalg.cond(J @ np.linalg.solve(M, J.T)) * np.linalg.cond(M) < 1e6)
    expected = PinocchioClosedOracle(m).derivatives(q, v, tau)
    for by, theirs in zip(("q", "v", "tau"), expected, strict=True):
        u = np.cos(np.arange(m.nv))
        found = system.derivative("forward_dynamics", q, v, tau, by=by, along=u, **slow)
        size = max(1.0, np.abs(theirs).max())
        np.testing.assert_allclose(found, theirs @ u, atol=1e-9 * size)
