"""The events of a run as trees of plain values, for files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import PoinsotError
from poinsot.expr import Program
from poinsot.expr.program_tree import program_tree
from poinsot.io.native.node import Node
from poinsot.model import Mechanism
from poinsot.simulation.callback import Callback
from poinsot.simulation.equations import MotionEquations
from poinsot.simulation.event import RESOLUTION, Occurrence
from poinsot.simulation.saved_simulation import (
    Tree,
    checked_array,
    checked_program,
    equations_from_tree,
    equations_tree,
    vector_sizes,
    whole_number,
)
from poinsot.simulation.traced_events import Action, Events
from poinsot.spatial import Array

__all__ = [
    "events_from_tree",
    "events_tree",
    "is_not_restorable",
    "law_from_tree",
    "occurrences_from_tree",
    "occurrences_tree",
]

_ACTION: Final = ("name", "direction", "stop", "law", "reset", "resets_q", "barrier", "lost")
_OCCURRENCES: Final = ("names", "t", "before", "after")


def events_tree(events: Events) -> Tree:
    """Return the events of a run; of a reset that is a callback, only a placeholder."""
    return {
        "actions": [_action_tree(action) for action in events.actions],
        "laws": [equations_tree(law) for law in events.laws[1:]],
        "value": program_tree(events.value),
        "rate": program_tree(events.rate),
        "second": None if events.second is None else program_tree(events.second),
        "counted": list(events.counted),
    }


def events_from_tree(mechanism: Mechanism, first: MotionEquations, node: Node) -> Events:
    """Return the events that ``events_tree`` wrote.

    Args:
        mechanism: The bodies, constants folded in (``Mechanism.bound``).
        first: The equations of motion of the start.
        node: Where they are in the file.
    """
    keys = ("actions", "laws", "value", "rate", "second")
    given = node.fields((*keys, "counted"), keys)
    laws = [equations_from_tree(mechanism, law) for law in given["laws"].entries()]
    actions = [_action(mechanism, 1 + len(laws), action) for action in given["actions"].entries()]
    if not actions:
        raise given["actions"].must_be("a list of at least one event")
    sizes = vector_sizes(mechanism) | dict.fromkeys(("g", "rate", "second"), len(actions))
    sizes |= {"qdot": mechanism.nq, "a": mechanism.nv}
    value = checked_program(given["value"], "g", sizes)
    rate = checked_program(given["rate"], "rate", sizes)
    if not {port.name for port in value.inputs} <= vector_sizes(mechanism).keys():
        raise given["value"].error("must depend on t, q, v and parameters only")
    second = None
    if any(action.barrier for action in actions):
        second = checked_program(given["second"], "second", sizes)
    counted = (
        tuple(whole_number(count, 0) for count in given["counted"].entries())
        if ("counted" in given)
        else ()
    )
    if counted and len(counted) != len(actions):
        raise given["counted"].error(f"must have one number for each of {len(actions)} events")
    return Events(tuple(actions), (first, *laws), value, rate, second, counted)


def occurrences_tree(occurrences: Sequence[Occurrence], n: int) -> Tree:
    """Return the occurrences of events.

    Args:
        occurrences: The events.
        n: Length of a state [q, v].
    """
    before = [
        np.concatenate([occurrence.q_before, occurrence.v_before]) for occurrence in occurrences
    ]
    after = [np.concatenate([occurrence.q, occurrence.v]) for occurrence in occurrences]
    return {
        "names": [occurrence.name for occurrence in occurrences],
        "t": np.array([occurrence.t for occurrence in occurrences], np.float64),
        "before": np.array(before, np.float64).reshape(-1, n),
        "after": np.array(after, np.float64).reshape(-1, n),
    }


def occurrences_from_tree(mechanism: Mechanism, node: Node) -> list[Occurrence]:
    """Return the occurrences that ``occurrences_tree`` wrote."""
    given = node.fields(_OCCURRENCES, _OCCURRENCES)
    names = [name.text() for name in given["names"].entries()]
    shape = (len(names), mechanism.nq + mechanism.nv)
    t = checked_array(given["t"], shape[:1])
    before, after = (checked_array(given[key], shape) for key in ("before", "after"))
    nq = mechanism.nq
    return [
        Occurrence(name, when, x[:nq].copy(), x[nq:].copy(), y[:nq].copy(), y[nq:].copy())
        for name, when, x, y in zip(names, t.tolist(), before, after, strict=True)
    ]


def law_from_tree(node: Node, events: Events, n_rows: int) -> NDArray[np.int64]:
    """Return the number of the law of each row, which a file holds as float64."""
    law = checked_array(node, (n_rows,))
    if not np.isin(law, np.arange(len(events.laws))).all():
        raise node.error(f"must hold numbers of laws, from 0 to {len(events.laws) - 1}")
    return law.astype(np.int64)


def _action_tree(action: Action) -> Tree:
    held = program_tree(action.reset) if isinstance(action.reset, Program) else None
    return {
        "name": action.name,
        "direction": action.direction,
        "stop": action.stop,
        "law": action.law,
        "reset": held,
        "resets_q": action.resets_q,
        "barrier": action.barrier,
        "resolution": action.resolution,
        "lost": isinstance(action.reset, Callback),
    }


def _action(mechanism: Mechanism, n_laws: int, node: Node) -> Action:
    given = node.fields((*_ACTION, "resolution"), _ACTION)
    for key in ("resets_q", "barrier", "lost"):
        if not isinstance(given[key].value, bool):
            raise given[key].must_be("true or false")
    resets_q = bool(given["resets_q"].value)
    size = mechanism.nv + (mechanism.nq if resets_q else 0)
    reset: Program | Callback | None = None
    if given["lost"].value:
        reset = Callback(_lost)
    elif given["reset"].value is not None:
        sizes = vector_sizes(mechanism) | {"after": size}
        reset = checked_program(given["reset"], "after", sizes)
    return Action(
        given["name"].text(),
        whole_number(given["direction"], -1, 1),
        whole_number(given["stop"], 0),
        whole_number(given["law"], -1, n_laws - 1),
        reset,
        resets_q,
        bool(given["barrier"].value),
        _resolution(given["resolution"]) if "resolution" in given else RESOLUTION,
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
