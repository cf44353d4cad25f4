"""The six numbers of a small pose error."""

import numpy as np
import pytest
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from poinsot.expr import jacobian
from poinsot.spatial import Transform, axis_angle, mismatch, skew
from tests.spatial.strategies import for_all, transforms, units, vectors
from tests.spatial.tracing import traced


@for_all(units(3), st.floats(0.0, 3.14), vectors(3))
def test_mismatch_is_offset_and_turn(axis, angle, p):
    """Check the definition, from no turn to nearly half a one."""
    expected = np.concatenate([p, 2.0 * np.sin(angle / 2) * axis])
    assert_allclose(mismatch(Transform(axis_angle(axis, angle), p)), expected, atol=1e-13)


@for_all(units(3), st.floats(-1e-7, 1e-7))
def test_half_a_turn_is_finite(axis, little):
    """Check length and line of the angular part where its direction may be either."""
    turn = mismatch(Transform.rotation(axis_angle(axis, np.pi + little)))[3:]
    assert_allclose(turn @ turn, 4.0, atol=1e-13)
    assert_allclose(np.cross(turn, axis), 0.0, atol=1e-13)


@pytest.mark.parametrize("axis", np.eye(3))
def test_exactly_half_a_turn(axis):
    """Check half turns about the coordinate axes, where w is zero to the last bit."""
    half = Transform.rotation(2.0 * np.outer(axis, axis) - np.eye(3))
    assert_allclose(np.abs(mismatch(half)), [0, 0, 0, *(2.0 * axis)], atol=0)


@for_all(vectors(6))
def test_rate_at_the_identity_is_the_velocity(V):
    """Differentiate along R = 1 + t skew(w), p = t v, exactly to first order."""

    def rate(t):
        X = Transform(np.eye(3) + t[0] * skew(V[3:]), t[0] * V[:3])
        return jacobian(mismatch(X), t)[:, 0]

    assert_allclose(traced(rate, np.zeros(1)), V, atol=1e-14)


@for_all(transforms)
def test_symbols_give_the_same_as_numbers(X):
    """Run the graph on numbers."""
    found = traced(lambda R, p: mismatch(Transform(R, p)), X.R, X.p)
    assert_allclose(found, mismatch(X), atol=1e-14)
