"""Checkpoints of many runs: those that had ended are kept, the others give the same bits."""

import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import poinsot as ps
from poinsot.simulation.running.batch import batch_integration, batch_threads
from poinsot.simulation.running.status import Outcome
from tests.simulation.killed_batch import batch


def assert_same(runs, others):
    """Check that two batches agree in every bit that does not depend on the clock."""
    assert runs.system == others.system
    assert_array_equal(runs.q, others.q)
    assert_array_equal(runs.v, others.v)
    for run, other in zip(runs, others, strict=True):
        assert run.status == other.status
        assert run.statistics.steps == other.statistics.steps
        assert [(x.name, x.t) for x in run.events] == [(x.name, x.t) for x in other.events]
        for event, twin in zip(run.events, other.events, strict=True):
            assert_array_equal(event.v, twin.v)


CASES = [("dp8", True), ("dp5", False), ("rk4", True), ("rk4", False)]


@pytest.mark.parametrize(("integrator", "contacts"), CASES)
def test_a_batch_that_stops_early_goes_on(tmp_path, monkeypatch, integrator, contacts):
    """After half of the runs all is interrupted; their bits stay, the rest is simulated."""
    arguments, options = batch(integrator, contacts)
    whole = ps.simulate(*arguments, **options)
    assert any(run.events for run in whole) == contacts
    file, simulated = tmp_path / "runs.npz", []
    process = batch_threads.process_ranges

    def few(worker, ranges, *args, **more):
        simulated.extend(number for first, last in ranges for number in range(first, last))
        return process(worker, ranges[: len(ranges) // 2], *args, **more)

    with monkeypatch.context() as patch:
        for module in (batch_integration, sys.modules[batch_integration.run_in_lanes.__module__]):
            patch.setattr(module, "process_ranges", few)
        with pytest.warns(ps.SimulationWarning, match="runs stopped before the end"):
            cut = ps.simulate(*arguments, **options, checkpoint=file)
        done = int(cut.ok.sum())
        assert 0 < done < cut.size
        for run, full in zip(cut[:done], whole[:done], strict=True):
            assert_array_equal(run.q, full.q)
            assert len(run.events) == len(full.events)
        assert all(run.status.outcome is Outcome.INTERRUPTED for run in cut[done:])
        there = ps.load_run(file)
        assert_array_equal(there.q, cut.q)
        simulated.clear()
        with pytest.warns(ps.SimulationWarning):
            ps.resume(file)
        assert simulated == list(range(done, cut.size))
    assert_same(ps.resume(file), whole)
    again = ps.resume(file)  # all have ended
    assert_same(again, whole)


def test_runs_of_too_few_steps_go_on(tmp_path):
    arguments, options = batch("dp8")
    whole = ps.simulate(*arguments, **options)
    file = tmp_path / "runs.npz"
    most = int(np.median([run.statistics.steps + run.statistics.rejected for run in whole]))
    with pytest.warns(ps.SimulationWarning, match="max_steps"):
        cut = ps.simulate(*arguments, **options, max_steps=most, checkpoint=file)
    assert 0 < cut.ok.sum() < cut.size
    assert_same(ps.resume(file, max_steps=100_000), whole)


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.parametrize(("integrator", "contacts"), [("dp8", "contacts"), ("dp8", "none")])
def test_a_killed_process(tmp_path, integrator, contacts):
    file, root = tmp_path / "runs.npz", Path(__file__).parents[2]
    killed = subprocess.run(
        [sys.executable, "-m", "tests.simulation.killed_batch", integrator, contacts, str(file)],
        cwd=root,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(root), *sys.path]),
            "POINSOT_NUM_THREADS": "1",
        },
        capture_output=True,
        text=True,
    )
    assert (killed.returncode, killed.stdout) == (-signal.SIGKILL, ""), killed.stderr
    left = ps.load_run(file)
    assert not left.ok.all()
    arguments, options = batch(integrator, contacts == "contacts")
    assert_same(ps.resume(file), ps.simulate(*arguments, **options))


def test_errors_name_the_remedy(tmp_path):
    arguments, options = batch("rk4")
    file = tmp_path / "runs.npz"
    ps.simulate(*arguments, **options, checkpoint=file)
    with pytest.raises(ps.ModelError, match=r"many runs.*runs\[k\]\.continued"):
        ps.resume(file, duration=2.0)
    law = ps.Callback(lambda t, q, v: [0.0, 0.0, 0.0])
    with pytest.raises(ps.PoinsotError, match="a checkpoint cannot hold Callback"):
        ps.simulate(*arguments, **options, tau=law, checkpoint=file)
    with pytest.raises(ps.ModelError, match=r"must be a file \.npz"):
        ps.simulate(*arguments, **options, checkpoint=tmp_path / "runs.txt")
    with pytest.raises(ps.ModelError, match="cannot be written"):
        ps.simulate(*arguments, **options, checkpoint=tmp_path / "none" / "runs.npz")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ps.resume(file).ok.all()
