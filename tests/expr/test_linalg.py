"""Factorisations multiply back, solves agree with NumPy, operations are as few as promised."""

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from poinsot.errors import ShapeError
from poinsot.expr import (
    Op,
    build,
    cholesky,
    cholesky_solve,
    constant,
    ldl,
    ldl_solve,
    ltdl,
    ltdl_solve,
    ltl,
    solve_lower,
    solve_lower_transposed,
    symbol,
    symbol_array,
    verify,
)
from poinsot.expr.node import ZERO
from tests.expr.graphs import evaluate, law, run

SIZES = st.integers(1, 7)
CLOSE = {"rtol": 1e-10, "atol": 1e-10}


def matrices(rows, columns):
    return arrays(float, (rows, columns), elements=st.floats(-1, 1).map(lambda x: round(x, 3)))


@st.composite
def definite(draw):
    """Draw a symmetric positive definite matrix."""
    n = draw(SIZES)
    B = draw(matrices(n, n))
    return B @ B.T + np.eye(n)


@st.composite
def trees(draw):
    """Draw a parent array, and a positive definite matrix with the sparsity of that tree."""
    n = draw(SIZES)
    parent = [draw(st.integers(-1, i - 1)) for i in range(n)]
    B = np.where(on_path(parent), draw(matrices(n, n)), 0.0)
    return parent, B.T @ B + np.eye(n)


def on_path(parent):
    """Return where column j is row i or an ancestor of it."""
    pattern = np.eye(len(parent), dtype=bool)
    for i, p in enumerate(parent):
        if p >= 0:
            pattern[i] |= pattern[p]
    return pattern


def right_sides(A):
    n = len(A)
    return [np.arange(1.0, n + 1), np.arange(3.0 * n).reshape(n, 3) - n, np.eye(n)]


def symbolic(A):
    """Return a symmetric matrix of symbols with 0 where A has 0, its symbols and their values."""
    symbols = symbol_array("A", A.shape)
    lower = np.tril(np.where(A == 0, ZERO, symbols))
    keep = [(i, j) for i in range(len(A)) for j in range(i + 1) if A[i, j] != 0]
    full = np.array([[lower[max(i, j), min(i, j)] for j in range(len(A))] for i in range(len(A))])
    return full, [symbols[k] for k in keep], [A[k] for k in keep]


@law(definite())
def test_factors_multiply_back(A):
    """Multiply the factors of both dense factorisations."""
    L = cholesky(A)
    np.testing.assert_allclose(L @ L.T, A, **CLOSE)
    np.testing.assert_array_equal(L, np.tril(L))
    L, d_inverse = ldl(A)
    np.testing.assert_allclose(L @ np.diag(1 / d_inverse) @ L.T, A, **CLOSE)
    np.testing.assert_array_equal(np.diag(L), np.ones(len(A)))


@law(trees())
def test_ltdl_multiplies_back_and_stays_sparse(tree):
    """Multiply the factors and look between the branches."""
    parent, A = tree
    L, d_inverse = ltdl(A, parent)
    np.testing.assert_allclose(L.T @ np.diag(1 / d_inverse) @ L, A, **CLOSE)
    np.testing.assert_array_equal(L[~on_path(parent)], 0.0)
    np.testing.assert_array_equal(np.diag(L), np.ones(len(A)))


@law(trees())
def test_ltl_multiplies_back_and_solves(tree):
    """Multiply the factor, look between the branches, and solve with its triangles."""
    parent, A = tree
    L = ltl(A, parent)
    np.testing.assert_allclose(L.T @ L, A, **CLOSE)
    np.testing.assert_array_equal(L[~on_path(parent)], 0.0)
    for b in right_sides(A):
        x = solve_lower(L, solve_lower_transposed(L, b))
        np.testing.assert_allclose(x, np.linalg.solve(A, b), **CLOSE)


def test_ltl_refuses_indefinite_matrices():
    """Check that a pivot that is not positive is named."""
    with pytest.raises(np.linalg.LinAlgError, match="pivot 1 must be positive"):
        ltl(np.array([[1.0, 0.0], [0.0, -2.0]]), [-1, 0])


@law(trees())
def test_solves_agree_with_numpy(tree):
    """Solve for vectors and matrices with each factorisation."""
    parent, A = tree
    for b in right_sides(A):
        expected = np.linalg.solve(A, b)
        np.testing.assert_allclose(cholesky_solve(cholesky(A), b), expected, **CLOSE)
        np.testing.assert_allclose(ldl_solve(*ldl(A), b), expected, **CLOSE)
        np.testing.assert_allclose(ltdl_solve(*ltdl(A, parent), parent, b), expected, **CLOSE)


@law(definite())
def test_triangular_solves_agree_with_numpy(A):
    """Solve with a triangle, its transpose, and ones on the diagonal; the rest is not read."""
    for L in (np.tril(A), np.tril(A, -1) + np.eye(len(A))):
        for b in right_sides(A):
            above = L + np.triu(np.full_like(A, 9.0), 1)
            np.testing.assert_allclose(solve_lower(above, b), np.linalg.solve(L, b), **CLOSE)
            x = solve_lower_transposed(above, b)
            np.testing.assert_allclose(x, np.linalg.solve(L.T, b), **CLOSE)


@law(trees())
def test_expressions_give_the_same_solutions(tree):
    """Factorise a matrix of symbols, give them numbers, and compare with NumPy."""
    parent, A = tree
    full, symbols, numbers = symbolic(A)
    b = np.arange(1.0, len(A) + 1)
    solutions = [
        cholesky_solve(cholesky(full), b),
        ldl_solve(*ldl(full), b),
        ltdl_solve(*ltdl(full, parent), parent, b),
    ]
    expected = np.tile(np.linalg.solve(A, b), (3, 1))
    np.testing.assert_allclose(evaluate(solutions, symbols, numbers), expected, **CLOSE)


def counts(full, outputs):
    distinct = {e.serial: e for e in full.ravel() if e is not ZERO}
    inputs = np.array(list(distinct.values()), dtype=object)
    return verify(build({"A": inputs}, {"y": outputs})).counts


def full_tree(parent):
    """Return the matrix of symbols that is not 0 wherever the tree allows."""
    pattern = on_path(parent)
    return symbolic(np.where(pattern | pattern.T, 1.0, 0.0))[0]


def expected_costs(parent):
    """Return n, D1 and D2 of a tree (the depth of a row is how many entries it has)."""
    depth = on_path(parent).sum(axis=1)
    return len(parent), sum(depth - 1), sum(depth * (depth - 1) // 2)


@law(SIZES.flatmap(lambda n: st.tuples(*[st.integers(-1, i - 1) for i in range(n)])))
def test_ltdl_costs_what_the_formulas_say(parent):
    """Count the operations of the factorisation alone, and with one solve."""
    n, D1, D2 = expected_costs(parent)
    full = full_tree(parent)
    L, d_inverse = ltdl(full, parent)
    assert counts(full, [*L.ravel(), *d_inverse]) == _nonzero(DIV=n, MUL=D1 + D2, SUB=D2)
    b = symbol_array("b", n)
    solved = counts(np.append(full, b), ltdl_solve(L, d_inverse, parent, b))
    assert solved == _nonzero(DIV=n, MUL=3 * D1 + D2 + n, SUB=2 * D1 + D2)


def _nonzero(**by_name):
    return {Op[name]: n for name, n in by_name.items() if n}


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_a_chain_costs_as_much_as_a_full_matrix(n):
    """Compare both factorisations on a full matrix, and with the closed form."""
    chain = list(range(-1, n - 1))
    full = full_tree(chain)
    dense, sparse = ldl(full), ltdl(full, chain)
    expected = _nonzero(DIV=n, MUL=n * (n - 1) // 2 + (n**3 - n) // 6, SUB=(n**3 - n) // 6)
    for L, d_inverse in (dense, sparse):
        assert counts(full, [*L.ravel(), *d_inverse]) == expected
    root = cholesky(full)
    with_roots = counts(full, [*root.ravel(), *(1 / np.diag(root))])
    assert with_roots == {**expected, Op.SQRT: n}


def test_branches_cost_less_than_a_chain():
    """Compare a star and two arms with a chain of as many rows, and with plain ldl."""
    chain, star, arms = [-1, 0, 1, 2, 3, 4], [-1, 0, 0, 0, 0, 0], [-1, 0, 1, -1, 3, 4]
    total = {}
    for name, parent in (("chain", chain), ("star", star), ("arms", arms)):
        full = full_tree(parent)
        L, d_inverse = ltdl(full, parent)
        total[name] = sum(counts(full, [*L.ravel(), *d_inverse]).values())
    assert total["star"] < total["arms"] < total["chain"]
    full = full_tree(star)
    L, d_inverse = ldl(full)  # from the root, everything fills in
    assert sum(counts(full, [*L.ravel(), *d_inverse]).values()) > total["star"]


def test_factor_and_solve_invert_each_pivot_once():
    """Count the divisions of a Cholesky factorisation with its solve."""
    full = full_tree([-1, 0, 1, 2])
    assert counts(full, cholesky_solve(cholesky(full), np.ones(4)))[Op.DIV] == 4


def test_zeros_on_the_right_cost_nothing():
    """Solve a chain for the unit vectors at its ends."""
    parent = [-1, 0, 1, 2]
    full = full_tree(parent)
    L, d_inverse = ltdl(full, parent)
    factor = sum(counts(full, [*L.ravel(), *d_inverse]).values())
    first, last = (ltdl_solve(L, d_inverse, parent, np.eye(4)[k]) for k in (0, 3))
    n_first, n_last = (sum(counts(full, x).values()) for x in (first, last))
    assert n_first < n_last < factor + 2 * 6 + 4 + 2 * 6


@pytest.mark.parametrize(
    ("factorise", "A", "message"),
    [
        (cholesky, np.diag([1.0, -2.0]), "pivot 1 must be positive, got -2"),
        (cholesky, np.array([[1.0, 2.0], [2.0, 4.0]]), "pivot 1 must be positive, got 0"),
        (cholesky, np.array([[np.nan]]), "pivot 0"),
        (cholesky, np.array([[symbol("x"), 0.0], [0.0, constant(-1)]]), "pivot 1"),
        (ldl, np.array([[0.0, 1.0], [1.0, 0.0]]), "pivot 0 must be not 0"),
        (ldl, np.array([[np.inf]]), "pivot 0"),
        (lambda A: ltdl(A, [-1, 0]), np.ones((2, 2)), "pivot 0"),
        (lambda A: ltdl(A, [-1]), np.array([[ZERO]]), "pivot 0"),
    ],
)
def test_bad_pivots_are_named(factorise, A, message):
    """Factorise matrices that are not positive definite, or singular."""
    with pytest.raises(np.linalg.LinAlgError, match=message):
        factorise(A)


def test_ldl_takes_indefinite_matrices():
    """Factorise a matrix with pivots of both signs, as constrained systems have."""
    A = np.array([[2.0, 1.0], [1.0, -3.0]])
    np.testing.assert_allclose(ldl_solve(*ldl(A), A @ [1.0, 2.0]), [1.0, 2.0])


def test_wrong_shapes_are_refused():
    """Give matrices, parents and right sides that do not fit."""
    with pytest.raises(ShapeError, match="square"):
        cholesky(np.ones((2, 3)))
    for parent in ([-1], [-1, 1], [0, -1], [-2, -1]):
        with pytest.raises(ShapeError, match="2 parents"):
            ltdl(np.eye(2), parent)
    with pytest.raises(ShapeError, match="2 rows"):
        solve_lower(np.eye(2), np.ones(4))


def test_integers_become_floats_and_complex_numbers_stay():
    """Solve with whole numbers, and take a complex step through a solve."""
    assert cholesky(np.array([[9]])).dtype == float
    A = np.array([[4.0, 1.0], [1.0, 3.0]], dtype=complex)
    A[0, 0] += 1e-30j
    b = np.array([1.0, 2.0])
    slope = np.imag(ldl_solve(*ldl(A), b)) / 1e-30
    inverse = np.linalg.inv(A.real)
    np.testing.assert_allclose(slope, -inverse[:, 0] * (inverse[0] @ b))
    np.testing.assert_allclose(np.imag(cholesky_solve(cholesky(A), b)) / 1e-30, slope)


def test_empty_systems_have_empty_solutions():
    """Factorise and solve nothing, as a mechanism without joints asks."""
    empty = np.zeros((0, 0))
    assert ltdl_solve(*ltdl(empty, []), [], np.zeros(0)).shape == (0,)
    assert cholesky_solve(cholesky(empty), np.zeros((0, 2))).shape == (0, 2)


def test_programs_of_a_solve_run():
    """Lay out a whole solve as a program and run it."""
    A = np.array([[4.0, 1.0], [1.0, 3.0]])
    M, b = symbol_array("M", (2, 2)), symbol_array("b", 2)
    program = build({"M": M, "b": b}, {"x": ldl_solve(*ldl(M), b)})
    np.testing.assert_allclose(A @ run(program, A, [1.0, 2.0]), [1.0, 2.0])
