"""Ctrl-C, the progress bar and callbacks in batches."""

import math
import os
import signal
import sys
import threading

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import double_pendulum
from poinsot.simulation.running.status import Outcome
from tests.simulation.test_interruption import Terminal, usual_handler  # noqa: F401 (a fixture)

Q = np.linspace(0.1, 1.0, 40).reshape(20, 2)
METHODS = {
    "rk4": {"integrator": "rk4", "step": 1e-3, "max_steps": 10**12},
    "dp8": {"integrator": "dp8", "max_steps": 10**12},
}


def swing():
    """Return what swings for hours, and does not creep into chaos."""
    return ps.System(
        "row",
        [ps.Body(str(k), joint=ps.Prismatic("x", stiffness=4.0), mass=1.0) for k in range(2)],
        gravity=(0, 0, 0),
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("method", METHODS)
def test_ctrl_c_keeps_what_there_is(method, usual_handler):  # noqa: F811
    """Interrupt a batch that would take hours, and compare what it has with a short one."""
    system, options = swing(), METHODS[method]
    times = [0.5, 1.0, 1e8]
    short = ps.simulate(system, Q, [0, 0], 1.0, save=times[:2], **options)
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.warns(ps.SimulationWarning, match="20 of 20 runs stopped before the end"):
        runs = ps.simulate(system, Q, [0, 0], 1e8, save=times, **options)
    timer.join()
    assert all(status.outcome is Outcome.INTERRUPTED for status in runs.status)
    begun = runs.reached > 1.0
    assert begun.any()
    assert_allclose(runs.q[begun, :2], short.q[begun], atol=1e-6)
    assert np.isnan(runs.q[:, 2]).all()
    assert (runs.reached[~begun] == 0.0).all()
    for k in (int(np.argmax(begun)), 19):
        assert runs[k].t[-1] == runs.reached[k]
        assert np.isfinite(runs[k].q).all()


@pytest.mark.parametrize("method", METHODS)
def test_progress_of_batches(method, monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    options = METHODS[method] | {"save": 0.1}
    ps.simulate(double_pendulum(), Q, [0, 0], 0.2, progress=False, **options)
    assert stream.getvalue() == ""
    ps.simulate(double_pendulum(), Q, [0, 0], 0.2, progress=True, **options)
    assert "double pendulum" in stream.getvalue()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore::poinsot.SimulationWarning")
def test_callbacks_run_one_by_one(method):
    """Check a law that Python calls, and that raises in one run."""

    def law(t, q, v):
        return -q * math.sqrt(1.0 - 2.0 * (q[0] > 1.05)) - 0.1 * v

    options = METHODS[method] | {"save": 0.1, "tau": ps.Callback(law)}
    system, v = double_pendulum(), np.array([0.0, 0.1])
    q = np.array([[0.1, 0.2], [1.1, 0.0], [0.3, 0.1]])
    runs = ps.simulate(system, q, v, 0.3, **options)
    assert runs.ok.tolist() == [True, False, True]
    assert runs.status[1].outcome is Outcome.CALLBACK_FAILED
    assert isinstance(runs.status[1].error, ValueError)
    for k in (0, 2):
        run = ps.simulate(system, q[k], v, 0.3, **options)
        assert_allclose(runs.q[k], run.q, atol=1e-14)
        assert runs[k].statistics.callback_calls == run.statistics.callback_calls > 0
