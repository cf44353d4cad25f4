"""Jansen's leg against published positions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import jansen_leg, jansen_leg_configuration, jansen_leg_points
from tests.library.published import case

EXAMPLE = case("kin-jansen")
LEG = jansen_leg()
UNIT = 0.01
"""Of the published numbers [m]."""


@pytest.mark.parametrize("angle", ["0.0", "1.0"])
def test_published_points(angle):
    """Check the pins; the foot's tip as the body has it."""
    points = EXAMPLE["reference"][angle]["points"]
    found = jansen_leg_points(float(angle))
    for name, place in points.items():
        assert_allclose([found[name].real, found[name].imag], UNIT * np.array(place), atol=1e-14)
    q = jansen_leg_configuration(float(angle))
    assert_allclose(LEG.constraint_residual(q), np.zeros(15), atol=1e-15)
    assert_allclose(LEG.pose("foot", q)[:2, 3], UNIT * np.array(points["E"]), atol=1e-14)
    assert_allclose(LEG.pose("tie", q)[:2, 3], UNIT * np.array(points["D"]), atol=1e-14)


def test_step():
    """Check height and width of the step over a driven turn, which the benchmark states."""
    study = ps.drive(LEG, jansen_leg_configuration(0.0), {"crank": (0.0, 2 * np.pi)}, positions=200)
    assert study.ok
    tip = jansen_leg_points(0.0)
    foot = LEG.pose("foot", study.q[0])
    own = np.linalg.solve(foot, [tip["G"].real, tip["G"].imag, 0.0, 1.0])
    path = (LEG.pose("foot", study.q) @ own)[:, :2]
    width, height = np.ptp(path, axis=0) / UNIT
    assert (round(height, 1), round(width, 1)) == (22.5, 67.9)
    straight = [jansen_leg_configuration(angle) for angle in 2 * np.pi * study.t]
    assert_allclose(np.exp(1j * study.q), np.exp(1j * np.array(straight)), atol=1e-9)
    assert study.singular == ()


def test_lengths_that_do_not_meet_are_refused():
    """Check the message about circles that do not meet."""
    lengths = {key: UNIT * value for key, value in EXAMPLE["model"]["lengths"].items()}
    with pytest.raises(ps.ModelError, match=r"Jansen's leg at crank angle 0\.3: lengths 2 and"):
        jansen_leg_configuration(0.3, lengths=lengths | {"j": 2.0})
