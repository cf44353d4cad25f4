"""Whether mass matrices are singular, on matrices whose null vector is known."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from poinsot.expr.rank_tolerances import SINGULAR_MASS
from poinsot.expr.singularity import (
    constraint_weight,
    regular_factor,
    scaled_to_ones,
    singular_velocity,
    unheld_velocity,
)
from tests.random_examples import examples

seeds = st.integers(0, 2**32 - 1)


def semidefinite(rng, n, missing):
    """Return a matrix of rank n - missing in units that differ by many orders."""
    rows = rng.standard_normal((n - missing, n))
    units = 10.0 ** rng.uniform(-6, 6, n)
    return units[:, None] * (rows.T @ rows) * units


@settings(max_examples=examples(48))
@given(seeds, st.integers(2, 12), st.booleans())
def test_units_do_not_matter(seed, n, singular):
    """Scale velocities by anything: the verdict is that of the rank."""
    M = semidefinite(np.random.default_rng(seed), n, int(singular))
    scaled, _ = scaled_to_ones(M)
    if not singular and np.linalg.eigvalsh(scaled)[0] < 1e3 * SINGULAR_MASS:
        return
    assert (singular_velocity(M) is not None) is singular
    L = regular_factor(M)
    assert (L is None) is singular
    if L is not None:
        np.testing.assert_allclose(scaled_to_ones(L @ L.T)[0], scaled, atol=1e-12)


@settings(max_examples=examples(24))
@given(seeds, st.integers(2, 8), st.integers(0, 7))
def test_the_velocity_without_mass_is_named(seed, n, k):
    """Take one velocity out of a regular matrix."""
    rows = np.random.default_rng(seed).standard_normal((n, n))
    M = np.eye(n) + rows.T @ rows
    k %= n
    M[k], M[:, k] = 0.0, 0.0
    assert singular_velocity(M) == k


def test_the_tolerance_is_that_of_a_diagonal_of_ones():
    """Put the smallest eigenvalue on either side of the tolerance."""
    for part, found in ((0.5, True), (2.0, False)):
        off = 1.0 - part * SINGULAR_MASS
        M = np.array([[1e8, 1e4 * off], [1e4 * off, 1.0]])
        assert (singular_velocity(M) is not None) is found
        assert (regular_factor(M) is None) is found


def test_nothing_is_regular():
    """Ask a matrix without entries."""
    assert singular_velocity(np.zeros((0, 0))) is None


def test_constraints_make_up_for_missing_mass():
    """Hold the one velocity without mass, whatever the size of the rows."""
    M = np.diag([5.0, 0.0])
    for length in (1e-6, 1.0, 1e6):
        assert unheld_velocity(M, np.array([[0.0, length]])) is None
    assert unheld_velocity(M, np.array([[1.0, 0.0]])) == 1
    assert constraint_weight(np.zeros((2, 2)), np.eye(2)) == 1.0
