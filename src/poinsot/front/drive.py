"""Kinematic studies: the motion of some joints is prescribed, all others follow."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.assemble.driven_motion import check_driven, follow, follow_all
from poinsot.assemble.loop_closing import CLOSED, closed, settled
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import ModelError, ShapeError
from poinsot.front.description import Values
from poinsot.front.driven_states import driven_rows
from poinsot.front.parameter_numbers import at_values, leading_shape, parameter_values
from poinsot.front.studies import Studies
from poinsot.front.study import Study
from poinsot.front.system import System
from poinsot.model import PrescribedMotion
from poinsot.simulation.running import checks
from poinsot.simulation.running.status import SimulationWarning
from poinsot.spatial import Array
from poinsot.spatial.masked import refuse_masked

Law = str | float | Sequence[float] | Callable[[Any], Any]
"""A formula in t, a number, (from, to), or a function of t."""


def drive(
    system: System,
    q: ArrayLike,
    motions: Mapping[str, Law],
    duration: float = 1.0,
    *,
    parameters: Values = None,
    save: float | ArrayLike | None = None,
    states: int = 200,
) -> Any:  # noqa: ANN401 (a Study, or Studies of a batch)
    """Return the motion of a system under prescribed motions of some joints.

    Nothing is integrated in time: each configuration closes by itself, and velocities and
    accelerations follow from it.  Steps are so small that the motion cannot jump to another branch.

    Args:
        system: The system.
        q: Configuration to start from, or a rough guess of it, shape (nq,); of many motions
            (..., nq).
        motions: For each driven joint, or coordinate of one ("base.x"), its coordinate [rad or m]:
            a formula in ``t`` and parameters, a function of t over generic scalars, or ``(from,
            to)`` at constant speed.  Joints may close loops.
        duration: Time [s].
        parameters: Values of free parameters by name: numbers, or arrays for many motions at once,
            whose shapes broadcast with that of q: see docs/design_sweeps.md.
        save: What to store: a state every so many seconds (a number), or the states at these times
            (an array), from 0 to the duration; by default ``states`` of them, evenly.
        states: How many states to store where ``save`` is not given, at least 2.

    Returns:
        A ``Study``; ``Studies`` if q or a parameter is a batch.  In a batch nothing is raised for
        single motions: ``ok`` and ``status`` say which of them cannot close or go on.

    Raises:
        AssemblyError: If the system does not close at the start, or has too few or too many drives.

    Warns:
        SimulationWarning: If it cannot go on, at a dead point for instance; the study ends there.
    """
    times = _times(system, duration, save, states)
    if not isinstance(motions, Mapping) or not motions:
        raise ModelError(
            f"drive: motions must name joints, e.g. {{'crank': '2*t'}}, got {motions!r}"
        )
    drives = [
        PrescribedMotion(f"drive of {joint}", joint, _law(law, float(times[-1]), joint))
        for joint, law in motions.items()
    ]
    refuse_masked(q, "drive: q")
    guess = np.array(q, dtype=np.float64)
    if guess.shape[-1:] != (system.nq,):
        raise ShapeError(f"drive: q must have shape (..., {system.nq}), got {guess.shape}")
    driven = System.from_mechanism(system.description.with_constraints(drives))
    values = parameter_values(driven, "drive", parameters)
    if values.ndim == 1 and guess.ndim == 1:
        return _one(at_values(driven, values), guess, drives, times)
    return _many(driven, guess, drives, times, values)


def _one(system: System, guess: Array, drives: Sequence[PrescribedMotion], times: Array) -> Study:
    rows = driven_rows(system)
    guess = _led(rows, guess, drives)
    start = closed(rows, guess, np.arange(system.nv), 0.0)
    check_driven(rows, start, 0.0, len(drives))
    study = Study(system, follow(rows, start, times), [motion.joint for motion in drives])
    if not study.ok:
        warnings.warn(f"{system.name!r}: {study.message}", SimulationWarning, stacklevel=3)
    return study


def _many(
    system: System, guess: Array, drives: Sequence[PrescribedMotion], times: Array, values: Array
) -> Studies:
    shape = leading_shape("drive", {"q": guess, "parameters": values})
    numbers, guesses = (
        np.broadcast_to(array, (*shape, array.shape[-1])).reshape(-1, array.shape[-1])
        for array in (values, guess)
    )
    rows = NumericRows(system.mechanism, parameters=numbers)
    start, violation = settled(rows, _led(rows, guesses, drives), np.arange(system.nv), 0.0)
    closes = np.flatnonzero(violation <= CLOSED)
    for number in closes[:1]:
        check_driven(rows.some(int(number)), start[number], 0.0, len(drives))
    motion = follow_all(rows, np.where((violation <= CLOSED)[:, None], start, np.nan), times)
    motion = replace(motion, end=np.where(np.isfinite(motion.end), motion.end, start))
    return Studies(system, motion, [motion.joint for motion in drives], shape, numbers)


def _times(system: System, duration: float, save: float | ArrayLike | None, states: int) -> Array:
    """Return the times to store [s]."""
    duration = checks.positive("duration", duration)
    if not isinstance(states, int | np.integer) or states < 2:
        raise ModelError(f"drive: states must be a whole number, at least 2, got {states!r}")
    if isinstance(save, float | int) and save > duration:
        raise ModelError(
            f"drive: save={save!r} is the time between states [s], more than the duration; for "
            f"their number give states={save!r}"
        )
    if save is None:
        return np.linspace(0.0, duration, states)
    times = checks.times_to_save(save, 0.0, duration, system.nq + 2 * system.nv)
    assert times is not None
    return times


def _law(law: Law, duration: float, joint: str) -> str | float | Callable[[Any], Any]:
    if isinstance(law, str | float | int) or callable(law):
        return law
    ends = np.asarray(law, dtype=np.float64)
    if ends.shape != (2,):
        raise ModelError(
            f"drive: the motion of {joint!r} must be a formula, a function or (from, to), "
            f"got {law!r}"
        )
    first, last = ends.tolist()
    return f"{first!r} + ({last - first!r}) * (t / {duration!r})"


def _led(rows: NumericRows, q: Array, drives: Sequence[PrescribedMotion]) -> Array:
    """Return guesses with the driven joints at their prescribed positions at t = 0."""
    guess, phi, mechanism = q.copy(), rows.residual(q, 0.0), rows.mechanism
    for k, motion in enumerate(drives, start=phi.shape[-1] - len(drives)):
        joint, entry = mechanism.joint_and_entry(motion.joint)
        if joint in mechanism.joints:  # else it closes a loop, and assembly leads it
            guess[..., mechanism.q_slice(joint).start + (entry or 0)] -= phi[..., k]
    return guess
