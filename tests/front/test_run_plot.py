"""Figures of runs: what they show by themselves, and what is chosen by name."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import double_pendulum, four_bar, slider_crank
from tests.front.test_run_quantities import arm


def words(path):
    """Return the texts of a figure."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.strip()[5:-4] for line in lines if line.strip().startswith("<!-- ")]


@pytest.fixture(scope="module")
def free():
    return ps.simulate(double_pendulum(), [1.0, 2.0], [0.0, 0.0], 1.0)


@pytest.fixture(scope="module")
def closed():
    system = slider_crank()
    q = system.assemble(system.neutral() + 0.1)
    v = system.consistent_velocity(q, np.ones(system.nv))
    return ps.simulate(system, q, v, 0.5, tau=lambda t, q, v: -0.3 * v)


def test_a_free_tree(free, tmp_path):
    shown = words(free.plot(tmp_path / "run.svg"))
    assert "Change of total / largest kinetic energy" in shown
    assert not any("Drive" in word or "residual" in word for word in shown)


def test_a_driven_closed_system(closed, tmp_path):
    shown = words(closed.plot(tmp_path / "run.svg"))
    assert "Change of total / largest kinetic energy" not in shown
    for title in ("Drive torques", "Drive forces", "Energies", "Angles", "Positions"):
        assert title in shown
    assert "Loops and constraints: residual of positions" in shown
    assert all(loop.name in shown for loop in closed.system.loops)
    assert {"[N]", "[N m]", "[m, rad]", "[m/s, rad/s]"} <= set(shown)


def test_what_is_chosen(closed, tmp_path):
    joint = closed.system.joint_names[0]
    what = ["energy", f"v.{joint}", [f"sin({joint})", f"cos({joint})"], "a", "momentum", "residual"]
    shown = words(closed.plot(tmp_path / "run.svg", what=what))
    for word in (f"v.{joint}", "[rad/s]", f"sin({joint})", "Angular accelerations", "[rad/s²]",
                 "Momentum", "[N s]", "[N m s]"):  # fmt: skip
        assert word in shown
    assert "Angles" not in shown


def test_free_parameters(tmp_path):
    q, v = np.array([0.3, 1, 0, 0, 0]), [0.1, 0.3, -0.2, 0.5]
    run = ps.simulate(arm(), q, v, 0.3, parameters={"m": 3.0})
    assert "m*t" in words(run.plot(tmp_path / "run.svg", ["m*t", "energy", "drift"]))


def test_mistakes(free, tmp_path):
    path = tmp_path / "run.png"
    for what in ("q", [], [3], [["upper", 3]]):
        with pytest.raises(ps.ModelError, match="what must be a list"):
            free.plot(path, what)
    with pytest.raises(ps.FormulaError, match=r"did you mean 'upper'[^!]*energy, drift"):
        free.plot(path, ["uper"])
    with pytest.raises(ps.ModelError, match="no loops or constraints"):
        free.plot(path, ["residual"])
    assert not path.exists()


def test_a_study_shows_the_forces_of_its_drives(tmp_path):
    system = four_bar()
    q = system.assemble(system.neutral() + 0.1)
    crank = system.joint_names[0]
    study = ps.drive(system, q, {crank: (q[0], q[0] + 1.0)}, 1.0)
    shown = words(study.plot(tmp_path / "study.svg"))
    assert "Torques of the drives" in shown
    assert "Change of total / largest kinetic energy" not in shown
