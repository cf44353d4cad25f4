"""Checkpoints whose numbers do not fit each other are refused before compiled code sees them."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.io.tree_file import read_tree, write_tree
from poinsot.library import double_pendulum, four_bar, four_bar_configuration

HOLD = ps.Signal([0.0, 0.4, 0.9], [[0.1, 0.0], [0.0, -0.2], [0.3, 0.1]], kind="hold")


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    """Checkpoints of runs that were stopped on the way, by kind."""
    folder, system = tmp_path_factory.mktemp("checkpoints"), double_pendulum()
    name = system.coordinate_names[0]
    turn = ps.Event("turn", f"v.{name}", tau=[0.1, 0.2])
    state = (system, [1.0, 0.3], [0.0, 0.1])
    closed = (four_bar(), four_bar_configuration(0.7), np.zeros(four_bar().nv))
    cases = {
        "drive": (state, {"tau": HOLD, "events": [turn], "max_steps": 120}),
        "equal": (state, {"integrator": "rk4", "step": 0.01, "max_steps": 60}),
        "times": (state, {"save": 0.05, "max_steps": 60}),
        "closed": (closed, {"max_steps": 20}),
    }
    found = {}
    for key, (start, options) in cases.items():
        with pytest.warns(ps.SimulationWarning):
            ps.simulate(*start, 5.0, **options, checkpoint=folder / f"{key}.npz")
        found[key] = read_tree(folder / f"{key}.npz")
    return found


def changed(tree, path, value):
    """Return a tree with another value at a path."""
    key, *rest = path
    inner = tree[key]
    new = changed(inner, rest, value) if rest else (value(inner) if callable(value) else value)
    if isinstance(tree, list):
        return [new if k == key else one for k, one in enumerate(tree)]
    return {**tree, key: new}


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("drive", "control.t_goal", 0.0),
        ("times", "control.t_goal", 0.0),
        ("drive", "control.t_goal", 1e300),
        ("drive", "control.t_edge", -1.0),
        ("drive", "control.next_break", 2),
        ("times", "control.accepted", 2**63 + 5),
        ("times", "control.accepted", 10**7),
        ("times", "control.rejected", 2**63 - 1),
        ("times", "control.evaluations", 2**64),
        ("times", "control.t", -5.0),
        ("drive", "control.t", -5.0),
        ("times", "control.t", 1e9),
        ("times", "control.t", "nan"),
        ("times", "control.t_end", 7.0),
        ("times", "control.h", -1.0),
        ("times", "control.h", "nan"),
        ("times", "control.h_floor", 1.0),
        ("times", "control.next_time", 0),
        ("times", "control.count", 3),
        ("drive", "control.careful", 1),
        ("drive", "control.caution", 1),
        ("closed", "control.started", 2),
        ("equal", "control.h", 1e-30),
        ("equal", "control.h_equal", 0.0),
        ("equal", "control.h_equal", 1.0),
        ("equal", "control.fixed_steps", 0),
        ("equal", "control.t_first", 4.9),
        ("drive", "happened.side", lambda side: 0.5 * side),
        ("drive", "happened.counts", lambda counts: [one + 1 for one in counts]),
        ("drive", "happened.switches", [[10**6, 1]]),
        ("drive", "happened.last_time", "later"),
        ("drive", "happened.last_time", 1e6),
        ("drive", "rows.t", lambda t: t[::-1].copy()),
        ("drive", "rows.t", lambda t: t - 1.0),
        ("drive", "rows.y", lambda y: y + 1.0),
        ("drive", "y", lambda y: y + 1.0),
        ("times", "plan.every", 1e-9),
        ("times", "plan.duration", 4.0),
        ("times", "plan.start", 1.0),
        ("times", "spent", -1.0),
        ("closed", "status.time", 4.5),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(tmp_path, trees, kind, path, value):
    """Check that the error names the place; h that is only too short may end the run."""
    keys = path.split(".")
    file = write_changed(tmp_path, changed(trees[kind], keys, value))
    if path == "control.h" and value == 1e-30:
        with pytest.warns(ps.SimulationWarning):
            assert not ps.resume(file, max_steps=200).status.ok
        return
    with pytest.raises(ps.ModelError, match=keys[0]):
        ps.resume(file, max_steps=10**6)


def test_masses_beyond_doubles(tmp_path, trees):
    """Check that a model with numbers that no matrix can hold is refused by its own check."""
    tree = changed(trees["closed"], ("model", "bodies", 1, "pose", "xyz", 2), 1e300)
    with pytest.raises(ps.ModelError, match="not finite"):
        ps.resume(write_changed(tmp_path, tree))


def test_steps_beyond_counting():
    """Check that a step which no number of steps can fill is named."""
    with pytest.raises(ps.ModelError, match="too short"):
        ps.simulate(double_pendulum(), [0, 0], [0, 0], 1.0, integrator="rk4", step=5e-324)


def test_nothing_changed(tmp_path, trees):
    """Check that all these go on where nothing was changed."""
    for tree in trees.values():
        assert ps.resume(write_changed(tmp_path, tree), max_steps=10**6).status.ok


def write_changed(folder, tree):
    """Write a tree to a file; return it."""
    file = folder / "changed.npz"
    write_tree(file, tree)
    return file
