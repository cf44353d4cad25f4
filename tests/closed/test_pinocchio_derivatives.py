"""Derivatives of closed systems against Pinocchio's derivatives of rigid constraints."""

import numpy as np
from hypothesis import HealthCheck, assume, given, settings

import poinsot as ps
from poinsot.formulations.constrained.mechanism_view import MechanismView
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


@settings(max_examples=examples(5), suppress_health_check=[HealthCheck.filter_too_much])
@given(closed_cases(5, 1, min_bodies=3, kinds=("loop fixed",), joints=JOINTS, passive=False))
def test_multipliers(case):
    """Compare derivatives of the wrenches of welds by v and tau, and by q where welds stay closed.

    Elsewhere the wrench is one in the axes of either end, which differ.
    """
    m, q, v, tau = case.mechanism, case.q, case.v, case.tau
    assume_well_posed(case)
    J = case.rows().J
    assume(0 < len(J) <= m.nv)
    system = ps.System.from_mechanism(m)
    slow = {"backend": "interpreter"}
    M = system.mass_matrix(q, **slow)
    assume(np.linalg.cond(J @ np.linalg.solve(M, J.T)) * np.linalg.cond(M) < 1e6)
    expected = PinocchioClosedOracle(m).wrench_derivatives(q, v, tau)
    view, (loop,) = MechanismView(m, q, v), m.loops
    allowed = np.linalg.svd(J)[2][len(J) :].T @ np.cos(np.arange(m.nv - len(J)))
    for by, theirs in zip(("q", "v", "tau"), expected, strict=True):
        u = allowed if by == "q" else np.cos(np.arange(m.nv))
        change = system.derivative("multipliers", q, v, tau, by=by, along=u, **slow)[0]
        (on_second,) = loop.loads(view, change)
        on_first = -view.frame(loop.pair).X.force_to_parent(on_second)
        size = max(1.0, np.abs(theirs).max())
        np.testing.assert_allclose(on_first, theirs @ u, atol=1e-9 * size)
