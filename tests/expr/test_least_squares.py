"""Bases and shortest solutions against NumPy, for columns of every rank."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from poinsot.expr import build, fresh_symbols
from poinsot.expr.least_squares import least_norm, orthonormal, significant
from poinsot.kernels.interpreter import InterpreterKernel

matrices = st.builds(
    lambda seed, m, n, rank: _matrix(np.random.default_rng(seed), m, n, min(rank, m, n)),
    st.integers(0, 2**32 - 1),
    st.integers(1, 7),
    st.integers(1, 7),
    st.integers(0, 7),
)


def _matrix(rng, m, n, rank):
    """Return m columns of length n, of a rank, some of them nothing, tiny or doubled; a block."""
    values = np.zeros((m, n))
    values[:rank, :rank] = np.diag(rng.uniform(0.5, 2.0, rank))
    left, _ = np.linalg.qr(rng.standard_normal((m, m)))
    right, _ = np.linalg.qr(rng.standard_normal((n, n)))
    columns = left @ values @ right
    columns[rng.random(m) < 0.1] = 0.0
    if m > 1 and rng.random() < 0.3:
        columns[-1] = -2.0 * columns[0]
    cuts = sorted({0, m, *rng.integers(0, m + 1, 2).tolist()})
    blocks = [slice(a, b) for a, b in pairwise(cuts)]
    return columns, blocks, rng


@settings(max_examples=100)
@given(matrices)
def test_shortest_solution_is_that_of_the_pseudo_inverse(case):
    """Compare x, what is out of reach and what is determined, pivoted in blocks and not."""
    columns, blocks, rng = case
    target = rng.standard_normal(columns.shape[1])
    expected = np.linalg.pinv(columns.T, rcond=1e-9) @ target
    _, values, _ = np.linalg.svd(columns)
    rank = int(np.sum(values > 1e-9))
    null = np.linalg.svd(columns.T)[2][rank:]
    for given_blocks in (blocks, [slice(0, len(columns))], None):
        basis = orthonormal(columns.tolist(), blocks=given_blocks)
        assert sum(basis.kept) == rank
        Q = np.array(basis.q).reshape(-1, columns.shape[1])
        assert_allclose(Q.T @ (Q @ columns.T), columns.T, atol=1e-7)
        solution = least_norm(basis, target.tolist())
        if np.all(values[values > 1e-9] > 1e-3):
            assert_allclose(solution.x, expected, atol=1e-8)
            assert_allclose(solution.rest, target - columns.T @ expected, atol=1e-8)
        free = np.linalg.norm(null, axis=0)
        clear = (free < 1e-9) | (free > 1e-3)
        assert np.array_equal((solution.determined > 0.5)[clear], (free < 1e-6)[clear])


@settings(max_examples=60)
@given(matrices)
def test_demands_are_met(case):
    """Find u with b·u as demanded of every column, where that is possible."""
    columns, blocks, rng = case
    demand = columns @ rng.standard_normal(columns.shape[1])
    basis = orthonormal(columns.tolist(), blocks=blocks)
    y = basis.coordinates(demand.tolist())
    u = np.array(basis.q).reshape(-1, columns.shape[1]).T @ np.array(y, float)
    assert_allclose(columns @ u, demand, atol=1e-7)


@settings(max_examples=20)
@given(matrices)
def test_symbols_give_what_numbers_give(case):
    """Trace once and run on numbers of another rank."""
    columns, blocks, rng = case
    m, n = columns.shape
    entries, target = fresh_symbols("b", m * n), fresh_symbols("t", n)
    traced = least_norm(orthonormal(entries.reshape(m, n).tolist(), blocks=blocks), target.tolist())
    outputs = np.concatenate([traced.x, traced.determined])
    kernel = InterpreterKernel(build({"b": entries, "t": target}, {"x": outputs}))
    numbers = rng.standard_normal(n)
    both = np.stack([columns, rng.standard_normal((m, n)), np.zeros((m, n))])
    found = np.empty((3, 2 * m))
    kernel.run([both.reshape(3, -1), np.tile(numbers, (3, 1))], [found])
    for rows, result in zip(both, found, strict=True):
        solution = least_norm(orthonormal(rows.tolist(), blocks=blocks), numbers.tolist())
        size = max(1.0, np.abs(solution.x).max(initial=0.0))
        assert_allclose(result[:m], solution.x, atol=1e-7 * size)


def test_a_good_column_is_not_left_out_for_a_poor_one():
    """Demand something of nearly equal columns and of one that is clear: full accuracy."""
    tiny = 1e-7
    columns = [[1.0, 0.0], [1.0, tiny], [0.0, 1.0]]
    u = np.array([0.3, -0.7])
    demand = (np.array(columns) @ u).tolist()
    basis = orthonormal(columns, blocks=[slice(0, 3)])
    found = np.array(basis.q).T @ np.array(basis.coordinates(demand))
    assert_allclose(found, u, rtol=1e-15)
    assert basis.kept[2] == 1.0


def test_small_columns_beside_large_ones():
    """Keep directions of columns that are short, and leave out those that are rounding."""
    assert orthonormal([[1e6, 0.0], [0.0, 1e-3]]).kept == [1.0, 1.0]
    assert orthonormal([[1.0, 0.0], [1.0, 1e-12]]).kept == [1.0, 0.0]
    assert orthonormal([[0.0, 0.0], [0.0, 0.0]]).kept == [0.0, 0.0]
    rows = np.array([[1e-16, 1e-15], [1e-9, 0.0]])
    assert_allclose(significant(rows), [[0.0, 0.0], [1e-9, 0.0]], atol=0.0)


def test_columns_that_are_off():
    """Leave out what may be the error of a column, however short it is, and keep what is clear."""
    long, short = [1.0, 0.0], [1e-2, 1e-6]
    assert orthonormal([long, short]).kept == [1.0, 1.0]
    assert orthonormal([long, short], 1e-6).kept == [1.0, 1.0]
    assert orthonormal([long, short], 2e-5).kept == [1.0, 0.0]
    assert orthonormal([long, [1e-2, 2e-3]], 1.0).kept == [1.0, 1.0]


def test_nothing_to_solve():
    """Take no columns at all."""
    solution = least_norm(orthonormal([]), [1.0, 2.0])
    assert solution.x.shape == (0,)
    assert_allclose(solution.rest, [1.0, 2.0])
