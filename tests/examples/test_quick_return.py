"""The shaper with a quick return against trigonometry, energy and Newton's law."""

import numpy as np
import pytest
from numpy.testing import assert_allclose


@pytest.fixture(scope="module")
def turn(example):
    return example.study(example.shaper())


def test_motion_by_trigonometry(example, turn):
    """Compare every configuration, the stroke and the ratio of times."""
    exact = np.array([example.configuration(angle) for angle in turn.q[:, 0]])
    assert_allclose(np.exp(1j * turn.q[:, :4]), np.exp(1j * exact[:, :4]), atol=1e-9)
    assert_allclose(turn.q[:, 4], exact[:, 4], atol=1e-9)
    assert np.ptp(turn.q[:, 4]) == pytest.approx(
        2 * example.ARM * example.CRANK / example.CENTRES, rel=1e-4
    )
    half = np.arcsin(example.CRANK / example.CENTRES)
    assert example.time_ratio(turn) == pytest.approx(
        (np.pi + 2 * half) / (np.pi - 2 * half), rel=1e-2
    )


def test_torque_by_energy(example, turn):
    """The power of the crank is that of the tool and what the bodies gain."""
    power = turn.drive_forces()["crank"] * example.SPEED
    rate = np.gradient(turn.energy(), turn.t, edge_order=2)
    cutting = -turn.evaluate("force.tool * v.ram")
    assert_allclose(power, rate + cutting, atol=2e-3 * np.abs(power).max())


def test_bearings_by_newton(example, turn):
    """The ram: mass times acceleration is what pin, guide, tool and weight do."""
    forces = turn.reactions(axes="world")
    tool = turn.evaluate("force.tool")
    along = forces["pin"][:, 0] + tool  # the guide has no force along the ram
    assert_allclose(along, 15.0 * turn.a[:, 4], atol=1e-6)
    across = forces["pin"][:, 1] + forces["ram"][:, 1] - 15.0 * 9.81
    assert_allclose(across, 0.0, atol=1e-6)


@pytest.mark.slow
def test_results_are_written(example, tmp_path, monkeypatch):
    """Run all of it; the workbook holds the torque."""
    openpyxl = pytest.importorskip("openpyxl")
    monkeypatch.chdir(tmp_path)
    example.main()
    sheet = openpyxl.load_workbook("quick_return.xlsx").active
    heads = [cell.value for cell in next(sheet.iter_rows())]
    assert "tau.crank [N m]" in heads
    assert sheet.max_row == example.POSITIONS + 1
    for name in ("quick_return.png", "coupler_curve.png", "quick_return.gif"):
        assert (tmp_path / name).stat().st_size > 10_000
