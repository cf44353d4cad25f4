"""Runs of systems that are nothing but states: settings that were checked before are not again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np

from poinsot.front.parameter_numbers import parameter_values
from poinsot.front.run import Run
from poinsot.front.simulate import simulate
from poinsot.front.single_run import checked_plan, simulated
from poinsot.front.system import System
from poinsot.simulation.laws.equations import equations, with_states
from poinsot.simulation.laws.event import Event
from poinsot.simulation.laws.traced_events import traced_events
from poinsot.simulation.running import checks
from poinsot.simulation.running.run_plan import Accuracy, Plan

ACCURACY: Final = ("rtol", "atol", "integrator", "step", "max_step")
LENGTH: Final = ("first_step", "max_steps", "save")
SIMPLE: Final = (float, int, str, type(None))
"""Types of settings that are compared with those of earlier runs."""


def run_of_states(
    system: System,
    duration: float,
    states: Mapping[str, float],
    parameters: Mapping[str, float],
    event: Event | None,
    options: Mapping[str, Any],
) -> Run:
    """Return a run of a system that rests but for its states; see ``simulate``.

    Args:
        system: The system.
        duration: Time to simulate [s].
        states: Values of its states at the start.
        parameters: Values of its free parameters.
        event: An event to watch, besides those of the options.
        options: Further keywords of ``simulate``.
    """
    settings = (("duration", duration), *options.items())
    keys = ("duration", *ACCURACY, *LENGTH)
    if not all(key in keys and value.__class__ in SIMPLE for key, value in settings):
        watched = [] if event is None else [event]
        changed = {**options, "events": [*options.get("events", ()), *watched]}
        rest = np.zeros(system.nq), np.zeros(system.nv)
        run: Run = simulate(
            system, *rest, duration, states=states, parameters=parameters, **changed
        )
        return run
    accuracy, plan = _checked(system, tuple((k, x.__class__, x) for k, x in settings))
    values = parameter_values(system, "simulate", parameters, states=states)
    laws = equations(system.mechanism, None, None, values, None, None)
    begin = with_states(laws, np.zeros(system.nq + system.nv))
    events = None if event is None else traced_events(system.mechanism, (event,), laws)
    return Run(system, simulated(system, laws, begin, accuracy, plan, events, None, None, depth=5))


@lru_cache(maxsize=64)
def _checked(system: System, settings: tuple[tuple[str, type, Any], ...]) -> tuple[Accuracy, Plan]:
    """Return accuracy and plan; types stand beside values, since 1 and True are equal."""
    given: dict[str, Any] = {key: value for key, _, value in settings}
    accurate = {key: given[key] for key in ACCURACY if key in given}
    named = {"integrator": "dp8", "rtol": None, "atol": None, "step": None, "max_step": None}
    named |= {"first_step": given.get("first_step")} | accurate
    accuracy = checks.accuracy(named.pop("integrator"), **named)
    plan = checked_plan(
        system, given["duration"], accuracy, start=0.0, first_step=given.get("first_step"),
        max_steps=given.get("max_steps"), save=given.get("save"),
    )  # fmt: skip
    if plan.times is not None:
        plan.times.flags.writeable = False
    return accuracy, plan
