"""Factored products of rows against NumPy, for rows of every rank."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from poinsot.expr import build, fresh_symbols
from poinsot.expr.gram import gram
from poinsot.expr.rank_tolerances import WELL_CONDITIONED
from poinsot.kernels.interpreter import InterpreterKernel
from tests.expr.ranks import matrices
from tests.random_examples import examples

TURNS = (None, WELL_CONDITIONED)


def met(rows, weights, products, demand):
    """Return R w of w = W Rᵀ x, with x for what is demanded and then for what that misses."""
    weighted = rows * weights
    w = weighted.T @ np.array(products.solve(demand.tolist()), float)
    w = w + weighted.T @ np.array(products.solve((demand - rows @ w).tolist()), float)
    return rows @ w


@settings(max_examples=examples(19))
@given(matrices, st.sampled_from(TURNS))
def test_demands_are_met(case, clear):
    """Ask for R w that some w has; the rank is that of the matrix."""
    rows, blocks, rng = case
    weights = rng.uniform(0.5, 2.0, rows.shape[1])
    demand = rows @ rng.standard_normal(rows.shape[1])
    for chosen in (blocks, [slice(0, len(rows))], None):
        products = gram(rows.tolist(), weights.tolist(), 0.0, chosen, clear)
        values = np.linalg.svd(rows, compute_uv=False)
        if np.all(values[values > 1e-12] > 1e-2):
            assert sum(products.kept) == np.sum(values > 1e-12)
            assert_allclose(met(rows, weights, products, demand), demand, atol=1e-9)


@settings(max_examples=examples(5))
@given(matrices, st.sampled_from(TURNS))
def test_symbols_give_what_numbers_give(case, clear):
    """Trace once and run on numbers of another rank."""
    rows, blocks, rng = case
    m, n = rows.shape
    entries, wanted = fresh_symbols("r", m * n), fresh_symbols("d", m)
    ones = [1.0] * n
    products = gram(entries.reshape(m, n).tolist(), ones, 0.0, blocks, clear)
    traced = np.array([*products.solve(wanted.tolist()), products.conditioning()])
    kernel = InterpreterKernel(build({"r": entries, "d": wanted}, {"x": traced}))
    both = np.stack([rows, rng.standard_normal((m, n)), np.zeros((m, n))])
    motion = rng.standard_normal(n)
    found = np.empty((3, m + 1))
    kernel.run([both.reshape(3, -1), both @ motion], [found])
    for R, result in zip(both[:2], found, strict=False):
        values = np.linalg.svd(R, compute_uv=False)
        if np.all(values[values > 1e-12] > 1e-2):
            assert_allclose(R @ (R.T @ result[:m]), R @ motion, atol=1e-7)
    assert_allclose(found[2, :m], 0.0, atol=0.0)


@pytest.mark.parametrize("part", [1e-12, 1e-7, 1e-5, 1e-4, 1e-3])
def test_a_clear_row_counts_before_the_difference_of_parallel_ones(part):
    """Rows that are asked twice meet demands to rounding, and so do those of one block."""
    rows = np.array([[1.0, 0.2], [1.0, 0.2 + part], [0.0, 1.0]])
    demand, ones = rows @ [0.3, -0.7], np.ones(2)
    products = gram(rows.tolist(), ones.tolist(), clear=WELL_CONDITIONED)
    assert_allclose(met(rows, ones, products, demand), demand, rtol=1e-14)
    assert products.conditioning() > 0.5
    pivoted = gram(rows.tolist(), ones.tolist(), blocks=[slice(0, 3)])
    assert_allclose(met(rows, ones, pivoted, demand), demand, rtol=1e-14)


def test_rows_that_nothing_shows_more_clearly_are_kept():
    """Rows that are parallel to 1e-5 are two; to 1e-7 they are one."""
    ones = [1.0, 1.0]
    for clear in TURNS:
        assert sum(gram([[1.0, 0.0], [1.0, 1e-5]], ones, clear=clear).kept) == 2
        assert sum(gram([[1.0, 0.0], [1.0, 1e-7]], ones, clear=clear).kept) == 1


def test_rounding_that_a_small_pivot_multiplies_is_no_row():
    """After rows that are parallel to 1e-4, a third one depends on both, for any numbers."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        a, b = rng.standard_normal((2, 6))
        rows = np.array([a, a + 1e-4 * b, b + rng.uniform(-1, 1) * a])
        assert sum(gram(rows.tolist(), [1.0] * 6).kept) == 2


def test_rows_that_are_off():
    """Leave out what may be the error of a row, however short it is, and keep what is clear."""
    ones, long, short = [1.0, 1.0], [1.0, 0.0], [1e-2, 1e-6]
    assert gram([long, short], ones, 1e-6).kept == [1.0, 1.0]
    assert gram([long, short], ones, 2e-5).kept == [1.0, 0.0]
    assert gram([long, [1e-2, 2e-3]], ones, 1.0).kept == [1.0, 1.0]


def test_no_rows_and_rows_of_nothing():
    """Take no rows at all, and such that are 0."""
    assert gram([], [1.0]).solve([]) == []
    nothing = gram([[0.0, 0.0]], [1.0, 1.0])
    assert nothing.solve([3.0]) == [0.0]
    assert nothing.conditioning() == 1.0
