"""The example of impacts against momentum, energy and free fall."""

import numpy as np
from numpy.testing import assert_allclose


def test_cradle_passes_the_motion_on(example):
    run = example.cradle()
    assert len(run.events) == 3
    last = run.events[-1]
    assert_allclose(last.v[:3], 0.0, atol=1e-2 * abs(last.v[3]))
    assert_allclose(run.energy()[-1], run.energy()[0], rtol=1e-7)


def test_column_throws_its_top_bead(example):
    """Elastic: energy is kept, and the lightest bead leaves much faster than it came."""
    run = example.column(0.2)
    assert_allclose(run.energy()[-1], run.energy()[0], rtol=1e-7)
    fell = np.sqrt(2 * 9.81 * 0.48)
    assert run.v[:, 2].max() > 3.0 * fell


def test_leg_lands_and_stands(example):
    fall, stand = example.landing()
    foot = fall.system.pose("shin", fall.q[-1]) @ [0, 0, -0.25, 1]
    assert_allclose(foot[2], 0.0, atol=1e-9)
    assert_allclose(fall.t[-1], np.sqrt(2 * 0.1 / 9.81))  # the whole leg falls freely
    poses = stand.pose("shin") @ [0, 0, -0.25, 1]
    assert_allclose(poses[:, 2], 0.0, atol=1e-8)
    assert (np.diff(stand.energy()) < 1e-9).all()  # dampers only take


def test_bag_and_cell_lose_energy(example):
    for hit in (example.bag(), example.cell()):
        assert hit.contact_work < 0.0
        assert (hit.impulses > 0.0).all()
