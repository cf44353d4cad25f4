"""Walking down a slope: where the compass gait begins to limp, and what a step costs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps


def test_the_gait_begins_to_limp_at_a_little_less_than_four_and_a_half_degrees(example):
    """Bracket the slope where a multiplier passes -1; about 4.4 degrees [Goswami1998]."""
    slopes = np.radians([4.3, 4.45])
    gentle, steep = example.gaits(example.COMPASS, slopes)
    assert gentle.multipliers.real.min() > -1.0 > steep.multipliers.real.min()
    pairs = example.times_of_steps(slopes, [gentle, steep])
    for slope, few in zip(slopes, (True, False), strict=True):
        times = pairs[pairs[:, 0] == slope, 1]
        assert len(times) == example.SHOWN
        assert (np.ptp(times) < 1e-3) == few
    assert_allclose(times[::2], times[::2].mean(), atol=2e-3)  # short and long in turn


def test_a_step_gains_by_the_slope_what_its_strike_costs(example):
    """Compare the energy lost in the strike with the height that the hip and legs come down."""
    for legs in (example.COMPASS, example.ROUND):
        slope = np.radians(3.0)
        walker = ps.Walker(**legs, slope=slope)
        step = walker.step(walker.gait().state)
        length = step.run.q[-1, 0] - step.run.q[0, 0]  # the hip's way along the slope
        weight = 9.81 * (legs["hip_mass"] + 2 * legs["leg_mass"])
        lost = step.kinetic[0] - step.kinetic[1]
        assert lost == pytest.approx(weight * length * np.sin(slope), rel=1e-6)


def test_feet_of_arcs_are_more_stable(example):
    """The largest multipliers at a gentle slope, and that both gaits are stable there."""
    slope = np.radians([3.0])
    (point,), (arc,) = example.gaits(example.COMPASS, slope), example.gaits(example.ROUND, slope)
    assert np.abs(arc.multipliers).max() < np.abs(point.multipliers).max() < 1.0


@pytest.mark.slow
def test_the_picture_is_drawn(example, tmp_path, monkeypatch):
    """Draw few slopes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(example, "SLOPES", np.radians([2.5, 3.0, 3.5]))
    monkeypatch.setattr(example, "SETTLING", 2)
    example.main()
    assert (tmp_path / "walking.png").stat().st_size > 30_000
