"""Many runs at once: each is what it would be alone, and none feels the others."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.library import double_pendulum
from poinsot.simulation.running import checks as memory_limit
from poinsot.simulation.stepping.integrators import INTEGRATORS

l, m = ps.symbols("l m")
EVERY = {
    name: {"integrator": name, "step": 0.01}
    if method.is_fixed
    else {"integrator": name, "save": 0.05}
    for name, method in INTEGRATORS.items()
} | {
    "dp5, some": {"integrator": "dp5", "save": [0.1, 0.25]},
    "rk4, some": {"integrator": "rk4", "step": 0.02, "save": [0.1, 0.107, 0.109, 0.3]},
}
"""Methods, and what else a batch needs."""


def pendulum():
    """Return a pendulum of free length and mass."""
    bob = ps.Body("bob", joint=ps.Revolute("y", damping=0.02), mass=m, com=(0, 0, -l))
    return ps.System("pendulum", [bob], parameters={"m": 2.0}, free=["m"])


def starts(system, *shape, seed=0):
    """Return random q and v of a leading shape."""
    rng = np.random.default_rng(seed)
    count = int(np.prod(shape))
    q = np.array([system.random(rng) for _ in range(count)]).reshape(*shape, system.nq)
    return q, rng.uniform(-1, 1, (*shape, system.nv))


def assert_alone(runs, index, run, tolerance):
    """Check that a run of a batch is the run alone, all it holds."""
    same = runs[index]
    assert_array_equal(same.t, run.t)
    assert_allclose(same.q, run.q, atol=tolerance, rtol=0)
    assert_allclose(same.v, run.v, atol=tolerance, rtol=0)
    assert same.status == run.status
    assert same.parameters == run.parameters
    ours, theirs = same.statistics, run.statistics
    assert (ours.steps, ours.rejected, ours.evaluations) == (
        theirs.steps,
        theirs.rejected,
        theirs.evaluations,
    )


@pytest.mark.parametrize("method", EVERY)
def test_every_run_is_the_run_alone(method):
    system = double_pendulum()
    q, v = starts(system, 2, 5)
    runs = ps.simulate(system, q, v, 0.5, **EVERY[method])
    assert runs.shape == (2, 5)
    assert runs.q.shape == (2, 5, runs.t.size, 2)
    assert runs.ok.all()
    for index in np.ndindex(2, 5):
        run = ps.simulate(system, q[index], v[index], 0.5, **EVERY[method])
        assert_alone(runs, index, run, 1e-13)
        assert_allclose(runs.energy()[index], run.energy(), rtol=1e-12)


@pytest.mark.parametrize("method", EVERY)
def test_everything_broadcasts(method):
    """Check lengths over one dimension, forces over another, and one start for all."""
    system = pendulum()
    lengths, forces = np.array([0.5, 1.0, 2.0]), np.array([0.0, 0.1]).reshape(2, 1, 1)
    runs = ps.simulate(
        system, [0.4], [0.0], 0.5, tau=forces, parameters={"l": lengths}, **EVERY[method],
    )  # fmt: skip
    assert runs.shape == (2, 3)
    assert_array_equal(runs.parameters["l"], np.broadcast_to(lengths, (2, 3)))
    assert_array_equal(runs.parameters["m"], np.full((2, 3), 2.0))
    for i, k in np.ndindex(2, 3):
        given = {"tau": forces[i, 0], "parameters": {"l": lengths[k]}}
        run = ps.simulate(system, [0.4], [0.0], 0.5, **given, **EVERY[method])
        assert_alone(runs, (i, k), run, 1e-13)
        assert_allclose(runs.energy()[i, k], run.energy(), rtol=1e-12)


@pytest.mark.parametrize("method", EVERY)
def test_laws_and_bases(method):
    """Check a law with a parameter in it, and a base that differs from run to run."""
    system = pendulum()
    lifts = np.zeros((3, 6))
    lifts[:, 2] = [0.0, 2.0, -9.81]
    options = {
        "tau": lambda t, q, v: l * np.sin(3 * t) - 0.1 * v,
        **EVERY[method],
    }
    values = {"l": np.array([0.5, 1.0, 2.0])}
    runs = ps.simulate(
        system, [0.4], [0.0], 0.5, base=ps.BaseMotion(acceleration=lifts), parameters=values,
        **options,
    )  # fmt: skip
    for k in range(3):
        given = {"base": ps.BaseMotion(acceleration=lifts[k]), "parameters": {"l": values["l"][k]}}
        assert_alone(runs, k, ps.simulate(system, [0.4], [0.0], 0.5, **given, **options), 1e-13)


@pytest.mark.parametrize("shape", [(0,), (1,), (3, 0), (1, 1)])
@pytest.mark.parametrize("method", EVERY)
def test_shapes_without_or_with_one_run(method, shape):
    system = double_pendulum()
    q, v = starts(system, *shape)
    runs = ps.simulate(system, q, v, 0.3, **EVERY[method])
    assert runs.shape == shape
    assert len(runs) == shape[0]
    n = runs.t.size
    assert runs.q.shape == (*shape, n, 2)
    assert runs.energy().shape == (*shape, n)
    assert runs.ok.shape == runs.reached.shape == runs.status.shape == shape
    if runs.size:
        index = (0,) * len(shape)
        run = ps.simulate(system, q[index], v[index], 0.3, **EVERY[method])
        assert_alone(runs, index, run, 1e-13)


def test_runs_are_chosen_as_numpy_chooses():
    system = double_pendulum()
    q, v = starts(system, 4, 3)
    runs = ps.simulate(system, q, v, 0.2, save=0.1)
    assert isinstance(runs[1, 2], ps.Run)
    assert isinstance(runs[1], ps.Runs)
    assert_array_equal(runs[1].q, runs.q[1])
    assert_array_equal(runs[::2, 1].v, runs.v[::2, 1])
    assert_array_equal(runs[runs.q[..., -1, 0] > 0].q, runs.q[runs.q[..., -1, 0] > 0])
    assert [part.shape for part in runs] == [(3,)] * 4
    with pytest.raises(IndexError):
        runs[4]
    again = pickle.loads(pickle.dumps(runs))
    assert_array_equal(again.q, runs.q)
    assert_array_equal(again[1, 2].at(0.15)[0], runs[1, 2].at(0.15)[0])


def blow_up(t, q, v):
    """Return forces that end in a pole where the start is above 1."""
    return q**2 * 40.0 + v**2


@pytest.mark.filterwarnings("ignore::poinsot.SimulationWarning")
@pytest.mark.parametrize("method", EVERY)
def test_a_run_that_ends_early_does_not_disturb_the_others(method):
    system = ps.System("slider", [ps.Body("mass", joint=ps.Prismatic("x"), mass=1.0)])
    q = np.array([[0.0], [0.01], [3.0], [-0.01], [5.0]])
    options = {"tau": blow_up, **EVERY[method]}
    runs = ps.simulate(system, q, [0.0], 1.0, **options)
    assert runs.ok.tolist() == [True, True, False, True, False]
    for k in range(5):
        assert_alone(runs, k, ps.simulate(system, q[k], [0.0], 1.0, **options), 1e-12)
        known = np.isin(runs.t, runs[k].t)
        assert np.isnan(runs.q[k, ~known]).all()
        assert np.isfinite(runs.q[k, known]).all()
        assert not known[runs.t > runs.reached[k]].any()
        assert f"t = {runs.reached[k]:g} s" in runs.status[k].message


def test_a_warning_counts_the_runs_that_ended_early():
    system = ps.System("slider", [ps.Body("mass", joint=ps.Prismatic("x"), mass=1.0)])
    with pytest.warns(ps.SimulationWarning, match=r"2 of 3 runs stopped.*run \[1\] stopped at t"):
        ps.simulate(system, [[0.0], [3.0], [5.0]], [0.0], 1.0, tau=blow_up, save=0.1)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"q": np.zeros((3, 3))}, ps.ShapeError, r"q must have shape .*\(\.\.\., 2\).*\(3, 3\)"),
        ({"q": np.zeros((3, 2)), "v": np.zeros((4, 2))}, ps.ShapeError, r"q \(3,\), v \(4,\)"),
        ({"tau": np.zeros((3, 4))}, ps.ShapeError, r"\(\.\.\., 2\) for many runs, got \(3, 4\)"),
        ({"q": np.zeros((3, 2)), "tau": np.zeros((5, 2))}, ps.ShapeError, r"\(3,\).*\(5,\)"),
        ({"q": [[0, 0], [0, np.nan]]}, ps.ModelError, r"q must be finite, got .* of run \[1\]"),
        ({"q": np.zeros((3, 2)), "save": None}, ps.ModelError, "save=0.01, or take equal steps"),
        ({"save": [[0.1, 0.2]]}, ps.ShapeError, r"save must be a number or have shape \(n,\)"),
    ],
)
def test_wrong_batches_are_refused(wrong, error, message):
    good = {"q": [0.1, 0.2], "v": [0.0, 0.0], "duration": 1.0, "save": 0.1}
    with pytest.raises(error, match=message):
        ps.simulate(double_pendulum(), **(good | wrong))


def test_quaternions_of_one_run_are_named():
    box = ps.System("box", [ps.Body("box", joint=ps.Free(), mass=1.0, inertia=(1, 1, 1))])
    q = np.tile(box.neutral(), (3, 1))
    q[1] *= 2
    with pytest.raises(ps.ModelError, match=r"joint 'box'.* of run \[1\], must have length 1"):
        ps.simulate(box, q, np.zeros(6), 1.0, save=0.1)


def test_batches_that_do_not_fit_are_refused_before_they_are_made(monkeypatch):
    system = double_pendulum()
    with pytest.raises(
        ps.PoinsotError, match=r"1000000 runs of 1000001 states .* GiB; store fewer"
    ):
        ps.simulate(system, np.zeros((1000, 1000, 2)), [0, 0], 1.0, save=1e-6)
    monkeypatch.setattr(
        memory_limit.os, "sysconf", lambda name: {"SC_PHYS_PAGES": 2}.get(name, 4096)
    )
    with pytest.raises(ps.PoinsotError, match=r"take .* GiB"):
        ps.simulate(system, np.zeros((40, 2)), [0, 0], 1.0, save=0.1)


def test_runs_are_immutable():
    runs = ps.simulate(double_pendulum(), np.zeros((2, 2)), [0, 0], 0.1, save=0.1)
    with pytest.raises(AttributeError, match="immutable"):
        runs.t = 0
    with pytest.raises(ValueError, match="read-only"):
        runs.q[0] = 0


def test_runs_as_a_data_set():
    pytest.importorskip("xarray", reason="xarray is not installed")
    lengths = np.array([0.5, 1.0, 2.0])
    options = {"parameters": {"l": lengths}, "save": 0.1}
    runs = ps.simulate(pendulum(), [0.4], np.zeros((2, 1, 1)), 0.3, **options)
    data = runs.to_xarray()
    assert data.q.dims == ("run_0", "run_1", "t", "coordinate")
    assert_array_equal(data.l, np.broadcast_to(lengths, (2, 3)))
    assert_array_equal(data.q.sel(coordinate="bob", run_0=1).values, runs.q[1, :, :, 0])
    row = runs[0].to_xarray()
    assert row.v.dims == ("run", "t", "velocity")
    assert_array_equal(row.kinetic_energy, runs[0].kinetic_energy())
    assert row.ok.all()
    assert row.attrs["integrator"] == "dp8"
    alone = runs[0, 1].to_xarray()
    assert_array_equal(row.q.isel(run=1).values, alone.q.values)
    assert row.coordinate_units.values == alone.coordinate_units.values == ["rad"]


@pytest.mark.parametrize("method", EVERY)
def test_one_of_many_can_be_repeated_and_looked_into(method):
    system = double_pendulum()
    q, v = starts(system, 3)
    runs = ps.simulate(system, q, v, 0.3, **EVERY[method])
    alone = ps.simulate(system, q[1], v[1], 0.3, **EVERY[method])
    assert_array_equal(runs[1].repeat().q, alone.q)
    assert_allclose(runs[1].at([0.1234, 0.2])[0], alone.at([0.1234, 0.2])[0], atol=1e-12)
