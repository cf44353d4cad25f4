"""Files of many runs: the model, the laws, the numbers of each run, and the states."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.io.native import native_from_mechanism
from poinsot.io.native.node import Node
from poinsot.io.tree_file import write_tree
from poinsot.simulation.files.saved_events_of_runs import (
    events_of_runs_from_tree,
    events_of_runs_tree,
)
from poinsot.simulation.files.saved_simulation import (
    accuracy_from_tree,
    accuracy_tree,
    checked_array,
    equations_from_tree,
    equations_tree,
    mechanism_from_tree,
    plan_from_tree,
    plan_tree,
    whole_number,
)
from poinsot.simulation.files.saved_trajectory import status_from_tree, status_tree
from poinsot.simulation.running.batch.batch_results import Stop, Trajectories, statistics_of
from poinsot.spatial import Array

FORMAT: Final = "poinsot-runs/1"
"""What the key ``format`` must say."""
NUMBERS: Final = ("tau", "base", "parameters")
STATES: Final = ("q", "v")
KEYS: Final = (
    *("format", "model", "shape", "equations", "numbers", "accuracy", "plan", "t", *STATES),
    *("spent", "starts", "stops", "wall_time"),
)


def save_runs(system: System, runs: Trajectories, shape: tuple[int, ...], file: Path) -> Path:
    """Write many runs to a file; see ``Runs.save``."""
    if file.suffix.lower() != ".npz":
        raise ModelError(f"save: the file of many runs must end in .npz, got {file.name!r}")
    laws = runs.equations
    stops = [
        {"run": number, "status": status_tree(stop.status), "state": stop.state}
        for number, stop in runs.stops.items()
    ]
    remarks = [{"run": number, "told": list(told)} for number, told in runs.remarks.items()]
    tree: dict[str, Any] = {
        "format": FORMAT,
        "model": native_from_mechanism(system.description),
        "shape": list(shape),
        "equations": equations_tree(laws.of(0)),
        "numbers": {name: np.array(getattr(laws, name)) for name in NUMBERS},
        "accuracy": accuracy_tree(runs.accuracy),
        "plan": plan_tree(runs.plan),
        "stops": stops,
        "wall_time": runs.wall_time,
        "preparation_time": runs.preparation_time,
    }
    arrays = {name: np.array(getattr(runs, name)) for name in ("t", *STATES, "spent", "starts")}
    further: dict[str, Any] = {"remarks": remarks} if remarks else {}
    if runs.alone:
        further["alone"] = events_of_runs_tree(runs.alone)
    write_tree(file, tree | arrays | further)
    return file


def holds_runs(top: Node) -> bool:
    """Return whether the content of a file is that of many runs."""
    return isinstance(top.value, dict) and top.value.get("format") == FORMAT


def runs_from_tree(top: Node) -> tuple[System, Trajectories, tuple[int, ...]]:
    """Return the content of a file that ``save_runs`` wrote; every size is checked."""
    nodes = top.fields((*KEYS, "preparation_time", "remarks", "alone"), KEYS)
    description = mechanism_from_tree(nodes["model"])
    mechanism = description.bound
    shape = tuple(whole_number(node, 0) for node in nodes["shape"].entries())
    count, t = math.prod(shape), checked_array(nodes["t"], (None,))
    if count == 0:
        raise nodes["shape"].must_be("of at least one run")
    laws = equations_from_tree(mechanism, nodes["equations"])
    given = nodes["numbers"].fields(NUMBERS, NUMBERS)
    tau, base, parameters = (
        checked_array(given[name], (count, getattr(laws, name).shape[-1])) for name in NUMBERS
    )
    stops = {}
    for node in nodes["stops"].entries():
        entry = node.fields(("run", "status", "state"), ("run", "status", "state"))
        state = _with_gaps(entry["state"], (mechanism.n_state,))
        number = whole_number(entry["run"], 0, count - 1)
        stops[number] = Stop(status_from_tree(entry["status"]), state)
    remarks = {}
    for node in nodes["remarks"].entries() if "remarks" in nodes else ():
        entry = node.fields(("run", "told"), ("run", "told"))
        number = whole_number(entry["run"], 0, count - 1)
        remarks[number] = [text.text() for text in entry["told"].entries()]
    rates = mechanism.n_state - mechanism.nq
    runs = Trajectories(
        t,
        _with_gaps(nodes["q"], (count, t.size, mechanism.nq)),
        _with_gaps(nodes["v"], (count, t.size, rates)),
        checked_array(nodes["spent"], (count, 6)),
        stops,
        float(nodes["wall_time"].number()),
        replace(laws, tau=tau, base=base, parameters=parameters),
        accuracy_from_tree(nodes["accuracy"]),
        plan_from_tree(nodes["plan"]),
        checked_array(nodes["starts"], (count, mechanism.n_state)),
        float(nodes["preparation_time"].number()) if "preparation_time" in nodes else 0.0,
        remarks=remarks,
    )
    if "alone" in nodes:
        took = [statistics_of(spent) for spent in runs.spent]
        alone = events_of_runs_from_tree(mechanism, runs, took, nodes["alone"])
        runs = replace(runs, alone=alone)
    return System.from_mechanism(description), runs, shape


def _with_gaps(node: Node, shape: tuple[int, ...]) -> Array:
    """Return the array of a node, in which runs that ended are NaN."""
    array = node.value
    if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != np.float64:
        raise node.must_be(f"an array of shape {shape}")
    return np.ascontiguousarray(array)
