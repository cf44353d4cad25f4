"""From which side a motion is seen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.plots.camera import Camera, choose_view
from poinsot.plots.skeleton import skeleton
from tests.plots.motions import cart, double_pendulum, satellite, swing
from tests.random_examples import examples

DOWN = (0.0, 0.0, -9.81)
angles = st.floats(-3.0, 3.0)


def view_of(system: ps.System, q: np.ndarray) -> Camera:
    figure = skeleton(system, q)
    shape = np.concatenate([figure.origins, figure.tips], axis=1)
    return choose_view(figure.points(), shape, system.gravity)


def assert_right_handed(view: Camera) -> None:
    axes = np.stack([view.right, view.up, view.towards])
    assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) > 0.0


def test_pendulum_is_seen_from_the_side():
    """Check that x points right and z up for a motion in the plane of x and z."""
    view = view_of(double_pendulum(), swing(double_pendulum()).q)
    assert view.planar
    assert_allclose(view.right, (1, 0, 0), atol=1e-12)
    assert_allclose(view.up, (0, 0, 1), atol=1e-12)


@settings(max_examples=examples(11), deadline=None)
@given(angles, angles, angles)
def test_any_plane_is_seen_face_on(a, b, c):
    """Check that points which move in a tilted plane keep their distances in the picture."""
    turn = ps.Pose(rpy=(a, b, c)).transform().R
    t = np.linspace(0.0, 2.0, 30)[:, None]
    flat = np.stack([np.sin(3 * t + np.arange(3)), 0 * t + np.zeros(3), np.cos(t) * [1, 2, 3]], -1)
    points = flat @ turn.T + (4.0, 5.0, 6.0)
    view = choose_view(points, points, DOWN)
    assert view.planar
    assert_right_handed(view)
    assert abs(view.towards @ turn[:, 1]) > 1.0 - 1e-9
    steps = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    assert_allclose(np.linalg.norm(np.diff(view.project(points), axis=0), axis=-1), steps)
    assert view.up[2] > -0.2, "down is up only in a plane that is almost level"


def test_layers_beside_one_another_stay_planar():
    """Check that links on parallel planes are looked at face-on, not from aside."""
    points = np.zeros((20, 2, 3))
    t = np.linspace(0.0, 3.0, 20)
    points[:, 0] = np.stack([np.sin(t), 0 * t, np.cos(t)], -1)
    points[:, 1] = np.stack([2 * np.sin(2 * t), 0 * t + 0.1, np.cos(2 * t)], -1)
    assert_allclose(np.abs(choose_view(points, points, DOWN).towards), (0, 1, 0), atol=1e-9)


def test_level_plane_is_seen_from_above():
    """Check that x points right and y up for a motion on a table."""
    system = double_pendulum(ps.Pose(axis="x", angle=np.pi / 2))
    view = view_of(system, swing(system).q)
    assert view.planar
    assert_allclose(view.towards, (0, 0, 1), atol=1e-9)
    assert_allclose(view.right, (1, 0, 0), atol=1e-9)


def test_up_is_against_gravity():
    """Check a pendulum in the plane of x and y with gravity along x."""
    system = double_pendulum(ps.Pose(axis="x", angle=np.pi / 2), gravity=(9.81, 0, 0))
    assert_allclose(view_of(system, swing(system).q).up, (-1, 0, 0), atol=1e-9)


@pytest.mark.parametrize("q", [[[0.0, 0.0], [0.5, 0.0], [1.0, 0.0]], [[0.0, 0.0]]])
def test_straight_motion_and_rest_are_seen_upright(q):
    """Check that what the motion leaves open is chosen so that z is up."""
    view = view_of(cart(), np.array(q))
    assert view.planar
    assert_allclose(view.up, (0, 0, 1), atol=1e-9)
    assert_right_handed(view)


def test_spatial_motion_is_seen_from_above():
    """Check a tumbling body: not planar, the eye raised, the vertical upright in the picture."""
    t = np.linspace(0.0, 3.0, 30)
    q = np.zeros((30, 7))
    q[:, 3:] = np.stack([np.cos(t), np.sin(t) * 0.6, np.sin(t) * 0.8 * np.cos(5 * t),
                         np.sin(t) * 0.8 * np.sin(5 * t)], -1)  # fmt: skip
    view = view_of(satellite(), q)
    assert not view.planar
    assert_right_handed(view)
    assert view.towards[2] > 0.2
    x, y = view.project(np.array([0.0, 0.0, 1.0]))
    assert abs(x) < 1e-12
    assert y > 0.9


def test_spatial_view_shows_the_widest_side():
    """Check that a long thin thing along y is not looked at along y."""
    rng = np.random.default_rng(2)
    points = rng.normal(size=(50, 4, 3)) * (0.3, 3.0, 0.3)
    view = choose_view(points, points, DOWN)
    assert not view.planar
    assert abs(view.right[1]) > 0.8
