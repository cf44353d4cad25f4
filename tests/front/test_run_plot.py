"""Figures of runs: what they show by themselves, and what is chosen by name."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.front.run_plot import is_noise
from poinsot.library import double_pendulum, four_bar, slider_crank
from poinsot.plots.panels import residual_panel
from tests.front.test_run_quantities import arm


def words(path):
    """Return the texts of a figure."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.strip()[5:-4] for line in lines if line.strip().startswith("<!-- ")]


def drawn(run, path, what=None):
    """Return the texts of a figure of a run, drawn into a file."""
    run.plot(path, *([] if what is None else [what]))
    return words(path)


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
    shown = drawn(free, tmp_path / "run.svg")
    assert "Change of total / largest kinetic energy" in shown
    assert not any("Drive" in word or "residual" in word for word in shown)


def test_a_driven_closed_system(closed, tmp_path):
    shown = drawn(closed, tmp_path / "run.svg")
    assert "Change of total / largest kinetic energy" not in shown
    for title in ("Drive torques", "Drive forces", "Energies", "Angles", "Positions"):
        assert title in shown
    assert {"[N]", "[N m]"} <= set(shown)
    assert not any("residual" in word for word in shown)  # which are rounding alone
    asked = drawn(closed, tmp_path / "run.svg", ["residual"])
    assert "Loops and constraints: residual of positions" in asked
    assert all(loop.name in asked for loop in closed.system.loops)
    assert {"[m, rad]", "[m/s, rad/s]"} <= set(asked)


@pytest.mark.parametrize(("size", "noise"), [(3e-15, True), (1e-9, False)])
def test_residuals_above_rounding_are_no_noise(size, noise):
    """Check which panels a figure leaves out unless they are asked for."""
    t = np.linspace(0, 1, 5)
    panel = residual_panel("Residual", "m", t, {"loop": size * np.column_stack([t, -t])})
    assert is_noise(panel) is noise


def test_absolute_angles(tmp_path):
    """Compare the turn of the lower rod about y with the sum of the joint angles, over a turn."""
    run = ps.simulate(double_pendulum(), [3.0, 2.0], [4.0, 6.0], 1.0)
    total = run.q.sum(axis=1)
    turned = run.evaluate("angle.lower.y")
    assert np.ptp(total) > np.pi
    np.testing.assert_allclose(np.exp(1j * turned), np.exp(1j * total), atol=1e-9)
    figure = run.plot(tmp_path / "run.png", what=["angle.lower.y"])
    (curve,) = (line for line in figure.axes[0].get_lines())
    np.testing.assert_allclose(np.ptp(curve.get_ydata()), np.ptp(total), rtol=1e-3)


def test_what_is_chosen(closed, tmp_path):
    joint = closed.system.joint_names[0]
    what = ["energy", f"v.{joint}", [f"sin({joint})", f"cos({joint})"], "a", "momentum", "residual"]
    shown = drawn(closed, tmp_path / "run.svg", what=what)
    for word in (f"v.{joint}", "[rad/s]", f"sin({joint})", "Angular accelerations", "[rad/s²]",
                 "Momentum", "[N s]", "[N m s]"):  # fmt: skip
        assert word in shown
    assert "Angles" not in shown


def test_free_parameters(tmp_path):
    q, v = np.array([0.3, 1, 0, 0, 0]), [0.1, 0.3, -0.2, 0.5]
    run = ps.simulate(arm(), q, v, 0.3, parameters={"m": 3.0})
    assert "m*t" in drawn(run, tmp_path / "run.svg", ["m*t", "energy", "drift"])


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
    shown = drawn(study, tmp_path / "study.svg")
    assert "Drive torques" in shown
    assert "Change of total / largest kinetic energy" not in shown
