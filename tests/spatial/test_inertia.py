import numpy as np
import pytest

from poinsot.errors import ShapeError
from poinsot.spatial import Inertia, Transform, cross, cross_force
from tests.spatial.strategies import (
    Cloud,
    assert_equal_to_rounding,
    clouds,
    for_all,
    transforms,
    vectors,
)
from tests.spatial.tracing import assert_traces


@for_all(clouds, vectors(6))
def test_momentum_is_that_of_the_points(cloud, V):
    """Compare with the sum of m v and of r × m v over the points."""
    momenta = cloud.masses[:, None] * (V[:3] + np.cross(V[3:], cloud.points))
    expected = [*momenta.sum(axis=0), *np.cross(cloud.points, momenta).sum(axis=0)]
    assert_equal_to_rounding(cloud.inertia().apply(V), expected)


@for_all(clouds, vectors(6))
def test_energy_is_that_of_the_points(cloud, V):
    """Compare with the sum of ½ m v² over the points."""
    velocities = V[:3] + np.cross(V[3:], cloud.points)
    expected = 0.5 * np.sum(cloud.masses * np.sum(velocities**2, axis=1))
    assert_equal_to_rounding(cloud.inertia().kinetic_energy(V), expected)


@for_all(clouds, vectors(6), vectors(6))
def test_newton_and_euler_hold(cloud, V, A):
    """Compare I A + V ×* I V with Newton's law for each point [Liu1988, eq. (15)].

    The components of the velocity of the origin in the turning frame change by A; the
    acceleration of a point has besides the transport and centripetal terms.
    """
    v, w, r = V[:3], V[3:], cloud.points
    accelerations = A[:3] + cross(w, v) + np.cross(A[3:], r) + np.cross(w, np.cross(w, r))
    forces = cloud.masses[:, None] * accelerations
    expected = [*forces.sum(axis=0), *np.cross(r, forces).sum(axis=0)]
    I = cloud.inertia()
    assert_equal_to_rounding(I.apply(A) + cross_force(V, I.apply(V)), expected)


@for_all(clouds)
def test_values_about_the_mass_centre_give_the_same(cloud):
    """Check Steiner's theorem, and that the mass centre comes back."""
    com = cloud.masses @ cloud.points / cloud.masses.sum()
    central = Cloud(cloud.masses, cloud.points - com).inertia()
    I = Inertia.from_com(central.mass, com, central.I)
    _assert_same(I, cloud.inertia())
    assert_equal_to_rounding(I.com(), com)


@for_all(clouds, transforms)
def test_to_parent_moves_the_points(cloud, X_AB):
    """Compare with the inertia of the moved points."""
    moved = Cloud(cloud.masses, np.array([X_AB.apply_point(r) for r in cloud.points]))
    _assert_same(cloud.inertia().to_parent(X_AB), moved.inertia())


@for_all(clouds, transforms)
def test_to_parent_is_a_congruence(cloud, X_AB):
    """Compare with F I₆ Fᵀ, and check that the result is symmetric to the last bit."""
    I_B, F = cloud.inertia(), X_AB.force_matrix()
    I_A = I_B.to_parent(X_AB)
    assert_equal_to_rounding(I_A.matrix(), F @ I_B.matrix() @ F.T)
    assert np.all(I_A.I == I_A.I.T)


@for_all(clouds, transforms, vectors(6))
def test_energy_does_not_depend_on_the_frame(cloud, X_AB, V_A):
    """Check the energy and the momentum in both frames."""
    I_B, V_B = cloud.inertia(), X_AB.motion_to_child(V_A)
    I_A = I_B.to_parent(X_AB)
    assert_equal_to_rounding(I_A.kinetic_energy(V_A), I_B.kinetic_energy(V_B))
    assert_equal_to_rounding(I_A.apply(V_A), X_AB.force_to_parent(I_B.apply(V_B)))


@for_all(clouds, transforms, transforms)
def test_to_parent_follows_the_composition(cloud, X_AB, X_BC):
    """Check one step from C to A against two."""
    I_C = cloud.inertia()
    _assert_same(I_C.to_parent(X_BC).to_parent(X_AB), I_C.to_parent(X_AB @ X_BC))


@for_all(clouds, clouds)
def test_bodies_fixed_to_each_other_add(first, second):
    """Compare the sum with the inertia of all the points together."""
    both = Cloud(*(np.concatenate(parts) for parts in zip(first, second, strict=True)))
    _assert_same(first.inertia() + second.inertia(), both.inertia())


@for_all(clouds, vectors(6))
def test_matrix_is_the_map(cloud, V):
    """Compare the 6×6 form with the method; check that it is symmetric."""
    I = cloud.inertia()
    assert_equal_to_rounding(I.matrix() @ V, I.apply(V))
    assert_equal_to_rounding(I.matrix(), I.matrix().T)


@for_all(clouds)
def test_second_moment_is_that_of_the_points(cloud):
    """Compare with the sum of m r rᵀ over the points."""
    m, r = cloud
    assert_equal_to_rounding(cloud.inertia().second_moment(), (r.T * m) @ r)


def test_only_inertias_add():
    """Check that a number is refused."""
    with pytest.raises(TypeError):
        Inertia(1.0, np.zeros(3), np.eye(3)) + 0


def test_wrong_shapes_are_named():
    """Check the error message."""
    with pytest.raises(ShapeError, match=r"I must have shape \(3, 3\), got \(3,\)"):
        Inertia(1.0, np.zeros(3), [1.0, 1.0, 1.0])


@pytest.mark.parametrize("method", ["apply", "kinetic_energy"])
def test_maps_trace(method):
    """Compare numbers with symbols in the body, the pose and the motion."""
    assert_traces(
        lambda m, c, I, R, p, V: getattr(
            Inertia.from_com(m[0], c, I).to_parent(Transform(R, p)), method
        )(V),
        *(1, 3, (3, 3), (3, 3), 3, 6),
    )


@pytest.mark.parametrize("method", ["matrix", "second_moment", "com"])
def test_values_trace(method):
    """Compare numbers with symbols in one of two bodies."""
    other = Inertia.from_com(1.0, [1.0, 2.0, 3.0], np.eye(3))
    assert_traces(lambda m, h, I: getattr(Inertia(m[0], h, I) + other, method)(), 1, 3, (3, 3))


def _assert_same(I, J):
    assert_equal_to_rounding(I.mass, J.mass)
    assert_equal_to_rounding(I.h, J.h)
    assert_equal_to_rounding(I.I, J.I)
