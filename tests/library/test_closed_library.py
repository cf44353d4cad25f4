"""Every closed mechanism of the library agrees with itself in all ways, and closes as it says."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot import library

MECHANISMS = {
    "andrews_squeezer": (library.andrews_squeezer, library.andrews_squeezer_configuration, 1),
    "bricard": (library.bricard, lambda: library.bricard_configuration(1.2), 1),
    "cooperating_arms": (
        library.cooperating_arms, lambda: library.cooperating_arms_configuration(0.4, 0.6, 0.1), 3,
    ),
    "delta_robot": (
        library.delta_robot, lambda: library.delta_robot_configuration((0.1, 0, -0.7)), 3,
    ),
    "double_wishbone": (
        library.double_wishbone, lambda: library.double_wishbone().neutral(), 2,
    ),
    "hoberman_ring": (
        lambda: library.hoberman_ring(3), lambda: library.hoberman_ring_configuration(0.4, 3), 1,
    ),
    "jansen_leg": (library.jansen_leg, lambda: library.jansen_leg_configuration(0.3), 1),
    "peaucellier": (library.peaucellier, lambda: library.peaucellier_configuration(0.3), 1),
    "scissor_lift": (
        lambda: library.scissor_lift(2), lambda: library.scissor_lift_configuration(0.9, 2), 1,
    ),
    "stephenson": (library.stephenson, lambda: library.stephenson_configuration(0.3), 1),
    "stewart_platform": (
        library.stewart_platform,
        lambda: library.stewart_platform_configuration(ps.Pose((0, 0, 0.7))), 6,
    ),
    "three_rrr": (library.three_rrr, lambda: library.three_rrr_configuration(0, 0.05, 0.1), 3),
    "watt": (library.watt, lambda: library.watt_configuration(0.3), 1),
}  # fmt: skip
"""How to make it, a closed configuration, and its degrees of freedom."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MECHANISMS)
def test_verify(name):
    """Check formulations, back ends and laws against each other at an assembled state."""
    report = ps.verify(MECHANISMS[name][0](), n_states=1)
    assert report.ok, str(report)


@pytest.mark.parametrize("name", MECHANISMS)
def test_configuration(name):
    """Check that it closes, and that it moves in as many ways as there are degrees of freedom."""
    make, configuration, degrees = MECHANISMS[name]
    system, q = make(), configuration()
    assert_allclose(system.constraint_residual(q), np.zeros(len(system.row_names)), atol=1e-14)
    assert (system.mobility(q).degrees, system.finite_mobility(q)) == (degrees, degrees)
