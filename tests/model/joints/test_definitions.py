"""Each joint against its line in the table of the file format."""

import numpy as np
import pytest

from poinsot.model import Free, Prismatic, Revolute, Spherical

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
