"""Driven mechanisms: branches kept, dead points and branch points found, forces that drive."""

import numpy as np
import pytest

import poinsot as ps
from tests.assemble.four_bars import FOUR_BAR, by_trigonometry, four_bar

TURN = 2 * np.pi


def test_a_crank_goes_round_on_its_branch():
    q = by_trigonometry(0.8, 1)
    study = ps.drive(FOUR_BAR, q, {"a": (0.8, 0.8 + TURN)}, duration=2.0, positions=101)
    assert study.ok
    assert study.t.size == 101
    assert study.singular == ()
    for t, at in zip(study.t, study.q, strict=True):
        exact = by_trigonometry(0.8 + TURN * t / 2.0, 1)
        assert np.abs(np.exp(1j * at) - np.exp(1j * exact)).max() < 1e-9
    assert np.abs(FOUR_BAR.constraint_rate(study.q, study.v)).max() < 1e-9


def test_forces_of_the_drives_are_those_of_inverse_dynamics():
    q = by_trigonometry(0.8, -1)
    study = ps.drive(FOUR_BAR, q, {"a": "0.8 + 2*t + sin(3*t)"}, duration=1.0, positions=21)
    tau = FOUR_BAR.inverse_dynamics(study.q, study.v, study.a, joints=["a"])
    np.testing.assert_allclose(study.drive_forces()["a"], tau[:, 0], rtol=1e-9, atol=1e-9)
    table = study.to_pandas()
    assert list(table)[:4] == ["q.a", "q.b", "q.c", "v.a"]
    np.testing.assert_array_equal(table["tau.a"], study.drive_forces()["a"])
    wrench = study.reactions(axes="world")["pin"]
    assert wrench.shape == (21, 6)


def test_a_drive_stops_at_its_dead_point():
    """The angle between coupler and rocker has its extremes where the crank is on the ground."""
    q = by_trigonometry(0.8, 1)
    with pytest.warns(ps.SimulationWarning, match="dead point|singular"):
        study = ps.drive(FOUR_BAR, q, {"c": lambda t: q[2] + 2.0 * t}, duration=1.0)
    assert not study.ok
    assert abs(np.sin(study.q[-1, 0])) < 0.1
    np.testing.assert_allclose(study.singular, [study.t[-1]])


def test_a_parallelogram_meets_its_other_branch():
    """It is flat twice in a turn; there the anti-parallelogram branches off."""
    system = four_bar((0.3, 0.7, 0.3), 0.7)
    q = system.assemble([1.0, -1.0, -2.1], joints=["a"])
    study = ps.drive(system, q, {"a": (1.0, 1.0 + TURN)}, positions=150)
    assert study.ok
    np.testing.assert_allclose(study.q[:, 0] + study.q[:, 1], 0.0, atol=1e-9)
    flat = [(np.pi - 1.0) / TURN, (TURN - 1.0) / TURN]
    np.testing.assert_allclose(study.singular, flat, atol=1e-4)


def test_states_between_the_stored_ones():
    q = by_trigonometry(0.8, 1)
    study = ps.drive(FOUR_BAR, q, {"a": "0.8 + t"}, positions=11)
    at, rate = study.at(0.4321)
    np.testing.assert_allclose(at, by_trigonometry(1.2321, 1), atol=1e-9)
    assert rate[0] == pytest.approx(1.0)


def test_pictures_and_tables(tmp_path):
    study = ps.drive(FOUR_BAR, by_trigonometry(0.8, 1), {"a": "0.8 + 6*t"}, positions=41)
    study.plot(tmp_path / "study.png")
    assert (tmp_path / "study.png").stat().st_size > 10_000
    assert study.animate(tmp_path / "study.gif", fps=10).path.stat().st_size > 10_000
    lines = study.save_table(tmp_path / "study.csv").read_text().splitlines()
    assert lines[0].startswith('"t [s]","q.a [rad]"')
    assert len(lines) == 42


def test_what_is_wrong_is_said():
    q = by_trigonometry(0.8, 1)
    with pytest.raises(ps.AssemblyError, match="leave 1 degree of freedom"):
        ps.drive(ps.library.double_pendulum(), [0.1, 0.2], {"upper": "t"})
    with pytest.raises(ps.ModelError, match="motions must name joints"):
        ps.drive(FOUR_BAR, q, {})
    with pytest.raises(ps.ModelError, match="unknown joint 'crank'"):
        ps.drive(FOUR_BAR, q, {"crank": "t"})
    with pytest.raises(ps.FormulaError):
        ps.drive(FOUR_BAR, q, {"a": "2*x"})
    with pytest.raises(ps.ModelError, match=r"\(from, to\)"):
        ps.drive(FOUR_BAR, q, {"a": (1, 2, 3)})
    with pytest.raises(ps.ModelError, match="motions must name joints"):
        ps.drive(FOUR_BAR, q, [("a", "t")])
    with pytest.raises(ps.ModelError, match="at least 2, got 0"):
        ps.drive(FOUR_BAR, q, {"a": "t"}, positions=0)
    with pytest.raises(ps.AssemblyError, match="2 drives for 1 degrees of freedom"):
        ps.drive(FOUR_BAR, q, {"a": (q[0], 2.0), "b": (q[1], 2.0)})


@pytest.mark.parametrize("name", ["b.xls", "b.parquet", "b"])
def test_tables_are_not_written_under_foreign_names(tmp_path, name):
    """Ask for a table in a file of a kind that it is not."""
    study = ps.drive(FOUR_BAR, by_trigonometry(0.8, 1), {"a": "0.8 + t"}, positions=3)
    with pytest.raises(ps.ModelError, match=r"must end in \.csv, \.txt, \.xlsx, got"):
        study.save_table(tmp_path / name)
    assert not list(tmp_path.iterdir())
    assert study.save_table(tmp_path / "b.CSV").read_text().count("\n") == 4
