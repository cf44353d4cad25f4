"""Runs whose start and parameters are varied by name, as ``fit`` and ``shoot`` do it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from poinsot.errors import ModelError, PoinsotError
from poinsot.front.parameter_numbers import parameter_values
from poinsot.front.run import Run
from poinsot.front.simulate import simulate
from poinsot.front.system import System
from poinsot.model import parameter_hint, suggestion
from poinsot.simulation.running.start import projected_start
from poinsot.spatial import Array


def start_names(system: System, given: Iterable[str], where: str) -> list[str]:
    """Return the names of entries of a start, "q" and "v" written out: "q.elbow", "v.elbow".

    Args:
        system: The system.
        given: Names; those of further states are allowed too.
        where: Opens the message of an error.
    """
    every = {group: [f"{group}.{name}" for name in system.velocity_names] for group in "qv"}
    every["states"] = list(system.mechanism.state_values)
    single = [name for names in every.values() for name in names]
    names: list[str] = []
    for name in given:
        if name not in every and name not in single:
            raise ModelError(f"{where}{name!r}; {suggestion(name, (*every, *single))}")
        names += every.get(name, [name])
    return names


def varied_run(
    system: System, q: Array, v: Array, duration: float, *, changes: Mapping[str, float],
    values: Mapping[str, float], start: float, options: Mapping[str, Any], where: str,
) -> Run:  # fmt: skip
    """Return the run from a start that is moved, in closed systems onto the constraints.

    Args:
        system: The system.
        q: Configuration, shape (nq,).
        v: Velocity, shape (nv,).
        duration: Time to simulate [s].
        changes: What is added to the start, by name; configurations move along ``integrate``.
        values: Parameters by name.
        start: Time at the start [s].
        options: Further keywords of ``simulate``; of parameters and states, those that stay.
        where: Opens the message of an error.

    Raises:
        PoinsotError: If the run fails; the message has the values.
    """
    given, shift = dict(options), {group: np.zeros(system.nv) for group in "qv"}
    numbers = {**(given.pop("parameters", None) or {}), **values}
    states = dict(given.pop("states", None) or {})
    for name, change in changes.items():
        group, _, entry = name.partition(".")
        if name in system.mechanism.state_values:
            states[name] = states.get(name, system.mechanism.state_values[name]) + change
        else:
            shift[group][system.velocity_names.index(entry)] = change
    q, v = system.integrate(q, shift["q"]), v + shift["v"]
    if system.row_names:  # as derivatives of runs move starts
        every = parameter_values(system, where, numbers or None)
        moved = projected_start(system.mechanism, np.concatenate([q, v]), every, start)
        q, v = np.split(moved, [system.nq])
    if states:
        given["states"] = states
    run: Run = simulate(system, q, v, duration, start=start, parameters=numbers or None, **given)
    if not run.status.ok:
        shown = ", ".join(f"{name} = {value:.6g}" for name, value in numbers.items())
        raise PoinsotError(
            f"{where}: {f'with {shown} ' if shown else ''}the run ends early: "
            f"{run.status.message}; give bounds= or better first guesses"
        )
    return run


def free_numbers(system: System, names: Iterable[str], where: str) -> tuple[str, ...]:
    """Return the names of free parameters that are numbers; reject others."""
    free = [name for name in system.free if name not in system.signals]
    for name in names:
        if name not in free:
            hint = parameter_hint(name, system.description, free)
            raise ModelError(f"{where}: {system.name!r} has no free parameter {name!r}; {hint}")
    return tuple(names)


def bounds_of(
    names: tuple[str, ...], guess: Array, given: Mapping[str, tuple[float, float]], where: str
) -> tuple[Array, Array]:
    """Return the least and largest values of unknowns, infinite where none are given.

    Args:
        names: Of the unknowns.
        guess: Their first guesses.
        given: Bounds by name.
        where: Opens the message of an error.
    """
    for name in given:
        if name not in names:
            raise ModelError(f"{where}: bounds of {name!r}; {suggestion(name, names)}")
    free = (-np.inf, np.inf)
    low, high = np.array([given.get(name, free) for name in names], np.float64).reshape(-1, 2).T
    for name, least, most, first in zip(names, low, high, guess, strict=True):
        if not least <= first <= most or least >= most:
            raise ModelError(
                f"{where}: the first guess of {name!r}, {first:g}, must lie between its bounds, "
                f"{least:g} and {most:g} (those of entries of a start are for changes of it)"
            )
    return low, high
