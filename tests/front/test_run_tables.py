"""Runs as tables of pandas and data sets of xarray."""

import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import poinsot as ps
from poinsot.library import double_pendulum
from tests.front.test_run_quantities import arm


@pytest.fixture(scope="module")
def run():
    q, v = np.array([0.3, 1, 0, 0, 0]), [0.1, 0.3, -0.2, 0.5]
    return ps.simulate(arm(), q, v, 0.5, save=0.1, parameters={"m": 3.0})


def test_pandas(run):
    pytest.importorskip("pandas", reason="tables need the extra 'data'")
    table = run.to_pandas({"height": "-cos(upper)", "pull": lambda t, q, v: t * v[0]})
    assert table.index.name == "t"
    assert_array_equal(table.index, run.t)
    assert list(table.columns[:2]) == ["q.upper", "q.ball.qw"]
    assert_array_equal(table["v.ball.wz"], run.v[:, 3])
    assert_array_equal(table["pull"], run.t * run.v[:, 0])
    assert table.attrs["units"]["v.upper"] == "rad/s"
    assert table.attrs["units"]["t"] == "s"
    assert table.attrs["rtol"] == 1e-8
    assert table.attrs["parameter m"] == 3.0
    assert table.attrs["status"] == "finished"


def test_xarray(run, tmp_path):
    pytest.importorskip("xarray", reason="data sets need the extra 'data'")
    data = run.to_xarray({"height": "-cos(upper)"})
    assert data.q.dims == ("t", "coordinate")
    assert data.v.dims == ("t", "velocity")
    assert_array_equal(data.q.sel(coordinate="ball.qx"), run.q[:, 2])
    assert_array_equal(data.v.sel(velocity="upper").sel(t=0.2, method="nearest"), run.v[2, 0])
    assert_array_equal(data.kinetic_energy, run.kinetic_energy())
    assert data.kinetic_energy.attrs["units"] == "J"
    assert data.t.attrs["units"] == "s"
    assert str(data.velocity_units.sel(velocity="upper").values) == "rad/s"
    assert data.attrs["integrator"] == "dp8"
    assert data.height.dims == ("t",)


def test_mistakes(run):
    pytest.importorskip("pandas", reason="tables need the extra 'data'")
    with pytest.raises(ps.ModelError, match=r"a column 'q\.upper' already"):
        run.to_pandas({"q.upper": "1"})
    with pytest.raises(ps.ShapeError, match=r"one number, got shape \(4,\)"):
        run.to_pandas({"v": lambda t, q, v: v})
    with pytest.raises(ps.ModelError, match="expressions by name"):
        run.to_pandas("upper")


@pytest.mark.parametrize(("package", "method"), [("pandas", "to_pandas"), ("xarray", "to_xarray")])
def test_without_the_package_the_extra_is_named(package, method, monkeypatch):
    run = ps.simulate(double_pendulum(), [1.0, 2.0], [0.0, 0.0], 0.1)
    monkeypatch.setitem(sys.modules, package, None)
    message = rf"{method} needs the package '{package}'.*pip install 'poinsot\[data\]'"
    with pytest.raises(ps.MissingPackageError, match=message):
        getattr(run, method)()
