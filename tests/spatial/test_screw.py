import numpy as np
import pytest

from poinsot.spatial import (
    cross,
    cross_force,
    cross_force_matrix,
    cross_motion,
    cross_motion_matrix,
    swap_parts,
)
from tests.spatial.strategies import assert_equal_to_rounding, for_all, transforms, vectors
from tests.spatial.tracing import assert_traces

screws = vectors(6)


@for_all(vectors(3), vectors(3))
def test_cross_agrees_with_numpy(a, b):
    """Compare with NumPy's cross product."""
    assert_equal_to_rounding(cross(a, b), np.cross(a, b))


@for_all(screws, screws)
def test_matrices_are_the_products(V, W):
    """Compare the 6×6 forms with the products."""
    assert_equal_to_rounding(cross_motion_matrix(V) @ W, cross_motion(V, W))
    assert_equal_to_rounding(cross_force_matrix(V) @ W, cross_force(V, W))


@for_all(screws, screws, screws)
def test_products_are_dual(V, W, F):
    """Check (V ×* F)·W = -F·(V × W): a force and a motion fixed together give constant power."""
    assert_equal_to_rounding(cross_force(V, F) @ W, -(F @ cross_motion(V, W)))
    assert np.all(cross_force_matrix(V) == -cross_motion_matrix(V).T)


@for_all(screws, screws)
def test_motion_product_is_antisymmetric(V, W):
    """Check V × W = -W × V."""
    assert_equal_to_rounding(cross_motion(V, W), -cross_motion(W, V))


@for_all(screws, screws, screws)
def test_motion_product_obeys_jacobi(U, V, W):
    """Check U × (V × W) + V × (W × U) + W × (U × V) = 0."""
    cycle = [(U, V, W), (V, W, U), (W, U, V)]
    assert_equal_to_rounding(sum(cross_motion(a, cross_motion(b, c)) for a, b, c in cycle), 0.0)


@for_all(screws, screws, screws)
def test_force_product_represents_the_motion_product(U, V, F):
    """Check (U × V) ×* F = U ×* (V ×* F) - V ×* (U ×* F)."""
    commutator = cross_force(U, cross_force(V, F)) - cross_force(V, cross_force(U, F))
    assert_equal_to_rounding(cross_force(cross_motion(U, V), F), commutator)


@for_all(transforms, screws, screws)
def test_products_do_not_depend_on_the_frame(X_AB, V, W):
    """Check that products of transformed screws are transformed products."""
    V_A = X_AB.motion_to_parent(V)
    motion = cross_motion(V_A, X_AB.motion_to_parent(W))
    assert_equal_to_rounding(motion, X_AB.motion_to_parent(cross_motion(V, W)))
    force = cross_force(V_A, X_AB.force_to_parent(W))
    assert_equal_to_rounding(force, X_AB.force_to_parent(cross_force(V, W)))


@for_all(screws, screws)
def test_swapped_forces_multiply_like_motions(V, F):
    """Check V ×* F = swap(V × swap(F)), and that two swaps cancel."""
    assert_equal_to_rounding(cross_force(V, F), swap_parts(cross_motion(V, swap_parts(F))))
    assert np.all(swap_parts(swap_parts(V)) == V)


@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (cross, [3, 3]),
        (cross_motion, [6, 6]),
        (cross_force, [6, 6]),
        (cross_motion_matrix, [6]),
        (cross_force_matrix, [6]),
        (swap_parts, [6]),
    ],
)
def test_screws_trace(function, shapes):
    """Compare numbers with symbols."""
    assert_traces(function, *shapes)
