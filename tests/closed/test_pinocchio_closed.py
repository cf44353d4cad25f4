"""Closed systems against Pinocchio's dynamics with rigid constraints."""

import numpy as np
from hypothesis import HealthCheck, assume, given, settings

from poinsot.formulations.constrained import closed_quantities
from poinsot.formulations.constrained.closed_quantities import Tree
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.formulations.recursive import inverse
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.model import Environment
from tests.closed.random_closed import assume_well_posed, closed_cases
from tests.oracles.pinocchio_closed import PinocchioClosedOracle
from tests.random_examples import examples

TREE = Tree(mass_matrix_along_paths, inverse.bias)
JOINTS = ("fixed", "revolute", "prismatic", "spherical", "free", "helical", "translation")


@settings(max_examples=examples(5), suppress_health_check=[HealthCheck.filter_too_much])
@given(
    closed_cases(
        6, 2, min_bodies=3, kinds=("loop fixed", "loop spherical"), joints=JOINTS, passive=False
    )
)  # fmt: skip
def test_accelerations_and_loop_forces_agree(case):
    """Compare with loops that are no more than the tree can move."""
    m, q, v, tau = case.mechanism, case.q, case.v, case.tau
    assume_well_posed(case)
    J = case.rows().J
    assume(len(J) <= m.nv)
    M = mass_matrix_along_paths(m, q)
    spread = np.linalg.cond(J @ np.linalg.solve(M, J.T)) * np.linalg.cond(M)
    assume(spread < 1e6)  # Pinocchio is asked without any regularisation
    oracle = PinocchioClosedOracle(m)
    expected, wrenches = oracle.closed_forward_dynamics(q, v, tau)
    environment = Environment.of(m)
    found = closed_quantities.forward_dynamics(m, q, v, tau, environment, tree=TREE)
    size = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-10 * size)
    lam, determined = closed_quantities.multipliers(m, q, v, tau, environment, tree=TREE)
    assert determined.all()
    view = MechanismView(m, q, v)
    size = max(1.0, *(np.abs(wrench).max() for wrench in wrenches))
    for loop, part, wrench in zip(m.loops, m.row_slices, wrenches, strict=True):
        (on_second,) = loop.loads(view, lam[part])
        on_first = -view.frame(loop.pair).X.force_to_parent(on_second)
        np.testing.assert_allclose(on_first, wrench, rtol=0.0, atol=1e-9 * size)
