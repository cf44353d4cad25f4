"""The order of elimination, and factors of matrices of any rank."""

from itertools import pairwise

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from poinsot.expr.gram import Candidates, factored
from poinsot.expr.least_squares import limits
from poinsot.expr.linalg import solve_lower
from poinsot.expr.rank_tolerances import DEPENDENT
from poinsot.formulations.constrained.elimination_order import elimination


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 25), density=st.floats(0.0, 0.5))
def test_later_neighbours_are_the_pattern_of_the_factor(seed, n, density):
    """Eliminate a matrix of this pattern in this order: entries appear where expected."""
    rng = np.random.default_rng(seed)
    A = np.tril(rng.random((n, n)) < density, -1)
    A = A | A.T
    order = elimination([set(np.flatnonzero(row).tolist()) for row in A])
    assert sorted(k for k, _ in order) == list(range(n))
    A = A | np.eye(n, dtype=bool)
    left = set(range(n))
    for k, later in order:
        left.remove(k)
        own = sorted(left & set(np.flatnonzero(A[k]).tolist()))
        assert sorted(later) == own
        A[np.ix_(own, own)] = True


def test_a_chain_stays_a_chain():
    """No new pairs where each interacts with the next only, however they are numbered."""
    numbers = np.random.default_rng(0).permutation(200).tolist()
    neighbours = [set() for _ in numbers]
    for i, j in pairwise(numbers):
        neighbours[i].add(j)
        neighbours[j].add(i)
    assert sum(len(later) for _, later in elimination(neighbours)) == 199


def factor(A, diagonal, largest, noise=None):
    """Return L and the inverted pivots of a block whose rows keep their order."""
    m = len(A)
    least = limits(diagonal.tolist(), largest, DEPENDENT)
    rows = Candidates(list(range(m)), least, [k + 1 for k in range(m)], largest)
    lower = [row[: k + 1] for k, row in enumerate(A.tolist())]
    inherited = [0.0] * m if noise is None else noise.tolist()
    found = factored(lower, diagonal.tolist(), inherited, rows)
    L = np.eye(m)
    L[np.tril_indices(m, -1)] = [x for row in found.L for x in row]
    return L, np.array(found.inverse, float)


def panel(A, L, inverse):
    """Return A L⁻ᵀ, and the block of the factor below, A L⁻ᵀ D⁻¹."""
    P = solve_lower(L, A.T).T
    return P, P * inverse


@given(
    seed=st.integers(0, 2**32 - 1), m=st.integers(1, 6), n=st.integers(1, 6), rank=st.integers(0, 8)
)
def test_block_factor_of_any_rank(seed, m, n, rank):
    """Two blocks of a matrix of a known rank: the factors give it back, with so many pivots."""
    rng = np.random.default_rng(seed)
    B = rng.standard_normal((m + n, rank)) * 10.0 ** rng.uniform(-2, 2, (m + n, 1))
    unit = B / np.linalg.norm(B, axis=1, keepdims=True) if rank else B
    first = unit[: min(rank, m + n)]  # those that are kept, not too near to each other
    assume(not len(first) or np.linalg.svd(first, compute_uv=False)[-1] > 0.05)
    G = B @ B.T
    largest = np.diag(G).max(initial=0.0)
    L1, d1 = factor(G[:m, :m], np.diag(G)[:m], largest)
    P, below = panel(G[m:, :m], L1, d1)
    L2, d2 = factor(G[m:, m:] - below @ P.T, np.diag(G)[m:], largest)
    inverted = np.concatenate([d1, d2])
    assert np.count_nonzero(inverted) == min(rank, m + n)
    L = np.block([[L1, np.zeros((m, n))], [below, L2]])
    pivots = np.where(inverted > 0, 1 / np.where(inverted > 0, inverted, 1), 0)
    scale = np.sqrt(np.outer(np.diag(G), np.diag(G)))
    assert_allclose(L * pivots @ L.T, G, atol=1e-9 * scale.max(initial=1.0), rtol=0)


@given(seed=st.integers(0, 2**32 - 1), angle=st.floats(1e-5, 1e-3))
def test_rounding_of_nearly_parallel_rows_is_no_pivot(seed, angle):
    """A row in the plane of two that are nearly parallel inherits their rounding, and depends.

    Its factors are as large as the angle is small, so rounding is above the plain tolerance.
    """
    rng = np.random.default_rng(seed)
    R, _ = np.linalg.qr(rng.standard_normal((6, 6)))
    rows = np.array([R[0], np.cos(angle) * R[0] + np.sin(angle) * R[1], R[1], R[2]])
    G, squares = rows @ rows.T, np.sum(rows * rows, axis=1)
    _, together = factor(G, squares, squares.max())
    assert np.array_equal(together > 0.0, [True, True, False, True])
    L, first = factor(G[:2, :2], squares[:2], squares.max())
    P, below = panel(G[2:, :2], L, first)
    noise = (below * below) @ squares[:2]
    _, second = factor(G[2:, 2:] - below @ P.T, squares[2:], squares.max(), noise)
    assert np.array_equal(second > 0.0, [False, True])
