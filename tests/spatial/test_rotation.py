import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from poinsot.errors import ModelError
from poinsot.expr import as_expr, symbol
from poinsot.spatial import (
    angle_about,
    angle_between,
    axis_angle,
    euler_to_matrix,
    rotation_x,
    rotation_y,
    rotation_z,
    rpy_to_matrix,
    skew,
)
from tests.spatial.strategies import (
    angles,
    assert_equal_to_rounding,
    complex_step,
    for_all,
    rotations,
    units,
    vectors,
)
from tests.spatial.tracing import assert_traces

ATOL = 1e-14
"""Entries are at most 1; a product of three matrices loses a few units in the last place."""

COORDINATE_AXES = [
    (rotation_x, (1.0, 0.0, 0.0)),
    (rotation_y, (0.0, 1.0, 0.0)),
    (rotation_z, (0.0, 0.0, 1.0)),
]
sequences = st.text("xyz", min_size=3, max_size=3)


@for_all(vectors(3), vectors(3))
def test_skew_is_the_cross_product(r, x):
    """Compare with NumPy's cross product."""
    assert_equal_to_rounding(skew(r) @ x, np.cross(r, x))


@for_all(vectors(3), rotations)
def test_skew_turns_with_the_axes(r, R):
    """Check skew(R r) = R skew(r) Rᵀ."""
    assert_equal_to_rounding(skew(R @ r), R @ skew(r) @ R.T)


@for_all(units(3), angles)
def test_axis_angle_is_a_rotation(axis, angle):
    """Check orthogonality, the determinant, the fixed axis and the trace."""
    R = axis_angle(axis, angle)
    assert_allclose(R @ R.T, np.eye(3), atol=ATOL)
    assert_allclose(np.linalg.det(R), 1.0, atol=ATOL)
    assert_allclose(R @ axis, axis, atol=ATOL)
    assert_allclose(np.trace(R), 1.0 + 2.0 * np.cos(angle), atol=ATOL)


@for_all(units(3), angles)
def test_axis_angle_agrees_with_scipy(axis, angle):
    """Compare with SciPy's rotation vector."""
    expected = Rotation.from_rotvec(angle * axis).as_matrix()
    assert_allclose(axis_angle(axis, angle), expected, atol=ATOL)


@for_all(units(3), angles, angles)
def test_turns_about_one_axis_add(axis, first, second):
    """Check that the turns about one axis are a one-parameter group."""
    product = axis_angle(axis, first) @ axis_angle(axis, second)
    assert_allclose(product, axis_angle(axis, first + second), atol=ATOL)


@for_all(units(3), angles)
def test_axis_is_the_angular_velocity(axis, angle):
    """Check dR/dangle = skew(axis) R by a complex step."""
    derivative = complex_step(lambda t: axis_angle(axis, angle + t))
    assert_allclose(derivative, skew(axis) @ axis_angle(axis, angle), atol=ATOL)


@pytest.mark.parametrize(("rotation", "axis"), COORDINATE_AXES)
@for_all(angle=angles)
def test_coordinate_axes_are_special_cases(rotation, axis, angle):
    """Compare each coordinate rotation with the general one."""
    assert_allclose(rotation(angle), axis_angle(axis, angle), atol=ATOL)


@pytest.mark.parametrize(("rotation", "axis"), COORDINATE_AXES)
def test_coordinate_axes_fold_on_symbols(rotation, axis):
    """Check that the general formula costs nothing more: the nodes are the same."""
    angle = symbol("angle")
    general = axis_angle(axis, angle).ravel()
    special = rotation(angle).ravel()
    assert all(as_expr(a) is as_expr(b) for a, b in zip(general, special, strict=True))


@for_all(vectors(3))
def test_rpy_turns_about_fixed_axes(rpy):
    """Compare with the axis-angle product and with SciPy's extrinsic angles."""
    R = rpy_to_matrix(rpy)
    x, y, z = np.eye(3)
    product = axis_angle(z, rpy[2]) @ axis_angle(y, rpy[1]) @ axis_angle(x, rpy[0])
    assert_allclose(R, product, atol=ATOL)
    assert_allclose(R, _scipy_euler("xyz", rpy), atol=ATOL)


@for_all(sequences, vectors(3))
def test_euler_turns_about_moving_axes(sequence, turns):
    """Check that each turn is about an axis already turned by those before it."""
    moving = np.eye(3)
    for letter, angle in zip(sequence, turns, strict=True):
        moving = axis_angle(moving[:, "xyz".index(letter)], angle) @ moving
    assert_allclose(euler_to_matrix(sequence, turns), moving, atol=ATOL)


@for_all(units(3), st.floats(-np.pi, np.pi))
def test_angle_about_undoes_axis_angle(axis, angle):
    """Check the inverse; the two ends of the range are one rotation."""
    found = angle_about(axis, axis_angle(axis, angle))
    assert abs(found) <= np.pi
    assert_allclose([np.cos(found), np.sin(found)], [np.cos(angle), np.sin(angle)], atol=ATOL)


@for_all(units(3), rotations, angles)
def test_angle_about_is_that_of_the_nearest_rotation(axis, R, other):
    """Check that no other angle about the axis comes nearer."""
    nearest = np.linalg.norm(R - axis_angle(axis, angle_about(axis, R)))
    assert nearest <= np.linalg.norm(R - axis_angle(axis, other)) + ATOL


@for_all(units(3), units(3), st.floats(-3.1, 3.1), st.floats(0.1, 10.0))
def test_angle_between_undoes_a_turn(axis, start, angle, length):
    """Turn a vector and shift it along the axis: neither shift nor length matter."""
    assume(np.linalg.norm(np.cross(axis, start)) > 0.1)
    end = length * (axis_angle(axis, angle) @ start) + length * axis
    assert_allclose(angle_between(axis, start, end), angle, atol=1e-11)


@for_all(sequences.filter(lambda s: s[0] != s[1] != s[2]), vectors(3))
def test_euler_agrees_with_scipy(sequence, turns):
    """Compare with SciPy's intrinsic angles, which upper case stands for there."""
    R = euler_to_matrix(sequence, turns)
    assert_allclose(R, _scipy_euler(sequence.upper(), turns), atol=ATOL)


@for_all(vectors(3))
def test_euler_backwards_is_rpy(rpy):
    """Check that fixed axes are moving axes in the opposite order."""
    assert_allclose(euler_to_matrix("ZYX", rpy[::-1]), rpy_to_matrix(rpy), atol=ATOL)


@pytest.mark.parametrize(("sequence", "turns"), [("zxw", [0, 0, 0]), ("zx", [0]), ("", [])])
def test_euler_refuses_what_it_cannot_read(sequence, turns):
    """Check the error for a wrong letter, a missing angle and nothing at all."""
    with pytest.raises(ModelError, match=f"got {sequence!r} and {len(turns)} angles"):
        euler_to_matrix(sequence, turns)


@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (skew, [3]),
        (lambda x: axis_angle(x[:3], x[3]), [4]),
        (rpy_to_matrix, [3]),
        (lambda x: euler_to_matrix("zxz", x), [3]),
        (angle_about, [3, (3, 3)]),
        (angle_between, [3, 3, 3]),
    ],
)
def test_rotations_trace(function, shapes):
    """Compare numbers with symbols."""
    assert_traces(function, *shapes)


def _scipy_euler(sequence, turns):
    return Rotation.from_euler(sequence, turns).as_matrix()
