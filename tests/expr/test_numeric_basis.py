"""Bases of rows of numbers: the decisions and solutions of the straight-line form."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from numpy.testing import assert_allclose

from poinsot.expr.gram import gram
from poinsot.expr.least_squares import least_norm, orthonormal, significant
from poinsot.expr.numeric_basis import numeric_basis, significant_rows
from poinsot.expr.rank_tolerances import WELL_CONDITIONED
from tests.expr.ranks import matrices
from tests.random_examples import examples


def block_ends(blocks):
    """Return for each row the end of its block."""
    return [block.stop for block in blocks for _ in range(block.start, block.stop)]


@pytest.mark.parametrize("off", [0.0, 1e-7, 1e-3])
@settings(max_examples=examples(13))
@given(matrices)
def test_same_rank_and_solution_as_lists(off, case):
    """Compare rank, shortest solution, rests and what is determined."""
    rows, blocks, rng = case
    rows[0] += 1e-13  # a row of rounding errors where it was nothing
    rows = significant_rows(rows, 1e-11)
    target = rng.standard_normal(rows.shape[1])
    for groups in (blocks, [slice(0, len(rows))], None):
        expected = orthonormal(rows.tolist(), off, groups)
        basis = numeric_basis(rows, None if groups is None else block_ends(groups), off)
        assert basis.rank == round(sum(expected.kept)) == basis.kept.sum()
        solution, reference = basis.least_norm(target), least_norm(expected, target.tolist())
        size = 1.0 + np.abs(reference.x).max()
        assert_allclose(solution.x, reference.x, rtol=0, atol=1e-7 * size)
        assert_allclose(solution.rest, reference.rest, rtol=0, atol=1e-9)
        assert_allclose(basis.allowed(target[None])[0], reference.rest, rtol=0, atol=1e-9)
        assert np.array_equal(solution.determined, reference.determined)


@settings(max_examples=examples(13))
@given(matrices)
def test_well_conditioned_rows_first_as_by_products(case):
    """The same rank, motion of least norm and conditioning as the factored products have."""
    rows, blocks, rng = case
    assume(len(blocks) > 1)
    demand, ones = rng.standard_normal(len(rows)), [1.0] * rows.shape[1]
    products = gram(rows.tolist(), ones, 0.0, blocks, WELL_CONDITIONED)
    basis = numeric_basis(rows, block_ends(blocks), clear=WELL_CONDITIONED)
    assert basis.rank == round(sum(products.kept))
    assert_allclose(basis.conditioning, products.conditioning(), rtol=1e-3)
    expected = np.array(products.solve(demand.tolist())) @ rows
    scale = (1.0 + np.abs(expected).max()) / basis.conditioning**2
    assert_allclose(basis.shortest(demand), expected, rtol=0, atol=1e-12 * scale)


@settings(max_examples=examples(6))
@given(matrices)
def test_rounding_errors_are_no_rows(case):
    """The same rows count as zero."""
    rows, _, rng = case
    rows = rows * 10.0 ** rng.integers(-14, 1, (len(rows), 1))
    expected = np.array(significant(rows).tolist(), float)
    assert np.array_equal(significant_rows(rows, 1e-11), expected)


def test_large_ranks_agree_with_numpy():
    """Sixty dependent rows in blocks of five, against the pseudo-inverse."""
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(60, 40)) @ np.diag(np.arange(40) < 30) @ rng.normal(size=(40, 40))
    basis = numeric_basis(rows, block_ends([slice(k, k + 5) for k in range(0, 60, 5)]))
    target = rng.normal(size=40)
    solution = basis.least_norm(target)
    assert basis.rank == 30
    assert_allclose(solution.x, np.linalg.pinv(rows.T, rcond=1e-9) @ target, atol=1e-11)
    assert not solution.determined.any()
