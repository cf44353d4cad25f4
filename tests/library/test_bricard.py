"""Bricard's linkage: counting says it is rigid, and it goes round."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import bricard, bricard_configuration

LINKAGE = bricard()


@pytest.mark.parametrize(("theta", "branch"), [(1.2, 1), (-0.4, 1), (2.0, -1), (np.pi / 2, 1)])
def test_mobility(theta, branch):
    """Check that the closed form closes, and mobility 1 where counting says 0."""
    q = bricard_configuration(theta, branch=branch)
    assert_allclose(LINKAGE.constraint_residual(q), np.zeros(5), atol=1e-14)
    assert_allclose(LINKAGE.loop_position("closure", q), [q[1]], atol=1e-14)
    mobility = LINKAGE.mobility(q)
    assert LINKAGE.nv - mobility.n_rows == 0
    assert (mobility.degrees, LINKAGE.finite_mobility(q)) == (1, 1)


def test_links_are_edges_of_a_cube():
    """Check the six pins at right angles: corners of a cube, all but two opposite ones."""
    q = bricard_configuration(np.pi / 2)
    ends = [(LINKAGE.pose(f"link {i}", q) @ [1, 0, 0, 1])[:3] for i in range(1, 6)]
    places = [np.zeros(3), *ends]
    low = np.min(places, axis=0)
    corners = {tuple(np.round(place - low).astype(int)) for place in places}
    assert_allclose(np.array(places) - low, np.round(np.array(places) - low), atol=1e-14)
    missing = {(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)} - corners
    assert len(corners) == 6
    assert np.abs(np.subtract(*missing)).tolist() == [1, 1, 1]


def test_full_motion():
    """Check a run without gravity that goes once round: branches, dead points of both angles."""
    free = bricard(g=0.0)
    q = bricard_configuration(np.pi / 2)
    v = free.consistent_velocity(q, [1.0, 0.0, 0.0, 0.0, 0.0], joints=["link 1"])
    run = ps.simulate(free, q, v, 12.0, rtol=1e-9, save=np.linspace(0.0, 12.0, 400))
    assert run.status.ok
    theta, phi = run.q[:, 0], run.q[:, 1]
    assert_allclose(run.q[:, [2, 4]], theta[:, None] * [1, 1], atol=1e-7)
    assert_allclose(run.q[:, 3], phi, atol=1e-7)
    relation = np.cos(theta) + np.cos(phi) + np.cos(theta) * np.cos(phi)
    assert_allclose(relation, np.zeros(400), atol=1e-7)
    for angle in (theta, phi):
        assert_allclose([angle.min(), angle.max()], [-2 * np.pi / 3, 2 * np.pi / 3], atol=1e-2)
    turned = np.unwrap(np.arctan2(phi, theta))
    assert abs(turned[-1] - turned[0]) > 2 * np.pi
    energy = run.energy()
    assert_allclose(energy, energy[0], rtol=1e-7)


def test_angles_out_of_reach_are_refused():
    """Check the message about angles beyond the dead point."""
    with pytest.raises(ps.ModelError, match="within ±2π/3"):
        bricard_configuration(2.2)
    with pytest.raises(ps.ModelError, match="branch"):
        bricard_configuration(1.0, branch=0)
