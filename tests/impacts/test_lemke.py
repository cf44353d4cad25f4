"""Linear complementarity, and friction in polyhedral cones, held against their own conditions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from poinsot.impacts.lemke import complementary
from poinsot.impacts.polyhedral_friction import polyhedral_impulses
from tests.random_examples import examples


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_what_is_found_is_complementary(seed, n):
    """Positive definite matrices, not symmetric: there is a solution for every q."""
    rng = np.random.default_rng(seed)
    A, B = rng.normal(size=(2, n, n))
    M, q = A @ A.T + 0.1 * np.eye(n) + B - B.T, rng.normal(size=n)
    z = complementary(M, q)
    w = M @ z + q
    size = 1.0 + np.abs(M).max() * np.abs(z).max()
    assert z.min() >= 0.0
    assert w.min() >= -1e-10 * size
    assert_allclose(z * w, 0.0, atol=1e-10 * size * (1.0 + z.max()))


@pytest.mark.parametrize("M", [[[0.0]], [[-1.0]], [[0.0, -1.0], [1.0, 0.0]]])
def test_where_there_is_none_nothing_is_told(M):
    """z ≥ 0 and M z - 1 ≥ 0 contradict each other."""
    assert complementary(np.array(M), -np.ones(len(M))) is None


def test_a_mass_point_slides_along_an_edge_of_its_cone():
    """It falls obliquely: μ times the impulse against the slip, or it sticks."""
    K, given = np.eye(3) / 2.0, np.zeros(1)
    for mu, expected in ((0.25, 3.0 - 0.25), (5.0, 0.0)):
        opening = np.array([[-1.0, 0.0, 0.0]])
        angle = 2.0 * np.pi * np.sin(1.0) / 8  # of the first edge
        opening[0, 1:] = 3.0 * np.cos(angle), 3.0 * np.sin(angle)
        P = polyhedral_impulses(K, opening, given, np.array([mu]), edges=8)
        after = opening + P @ K
        assert_allclose(after[0, 0], 0.0, atol=1e-12)
        assert_allclose(np.hypot(*after[0, 1:]), expected, atol=1e-12)
