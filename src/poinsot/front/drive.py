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
    states: Values = None,
    save: float | ArrayLike | None = None,
    positions: int = 200,
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
        states: Values of further states by name, which forces depend on; initial ones by default.
            Numbers, or arrays (..., n) with a value for each of the n stored positions, or of
            shape (..., 1), for many motions at once.
        save: What to store: a position every so many seconds (a number), or those at these times
            (an array), from 0 to the duration; by default ``positions`` of them, evenly.
        positions: How many to store where ``save`` is not given, at least 2.

    Returns:
        A ``Study``; ``Studies`` if q, a parameter or a state is a batch.  In a batch nothing is
        raised for single motions: ``ok`` and ``status`` say which cannot close or go on.

    Raises:
        AssemblyError: If the system does not close at the start, or has too few or too many drives.

    Warns:
        SimulationWarning: If it cannot go on, at a dead point for instance; the study ends there.
    """
    if isinstance(states, int | np.integer):
        raise TypeError(
            f"drive: how many positions to store is no longer states={states} but "
            f"positions={states}; states= are values of further states by name"
        )
    times = _times(system, duration, save, positions)
    if system.mechanism.at_positions is not system.mechanism:
        raise ModelError(
            f"drive: {system.name!r} has constraints on velocities, and positions do not follow "
            "from those; simulate it, with a PrescribedSpeed or PrescribedMotion as its drive"
        )
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
    further = _further(driven, times, parameters, states)
    if values.ndim == 1 and guess.ndim == 1 and further.ndim == 2:
        return _one(at_values(driven, values), guess, drives, times, further)
    return _many(driven, guess, drives, times, values, further)


def _further(system: System, times: Array, parameters: Values, states: Values) -> Array:
    """Return the further states at times, shape (..., n, number of them)."""
    if not system.states and not states:
        return np.zeros((times.size, 0))
    for name, value in states.items() if isinstance(states, Mapping) else ():
        if np.ndim(value) and np.shape(value)[-1] not in (1, times.size):
            raise ShapeError(
                f"drive: state {name!r} must be a number, or have shape (..., {times.size}) with a "
                f"value for each stored position, or (..., 1), got {np.shape(value)}"
            )
    given = {name: np.asarray(value)[..., None] for name, value in (parameters or {}).items()}
    values = parameter_values(system, "drive", given, times, states=states)
    further = values[..., len(system.free) :]
    lead = further.shape[:-2]
    return np.broadcast_to(further, (*lead, times.size, further.shape[-1]))


def _one(
    system: System, guess: Array, drives: Sequence[PrescribedMotion], times: Array, further: Array
) -> Study:
    rows = driven_rows(system)
    guess = _led(rows, guess, drives)
    start = closed(rows, guess, np.arange(system.nv), 0.0)
    check_driven(rows, start, 0.0, len(drives))
    motion = follow(rows, start, times)
    columns = [np.interp(motion.t, times, column) for column in further.T]
    motion = replace(motion, further=np.array(columns).reshape(-1, motion.t.size).T)
    study = Study(system, motion, [drive.joint for drive in drives])
    if not study.ok:
        warnings.warn(f"{system.name!r}: {study.message}", SimulationWarning, stacklevel=3)
    return study


def _many(
    system: System, guess: Array, drives: Sequence[PrescribedMotion], times: Array, values: Array,
    further: Array,
) -> Studies:  # fmt: skip
    given = {"q": guess, "parameters": values, "states": further[..., 0, :]}
    shape = leading_shape("drive", given)
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
    further = np.broadcast_to(further, (*shape, *further.shape[-2:]))
    motion = replace(motion, further=further.reshape(len(numbers), *further.shape[-2:]))
    return Studies(system, motion, [motion.joint for motion in drives], shape, numbers)


def _times(
    system: System, duration: float, save: float | ArrayLike | None, positions: int
) -> Array:
    """Return the times to store [s]."""
    duration = checks.positive("duration", duration)
    if not isinstance(positions, int | np.integer) or positions < 2:
        raise ModelError(f"drive: positions must be a whole number, at least 2, got {positions!r}")
    if isinstance(save, float | int) and save > duration:
        raise ModelError(
            f"drive: save={save!r} is the time between positions [s], more than the duration; for "
            f"their number give positions={save!r}"
        )
    if save is None:
        return np.linspace(0.0, duration, positions)
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
