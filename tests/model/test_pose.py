"""Poses and their forms of orientation."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poinsot.errors import ModelError
from poinsot.model import Pose

angles = st.floats(-10, 10)
vectors = st.tuples(*[st.floats(-5, 5)] * 3)


def rotation(pose: Pose) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return R of the pose."""
    return np.asarray(pose.transform().R)


def test_pose_defaults_to_identity() -> None:
    """Take a missing pose for none."""
    X = Pose().transform()
    assert np.array_equal(X.R, np.eye(3))
    assert np.array_equal(X.p, np.zeros(3))


@given(vectors, st.tuples(angles, angles, angles))
def test_rpy_turns_about_fixed_axes(xyz: tuple[float, ...], rpy: tuple[float, ...]) -> None:
    """Compose roll, pitch and yaw as URDF does: R = Rz Ry Rx."""
    pose = Pose(xyz, rpy=rpy)
    roll, pitch, yaw = (Pose(axis=k, angle=a) for k, a in zip("xyz", rpy, strict=True))
    expected = rotation(yaw) @ rotation(pitch) @ rotation(roll)
    np.testing.assert_allclose(rotation(pose), expected, atol=4e-14)
    assert pose.xyz == xyz


@given(vectors.filter(lambda n: max(map(abs, n)) > 1e-3), angles, st.floats(0.1, 10))
def test_quaternion_agrees_with_axis_and_angle(
    axis: tuple[float, ...], angle: float, size: float
) -> None:
    """Normalise quaternion and axis; a quaternion is (cos a/2, n sin a/2)."""
    n = np.array(axis) / np.linalg.norm(axis)
    quat = size * np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * n])
    np.testing.assert_allclose(
        rotation(Pose(quat=quat)), rotation(Pose(axis=axis, angle=angle)), atol=1e-14
    )


@given(st.tuples(angles, angles, angles))
def test_matrix_survives_a_round_trip(rpy: tuple[float, ...]) -> None:
    """Give an equal pose for a stored matrix, bit by bit."""
    pose = Pose((1, 2, 3), rpy=rpy)
    again = Pose(pose.xyz, matrix=pose.matrix)
    assert again == pose
    assert hash(again) == hash(pose)


def test_entries_near_integers_are_integers() -> None:
    """Store a quarter turn without the rounding of pi, and no negative zero."""
    pose = Pose(rpy=(np.pi / 2, 0, -np.pi / 2))
    assert all(x in (-1.0, 0.0, 1.0) for row in pose.matrix for x in row)
    assert not np.signbit(np.array(pose.matrix)[np.array(pose.matrix) == 0]).any()


def test_rounded_matrix_becomes_a_rotation() -> None:
    """Replace a matrix printed with few digits by the nearest rotation."""
    s = 0.7071068
    R = rotation(Pose(matrix=[[s, -s, 0], [s, s, 0], [0, 0, 1]]))
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(R, rotation(Pose(axis="z", angle=np.pi / 4)), atol=1e-7)


def test_pose_is_equal_by_value_and_immutable() -> None:
    """Use poses as keys; refuse to change one."""
    a, b = Pose([0, 0, 1]), Pose(np.array([0.0, 0.0, 1.0]), quat=(2, 0, 0, 0))
    assert a == b
    assert len({a, b}) == 1
    assert a != Pose((0, 0, 2))
    assert pickle.loads(pickle.dumps(a)) == copy.deepcopy(a) == a
    with pytest.raises(AttributeError):
        a.xyz = (0, 0, 0)  # type: ignore[misc]


def test_repr_can_be_read_back() -> None:
    """Show a pose as what makes it."""
    turned = Pose((0, 1, 0), rpy=(0.1, 0.2, 0.3))
    assert repr(Pose((0, 0, -1))) == "Pose((0.0, 0.0, -1.0))"
    assert eval(repr(turned)) == turned


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rpy": (0, 0, 0), "quat": (1, 0, 0, 0)}, "give one orientation, got rpy and quat"),
        ({"axis": "x", "angle": 1, "matrix": np.eye(3)}, "got axis/angle and matrix"),
        ({"angle": 1, "rpy": (0, 0, 0)}, "got rpy and axis/angle"),
        ({"angle": 1}, "angle=1 needs an axis"),
        ({"axis": "x"}, "axis='x' needs an angle"),
        ({"axis": (0, 0, 0), "angle": 1}, r"pose: axis must not be zero, got \(0, 0, 0\)"),
        ({"axis": "x", "angle": np.inf}, "pose: angle must be finite"),
        ({"quat": (0, 0, 0, 0)}, r"quat must not be zero, got \(0, 0, 0, 0\)"),
        ({"quat": (1, 0, 0)}, "quat must have 4 numbers"),
        ({"quat": (1, np.nan, 0, 0)}, "quat must be finite"),
        ({"rpy": (0, 0)}, "rpy must have 3 numbers"),
        ({"rpy": (0, 0, np.nan)}, "rpy must be finite"),
        ({"xyz": (0, 0)}, "xyz must have 3 numbers"),
        ({"xyz": (0, 0, np.inf)}, "xyz must be finite"),
        ({"matrix": np.eye(2)}, r"matrix must be 3x3, got shape \(2, 2\)"),
        ({"matrix": 2 * np.eye(3)}, r"differs from 1 by 3 \(tolerance 1e-06\)"),
        ({"matrix": np.diag([1, 1, -1])}, "determinant is -1, not .1: it is a reflection"),
        ({"matrix": np.full((3, 3), np.nan)}, "matrix must be finite"),
    ],
)
def test_pose_refuses(arguments: dict[str, Any], message: str) -> None:
    """Name what is wrong with a pose."""
    with pytest.raises(ModelError, match=message):
        Pose(**arguments)
