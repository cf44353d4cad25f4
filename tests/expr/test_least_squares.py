"""Bases and shortest solutions against NumPy, for columns of every rank."""

import numpy as np
from hypothesis import given, settings
from numpy.testing import assert_allclose

from poinsot.expr import build, fresh_symbols
from poinsot.expr.least_squares import least_norm, orthonormal, significant
from poinsot.kernels.interpreter import InterpreterKernel
from tests.expr.ranks import matrices
from tests.random_examples import examples


@settings(max_examples=examples(19))
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


@settings(max_examples=examples(5))
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
    """Choose between nearly equal columns and one that is clear, in a block of them."""
    columns = [[1.0, 0.0], [1.0, 1e-7], [0.0, 1.0]]
    assert orthonormal(columns, blocks=[slice(0, 3)]).kept[2] == 1.0
    assert orthonormal(columns, tolerance=1e-2).kept == [1.0, 0.0, 1.0]


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
