"""The coefficients of the methods against SciPy's, which were typed in by others."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import DOP853, RK45

from poinsot.simulation.stepping.integrators.dp5 import DP5 as METHOD_5
from poinsot.simulation.stepping.integrators.dp8 import DP8 as METHOD_8
from poinsot.simulation.stepping.integrators.rk4 import RK4 as METHOD_4

DP5, DP8, RK4 = (method.tableau for method in (METHOD_5, METHOD_8, METHOD_4))

ROUNDING = 4e-15


def dense(rows, width):
    matrix = np.zeros((len(rows), width))
    for i, row in enumerate(rows):
        for s, coefficient in row.items():
            matrix[i, s] = coefficient
    return matrix


@pytest.mark.parametrize(("ours", "theirs"), [(DP8, DOP853), (DP5, RK45)])
def test_stages_and_solution_are_those_of_scipy(ours, theirs):
    n = len(ours.stages)
    columns = theirs.A.shape[1]  # the last stage is used by none of them
    assert_allclose(dense(ours.stages, columns), theirs.A, rtol=ROUNDING)
    assert_allclose(dense([ours.solution], n)[0], theirs.B, rtol=ROUNDING)
    assert_allclose(ours.nodes, theirs.C[:n], rtol=ROUNDING)


def test_errors_and_dense_output_of_order_8_are_those_of_scipy():
    n = METHOD_8.n_derivatives
    assert_allclose(dense(DP8.errors, 13), [DOP853.E5, DOP853.E3], rtol=ROUNDING, atol=1e-16)
    assert_allclose(dense(DP8.more_stages, n), DOP853.A_EXTRA, rtol=ROUNDING)
    assert_allclose(DP8.more_nodes, DOP853.C_EXTRA, rtol=ROUNDING)
    assert_allclose(dense(DP8.dense, n), DOP853.D, rtol=ROUNDING)


def test_error_of_order_5_is_that_of_scipy():
    assert_allclose(-dense(DP5.errors, 7)[0], RK45.E, rtol=ROUNDING, atol=1e-16)


@pytest.mark.parametrize("tableau", [DP5, DP8, RK4], ids=["dp5", "dp8", "rk4"])
def test_rows_are_consistent(tableau):
    """Check c = sum of a, sum of b = 1, and errors and curvature of nothing on uniform motion."""
    for node, row in zip(
        (*tableau.nodes, *tableau.more_nodes), (*tableau.stages, *tableau.more_stages), strict=True
    ):
        assert sum(row.values()) == pytest.approx(node, abs=1e-13)
    assert sum(tableau.solution.values()) == pytest.approx(1.0, abs=1e-14)
    for row in (*tableau.errors, *tableau.dense):
        size = sum(map(abs, row.values()))
        assert sum(row.values()) == pytest.approx(0.0, abs=1e-13 * size)
