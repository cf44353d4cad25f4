"""Each joint against its line in the table of the file format."""

import numpy as np
import pytest

from poinsot.model import (
    Cylindrical,
    Euler,
    Free,
    Helical,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Translation,
    Universal,
)
from poinsot.spatial import axis_angle, rotation_x, rotation_y, rotation_z

HALF = np.sqrt(0.5)


def test_revolute_turns_right_handed() -> None:
    """Take x to y by a quarter turn about z; keep the axis as a unit tuple."""
    X = Revolute().transform(np.array([np.pi / 2]))
    np.testing.assert_allclose(X.R @ [1, 0, 0], [0, 1, 0], atol=1e-15)
    assert Revolute((0, 2, 0)).axis == (0.0, 1.0, 0.0)
    assert Revolute((0, 2, 0)) == Revolute("y")


def test_prismatic_moves_along_its_axis() -> None:
    """Offset by q along the unit axis."""
    X = Prismatic((0, 3, 4)).transform(np.array([5.0]))
    np.testing.assert_allclose(X.p, [0, 3, 4], atol=1e-14)
    assert np.array_equal(X.R, np.eye(3))


def test_helical_pitch_is_metres_per_radian() -> None:
    """Move by pitch times angle along the axis, and turn about it; 2 pi pitch in one turn."""
    joint = Helical((0, 3, 4), 0.1)
    X = joint.transform(np.array([2 * np.pi]))
    np.testing.assert_allclose(X.p, 0.2 * np.pi * np.array([0, 0.6, 0.8]), atol=1e-15)
    np.testing.assert_allclose(X.R, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(joint.motion_subspace(np.zeros(1))[:, 0] @ np.ones(6), 1.1 * 1.4)


def test_cylindrical_slides_first() -> None:
    """Take q as [offset, angle]."""
    X = Cylindrical("x").transform(np.array([3.0, np.pi / 2]))
    np.testing.assert_array_equal(X.p, [3, 0, 0])
    np.testing.assert_allclose(X.R @ [0, 1, 0], [0, 0, 1], atol=1e-15)


def test_universal_axes_are_fixed_on_either_side() -> None:
    """Turn about an axis of J by the first rate alone, about one of B by the second alone."""
    joint, q = Universal((1, 2, 2), (1, 0, 1)), np.array([0.7, -1.1])
    R, S = joint.transform(q).R, joint.motion_subspace(q)[3:]
    np.testing.assert_allclose(R @ S[:, 0], joint.axis, atol=1e-15)
    np.testing.assert_array_equal(S[:, 1], joint.axis2)
    expected = axis_angle(joint.axis, 0.7) @ axis_angle(joint.axis2, -1.1)
    np.testing.assert_allclose(R, expected, atol=1e-15)


def test_planar_offsets_are_in_joint_axes() -> None:
    """Move along axes of J at unit rates, however the body is turned, about their normal."""
    joint, q = Planar("z", "x"), np.array([1.0, 2.0, 0.8])
    X, S = joint.transform(q), joint.motion_subspace(q)
    np.testing.assert_array_equal(X.p, [2, 0, 1])
    np.testing.assert_allclose(X.R, rotation_y(0.8), atol=1e-15)
    np.testing.assert_allclose(X.R @ S[:3], [[0, 1, 0], [0, 0, 0], [1, 0, 0]], atol=1e-15)


def test_planar_axes_are_made_orthonormal() -> None:
    """Turn the second axis upright where it is slanted by rounding, and keep it otherwise."""
    joint = Planar((1, 0, 0), (1e-8, 1, 0))
    assert joint.axis == (1.0, 0.0, 0.0)
    assert joint.axis2 == (0.0, 1.0, 0.0)
    rough = Planar((0.2672612, 0.5345225, 0.8017837), (0.8728716, 0.2182179, -0.4364358))
    assert abs(np.dot(rough.axis, rough.axis2)) < 1e-16
    assert Planar(rough.axis, rough.axis2) == rough


def test_translation_is_the_place() -> None:
    """Take q as the offset itself."""
    X = Translation().transform(np.array([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(X.homogeneous()[:3], [[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3]])


def test_euler_turns_about_moving_axes() -> None:
    """Multiply the turns in the order of the letters, in either case."""
    q = np.array([0.3, -0.8, 1.9])
    expected = rotation_z(0.3) @ rotation_x(-0.8) @ rotation_z(1.9)
    np.testing.assert_allclose(Euler("ZXZ").transform(q).R, expected, atol=1e-15)
    assert Euler("ZXZ") == Euler("zxz")


@pytest.mark.parametrize(("sequence", "angle"), [("zxz", 0.0), ("xyx", np.pi), ("zyx", np.pi / 2)])
def test_euler_is_singular_where_it_says(sequence: str, angle: float) -> None:
    """Lose a direction of motion where first and last axis coincide."""
    S = Euler(sequence).motion_subspace(np.array([0.4, angle, -0.9]))
    assert np.linalg.svd(S, compute_uv=False)[-1] < 1e-15
    S = Euler(sequence).motion_subspace(np.array([0.4, angle + 1.0, -0.9]))
    assert np.linalg.svd(S, compute_uv=False)[-1] > 0.3


def test_spherical_quaternion_is_body_to_joint() -> None:
    """Take body x to y by the quaternion of a quarter turn about z."""
    X = Spherical().transform(np.array([HALF, 0, 0, HALF]))
    np.testing.assert_allclose(X.R @ [1, 0, 0], [0, 1, 0], atol=1e-15)


def test_free_velocity_is_in_body_axes() -> None:
    """Move along joint y when turned a quarter about z and going along body x."""
    q = np.array([1, 2, 3, HALF, 0, 0, HALF])
    rate = Free().position_rate(q, np.array([1.0, 0, 0, 0, 0, 0]))
    np.testing.assert_allclose(rate, [0, 1, 0, 0, 0, 0, 0], atol=1e-15)
    np.testing.assert_array_equal(Free().transform(q).p, [1, 2, 3])


@pytest.mark.parametrize("joint", [Spherical(), Free()])
def test_position_rate_keeps_the_quaternion_norm(joint: Spherical | Free) -> None:
    """Find the rate of a quaternion orthogonal to it, at any length."""
    rng = np.random.default_rng(3)
    q, v = 1.7 * joint.random(rng), rng.standard_normal(joint.nv)
    assert q[-4:] @ joint.position_rate(q, v)[-4:] == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize("joint", [Spherical(), Free()])
def test_random_quaternions_are_uniform_unit_ones(joint: Spherical | Free) -> None:
    """Draw unit quaternions with mean 0 and covariance 1/4."""
    rng = np.random.default_rng(5)
    quats = np.array([joint.random(rng)[-4:] for _ in range(4000)])
    np.testing.assert_allclose(np.linalg.norm(quats, axis=1), 1.0, atol=1e-14)
    np.testing.assert_allclose(quats.mean(axis=0), 0.0, atol=0.05)
    np.testing.assert_allclose(quats.T @ quats / len(quats), np.eye(4) / 4, atol=0.02)
