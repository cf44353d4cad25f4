import numpy as np
import pytest
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from poinsot.spatial import (
    axis_angle,
    matrix_to_quaternion,
    quaternion_conjugate,
    quaternion_product,
    quaternion_rate,
    quaternion_to_matrix,
    skew,
)
from tests.spatial.strategies import (
    assert_equal_to_rounding,
    complex_step,
    for_all,
    rotations,
    units,
    vectors,
)
from tests.spatial.tracing import assert_traces, traced

ATOL = 1e-14
"""Entries are at most 1; a few products and sums lose a few units in the last place."""

quaternions = units(4)


@for_all(quaternions)
def test_matrix_agrees_with_scipy(quat):
    """Compare with SciPy, which puts the scalar part last."""
    expected = Rotation.from_quat(np.roll(quat, -1)).as_matrix()
    assert_allclose(quaternion_to_matrix(quat), expected, atol=ATOL)


@for_all(quaternions, quaternions)
def test_product_is_the_product_of_rotations(left, right):
    """Check the homomorphism R(left right) = R(left) R(right)."""
    product = quaternion_to_matrix(quaternion_product(left, right))
    assert_allclose(product, quaternion_to_matrix(left) @ quaternion_to_matrix(right), atol=ATOL)


@for_all(vectors(4), vectors(4), vectors(4))
def test_product_is_associative(a, b, c):
    """Check (a b) c = a (b c), and that lengths multiply."""
    ab = quaternion_product(a, b)
    right = quaternion_product(a, quaternion_product(b, c))
    assert_equal_to_rounding(quaternion_product(ab, c), right)
    assert_equal_to_rounding(ab @ ab, (a @ a) * (b @ b))


@for_all(quaternions)
def test_conjugate_is_the_inverse(quat):
    """Check the inverse both as a quaternion and as a matrix."""
    inverse = quaternion_conjugate(quat)
    assert_allclose(quaternion_product(quat, inverse), [1, 0, 0, 0], atol=ATOL)
    assert_allclose(quaternion_to_matrix(inverse), quaternion_to_matrix(quat).T, atol=ATOL)


@for_all(quaternions, vectors(3))
def test_sandwich_turns_vectors(quat, v_B):
    """Check v_A = q (0, v_B) q*, the meaning of the quaternion."""
    sandwich = quaternion_product(quaternion_product(quat, [0.0, *v_B]), quaternion_conjugate(quat))
    assert_equal_to_rounding(sandwich, [0.0, *(quaternion_to_matrix(quat) @ v_B)])


@for_all(rotations)
def test_matrix_and_quaternion_are_inverse(R):
    """Check the way there and back, the length and the sign."""
    quat = matrix_to_quaternion(R)
    assert quat[0] >= 0.0
    assert_allclose(quat @ quat, 1.0, atol=ATOL)
    assert_allclose(quaternion_to_matrix(quat), R, atol=ATOL)


@for_all(units(3), st.floats(-1e-7, 1e-7), st.sampled_from([0.0, np.pi / 2, np.pi]))
def test_no_digits_are_lost_at_special_angles(axis, little, angle):
    """Check the hard cases of the inverse: near no turn, and near a half turn about any axis."""
    R = axis_angle(axis, angle + little)
    assert_allclose(quaternion_to_matrix(matrix_to_quaternion(R)), R, atol=ATOL)


@pytest.mark.parametrize("largest", range(4))
def test_each_row_is_right_where_it_is_chosen(largest):
    """Check the inverse where each of the four entries is the largest one."""
    quat = np.array([0.4, -0.3, 0.2, 0.1])
    quat[largest] = 3.0
    quat /= np.linalg.norm(quat)
    assert_allclose(matrix_to_quaternion(quaternion_to_matrix(quat)), quat, atol=ATOL)


@for_all(rotations)
def test_inverse_traces(R):
    """Compare numbers with symbols, whichever row the values choose."""
    assert_allclose(traced(matrix_to_quaternion, R), matrix_to_quaternion(R), atol=ATOL)


@for_all(quaternions, vectors(3))
def test_rate_turns_the_matrix(quat, omega):
    """Check dR/dt = R skew(omega), omega in the body, by a complex step along the rate."""
    rate = quaternion_rate(quat, omega)
    derivative = complex_step(lambda t: quaternion_to_matrix(quat + t * rate))
    assert_equal_to_rounding(derivative, quaternion_to_matrix(quat) @ skew(omega))


@for_all(vectors(4), vectors(3))
def test_rate_keeps_the_length(quat, omega):
    """Check that the rate is perpendicular to the quaternion, of whatever length."""
    assert_equal_to_rounding(quat @ quaternion_rate(quat, omega), 0.0)


@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (quaternion_to_matrix, [4]),
        (quaternion_product, [4, 4]),
        (quaternion_conjugate, [4]),
        (quaternion_rate, [4, 3]),
    ],
)
def test_quaternions_trace(function, shapes):
    """Compare numbers with symbols."""
    assert_traces(function, *shapes)
