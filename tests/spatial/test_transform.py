import dataclasses

import numpy as np
import pytest

from poinsot.errors import ShapeError
from poinsot.spatial import Transform, cross, rotation_z
from tests.spatial.strategies import (
    assert_equal_to_rounding,
    for_all,
    rotations,
    transforms,
    vectors,
)
from tests.spatial.tracing import assert_traces


@for_all(transforms, transforms, transforms)
def test_composition_is_associative(X_AB, X_BC, X_CD):
    """Check (X_AB X_BC) X_CD = X_AB (X_BC X_CD)."""
    _assert_same((X_AB @ X_BC) @ X_CD, X_AB @ (X_BC @ X_CD))


@for_all(transforms)
def test_identity_and_inverse(X_AB):
    """Check the neutral element and the inverse on both sides."""
    identity = Transform.identity()
    _assert_same(identity @ X_AB, X_AB)
    _assert_same(X_AB @ identity, X_AB)
    _assert_same(X_AB @ X_AB.inverse(), identity)
    _assert_same(X_AB.inverse() @ X_AB, identity)


@for_all(rotations, vectors(3))
def test_pose_is_a_translation_then_a_rotation(R, p):
    """Check X = translation(p) rotation(R)."""
    _assert_same(Transform.translation(p) @ Transform.rotation(R), Transform(R, p))


@for_all(transforms, transforms, vectors(3))
def test_points_follow_the_composition(X_AB, X_BC, p_C):
    """Check the action on points against composition and the homogeneous matrix."""
    p_A = X_AB.apply_point(X_BC.apply_point(p_C))
    X_AC = X_AB @ X_BC
    assert_equal_to_rounding(p_A, X_AC.apply_point(p_C))
    assert_equal_to_rounding(X_AC.homogeneous() @ [*p_C, 1.0], [*p_A, 1.0])
    assert_equal_to_rounding(X_AC.homogeneous(), X_AB.homogeneous() @ X_BC.homogeneous())


@for_all(transforms, vectors(6), vectors(3))
def test_motion_is_one_velocity_field(X_AB, V_B, p_B):
    """Check that a point of the body has the same velocity from either frame."""
    v_B = V_B[:3] + cross(V_B[3:], p_B)
    V_A = X_AB.motion_to_parent(V_B)
    v_A = V_A[:3] + cross(V_A[3:], X_AB.apply_point(p_B))
    assert_equal_to_rounding(v_A, X_AB.R @ v_B)


@for_all(transforms, vectors(3), vectors(3))
def test_force_acts_along_one_line(X_AB, f_B, p_B):
    """Check that a force at a point has the right moment about either origin."""
    F_B = np.concatenate([f_B, cross(p_B, f_B)])
    f_A = X_AB.R @ f_B
    F_A = np.concatenate([f_A, cross(X_AB.apply_point(p_B), f_A)])
    assert_equal_to_rounding(X_AB.force_to_parent(F_B), F_A)


@for_all(transforms, vectors(6), vectors(6))
def test_power_does_not_depend_on_the_frame(X_AB, V_A, F_A):
    """Check F·V in both frames, there and back."""
    power = F_A @ V_A
    V_B, F_B = X_AB.motion_to_child(V_A), X_AB.force_to_child(F_A)
    assert_equal_to_rounding(F_B @ V_B, power)
    assert_equal_to_rounding(X_AB.force_to_parent(F_B) @ X_AB.motion_to_parent(V_B), power)


@for_all(transforms, vectors(6))
def test_child_and_parent_are_inverse(X_AB, screw):
    """Check the two directions against each other and against the inverse pose."""
    X_BA = X_AB.inverse()
    motion, force = X_AB.motion_to_child(screw), X_AB.force_to_child(screw)
    assert_equal_to_rounding(X_AB.motion_to_parent(motion), screw)
    assert_equal_to_rounding(X_AB.force_to_parent(force), screw)
    assert_equal_to_rounding(X_BA.motion_to_parent(screw), motion)
    assert_equal_to_rounding(X_BA.force_to_parent(screw), force)


@for_all(transforms, vectors(6))
def test_matrices_are_the_maps(X_AB, screw):
    """Compare the 6×6 forms with the methods, and each with the transpose of the other."""
    assert_equal_to_rounding(X_AB.motion_matrix() @ screw, X_AB.motion_to_parent(screw))
    assert_equal_to_rounding(X_AB.force_matrix() @ screw, X_AB.force_to_parent(screw))
    assert_equal_to_rounding(X_AB.motion_matrix().T @ screw, X_AB.force_to_child(screw))
    assert_equal_to_rounding(X_AB.force_matrix().T @ screw, X_AB.motion_to_child(screw))


def test_only_poses_compose():
    """Check that a bare vector is refused: it does not say whether it is a point."""
    with pytest.raises(TypeError):
        Transform.identity() @ [1.0, 2.0, 3.0]


def test_pose_cannot_change():
    """Check that neither field can be set, and wrong shapes are named."""
    X = Transform.identity()
    with pytest.raises(dataclasses.FrozenInstanceError):
        X.p = np.ones(3)
    with pytest.raises(ShapeError, match=r"R must have shape \(3, 3\), got \(3,\)"):
        Transform([1.0, 2.0, 3.0], [0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    "method",
    ["apply_point", "motion_to_parent", "motion_to_child", "force_to_parent", "force_to_child"],
)
def test_maps_trace(method):
    """Compare numbers with symbols in the pose and in the vector."""
    size = 3 if method == "apply_point" else 6
    assert_traces(lambda R, p, x: getattr(Transform(R, p), method)(x), (3, 3), 3, size)


@pytest.mark.parametrize("method", ["motion_matrix", "force_matrix", "homogeneous"])
def test_composition_and_matrices_trace(method):
    """Compare numbers with symbols in one pose of a product, fixed numbers in the other."""
    fixed = Transform.translation([1.0, 2.0, 3.0]).inverse()
    assert_traces(
        lambda angle: getattr(fixed @ Transform.rotation(rotation_z(angle[0])), method)(), 1
    )


def _assert_same(X, Y):
    assert_equal_to_rounding(X.R, Y.R)
    assert_equal_to_rounding(X.p, Y.p)
