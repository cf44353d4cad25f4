"""A column of beads, or of balls, dropped on the ground: chain collisions in closed form.

J. D. Kerwin, Velocity, momentum and energy transmissions in chain collisions, Am. J. Phys. 40
(1972): each ball meets the next one, which still falls, by the two-body formula.
"""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

G = 9.81


def chain(masses, e, v):
    """Return velocities after a column that falls with v has met the ground, one after the other.

    Of masses that grow so little that none is hit twice.
    """
    after, up = [], e * v
    for below, above in itertools.pairwise(masses):
        both, closing = below + above, up + v
        after.append(up - (1.0 + e) * above / both * closing)
        up = -v + (1.0 + e) * below / both * closing
    return [*after, up]


@pytest.mark.parametrize("e", [1.0, 0.9])
@pytest.mark.parametrize(("n", "ratio"), [(2, 0.25), (2, 0.1), (3, 0.2), (4, 0.15), (5, 0.1)])
def test_columns_that_touch_when_they_land(n, ratio, e):
    """In a run, from the drop to the ground and on; and by ``ps.impact``."""
    column = ps.library.bead_column(n, ratio=ratio)
    contacts = ps.library.bead_column_contacts(column, e, order="sequential")
    drop, stacked = 0.3, 0.02 + 0.04 * np.arange(n)
    speed = np.sqrt(2.0 * G * drop)
    masses = [body.mass for body in column.bodies]
    expected = chain(masses, e, speed)
    assert (np.diff(expected) > -1e-12).all()  # none meets another one again
    hit = ps.impact(column, stacked, np.full(n, -speed), contacts)
    assert_allclose(hit.v, expected, rtol=1e-12, atol=1e-12 * speed)
    run = ps.simulate(column, stacked + drop, np.zeros(n), 0.27, contacts=contacts, rtol=1e-11)
    first = run.events[0]
    assert_allclose(first.t, np.sqrt(2.0 * drop / G), rtol=1e-10)
    assert_allclose(first.v, expected, rtol=1e-9, atol=1e-9 * speed)
    if e == 1.0:
        assert_allclose(run.energy(), run.energy()[0], rtol=1e-10)


def test_one_bead_takes_all_the_energy():
    """Of masses 1 : 1/3 the lower one stops, and the upper one rises to four times its drop."""
    column = ps.library.bead_column(2, ratio=1 / 3)
    contacts = ps.library.bead_column_contacts(column, 1.0, order="sequential")
    hit = ps.impact(column, [0.02, 0.06], [-1.5, -1.5], contacts)
    assert_allclose(hit.v, [0.0, 3.0], atol=1e-12)


def test_light_beads_are_thrown_with_almost_two_to_the_n_less_one():
    """The limit of small ratios: speeds v, 3 v, 7 v, 15 v."""
    column = ps.library.bead_column(4, mass=1.0, ratio=1e-6)
    contacts = ps.library.bead_column_contacts(column, 1.0, order="sequential")
    hit = ps.impact(column, 0.02 + 0.04 * np.arange(4), np.full(4, -1.0), contacts)
    assert_allclose(hit.v, [1.0, 3.0, 7.0, 15.0], rtol=1e-4)


def test_at_once_the_column_rebounds_whole_by_newton():
    """Neighbours do not close before it, so that e is that of the ground."""
    column = ps.library.bead_column(3, ratio=0.5)
    contacts = ps.library.bead_column_contacts(column, 0.8)
    hit = ps.impact(column, [0.02, 0.06, 0.10], np.full(3, -2.0), contacts)
    assert_allclose(hit.v, np.full(3, 1.6), rtol=1e-12)
    masses = np.array([body.mass for body in column.bodies])
    carried = 1.8 * 2.0 * np.cumsum(masses[::-1])[::-1]  # of all above
    assert_allclose(list(hit.impulses.values()), carried, rtol=1e-12)


def test_a_ball_bounces_a_hundred_times_without_loss():
    column = ps.library.bead_column(1)
    ground = ps.library.bead_column_contacts(column, 1.0)
    run = ps.simulate(column, [0.32], [0.0], 50.0, contacts=ground, rtol=1e-12, atol=1e-13)
    assert len(run.events) >= 100
    energy = run.energy() - 0.1 * G * 0.02
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-10
