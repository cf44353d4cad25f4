"""Cylinders, bushings, motors by table and friction with two sides in runs, batches and files."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from tests.formulations.loaded import machine


@pytest.fixture(scope="module")
def run():
    system = machine()
    return ps.simulate(system, system.neutral(), np.zeros(system.nv), 0.5, rtol=1e-10, save=0.02)


def test_energy_changes_by_their_work(run):
    """The gain of energy is the work of all elements, less what the bushing stores."""
    system = run.system
    run = ps.simulate(system, run.q[0], run.v[0], 0.1, rtol=1e-11, save=5e-4)
    named = [force.name for force in run.system.forces]
    work = sum(run.work(f"power.{name}") for name in named)
    stored = run.potential_energy() - machine_without_bushing(run.system).potential_energy(run.q)
    gain = run.energy() - stored
    assert np.ptp(gain) > 1.0
    assert_allclose(gain - gain[0], work, atol=2e-6)


def machine_without_bushing(system):
    """Return the same bodies without what stores energy."""
    return ps.System(system.name, system.bodies, gravity=system.gravity)


def test_batches_are_single_runs(run):
    """Run two starts side by side, and each alone."""
    system = run.system
    starts = np.stack([system.neutral(), system.neutral()])
    starts[1, :2] += 0.1
    runs = ps.simulate(system, starts, np.zeros(system.nv), 0.5, rtol=1e-10, save=0.02)
    assert_allclose(runs.q[0], run.q, atol=1e-9)
    for name, force in run.forces().items():
        assert_allclose(runs.forces()[name][0], force, atol=1e-5)


def test_they_resume_and_come_back(run, tmp_path):
    """Stop in the middle and go on, and read a saved run: the same bits."""
    system, path = run.system, tmp_path / "part.npz"
    start = system.neutral(), np.zeros(system.nv), 0.5
    options = {"rtol": 1e-10, "save": 0.02, "checkpoint": path}
    with pytest.warns(ps.SimulationWarning, match="max_steps"):
        ps.simulate(system, *start, max_steps=20, **options)
    again = ps.resume(path, max_steps=100_000)
    assert_array_equal(again.q, run.q)
    loaded = ps.load_run(again.save(tmp_path / "run.npz"))
    assert loaded.system == system
    assert_array_equal(loaded.evaluate("force.engine"), run.evaluate("force.engine"))


def test_they_verify(run):
    """Compare all formulations and back ends."""
    assert ps.verify(run.system).ok
