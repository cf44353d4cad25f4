"""The five properties of screw transforms in Liu (1988), and the equations they rest on.

Frames i, j, k are A, B, C here; the paper's transform with indices ij is ``X_ij.force_matrix()``.
"""

from functools import reduce
from operator import matmul

import numpy as np
from hypothesis import strategies as st

from poinsot.spatial import (
    Inertia,
    Transform,
    axis_angle,
    cross,
    cross_force_matrix,
    cross_motion_matrix,
    skew,
    swap_parts,
)
from tests.spatial.strategies import (
    assert_equal_to_rounding,
    clouds,
    complex_step,
    for_all,
    rotations,
    transforms,
    units,
    vectors,
)


@for_all(vectors(3), vectors(6))
def test_equation_1_shifts_the_reference_point(r_ij, a_j):
    """Check a'(i) = a'(j) + r(ij) × a for parallel axes."""
    a_i = Transform.translation(r_ij).force_to_parent(a_j)
    assert_equal_to_rounding(a_i, [*a_j[:3], *(a_j[3:] + cross(r_ij, a_j[:3]))])


@for_all(vectors(3), vectors(6))
def test_equation_1_holds_for_velocities(r_ij, V_j):
    """Check that angular velocity and velocity are a screw, stored with its parts swapped."""
    V_i = Transform.translation(r_ij).motion_to_parent(V_j)
    shifted = Transform.translation(r_ij).force_to_parent(swap_parts(V_j))
    assert_equal_to_rounding(swap_parts(V_i), shifted)


@for_all(rotations, vectors(3))
def test_equations_3_and_4_are_the_blocks(R, r):
    """Check the blocks A, 0, B = skew(r) A, A of the screw transform."""
    A_hat = Transform(R, r).force_matrix()
    assert_equal_to_rounding(A_hat, np.block([[R, np.zeros((3, 3))], [skew(r) @ R, R]]))


@for_all(transforms, vectors((2, 3)), vectors((2, 3)))
def test_property_1_transforms_screws(X_ij, forces, points):
    """Check (6) on two forces acting at points, which are no single line vector."""
    a_j = np.concatenate([forces.sum(axis=0), np.cross(points, forces).sum(axis=0)])
    turned = np.array([X_ij.R @ f for f in forces])
    moved = np.array([X_ij.apply_point(p) for p in points])
    a_i = np.concatenate([turned.sum(axis=0), np.cross(moved, turned).sum(axis=0)])
    assert_equal_to_rounding(X_ij.force_matrix() @ a_j, a_i)


def test_property_1_corollary():
    """Check that equal frames give the unit matrix."""
    assert np.all(Transform.identity().force_matrix() == np.eye(6))


@for_all(transforms, transforms)
def test_property_2_composes(X_ik, X_kj):
    """Check (7)."""
    product = X_ik.force_matrix() @ X_kj.force_matrix()
    assert_equal_to_rounding((X_ik @ X_kj).force_matrix(), product)


@for_all(st.lists(transforms, min_size=1, max_size=4))
def test_property_2_corollary(chain):
    """Check (8), the product along a chain of frames."""
    product = reduce(matmul, [X.force_matrix() for X in chain])
    assert_equal_to_rounding(reduce(matmul, chain).force_matrix(), product)


@for_all(transforms)
def test_property_3_inverts_by_transposing_blocks(X_ij):
    """Check (9): each block is transposed in its place."""
    A_hat = X_ij.force_matrix()
    blocks = np.block([[A_hat[:3, :3].T, A_hat[:3, 3:].T], [A_hat[3:, :3].T, A_hat[3:, 3:].T]])
    assert_equal_to_rounding(X_ij.inverse().force_matrix(), blocks)
    assert_equal_to_rounding(blocks @ A_hat, np.eye(6))


@for_all(transforms, vectors(6))
def test_property_4_transforms_inverted_screws(X_ij, a_j):
    """Check (10): inverted screws take the transpose of the inverse, that is, move as motions."""
    A_hat_ji = X_ij.inverse().force_matrix()
    inverted_i = swap_parts(X_ij.force_matrix() @ a_j)
    assert_equal_to_rounding(inverted_i, A_hat_ji.T @ swap_parts(a_j))
    assert_equal_to_rounding(inverted_i, X_ij.motion_to_parent(swap_parts(a_j)))


@for_all(rotations, vectors(3), units(3), vectors(1), vectors(3))
def test_property_5_gives_the_velocity(R, p, axis, rate, p_rate):
    """Check (13) with (12) by a complex step: A(ij) dA(ji)/dt is the velocity of i in j.

    Frame i turns about an axis of its own and its origin moves, both seen from j.
    """

    def X_ji(t):
        return Transform(R @ axis_angle(axis, rate[0] * t), p + p_rate * t)

    V_i = np.concatenate([R.T @ p_rate, rate[0] * axis])
    A_hat_ij = X_ji(0.0).inverse().force_matrix()
    derivative = complex_step(lambda t: X_ji(t).force_matrix())
    assert_equal_to_rounding(A_hat_ij @ derivative, cross_force_matrix(V_i))
    motion_derivative = complex_step(lambda t: X_ji(t).motion_matrix())
    motion_matrix = X_ji(0.0).motion_matrix()
    assert_equal_to_rounding(motion_derivative, motion_matrix @ cross_motion_matrix(V_i))


@for_all(clouds)
def test_equation_16_is_the_inertia_matrix(cloud):
    """Check the blocks, with the rotational inertia about the origin."""
    I = cloud.inertia()
    m_rho = I.mass * skew(I.com())
    expected = np.block([[I.mass * np.eye(3), m_rho.T], [m_rho, I.I]])
    assert_equal_to_rounding(Inertia.matrix(I), expected)
