"""Checks of the arguments of a simulation; every message names what was expected."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ArrayTypeError, ModelError, PoinsotError, ShapeError
from poinsot.model import Mechanism
from poinsot.simulation.laws.common_shape import common_shape
from poinsot.simulation.running.run_plan import Accuracy, Plan
from poinsot.simulation.stepping.integrators import INTEGRATORS
from poinsot.simulation.stepping.quaternions import quaternion_starts
from poinsot.spatial import Array
from poinsot.spatial.masked import refuse_masked

QUATERNION_TOLERANCE = 1e-6
"""A quaternion at the start may differ from unit length by this much, and is normalised."""
RTOL = 1e-8
"""Relative tolerance where none is given."""
COARSE = 1e-5
"""Tolerances without error control: constraints may move a state by a tenth of it."""
_NUMBERS = (float, int, np.integer, np.floating)
LATE = 1e-12
"""Part of the start time below which a run is too short."""
MANY = 1000
"""Stored states of a run above which it is checked that they fit: to ask how much memory there is
takes as long as a short run."""
RTOL_RANGE = (1e-12, 0.1)
"""Below, rounding errors are larger; above, the error estimate means nothing."""


def start_states(mechanism: Mechanism, q: ArrayLike, v: ArrayLike) -> Array:
    """Return [q, v], shape (..., nq + nv), with quaternions of unit length."""
    vectors = [_vectors("q", q, mechanism.nq, "nq"), _vectors("v", v, mechanism.nv, "nv")]
    shape: tuple[int, ...] = ()
    if vectors[0].ndim + vectors[1].ndim > 2:
        shape = common_shape({"q": vectors[0].shape[:-1], "v": vectors[1].shape[:-1]})
        vectors = [np.broadcast_to(vector, (*shape, vector.shape[-1])) for vector in vectors]
    states: Array = np.concatenate(vectors, axis=-1, dtype=np.float64)
    if not np.isfinite(states).all():
        _refuse_not_finite({"q": q, "v": v})
    for start in quaternion_starts(mechanism).tolist():
        quaternions = states[..., start : start + 4]
        lengths = np.linalg.norm(quaternions, axis=-1)
        if (np.abs(lengths - 1.0) > QUATERNION_TOLERANCE).any():
            worst = np.unravel_index(np.argmax(np.abs(lengths - 1.0)), shape)
            raise ModelError(
                f"simulate: the quaternion of joint {mechanism.joint_of_coordinate(start)!r}, "
                f"q[{start}:{start + 4}] = {quaternions[worst]}{of_run(worst)}, must have length "
                f"1, got {lengths[worst]:.9g}; divide it by its length"
            )
        quaternions /= lengths[..., None]
    return states


def finite_states(mechanism: Mechanism, states: Array) -> Array:
    """Return further states, shape (n,), which must be finite."""
    for name, value in zip(mechanism.state_values, states.tolist(), strict=True):
        if not math.isfinite(value):
            raise ModelError(f"simulate: state {name!r} must be finite, got {value}")
    return states


def of_run(index: tuple[np.intp, ...]) -> str:
    """Return which of many runs is meant; nothing where there is one.

    >>> of_run((np.intp(3),)), of_run((np.intp(0), np.intp(2))), of_run(())
    (' of run [3]', ' of run [0, 2]', '')
    """
    return f" of run {[int(k) for k in index]}" if index else ""


def accuracy(
    integrator: str,
    rtol: float | None = None,
    atol: float | None = None,
    max_step: float | None = None,
    first_step: float | None = None,
    step: float | None = None,
) -> Accuracy:
    """Return the integrator and its tolerances, or its step; reject inconsistent options."""
    if not isinstance(integrator, str) or integrator not in INTEGRATORS:
        choices = ", ".join(repr(name) for name in INTEGRATORS)
        raise ModelError(f"simulate: unknown integrator {integrator!r}; choose one of {choices}")
    limits = {"rtol": rtol, "atol": atol, "max_step": max_step, "first_step": first_step}
    if INTEGRATORS[integrator].is_fixed:
        for name, value in limits.items():
            if value is not None:
                raise ModelError(
                    f"simulate: integrator {integrator!r} takes steps of one length and has no "
                    f"{name}; give step alone, or choose an integrator with error control"
                )
        if step is None:
            raise ModelError(
                f"simulate: integrator {integrator!r} takes steps of one length; say which, as in "
                "step=1e-3"
            )
        return Accuracy(integrator, COARSE, COARSE, step=positive("step", step))
    if step is not None:
        fixed = ", ".join(
            repr(name) for name, candidate in INTEGRATORS.items() if candidate.is_fixed
        )
        raise ModelError(
            f"simulate: integrator {integrator!r} chooses its steps by rtol and atol; give "
            f"max_step in place of step, or choose an integrator of equal steps: {fixed}"
        )
    rtol = RTOL if rtol is None else rtol
    least, most = RTOL_RANGE
    if not least <= positive("rtol", rtol) <= most:
        raise ModelError(f"simulate: rtol must be from {least:g} to {most:g}, got {rtol!r}")
    atol = rtol if atol is None else positive("atol", atol)
    most_step = math.inf if max_step is None else positive("max_step", max_step)
    return Accuracy(integrator, float(rtol), float(atol), most_step)


def positive(name: str, value: float) -> float:
    """Return a number that must be positive and finite."""
    if isinstance(value, bool) or not isinstance(value, _NUMBERS):
        raise ArrayTypeError(f"simulate: {name} must be a number, got {type(value).__name__}")
    if not (value > 0.0 and math.isfinite(value)):
        raise ModelError(f"simulate: {name} must be positive and finite, got {value!r}")
    return float(value)


def not_negative(name: str, value: float) -> float:
    """Return a number that must be finite and not negative."""
    if not (value >= 0.0 and math.isfinite(value)):
        raise ModelError(f"simulate: {name} must be a number from 0 on, got {value!r}")
    return float(value)


def positive_integer(name: str, value: float) -> int:
    """Return a positive integer."""
    number = positive(name, value)
    if not number.is_integer():
        raise ModelError(f"simulate: {name} must be a whole number, got {value!r}")
    return int(number)


def max_steps(given: int | None, duration: float, accuracy: Accuracy) -> int:
    """Return the most steps to try: those given, else a million, or twice what equal steps take.

    Args:
        given: What the user gave.
        duration: Time to simulate [s].
        accuracy: The integrator with its tolerances, or its step.
    """
    if given is not None:
        return positive_integer("max_steps", given)
    equal = 0.0 if accuracy.step is None else duration / accuracy.step
    return max(Plan.max_steps, 2 * math.ceil(equal) if math.isfinite(equal) else 0)


def start_time(start: float, duration: float) -> float:
    """Return the start time, which must not be so large that doubles cannot resolve the run."""
    if isinstance(start, bool) or not isinstance(start, _NUMBERS):
        raise ArrayTypeError(f"simulate: start must be a time, got {type(start).__name__}")
    if not math.isfinite(start):
        raise ModelError(f"simulate: start must be finite, got {start!r}")
    if duration < LATE * abs(start):
        raise ModelError(
            f"simulate: a run of {duration:g} s cannot start at t = {start:g} s, where doubles "
            "are too far apart; count the time from a later origin"
        )
    return float(start)


def save_interval(save: float | ArrayLike | None) -> float | None:
    """Return the time between stored states [s]; None: times or every step are to be stored."""
    return float(save) if isinstance(save, _NUMBERS) else None


def times_to_save(
    save: float | ArrayLike | None, start: float, duration: float, size: int = 1
) -> Array | None:
    """Return the times at which to store the state; None: after every step.

    Args:
        save: None, the time between stored states [s], or the times themselves [s].
        start: When the simulation begins [s].
        duration: Of the simulation [s].
        size: Numbers in a state.
    """
    if save is None:
        return None
    end = start + duration
    if np.ndim(_real("save", save)) == 0:
        step = positive("save", save)  # type: ignore[arg-type]
        # A multiple of the step that differs from the end by rounding error is the end.
        passed = duration / step * (1.0 + 1e-12)
        if passed > MANY:
            check_memory(1, passed, 2 * (size + 1))  # twice: while it is copied
        if step <= 4.0 * sys.float_info.epsilon * max(abs(start), abs(end)):
            raise ModelError(
                f"simulate: save={step:g} s is less than doubles can tell apart at t = {end:g} s"
            )
        even: Array = np.minimum(start + step * np.arange(math.floor(passed) + 1), end)
        return even
    times = np.array(_real("save", save), np.float64, order="C")
    if times.ndim != 1:
        raise ShapeError(f"simulate: save must be a number or have shape (n,), got {times.shape}")
    if not np.isfinite(times).all():
        raise ModelError(f"simulate: save must be finite, got {times}")
    if times.size == 0 or (np.diff(times) <= 0.0).any():
        raise ModelError("simulate: save must hold increasing times, at least one")
    if times[0] < start or times[-1] > end:
        raise ModelError(
            f"simulate: times in save must be from {start:g} s, the start, to {end:g} s, the end, "
            f"got {times[0]:g} to {times[-1]:g}"
        )
    return times


def _vectors(name: str, values: ArrayLike, size: int, label: str) -> Array:
    array = _real(name, values)
    if array.shape[-1:] != (size,):
        raise ShapeError(
            f"simulate: {name} must have shape ({size},), {label} of the system, or (..., {size}) "
            f"for many runs, got {array.shape}"
        )
    return array


def _refuse_not_finite(given: Mapping[str, ArrayLike]) -> None:
    """Report which vector of which run is not finite."""
    for name, values in given.items():
        array = np.asarray(values, np.float64)
        finite = np.isfinite(array).all(axis=-1)
        if not finite.all():
            worst = np.unravel_index(np.argmin(finite), finite.shape)
            raise ModelError(f"simulate: {name} must be finite, got {array[worst]}{of_run(worst)}")


def _real(name: str, values: ArrayLike) -> Array:
    refuse_masked(values, f"simulate: {name}")
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise ArrayTypeError(f"simulate: {name} must be an array of real numbers") from error
    if array.dtype.kind not in "biuf":
        raise ArrayTypeError(f"simulate: {name} must hold real numbers, got dtype {array.dtype}")
    return array


SHARE = 0.75
"""Part of the computer's memory that the states of runs may take."""
LIMIT: Final = Path("/sys/fs/cgroup/memory.max")
"""The file with the memory limit of a container on Linux, a number or ``max``."""


def check_memory(n_runs: int, n_times: float, size: int) -> None:
    """Reject runs whose states do not fit into the memory of this computer.

    Args:
        n_runs: Runs.
        n_times: Stored states of each.
        size: Numbers in a state.
    """
    needed, there = 8 * n_runs * n_times * size, installed_memory()
    if there is not None and needed > SHARE * there:
        raise PoinsotError(
            f"simulate: {_shown(n_runs)} of {n_times:.9g} states of {size} numbers each "
            f"take{'s' if n_runs == 1 else ''} {needed / 2**30:.3g} GiB, and this computer has "
            f"{there / 2**30:.3g} GiB; store fewer states (save=a time between them, or an array "
            "of times) or simulate in parts"
        )


def _shown(n_runs: int) -> str:
    return "a run" if n_runs == 1 else f"{n_runs} runs"


def installed_memory() -> int | None:
    """Return the memory that a process may take [bytes]; None where that is unknown."""
    try:
        there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
    try:  # a container may have less
        return min(there, int(LIMIT.read_text()))
    except (OSError, ValueError):
        return there
