"""A trajectory as a tree of plain values and arrays, and back."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

import numpy as np

from poinsot.io.native.node import Node
from poinsot.model import Mechanism
from poinsot.model.coordinate_names import coordinate_entries, velocity_entries
from poinsot.simulation.quantities_along_run import QuantitiesAlongRun
from poinsot.simulation.saved_events import (
    events_from_tree,
    events_tree,
    law_from_tree,
    occurrences_from_tree,
    occurrences_tree,
)
from poinsot.simulation.saved_simulation import (
    Tree,
    accuracy_from_tree,
    accuracy_tree,
    checked_array,
    equations_from_tree,
    equations_tree,
    plan_from_tree,
    plan_tree,
)
from poinsot.simulation.status import Outcome, Statistics, Status
from poinsot.simulation.trajectory import Trajectory
from poinsot.spatial import Array

__all__ = ["KEYS", "status_from_tree", "status_tree", "trajectory_from_tree", "trajectory_tree"]

KEYS: Final = (
    *("columns", "start", "status", "statistics", "equations", "accuracy", "plan"),
    *("events", "occurrences", "law", "tau"),
)
"""Keys of a trajectory in a file."""


def trajectory_tree(trajectory: Trajectory) -> Tree:
    """Return a trajectory as plain values; its states are columns, by the names of entries."""
    mechanism = trajectory.equations.mechanism
    states = np.hstack([trajectory.q, trajectory.v])
    names = _column_names(mechanism)
    columns = {name: states[:, k].copy() for k, name in enumerate(names)}
    status, statistics = trajectory.status, trajectory.statistics
    return {
        "columns": {"t": trajectory.t, **columns},
        "start": trajectory.start,
        "status": status_tree(status),
        "statistics": {field.name: getattr(statistics, field.name) for field in fields(statistics)},
        "equations": equations_tree(trajectory.equations),
        "accuracy": accuracy_tree(trajectory.accuracy),
        "plan": plan_tree(trajectory.plan),
        "events": None if trajectory.events is None else events_tree(trajectory.events),
        "occurrences": occurrences_tree(trajectory.occurrences, mechanism.nq + mechanism.nv),
        "law": None if trajectory.law is None else trajectory.law.astype(np.float64),
        "tau": _recorded(trajectory),
    }


def trajectory_from_tree(mechanism: Mechanism, nodes: dict[str, Node]) -> Trajectory:
    """Return the trajectory that ``trajectory_tree`` wrote.

    Args:
        mechanism: The bodies, constants folded in (``Mechanism.bound``).
        nodes: Nodes of the file, by key.
    """
    t, states = _states(mechanism, nodes["columns"])
    plan, status = plan_from_tree(nodes["plan"]), status_from_tree(nodes["status"])
    if not plan.start <= t[0] <= t[-1] <= plan.end:
        raise nodes["columns"].error(f"must hold times from {plan.start:g} to {plan.end:g} s")
    if not t[-1] <= status.time <= plan.end:
        raise nodes["status"].error(f"must be of a time from {t[-1]:g} to {plan.end:g} s")
    nq, events, law = mechanism.nq, None, None
    equations = equations_from_tree(mechanism, nodes["equations"])
    if nodes["events"].value is not None:
        events = events_from_tree(mechanism, equations, nodes["events"])
        law = law_from_tree(nodes["law"], events, t.size)
    return Trajectory(
        t,
        np.ascontiguousarray(states[:, :nq]),
        np.ascontiguousarray(states[:, nq:]),
        status,
        _statistics(nodes["statistics"]),
        equations,
        accuracy_from_tree(nodes["accuracy"]),
        plan,
        checked_array(nodes["start"], (nq + mechanism.nv,)),
        events,
        tuple(occurrences_from_tree(mechanism, nodes["occurrences"])),
        law,
        _tau(nodes["tau"], (t.size, mechanism.nv)),
    )


def _recorded(trajectory: Trajectory) -> Array | None:
    """Return the joint forces of a callback at the stored states; None without one.

    A callback that fails has no forces; its error is in the status of the run.
    """
    laws = (trajectory.equations,) if trajectory.events is None else trajectory.events.laws
    if trajectory.recorded is not None or not any(law.callbacks for law in laws):
        return trajectory.recorded
    states = trajectory.t, trajectory.q, trajectory.v
    try:
        return (
            QuantitiesAlongRun(trajectory.equations, *states, trajectory.forces(*states))
            .tau()
            .copy()
        )
    except Exception:  # whatever a user's function raises
        return None


def _tau(node: Node, shape: tuple[int, int]) -> Array | None:
    return None if node.value is None else checked_array(node, shape)


def _column_names(mechanism: Mechanism) -> list[str]:
    q, v = coordinate_entries(mechanism), velocity_entries(mechanism)
    return [f"q.{entry.name}" for entry in q] + [f"v.{entry.name}" for entry in v]


def _states(mechanism: Mechanism, node: Node) -> tuple[Array, Array]:
    names = ("t", *_column_names(mechanism))
    columns = node.fields(names, names)
    t = checked_array(columns["t"], (None,))
    if not t.size or (np.diff(t) < 0.0).any():
        raise columns["t"].error("must be increasing times, at least one")
    return t, np.column_stack([checked_array(columns[name], t.shape) for name in names[1:]])


def status_tree(status: Status) -> Tree:
    """Return how a simulation ended, with the message of an error but not the error."""
    return {"outcome": status.outcome.value, "time": status.time, "message": status.message}


def status_from_tree(node: Node) -> Status:
    """Return how a simulation ended, as ``status_tree`` wrote it."""
    keys = ("outcome", "time", "message")
    given = node.fields(keys, keys)
    outcome = given["outcome"].text()
    outcomes = {member.value: member for member in Outcome}
    if outcome not in outcomes:
        raise given["outcome"].must_be(f"one of {', '.join(outcomes)}")
    return Status(outcomes[outcome], float(given["time"].number()), given["message"].text())


def _statistics(node: Node) -> Statistics:
    keys = tuple(field.name for field in fields(Statistics))
    given = node.fields(keys, keys)
    numbers: dict[str, Any] = {key: float(given[key].number()) for key in keys}
    for key, number in numbers.items():
        if number < 0.0:
            raise given[key].must_be("from 0 on")
    counts = {key: int(number) for key, number in numbers.items() if not key.endswith("_time")}
    return Statistics(**numbers | counts)
