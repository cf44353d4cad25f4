"""Runs of systems that are nothing but states: settings that were checked before are not again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isfinite
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.run import Run
from poinsot.front.simulate import simulate
from poinsot.front.single_run import checked_plan, simulated
from poinsot.front.system import System
from poinsot.simulation.laws.equations import equations
from poinsot.simulation.laws.event import Event
from poinsot.simulation.laws.traced_events import traced_events
from poinsot.simulation.running import checks
from poinsot.simulation.running.run_plan import Accuracy, Plan

SETTINGS: Final = {
    "rtol", "atol", "integrator", "step", "max_step", "first_step", "max_steps", "save",
}  # fmt: skip
SIMPLE: Final = {float, int, str, type(None)}
"""Types of settings that are compared with those of earlier runs."""


def run_of_states(
    system: System,
    duration: float,
    states: Sequence[float],
    parameters: Sequence[float],
    event: Event | None,
    options: Mapping[str, Any],
) -> Run:
    """Return a run of a system that rests but for its states; see ``simulate``.

    Args:
        system: The system.
        duration: Time to simulate [s].
        states: Values of its states at the start, in their order.
        parameters: Values of its free parameters, likewise, but for samples over time.
        event: An event to watch, besides those of the options.
        options: Further keywords of ``simulate``.
    """
    types = tuple(map(type, options.values()))
    sampled = system.signals or system.mechanism.sampled_states
    if sampled or not (options.keys() <= SETTINGS and {type(duration), *types} <= SIMPLE):
        watched = [] if event is None else [event]
        changed = {**options, "events": [*options.get("events", ()), *watched]}
        rest = np.zeros(system.nq), np.zeros(system.nv)
        mechanism = system.mechanism
        named = dict(zip(mechanism.state_values, states, strict=True))
        free = [name for name in mechanism.free_parameters if name not in system.signals]
        numbers = dict(zip(free, parameters, strict=True))
        run: Run = simulate(system, *rest, duration, states=named, parameters=numbers, **changed)
        return run
    accuracy, plan = _checked(system, (duration, type(duration)), tuple(options.items()), types)
    mechanism, values = system.mechanism, [*parameters, *states]
    if not all(map(isfinite, values)):
        raise ModelError(f"simulate: the start must be finite, got {states}")
    laws = equations(mechanism, None, None, np.array(values), None, None)
    begin = np.zeros(laws.n)
    begin[laws.ends[1] :] = laws.initial_states
    events = None if event is None else traced_events(mechanism, (event,), laws)
    return Run(system, simulated(system, laws, begin, accuracy, plan, events, None, None, depth=5))


@lru_cache(maxsize=64)
def _checked(
    system: System,
    duration: tuple[float, type],
    settings: tuple[tuple[str, Any], ...],
    types: tuple[type, ...],
) -> tuple[Accuracy, Plan]:
    """Return accuracy and plan of settings that are hashable; types stand beside values."""
    given: dict[str, Any] = dict(settings)
    accuracy = checks.accuracy(
        given.get("integrator", "dp8"), rtol=given.get("rtol"), atol=given.get("atol"),
        max_step=given.get("max_step"), first_step=given.get("first_step"), step=given.get("step"),
    )  # fmt: skip
    plan = checked_plan(
        system, duration[0], accuracy, start=0.0, first_step=given.get("first_step"),
        max_steps=given.get("max_steps"), save=given.get("save"),
    )  # fmt: skip
    if plan.times is not None:
        plan.times.flags.writeable = False
    return accuracy, plan
