"""A trajectory as a tree of plain values and arrays, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import PoinsotError
from poinsot.expr import Program, Rolled
from poinsot.expr.program_tree import program_tree
from poinsot.expr.rolled_tree import rolled_tree
from poinsot.io.native.node import Node
from poinsot.model import Mechanism
from poinsot.model.coordinate_names import coordinate_entries, velocity_entries
from poinsot.simulation.files.saved_callbacks import callback_from_tree, callback_tree
from poinsot.simulation.files.saved_simulation import (
    Tree,
    accuracy_from_tree,
    accuracy_tree,
    checked_array,
    checked_law,
    checked_program,
    checked_rolled,
    equations_from_tree,
    equations_tree,
    law_tree,
    plan_from_tree,
    plan_tree,
    vector_sizes,
    whole_number,
)
from poinsot.simulation.laws.callback import Callback
from poinsot.simulation.laws.equations import RATES, MotionEquations
from poinsot.simulation.laws.event import RESOLUTION, Occurrence
from poinsot.simulation.laws.traced_events import Action, Events
from poinsot.simulation.running.quantities_along_run import QuantitiesAlongRun
from poinsot.simulation.running.status import Outcome, Statistics, Status
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.spatial import Array

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
        "occurrences": occurrences_tree(trajectory.occurrences, mechanism.n_state),
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
        checked_array(nodes["start"], (mechanism.n_state,)),
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
        along = QuantitiesAlongRun(trajectory.equations, *states, trajectory.forces(*states))
        return along.tau().copy()
    except Exception:  # whatever a user's function raises
        return None


def _tau(node: Node, shape: tuple[int, int]) -> Array | None:
    return None if node.value is None else checked_array(node, shape)


def _column_names(mechanism: Mechanism) -> list[str]:
    q, v = coordinate_entries(mechanism), velocity_entries(mechanism)
    further = [f"state.{name}" for name in mechanism.state_values]
    return [f"q.{entry.name}" for entry in q] + [f"v.{entry.name}" for entry in v] + further


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
    given = node.fields(keys, [key for key in keys if key != "preparation_time"])
    numbers: dict[str, Any] = {key: float(number.number()) for key, number in given.items()}
    for key, number in numbers.items():
        if number < 0.0:
            raise given[key].must_be("from 0 on")
    counts = {key: int(number) for key, number in numbers.items() if not key.endswith("_time")}
    return Statistics(**numbers | counts)


_ACTION: Final = ("name", "direction", "stop", "law", "reset", "resets_q", "barrier", "lost")
_OCCURRENCES: Final = ("names", "t", "before", "after")


def events_tree(events: Events) -> Tree:
    """Return the events of a run; of a reset that is a callback, only a placeholder."""
    return {
        "actions": [_action_tree(action) for action in events.actions],
        "laws": [equations_tree(law) for law in events.laws[1:]],
        "value": program_tree(events.value),
        "rate": program_tree(events.rate),
        "second": law_tree(events.second),
        "counted": list(events.counted),
        "staged": None if events.staged is None else [rolled_tree(x) for x in events.staged],
    }


def events_from_tree(mechanism: Mechanism, first: MotionEquations, node: Node) -> Events:
    """Return the events that ``events_tree`` wrote.

    Args:
        mechanism: The bodies, constants folded in (``Mechanism.bound``).
        first: The equations of motion of the start.
        node: Where they are in the file.
    """
    keys = ("actions", "laws", "value", "rate", "second")
    given = node.fields((*keys, "counted", "staged"), keys)
    laws = [equations_from_tree(mechanism, law) for law in given["laws"].entries()]
    actions = [_action(mechanism, 1 + len(laws), action) for action in given["actions"].entries()]
    if not actions:
        raise given["actions"].must_be("a list of at least one event")
    sizes = vector_sizes(mechanism) | dict.fromkeys(("g", "rate", "second"), len(actions))
    sizes |= {"qdot": mechanism.nq, "a": mechanism.nv, RATES: len(mechanism.state_values)}
    value = checked_program(given["value"], "g", sizes)
    rate = checked_program(given["rate"], "rate", sizes)
    staged = _staged(given["staged"], sizes) if "staged" in given else None
    for program in (value, *(staged or ())[:1]):
        if not {port.name for port in program.inputs} <= vector_sizes(mechanism).keys():
            raise given["value"].error("must depend on t, q, v and parameters only")
    second = None
    if any(action.barrier for action in actions):
        second = checked_law(given["second"], "second", sizes)
    counts = given["counted"].entries() if "counted" in given else []
    counted = tuple(whole_number(count, 0) for count in counts)
    if counted and len(counted) != len(actions):
        raise given["counted"].error(f"must have one number for each of {len(actions)} events")
    return Events(tuple(actions), (first, *laws), value, rate, second, counted, staged)


def _staged(node: Node, sizes: dict[str, int]) -> tuple[Rolled, Rolled] | None:
    """Return the rolled programs of values and rates of events; older files have none."""
    if node.value is None:
        return None
    programs = node.entries()
    if len(programs) != 2:
        raise node.must_be("a list of two programs")
    value, rate = (
        checked_rolled(x, y, sizes) for x, y in zip(programs, ("g", "rate"), strict=True)
    )
    return value, rate


def occurrences_tree(occurrences: Sequence[Occurrence], n: int) -> Tree:
    """Return the occurrences of events.

    Args:
        occurrences: The events.
        n: Length of a state [q, v, states].
    """
    before = [
        [*event.q_before, *event.v_before, *event.states_before.values()] for event in occurrences
    ]
    after = [[*event.q, *event.v, *event.states.values()] for event in occurrences]
    return {
        "names": [event.name for event in occurrences],
        "t": np.array([event.t for event in occurrences], np.float64),
        "before": np.array(before, np.float64).reshape(-1, n),
        "after": np.array(after, np.float64).reshape(-1, n),
    }


def occurrences_from_tree(mechanism: Mechanism, node: Node) -> list[Occurrence]:
    """Return the occurrences that ``occurrences_tree`` wrote."""
    given = node.fields(_OCCURRENCES, _OCCURRENCES)
    names = [name.text() for name in given["names"].entries()]
    shape = (len(names), mechanism.n_state)
    t = checked_array(given["t"], shape[:1])
    before, after = (checked_array(given[key], shape) for key in ("before", "after"))
    return [
        Occurrence.between(mechanism, name, when, x, y)
        for name, when, x, y in zip(names, t.tolist(), before, after, strict=True)
    ]


def law_from_tree(node: Node, events: Events, n_rows: int) -> NDArray[np.int64]:
    """Return the number of the law of each row, which a file holds as float64."""
    law = checked_array(node, (n_rows,))
    if not np.isin(law, np.arange(len(events.laws))).all():
        raise node.error(f"must hold numbers of laws, from 0 to {len(events.laws) - 1}")
    return law.astype(np.int64)


def _action_tree(action: Action) -> Tree:
    laws = {key: getattr(action, key) for key in ("reset", "reset_states")}
    held = {key: law_tree(law) for key, law in laws.items()}
    called = callback_tree(action.reset)
    tree = {key: getattr(action, key) for key in (*_ACTION[:-1], "resolution")}
    lost = any(held[key] is None and law is not None for key, law in laws.items())
    tree |= {"reset": held["reset"], "lost": lost and called is None}
    if called is not None:
        tree["called"] = called
    return tree if held["reset_states"] is None else tree | held


def _action(mechanism: Mechanism, n_laws: int, node: Node) -> Action:
    given = node.fields((*_ACTION, "resolution", "reset_states", "called"), _ACTION)
    resets_q, barrier, lost = (given[key].truth() for key in ("resets_q", "barrier", "lost"))
    size = mechanism.nv + (mechanism.nq if resets_q else 0)
    reset: Program | Rolled | Callback | None = None
    if lost:
        reset = Callback(_lost)
    elif "called" in given:
        reset = callback_from_tree(mechanism, given["called"])
    elif given["reset"].value is not None:
        sizes = vector_sizes(mechanism) | {"after": size}
        reset = checked_law(given["reset"], "after", sizes)
    further = None
    if "reset_states" in given:
        sizes = vector_sizes(mechanism) | {"after": len(mechanism.state_values)}
        further = checked_law(given["reset_states"], "after", sizes)
    return Action(
        given["name"].text(),
        whole_number(given["direction"], -1, 1),
        whole_number(given["stop"], 0),
        whole_number(given["law"], -1, n_laws - 1),
        reset,
        resets_q,
        barrier,
        _resolution(given["resolution"]) if "resolution" in given else RESOLUTION,
        further,
    )


def _resolution(node: Node) -> float:
    number = float(node.number())
    if not number > 0.0:
        raise node.must_be("a positive time")
    return number


def is_not_restorable(action: Action) -> bool:
    """Return whether the reset of an event was a callback, which a file cannot hold."""
    return isinstance(action.reset, Callback) and action.reset.function is _lost


def _lost(t: float, q: Array, v: Array) -> NoReturn:
    raise PoinsotError(
        "it was a Python function, which files cannot hold; simulate again with the function, or "
        "write it so that it can be traced"
    )
