"""Checkpoints: runs that were killed or stopped anywhere go on to the same bits."""

import os
import signal
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import poinsot as ps
from poinsot.io.tree_file import read_tree, write_tree
from poinsot.library import double_pendulum
from poinsot.simulation.files import checkpoint, checkpoint_writer
from poinsot.simulation.running.run_in_progress import RunInProgress
from poinsot.simulation.running.status import Outcome
from poinsot.simulation.stepping import control
from tests.random_examples import examples
from tests.simulation.killed import everything, long_run
from tests.simulation.test_closed import FOUR_BAR, four_bar_state
from tests.strategies import cases

METHODS = [
    ("dp8", {}),
    ("dp5", {}),
    ("stiff", {}),
    ("rk4", {"step": 1e-3}),
    ("symplectic", {"step": 1e-3}),
]


def assert_same(run, other):
    """Check that two runs agree in every bit that does not depend on the clock."""
    assert run.system == other.system
    assert run.status == other.status
    for name in ("t", "q", "v"):
        assert_array_equal(getattr(run, name), getattr(other, name))
    for name in ("steps", "rejected", "evaluations"):
        assert getattr(run.statistics, name) == getattr(other.statistics, name)
    assert [event.t for event in run.events] == [event.t for event in other.events]
    middle = 0.5 * (run.t[0] + run.t[-1])
    assert_array_equal(run.at(middle)[0], other.at(middle)[0])
    assert_array_equal(run.tau(), other.tau())


def stopped(path, arguments, options, after, **more):
    """Return the run that was stopped after so many steps, and went on from its file."""
    with pytest.warns(ps.SimulationWarning, match="max_steps"):
        part = ps.simulate(*arguments, **options, **more, checkpoint=path, max_steps=after)
    assert part.status.outcome is Outcome.TOO_MANY_STEPS
    return ps.resume(path, max_steps=1_000_000)


@pytest.mark.parametrize(("method", "options"), METHODS)
@pytest.mark.parametrize("save", [None, 0.07])
def test_all_that_a_run_may_have(tmp_path, method, options, save):
    arguments, more = everything(sampled=method in ("dp8", "dp5", "rk4"))
    more |= {"integrator": method, "save": save, **options}
    whole = ps.simulate(*arguments, **more)
    assert whole.status.ok
    assert {event.name for event in whole.events} >= {"kick", "free"}
    steps = whole.statistics.steps + whole.statistics.rejected
    for after in {1, steps // 3, steps // 2, steps - 1}:
        assert_same(stopped(tmp_path / "run.npz", arguments, more, after), whole)
    again = ps.resume(tmp_path / "run.npz")
    assert_same(again, whole)
    again = ps.load_run(again.save(tmp_path / "done.npz"))
    assert_array_equal(again.q, whole.q)


@pytest.mark.parametrize(("method", "options"), METHODS)
def test_closed_systems(tmp_path, method, options):
    arguments = (FOUR_BAR, *four_bar_state(), 0.5)
    options = {"integrator": method, **options}
    whole = ps.simulate(*arguments, **options)
    steps = whole.statistics.steps + whole.statistics.rejected
    assert_same(stopped(tmp_path / "run.npz", arguments, options, steps // 2), whole)


@settings(max_examples=examples(5), deadline=None)
@given(
    cases(max_bodies=4), st.integers(0, 2**32 - 1), st.sampled_from(METHODS), st.booleans(),
)  # fmt: skip
def test_random_systems_stopped_at_random_places(tmp_path_factory, case, seed, method, every):
    """Again and again, each time in memory that was made anew from the file."""
    mechanism, rng = case.mechanism, np.random.default_rng(seed)
    if mechanism.nv == 0:
        return
    system = ps.System("tree", mechanism.bodies, gravity=mechanism.gravity)
    name, options = method
    save = None if every else 0.003
    options = options | {"integrator": name, "save": save, "tau": case.tau, "max_steps": 300}
    path = tmp_path_factory.mktemp("random") / "run.npz"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.SimulationWarning)
        whole = ps.simulate(system, case.q, case.v, 0.05, **options)
        tried = whole.statistics.steps + whole.statistics.rejected
        stops = np.unique(rng.integers(1, max(tried, 2), 3)).tolist()
        ps.simulate(
            system, case.q, case.v, 0.05, **options | {"max_steps": stops[0]}, checkpoint=path
        )
        for stop in stops[1:]:
            ps.resume(path, max_steps=stop)
        run = ps.resume(path, max_steps=300)
    assert_same(run, whole)


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.parametrize("method", ["dp8", "dp5", "rk4", "stiff"])
def test_a_killed_process(tmp_path, method):
    """A process is killed in the middle of writing; from the file before, the run goes on."""
    path, root = tmp_path / "run.npz", Path(__file__).parents[2]
    killed = subprocess.run(
        [sys.executable, "-m", "tests.simulation.killed", method, str(path)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *sys.path])},
        capture_output=True,
        text=True,
    )
    assert (killed.returncode, killed.stdout) == (-signal.SIGKILL, ""), killed.stderr
    left = read_tree(path)
    assert left["status"] is None
    assert 0.0 < left["control"]["t"] < 3.0
    arguments, options = long_run(method)
    assert_same(ps.resume(path), ps.simulate(*arguments, **options))


def test_ctrl_c_and_on(tmp_path, monkeypatch):
    path = tmp_path / "run.npz"
    arguments = (double_pendulum(), [1.0, 2.0], [0.0, 0.0], 20.0)
    whole = ps.simulate(*arguments)
    advance, calls = RunInProgress.advance, []

    def interrupted(run, steps):
        calls.append(steps)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return advance(run, 50)

    with monkeypatch.context() as patched:
        patched.setattr(RunInProgress, "advance", interrupted)
        with pytest.warns(ps.SimulationWarning, match="interrupted"):
            part = ps.simulate(*arguments, checkpoint=path)
    assert part.status.outcome is Outcome.INTERRUPTED
    assert 1 < len(part) < 52
    assert_array_equal(part.q, whole.q[: len(part)])
    assert_same(ps.resume(path), whole)


def test_ends_are_kept(tmp_path):
    """Runs that stopped for good come back as they were."""
    path = tmp_path / "run.npz"
    slider = ps.System("slider", [ps.Body("s", joint=ps.Prismatic("x"), mass=1.0)])
    with pytest.warns(ps.SimulationWarning):
        failed = ps.simulate(slider, [0], [1], 3.0, tau=lambda t, q, v: v**2, checkpoint=path)
    assert failed.status.outcome is Outcome.STEP_COLLAPSED
    assert_same(ps.resume(path), failed)
    event = ps.Event("far", "s - 1", stop=True)
    done = ps.simulate(slider, [0], [1], 3.0, events=[event], checkpoint=path)
    assert_same(ps.resume(path), done)


def test_files_are_safe_and_errors_clear(tmp_path):
    path = tmp_path / "run.npz"
    arguments, options = everything()
    ps.simulate(*arguments, **options, checkpoint=path)
    with pytest.raises(ps.ModelError, match=r"a checkpoint of a run in progress; ps\.resume"):
        ps.load_run(path)
    with zipfile.ZipFile(path) as file:
        assert all(name.endswith(".npy") for name in file.namelist())
    for name in zipfile.ZipFile(path).namelist():
        np.load(path, allow_pickle=False)[name.removesuffix(".npy")]
    text = path.read_bytes()
    for damaged in (b"", b"no zip", text[: len(text) // 2], text.replace(b"accepted", b"acceptee")):
        path.write_bytes(damaged)
        with pytest.raises(ps.ModelError, match=r"run\.npz"):
            ps.resume(path)
    run = ps.simulate(double_pendulum(), [1, 2], [0, 0], 0.1)
    with pytest.raises(ps.ModelError, match=r"no checkpoint.*'poinsot-run/1'; ps\.load_run"):
        ps.resume(run.save(tmp_path / "other.npz"))
    with pytest.raises(FileNotFoundError):
        ps.resume(tmp_path / "none.npz")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("count", 99), ("count", -1), ("next_time", 10**6), ("next_break", 7), ("accepted", 1.5),
        ("t", "soon"), ("h", None),
    ],
)  # fmt: skip
def test_numbers_that_do_not_fit_are_refused(tmp_path, key, value):
    """Compiled code counts on them, so none is taken unseen."""
    path = tmp_path / "run.npz"
    arguments, options = everything()
    ps.simulate(*arguments, **options, checkpoint=path)
    tree = read_tree(path)
    tree["control"][key] = value
    write_tree(path, tree)
    with pytest.raises(ps.ModelError, match=rf"control\.{key}"):
        ps.resume(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda tree: tree.update(y=np.zeros(3)), "y must have shape"),
        (lambda tree: tree["rows"].update(y=np.zeros((1, 9))), "rows"),
        (lambda tree: tree["happened"].update(counts=[0]), "counts"),
        (lambda tree: tree["happened"].update(switches=[[0, 5]]), "switches"),
        (lambda tree: tree["happened"].update(side=np.zeros(1)), "side"),
        (lambda tree: tree["events"]["value"]["inputs"].update(q=[99]), "q"),
        (lambda tree: tree["events"]["actions"][0].update(law=4), "law"),
        (lambda tree: tree["events"].update(actions=[]), "actions"),
        (lambda tree: tree.pop("plan"), "plan"),
    ],
)
def test_parts_that_do_not_fit_are_refused(tmp_path, change, words):
    path = tmp_path / "run.npz"
    arguments, options = everything()
    ps.simulate(*arguments, **options, checkpoint=path)
    tree = read_tree(path)
    change(tree)
    write_tree(path, tree)
    with pytest.raises((ps.ModelError, ps.ProgramError), match=words):
        ps.resume(path)


def test_what_cannot_be_kept_is_refused_before_the_run(tmp_path):
    system, start = double_pendulum(), ([1, 2], [0, 0], 1.0)
    path = tmp_path / "run.npz"
    with pytest.raises(ps.PoinsotError, match=r"cannot hold Callback\(.*traced"):
        ps.simulate(system, *start, tau=ps.Callback(lambda t, q, v: v), checkpoint=path)
    reset = ps.Event("e", "t - 0.5", reset=ps.Callback(lambda t, q, v: v))
    with pytest.raises(ps.PoinsotError, match="cannot hold Callback"):
        ps.simulate(system, *start, events=[reset], checkpoint=path)
    with pytest.raises(ps.ModelError, match=r"must be a file \.npz, got 'run\.dat'"):
        ps.simulate(system, *start, checkpoint="run.dat")
    with pytest.raises(ps.ModelError, match=r"cannot be written: .*; choose another file"):
        ps.simulate(system, *start, checkpoint=tmp_path / "none" / "run.npz")
    with pytest.raises(ps.ModelError, match="checkpoint_every"):
        ps.simulate(system, *start, checkpoint=path, checkpoint_every=0.0)
    assert not path.exists()


def test_a_full_disk_later_does_not_end_the_run(tmp_path, monkeypatch):
    path = tmp_path / "run.npz"
    system, written = double_pendulum(), []

    def full(file, tree):
        if written:
            raise OSError(28, "No space left on device")
        written.append(file)
        write_tree(file, tree)

    monkeypatch.setattr(checkpoint_writer, "write_tree", full)
    with pytest.warns(ps.SimulationWarning, match="No space left.*the one before it stays"):
        run = ps.simulate(system, [1, 2], [0, 0], 1.0, checkpoint=path)
    assert run.status.ok
    monkeypatch.undo()
    assert_same(ps.resume(path), run)


def test_every_number_of_the_control_block_is_kept_or_made():
    numbers = {name for name, kind in control.Control._fields_ if "void" not in kind.__name__}
    numbers -= {name for name in numbers if control.field_type(name) == "ptr"}
    assert set(checkpoint.KEPT) | set(checkpoint.MADE) == numbers
    assert not set(checkpoint.KEPT) & set(checkpoint.MADE)
