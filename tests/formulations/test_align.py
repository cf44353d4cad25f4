"""The frames of the links: equivalent to the description, however the axes lie."""

import numpy as np
import pytest

from poinsot.formulations.recursive.link_frames import NEGLIGIBLE, euler_zxz
from poinsot.formulations.recursive.links import links_of
from poinsot.model import Body, Mechanism, Pose, Prismatic, Revolute
from poinsot.spatial import axis_angle

X, Z = np.eye(3)[0], np.eye(3)[2]
TILTS = [0.0, *(10.0**k for k in range(-17, 0)), 1.0, np.pi / 2, 3.0]


@pytest.mark.parametrize("tilt", TILTS)
@pytest.mark.parametrize("side", ["same", "opposite"])
def test_euler_angles_give_the_rotation_back(tilt, side):
    """Check R = Rz Rx Rz for axes that are parallel, nearly so, or not at all."""
    rng = np.random.default_rng(3)
    for gamma, delta in [(0.0, 0.0), (0.0, np.pi / 2), *rng.uniform(-np.pi, np.pi, (20, 2))]:
        alpha = tilt if side == "same" else np.pi - tilt
        R = axis_angle(Z, gamma) @ axis_angle(X, alpha) @ axis_angle(Z, delta)
        Q = axis_angle(X, gamma) @ axis_angle(Z, gamma)
        R = Q.T @ (Q @ R)  # with the rounding that products of rotations have
        angles = euler_zxz(R)
        back = axis_angle(Z, angles[0]) @ axis_angle(X, angles[1]) @ axis_angle(Z, angles[2])
        assert np.max(np.abs(back - R)) <= NEGLIGIBLE + 1e-15
        assert abs(angles[0]) <= np.pi / 2 + 1e-9


def test_tilt_of_rounding_is_dropped():
    """Check that axes which differ by rounding are parallel, so that the terms vanish."""
    gamma, alpha, delta = euler_zxz(axis_angle(X, 1e-16) @ axis_angle(Z, 0.3))
    assert (gamma, alpha) == (0.0, 0.0)
    assert delta == pytest.approx(0.3, abs=1e-15)


def test_parallel_chain_is_planar():
    """Check that links on parallel axes need no constant turns and no offset along z."""
    axis = (1.0, 2.0, -2.0)
    bodies = [Body("0", joint=Revolute(axis), mass=1.0, com=(0.3, 0.1, 0.0))]
    for k in range(1, 4):
        place = Pose((0.1, 0.2, 0.3), axis=axis, angle=0.4 * k)
        bodies.append(Body(f"{k}", f"{k - 1}", Revolute(axis), place, 1.0, (0.3, 0.1, 0.0)))
    for link in links_of(Mechanism("planar", bodies))[1:]:
        assert link.turns == ()
        assert link.p[2] == 0.0


def test_intersecting_axes_share_an_origin():
    """Check that the origin of a link lies where its axis meets the one before."""
    bodies = [
        Body("pan", joint=Revolute("z"), mass=1.0, com=(0.1, 0, 0)),
        Body("tilt", "pan", Revolute("x"), Pose((0.5, 0, 0.2)), 1.0, (0, 0.1, 0)),
    ]
    _, tilt = links_of(Mechanism("head", bodies))
    assert np.array_equal(tilt.p[:2], [0.0, 0.0])


def test_slider_adds_no_offset():
    """Check that a slider takes its parent's origin, and one on the world keeps its own."""
    bodies = [
        Body("rail", joint=Prismatic("y"), pose=Pose((1e6, 0, 0)), mass=1.0),
        Body("slide", "rail", Prismatic("x"), Pose((0.5, 0.1, 0.2)), 1.0, (0, 0.1, 0)),
    ]
    rail, slide = links_of(Mechanism("gantry", bodies))
    assert np.array_equal(rail.h, [0.0, 0.0, 0.0])
    assert np.array_equal(slide.p, [0.0, 0.0, 0.0])


def test_first_moments_of_small_bodies_are_kept():
    """Check that rounding is judged by the size of a body, not by metres and kilogrammes."""
    grain = Body("grain", joint=Revolute("z"), mass=1e-12, com=(1e-6, 2e-6, 0))
    (link,) = links_of(Mechanism("grain", [grain]))
    assert np.linalg.norm(link.h) == pytest.approx(np.sqrt(5) * 1e-18, rel=1e-12, abs=0.0)
