"""Runs of a batch that have events as a tree of plain values and arrays, and back.

Each has rows of its own, as events add some; they lie one after the other, with their counts.
Events that are the same in several runs are written once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.io.native.node import Node
from poinsot.model import Mechanism
from poinsot.simulation.files.saved_callbacks import callback_tree
from poinsot.simulation.files.saved_simulation import Tree, checked_array, whole_number
from poinsot.simulation.files.saved_trajectory import (
    events_from_tree,
    events_tree,
    law_from_tree,
    occurrences_from_tree,
    occurrences_tree,
    status_from_tree,
    status_tree,
)
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.running.batch.batch_results import Trajectories
from poinsot.simulation.running.status import Statistics
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.spatial import Array

KEYS: Final = (
    *("events", "which", "rows", "t", "states", "law", "occurred", "occurrences", "statuses"),
)


def events_of_runs_tree(runs: Sequence[Trajectory]) -> Tree:
    """Return what runs with events have that the batch does not.

    Raises:
        PoinsotError: If their laws are Python functions, whose forces no file of many runs holds.
    """
    n = runs[0].equations.mechanism.n_state
    known: dict[object, int] = {}
    trees, which = list[Tree](), list[int]()
    for run in runs:
        assert run.events is not None
        if any(law.callbacks for law in run.events.laws):
            raise PoinsotError(
                "save: a file of many runs with events does not hold forces that a Callback gives; "
                "save them one by one, runs[k].save(...)"
            )
        key = _key(run.events)
        if key not in known:
            known[key] = len(trees)
            trees.append(events_tree(run.events))
        which.append(known[key])
    occurrences = [run.occurrences for run in runs]
    return {
        "events": trees,
        "which": which,
        "rows": [run.t.size for run in runs],
        "t": np.concatenate([run.t for run in runs]),
        "states": np.concatenate([np.hstack([run.q, run.v]) for run in runs]),
        "law": np.concatenate([_laws(run) for run in runs]),
        "occurred": [len(each) for each in occurrences],
        "occurrences": occurrences_tree([event for each in occurrences for event in each], n),
        "statuses": [status_tree(run.status) for run in runs],
    }


def events_of_runs_from_tree(
    mechanism: Mechanism, batch: Trajectories, statistics: Sequence[Statistics], node: Node
) -> tuple[Trajectory, ...]:
    """Return the runs that ``events_of_runs_tree`` wrote.

    Args:
        mechanism: The bodies, constants folded in (``Mechanism.bound``).
        batch: The batch, without them.
        statistics: What each run took.
        node: Where they are in the file.
    """
    given = node.fields(KEYS, KEYS)
    trees = given["events"].entries()
    numbers = _counts(given["which"], len(batch), len(trees) - 1)
    rows, occurred = (_counts(given[key], len(batch), None) for key in ("rows", "occurred"))
    t = checked_array(given["t"], (sum(rows),))
    states = checked_array(given["states"], (t.size, mechanism.n_state))
    occurrences = occurrences_from_tree(mechanism, given["occurrences"])
    if len(occurrences) != sum(occurred):
        raise given["occurrences"].error(f"must be {sum(occurred)} occurrences")
    statuses = given["statuses"].entries()
    if len(statuses) != len(batch):
        raise given["statuses"].must_be(f"a list of {len(batch)} entries")
    runs, first, passed = list[Trajectory](), 0, 0
    for number in range(len(batch)):
        stop, last = first + rows[number], passed + occurred[number]
        equations, own = batch.equations.of(number), slice(first, stop)
        if rows[number] == 0 or (np.diff(t[own]) < 0.0).any():
            raise given["t"].error(f"must be increasing times of run {number}, at least one")
        events = events_from_tree(mechanism, equations, trees[numbers[number]])
        laws = law_from_tree(given["law"], events, t.size)[own]
        q, v = states[own, : mechanism.nq], states[own, mechanism.nq :]
        runs.append(
            Trajectory(
                t[own].copy(), np.ascontiguousarray(q), np.ascontiguousarray(v),
                status_from_tree(statuses[number]), statistics[number], equations,
                batch.accuracy, batch.plan, batch.starts[number], events,
                tuple(occurrences[passed:last]), laws,
            )
        )  # fmt: skip
        first, passed = stop, last
    return tuple(runs)


def _key(events: Events) -> object:
    """Return what tells events apart; those with laws of their own are never the same."""
    if len(events.laws) > 1:
        return id(events)
    actions = [
        (
            action.name, action.direction, action.stop, action.resets_q, action.barrier,
            action.resolution, id(action.reset_states), _reset_key(action.reset),
        )
        for action in events.actions
    ]  # fmt: skip
    programs = events.value, events.rate, events.second, events.staged
    return *(id(program) for program in programs), *actions, events.counted


def _reset_key(reset: object) -> object:
    """Return what tells resets apart: of contacts what files say of them."""
    tree = callback_tree(reset)
    return id(reset) if tree is None else json.dumps(tree, default=_plain, sort_keys=True)


def _plain(value: Any) -> object:  # noqa: ANN401 (arrays and numbers of NumPy)
    return np.asarray(value).tolist()


def _laws(run: Trajectory) -> Array:
    return np.zeros(run.t.size) if run.law is None else run.law.astype(np.float64)


def _counts(node: Node, n: int, most: int | None) -> list[int]:
    """Return n whole numbers from 0 on."""
    entries = node.entries()
    if len(entries) != n:
        raise node.must_be(f"a list of {n} whole numbers")
    return [whole_number(entry, 0, most) for entry in entries]
