"""Files of runs with numbers changed: they give an error of ours or a run, never a crash.

    python -m tests.fuzz.runs SEED COUNT [FIRST]

Before each file is read its number and what was changed are printed, so that the last line tells
which one ended the process; the same seed and number give the same file.
"""

import faulthandler
import signal
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

import poinsot as ps
from poinsot.io.tree_file import read_tree, write_tree
from poinsot.library import double_pendulum, four_bar, four_bar_configuration

PATIENCE = 20
"""Time after which a file is said to hang [s]."""
MOST_STEPS = 3000
WHOLE = (0, 1, -1, 2, 7, 255, 2**31, 2**53, 2**63 - 1, 2**63, 2**63 + 5, -(2**63), 10**30)
FLOATS = (0.0, -0.0, 1.0, -1.0, -5.0, 0.5, 1e-300, 5e-324, 1e300, -1e300, 1e17, 1e-9)
WORDS = ("nan", "inf", "-inf", "", "t", None, True, [], {})


def files(folder):
    """Write runs and checkpoints of several kinds; return their paths."""
    signal_of_forces = ps.Signal(
        [0.0, 0.3, 0.7], [[0.1, 0.0], [0.0, -0.2], [0.3, 0.1]], kind="hold"
    )
    system = double_pendulum()
    first, second = system.coordinate_names
    events = [ps.Event("pass", first), ps.Event("turn", f"v.{second}", tau=[0.1, 0.2], stop=40)]

    def law(t, q, v):
        return signal_of_forces(t) - 0.1 * v

    start = (system, [1.0, 0.3], [0.0, 0.1])
    box = ps.System("box", [ps.Body("box", joint=ps.Free(), mass=2.0, inertia=(1, 2, 3))])
    closed = (four_bar(), four_bar_configuration(0.7), np.zeros(four_bar().nv))
    cases = {
        "drive": (start, {"tau": law, "events": events, "start": 0.1}),
        "equal": (start, {"tau": law, "integrator": "rk4", "step": 0.01, "events": events}),
        "times": (start, {"save": 0.05, "integrator": "dp5"}),
        "closed": (closed, {}),
        "box": ((box, [0, 0, 0, 1, 0, 0, 0], [1, 0, 0, 1, 2, 3]), {"integrator": "stiff"}),
    }
    paths = []
    for name, ((*state,), options) in cases.items():
        path = folder / f"{name}.npz"
        ps.simulate(*state, 2.0, **options, checkpoint=path, max_steps=20)
        paths.append(path)
    for name in ("drive", "times", "closed"):
        (*state,), options = cases[name]
        run = ps.simulate(*state, 0.8, **options)
        paths += [run.save(folder / f"run {name}.{suffix}") for suffix in ("npz", "parquet")]
    return paths


def mutated(tree, rng):
    """Change one to three numbers of a tree in place; return what was changed."""
    changes = []
    for _ in range(rng.integers(1, 4)):
        path, holder = [], tree
        while isinstance(holder, dict | list) and len(holder):
            keys = list(holder) if isinstance(holder, dict) else range(len(holder))
            key = keys[rng.integers(len(keys))]
            if not path and rng.integers(2):
                key = "control" if "control" in holder and rng.integers(3) else "model"
            path.append(key)
            value = holder[key]
            if isinstance(value, dict | list) and len(value):
                holder = value
                continue
            if isinstance(value, np.ndarray):
                holder[key] = _array(value, rng)
            else:
                holder[key] = _value(value, rng)
            shown = repr(holder[key]).replace("\n", " ")[:80]
            changes.append(f"{'.'.join(map(str, path))}={shown}")
            break
    return "; ".join(changes)


def _value(value, rng):
    kind = rng.integers(6)
    if kind == 0:
        return WORDS[rng.integers(len(WORDS))]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int) and kind < 5:
        near = (value + 1, value - 1, -value, 2 * value)
        return (WHOLE + near)[rng.integers(len(WHOLE) + len(near))]
    if isinstance(value, float):
        factor = float(rng.normal())
        near = (value * 2, -value, value * factor, np.nextafter(value, 9.0).item(), value + 1.0)
        return (FLOATS + near)[rng.integers(len(FLOATS) + len(near))]
    return FLOATS[rng.integers(len(FLOATS))]


def _array(array, rng):
    array = np.array(array)
    if rng.integers(8) == 0 and array.ndim:
        return array[: rng.integers(len(array) + 1)] if rng.integers(2) else array[None]
    if array.size:
        choices = (*FLOATS, np.nan, np.inf, -np.inf, float(rng.normal()))
        flat = array.reshape(-1)
        flat[rng.integers(flat.size)] = choices[rng.integers(len(choices))]
    return array


def use(path):
    """Do with a file what users do; errors of ours are fine."""
    try:
        if path.name.startswith("run "):
            run = ps.load_run(path)
            run.at(0.5 * (run.t[0] + run.t[-1]))
            run.energy()
            if run.accuracy.step is None or run.accuracy.step > 1e-4:
                run.continued(0.1, max_steps=MOST_STEPS)
        else:
            run = ps.resume(path, max_steps=MOST_STEPS)
        assert isinstance(run, ps.Run)
        assert len(run) > 0
    except ps.PoinsotError:
        pass


def main(seed, count, first=0):
    """Try so many files."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = files(folder)
        trees = {path: read_tree(path) for path in paths}
        for number in range(first, first + count):
            rng = np.random.default_rng([seed, number])
            path = paths[rng.integers(len(paths))]
            tree = _copied(trees[path])
            what = mutated(tree, rng)
            print(f"{number} {path.name}: {what}", flush=True)
            goal = folder / f"{path.stem} changed{path.suffix}"
            try:
                write_tree(goal, tree)
            except ValueError:  # JSON has no infinity
                continue
            signal.alarm(PATIENCE)
            use(goal)
            signal.alarm(0)


def _copied(value):
    if isinstance(value, dict):
        return {key: _copied(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_copied(one) for one in value]
    return value.copy() if isinstance(value, np.ndarray) else value


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
