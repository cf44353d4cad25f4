"""Ctrl-C and the progress bar."""

import io
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import double_pendulum
from poinsot.simulation.running import monitoring as progress
from poinsot.simulation.running.monitoring import Interruption
from poinsot.simulation.running.status import Outcome

LONG = """
import signal, warnings
import poinsot as ps
warnings.simplefilter("ignore")
signal.signal(signal.SIGINT, signal.default_int_handler)
system = ps.library.double_pendulum()
first = ps.simulate(system, [1.0, 2.0], [0.0, 0.0], 1.0)
print("running", flush=True)
run = ps.simulate(system, [1.0, 2.0], [0.0, 0.0], 1e9, save=[0, 1, 2, 1e9], max_steps=10**12)
print(run.status.outcome.name, run.status.time == run.t[-1] > 1.0, len(run) > 2, flush=True)
again = ps.simulate(system, [1.0, 2.0], [0.0, 0.0], 1.0)
print((again.q == first.q).all(), flush=True)
"""


@pytest.fixture
def usual_handler():
    """Set Python's own handler of SIGINT, which test runners may have replaced."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_returns_what_there_is():
    """A process that runs machine code is sent SIGINT, and goes on with what it has."""
    process = subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "running\n"
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        lines, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert lines == "INTERRUPTED True True\nTrue\n"
    assert process.returncode == 0


def interrupting(presses):
    """Return a law that presses Ctrl-C at t > 0.5, the times given."""
    left = [presses]

    def law(t, q, v):
        while t > 0.5 and left[0] > 0:
            left[0] -= 1
            signal.raise_signal(signal.SIGINT)
        return -q

    return ps.Callback(law)


def test_what_was_reached_is_the_beginning_of_the_whole(usual_handler):
    whole = ps.simulate(double_pendulum(), [1, 2], [0, 0], 9.0, tau=ps.Callback(lambda t, q, v: -q))
    with pytest.warns(ps.SimulationWarning, match=r"interrupted at t = .* of 9 s"):
        part = ps.simulate(double_pendulum(), [1, 2], [0, 0], 9.0, tau=interrupting(1))
    assert part.status.outcome is Outcome.INTERRUPTED
    assert not part.status.ok
    assert 0.5 < part.status.time == part.t[-1] < 9.0
    assert (part.q == whole.q[: len(part)]).all()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_does_not_wait(usual_handler):
    """Inside a law it is raised there, so that one that hangs can be left."""
    with pytest.warns(ps.SimulationWarning, match="was interrupted"):
        run = ps.simulate(double_pendulum(), [1, 2], [0, 0], 9.0, tau=interrupting(2))
    assert run.status.outcome is Outcome.INTERRUPTED
    assert isinstance(run.status.error, KeyboardInterrupt)
    assert run.t[-1] < 1.0


def test_a_handler_of_the_user_stays(usual_handler):
    def own(number, frame):
        raise KeyError("own handler")

    signal.signal(signal.SIGINT, own)
    with Interruption() as interruption:
        with pytest.raises(KeyError):
            signal.raise_signal(signal.SIGINT)
        assert not interruption.asked
    assert signal.getsignal(signal.SIGINT) is own


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def shown(monkeypatch, stream, **options):
    """Return what a run writes to the standard error, and the run."""
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    run = ps.simulate(double_pendulum(), [1, 2], [0, 0], 50.0, **options)
    return stream.getvalue(), run


def test_progress_shows_only_where_it_may(monkeypatch):
    plain = ps.simulate(double_pendulum(), [1, 2], [0, 0], 50.0)
    text, run = shown(monkeypatch, Terminal())
    assert "double pendulum" in text
    assert re.search(r"s of 50 s", text)
    assert np.array_equal(run.q, plain.q)
    assert shown(monkeypatch, Terminal(), progress=False)[0] == ""
    assert shown(monkeypatch, io.StringIO())[0] == ""
    assert "double pendulum" in shown(monkeypatch, io.StringIO(), progress=True)[0]


def test_short_runs_show_nothing(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    ps.simulate(double_pendulum(), [1, 2], [0, 0], 5.0)
    assert terminal.getvalue() == ""
