"""All roots of polynomials that are linear in two groups of unknowns each."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import eig

from poinsot.formulations.composable.bilinear_roots import bilinear_roots, path_count
from tests.random_examples import examples


def hermitian(seed, k):
    """Return random coefficients, each matrix its own conjugate transpose."""
    rng = np.random.default_rng(seed)
    Q = rng.normal(size=(2 * k, k + 1, k + 1)) + 1j * rng.normal(size=(2 * k, k + 1, k + 1))
    return Q + Q.conj().transpose(0, 2, 1)


def with_one(x):
    return np.hstack([x, np.ones((len(x), 1))])


@given(st.integers(0, 10**6), st.integers(1, 4))
@settings(max_examples=examples(20), deadline=None)
def test_random_equations_have_the_number_of_roots_of_their_degrees(seed, k):
    """Check the bound of Bézout for two groups, residuals, and that no two roots are one."""
    Q = hermitian(seed, k)
    roots = bilinear_roots(Q)
    assert (len(roots.s), roots.at_infinity, roots.failed) == (comb(2 * k, k), 0, 0)
    assert path_count(k) == comb(2 * k, k)
    s, t = with_one(roots.s), with_one(roots.t)
    terms = np.abs(np.einsum("na,iab,nb->ni", s, Q, t))
    sizes = np.einsum("na,iab,nb->ni", np.abs(s), np.abs(Q), np.abs(t))
    assert np.all(terms < 1e-13 * sizes)
    both = np.hstack([roots.s, roots.t])
    apart = np.max(np.abs(both[:, None] - both), axis=-1) + np.eye(len(both))
    assert np.min(apart) > 1e-7


@given(st.integers(0, 10**6))
@settings(max_examples=examples(20), deadline=None)
def test_two_equations_are_a_pencil_of_matrices(seed):
    """Check roots against eigenvalues: Q_1 θ and Q_2 θ are parallel, and σ normal to both."""
    Q = hermitian(seed, 1)
    _, vectors = eig(Q[0], Q[1])
    expected = vectors[0] / vectors[1]
    t = bilinear_roots(Q).t[:, 0]
    assert np.allclose(np.sort_complex(t), np.sort_complex(expected), rtol=1e-9)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_missing_terms_send_roots_to_infinity(k):
    """Check equations without products: they are linear, and have one root."""
    Q = hermitian(k, k)
    Q[:, :k, :k] = 0.0
    roots = bilinear_roots(Q)
    assert (len(roots.s), roots.failed) == (1, 0)
    matrix = np.hstack([Q[:, :k, k], Q[:, k, :k]])
    expected = np.linalg.solve(matrix, -Q[:, k, k])
    assert np.allclose(np.hstack([roots.s[0], roots.t[0]]), expected)


def test_both_paths_come_to_a_double_root():
    """Check (t - 1)(s - 1) = 0 and s + t = 2, whose roots are both s = t = 1."""
    Q = np.array([[[1.0, -1.0], [-1.0, 1.0]], [[0.0, 1.0], [1.0, -2.0]]], complex)
    roots = bilinear_roots(Q)
    assert (len(roots.s), roots.at_infinity, roots.failed) == (2, 0, 0)
    assert not np.any(roots.is_regular)
    assert np.allclose([roots.s, roots.t], 1.0, atol=1e-5)
