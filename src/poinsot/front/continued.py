"""Runs from others: from their last state, ``Run.continued``, or again from their start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.impact import contact_parameters, events_of_contacts
from poinsot.front.parameter_numbers import parameter_values
from poinsot.front.simulation_options import Changes
from poinsot.front.single_run import checked_plan, checked_writer, simulated
from poinsot.front.system import System
from poinsot.impacts.contact import checked_contacts
from poinsot.model.environment import BASE
from poinsot.simulation.files.saved_simulation import accuracy_tree
from poinsot.simulation.files.saved_trajectory import is_not_restorable
from poinsot.simulation.integrate import integrate
from poinsot.simulation.laws.callback import Callback
from poinsot.simulation.laws.changed_laws import LAWS, changed
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.laws.traced_events import Events, checked_events, traced_events
from poinsot.simulation.running import checks
from poinsot.simulation.running.run_plan import Accuracy, Plan
from poinsot.simulation.running.start import consistent_start, projected_start
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.stepping.integrators import INTEGRATORS
from poinsot.spatial import Array

AIMS: Final = ("integrator", "rtol", "atol", "max_step", "step")
"""Changes of the integrator and its tolerances or step."""

REMEDY: Final = {"continued": "give {}= too", "repeat": "call ps.simulate with new {}="}
AGAIN: Final = {"continued": "give events= or contacts= again", "repeat": "call ps.simulate again"}
"""What to do, by what was called."""


def continued(system: System, done: Trajectory, duration: float, changes: Changes) -> Trajectory:
    """Return the continuation of another motion; see ``Run.continued``.

    Args:
        system: What moves.
        done: What it has done.
        duration: Time to simulate [s].
        changes: Arguments of ``simulate`` that are others from here on.
    """
    for name in changes:
        if name not in Changes.__annotations__:
            raise ModelError(
                f"continued: {name!r} cannot be changed; the new run starts where this one ends. "
                f"Choose among {', '.join(sorted(Changes.__annotations__))}"
            )
    given: Mapping[str, Any] = changes
    old = done.last_law
    laws = {name: given[name] for name in LAWS if name in given}
    if given.get("parameters"):
        laws["parameters"] = _values(system, old, given["parameters"], laws)
    t, state, sampled = _end(done, old)
    new = changed(old, laws)
    accuracy = _accuracy(done.accuracy, given)
    plan = checked_plan(
        system,
        duration,
        accuracy,
        start=t,
        first_step=given.get("first_step"),
        max_steps=given.get("max_steps"),
        save=given.get("save", done.plan.every),
    )
    plan = replace(plan, sampled=sampled)
    q, v, further = np.split(state, new.ends)
    moving = checks.start_states(system.mechanism, q, v)
    moving = consistent_start(system.mechanism, moving, new.parameters, t)
    state = np.concatenate([moving, _states(system, further, given.get("states"))])
    events = _events(system, done, new, laws, given, (t, state))
    writer = checked_writer(system, given.get("checkpoint"), given.get("checkpoint_every", 30.0))
    progress = given.get("progress")
    return simulated(system, new, state, accuracy, plan, events, progress, writer, depth=4)


def repeated(system: System, done: Trajectory, parameters: Mapping[str, float]) -> Trajectory:
    """Return a motion again from its start with other parameters; see ``Run.repeat``.

    Args:
        system: What moves.
        done: What it has done.
        parameters: Other values of free parameters.
    """
    laws = {"parameters": _values(system, done.equations, parameters, {}, "repeat")}
    new = changed(done.equations, laws)
    q, v, further = np.split(done.start, new.ends)
    t = done.plan.start
    moving = projected_start(system.mechanism, np.concatenate([q, v]), new.parameters, t)
    events = done.events
    if events is not None:
        _check_restorable(events, "repeat", is_changed=True)
        events = replace(events, laws=(new, *(changed(law, laws) for law in events.laws[1:])))
    state = np.concatenate([moving, further])
    return simulated(system, new, state, done.accuracy, done.plan, events, None, None, depth=4)


def _end(done: Trajectory, law: MotionEquations) -> tuple[float, Array, bool]:
    """Return when a run has ended, its state then, and whether sampled states are of then.

    The last stored state may be before that; no event that changes something lies between.
    """
    t, state = float(done.t[-1]), np.concatenate([done.q[-1], done.v[-1]])
    if not done.status.ok or t >= done.status.time:
        return t, state, t < done.plan.end
    rest = integrate(law, state, done.accuracy, Plan(done.status.time - t, start=t, sampled=True))
    if not rest.status.ok:
        raise ModelError(
            f"continued: the end of the run cannot be had again: {rest.status.message}"
        )
    return done.status.time, np.concatenate([rest.q[-1], rest.v[-1]]), False


def _states(system: System, reached: Array, given: Mapping[str, float] | None) -> Array:
    """Return the further states to go on from: those reached, some of them new."""
    values = dict(zip(system.mechanism.state_values, reached.tolist(), strict=True))
    states = parameter_values(system, "continued", None, states=values | dict(given or {}))
    return states[..., states.size - reached.size :]


def _values(
    system: System, old: MotionEquations, given: Mapping[str, float], laws: Mapping[str, Any],
    where: str = "continued",
) -> Array:  # fmt: skip
    """Return the values of the free parameters, some of them new."""
    if not isinstance(given, Mapping):
        raise ModelError(f"{where}: parameters must be values by name, got {given!r}")
    fixed = old.load_inputs.base and not any(use.writes == BASE for use in old.drives)
    if fixed and "base" not in laws:
        raise ModelError(
            f"{where}: the constant motion of the base was made with the old parameters; "
            f"{REMEDY[where].format('base')}"
        )
    names = old.mechanism.free_parameters
    values = dict(zip(names, old.parameters.tolist(), strict=False))
    kept = {name: value for name, value in values.items() if name not in system.signals}
    return parameter_values(system, where, kept | dict(given))


def _events(
    system: System,
    done: Trajectory,
    law: MotionEquations,
    laws: Mapping[str, Any],
    given: Mapping[str, Any],
    start: tuple[float, Array],
) -> Events | None:
    """Return the events of the continuation: those given, or those of the run."""
    if "events" in given or "contacts" in given:
        events = checked_events(given.get("events", ()))
        contacts = checked_contacts(given.get("contacts", ()), "continued")
        if contacts:
            numbers = contact_parameters(system, law)
            t, state = start
            hits = events_of_contacts(system, contacts, state[: system.nq], numbers, t)
            events = (*events, *hits)
        return traced_events(system.mechanism, events, law) if events else None
    if done.events is None:
        return None
    _check_restorable(done.events, "continued", is_changed="parameters" in laws)
    others = {name: law for name, law in laws.items() if name != "tau"}
    further = (changed(further_law, others) for further_law in done.events.laws[1:])
    return replace(done.events, laws=(law, *further), counted=_counted(done, done.events))


def _check_restorable(events: Events, where: str, *, is_changed: bool) -> None:
    """Reject events that are not known any more, or were made for other parameters."""
    for action in events.actions:
        if is_not_restorable(action):
            raise ModelError(
                f"{where}: the file could not hold what event {action.name!r} does, a Python "
                f"function or a contact; {AGAIN[where]}"
            )
        if action.barrier and is_changed and isinstance(action.reset, Callback):
            raise ModelError(
                f"{where}: contact {action.name!r} was made with the old parameters; "
                f"{REMEDY[where].format('contacts')}"
            )


def _counted(done: Trajectory, events: Events) -> tuple[int, ...]:
    """Return how often each event has occurred, reset for those that have stopped a run."""
    happened = Counter(occurrence.name for occurrence in done.occurrences)
    before = events.counted or (0,) * len(events.actions)
    return tuple(
        (count + happened[action.name]) % action.stop if action.stop else 0
        for action, count in zip(events.actions, before, strict=True)
    )


def _accuracy(old: Accuracy, given: Mapping[str, Any]) -> Accuracy:
    """Return the integrator and its tolerances or step, with changes."""
    wanted = {key: given[key] for key in AIMS if key in given}
    if not wanted:
        return old
    kept, integrator = accuracy_tree(old), wanted.get("integrator", old.integrator)
    is_named = isinstance(integrator, str) and integrator in INTEGRATORS
    if not is_named or INTEGRATORS[integrator].is_fixed is not INTEGRATORS[old.integrator].is_fixed:
        kept = {}
    settings = kept | wanted | {"first_step": given.get("first_step")}
    return checks.accuracy(
        integrator, **{key: settings.get(key) for key in (*AIMS[1:], "first_step")}
    )
