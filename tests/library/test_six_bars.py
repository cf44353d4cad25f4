"""Watt's and Stephenson's six-bars against loop equations that a general solver solves."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import fsolve

import poinsot as ps
from poinsot.library import stephenson, stephenson_configuration, watt, watt_configuration

WATT = ([0.10, 0.30, 0.25, 0.40, 0.22], 0.15 - 0.12j, 0.30 + 0j, 0.75 + 0.05j)
STEPHENSON = ([0.10, 0.30, 0.25, 0.35, 0.25], 0.20 + 0.15j, 0.30 + 0j, 0.50 + 0.05j)
BARS = {
    "watt": (watt, watt_configuration, WATT),
    "stephenson": (stephenson, stephenson_configuration, STEPHENSON),
}


def angles(name, crank, guess):
    """Return the angles from x of coupler, rocker, link and output by the loops' equations."""
    (r1, r2, r3, r4, r5), point, ground, pivot = BARS[name][2]

    def miss(x):
        coupler, rocker, link, output = np.exp(1j * x)
        pin = r1 * np.exp(1j * crank)
        first = pin + r2 * coupler - ground - r3 * rocker
        start = ground + point * rocker if name == "watt" else pin + point * coupler
        second = start + r4 * link - pivot - r5 * output
        return [first.real, first.imag, second.real, second.imag]

    found = fsolve(miss, guess, xtol=1e-13)
    assert np.max(np.abs(miss(found))) < 1e-12
    return found


def absolute(name, q):
    carrier = q[2] if name == "watt" else q[0] + q[1]
    return np.array([q[0] + q[1], q[2], q[3] + carrier, q[4]])


@pytest.mark.parametrize("name", BARS)
def test_positions_over_a_turn(name):
    """Check a driven turn of the crank, at which the solver continues from place to place."""
    make, configuration, _ = BARS[name]
    system = make()
    study = ps.drive(system, configuration(0.2), {"crank": (0.2, 0.2 + 2 * np.pi)}, positions=40)
    assert study.ok
    assert study.singular == ()
    at = absolute(name, study.q[0])
    for t, q in zip(study.t, study.q, strict=True):
        at = angles(name, 0.2 + 2 * np.pi * t, at)
        assert_allclose(np.exp(1j * absolute(name, q)), np.exp(1j * at), atol=1e-10)
    closed = configuration(0.2 + 2 * np.pi * study.t[7])
    assert_allclose(np.exp(1j * closed), np.exp(1j * study.q[7]), atol=1e-10)


def test_a_link_that_does_not_reach_is_refused():
    """Check that the message names linkage, angle and lengths."""
    with pytest.raises(ps.ModelError, match=r"Watt's six-bar at .* 0\.5: lengths 0\.4 and"):
        watt_configuration(0.5, pivot=(2.0, 0.0))
    with pytest.raises(ps.ModelError, match=r"Stephenson's six-bar at .* a branch must be 1 or -1"):
        stephenson_configuration(0.5, branches=(1, 0))
