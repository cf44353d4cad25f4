"""Ranks, null spaces and independent rows of matrices whose rank is known."""

import ast
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from poinsot.expr import rank as module
from poinsot.expr import rank_tolerances
from poinsot.expr.rank import (
    independent_columns,
    independent_rows,
    is_nearly_singular,
    left_null_space,
    null_space,
    rank,
    row_rank,
    row_space,
)
from poinsot.expr.rank_tolerances import NEARLY_SINGULAR, RANK
from tests.expr.ranks import matrices
from tests.random_examples import examples

SOURCE = Path(module.__file__).parents[1]


@settings(max_examples=examples(48))
@given(matrices)
def test_all_ways_count_the_same(case):
    """Compare ranks by singular values, by orthogonal rows, by pivots and by NumPy."""
    rows, _, _ = case
    count = int(np.linalg.matrix_rank(rows))
    assert rank(rows) == row_rank(rows) == count
    chosen = independent_rows(rows)
    assert len(chosen) == count
    if count:  # of no rows, older NumPy has no rank
        assert int(np.linalg.matrix_rank(rows[chosen])) == count


@settings(max_examples=examples(48))
@given(matrices)
def test_spaces_are_orthogonal_complements(case):
    """Check null space, row space and left null space by products with the matrix."""
    rows, _, _ = case
    m, n = rows.shape
    free, held, idle = null_space(rows), row_space(rows), left_null_space(rows)
    assert free.shape[1] + held.shape[1] == n
    assert len(idle) + held.shape[1] == m
    both = np.hstack([free, held])
    np.testing.assert_allclose(both.T @ both, np.eye(n), atol=1e-12)
    np.testing.assert_allclose(rows @ free, 0.0, atol=1e-12)
    np.testing.assert_allclose(idle @ rows, 0.0, atol=1e-12)
    np.testing.assert_allclose(idle @ idle.T, np.eye(len(idle)), atol=1e-12)


@settings(max_examples=examples(24))
@given(matrices)
def test_columns_that_come_first_are_kept(case):
    """Check that the first column is kept, and that all others depend on those kept."""
    rows, _, _ = case
    lengths = np.linalg.norm(rows, axis=0)
    columns = rows[:, lengths > 1e-3] / lengths[lengths > 1e-3]
    order = list(range(columns.shape[1]))
    kept = independent_columns(columns, order)
    assert len(kept) == rank(columns) == rank(columns[:, sorted(kept)])
    assert not order or 0 in kept


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_nothing_has_no_rank(shape):
    """Ask matrices without entries."""
    nothing = np.zeros(shape)
    assert rank(nothing) == 0
    assert len(independent_rows(nothing)) == 0
    assert null_space(nothing).shape == (shape[1], shape[1])


def test_near_a_singular_matrix():
    """Put a singular value on either side of both tolerances."""
    for size, near in ((0.1 * RANK, False), (10 * RANK, True), (10 * NEARLY_SINGULAR, False)):
        assert is_nearly_singular(np.diag([2.0, 2.0 * size])) is near


def test_every_tolerance_has_a_reason():
    """Check that each constant of the table is followed by a docstring."""
    body = ast.parse(Path(rank_tolerances.__file__).read_text(encoding="utf-8")).body
    for before, after in pairwise(body):
        if isinstance(before, ast.AnnAssign):
            assert isinstance(after, ast.Expr), ast.unparse(before)


def test_no_rank_is_decided_elsewhere():
    """Check that cut-offs of singular values come from the table, whoever asks."""
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "matrix_rank" not in text, path
        for call in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)):
            cut = [key.value for key in call.keywords if key.arg == "rcond"]
            assert not any(isinstance(x, ast.Constant) and x.value is not None for x in cut), path
