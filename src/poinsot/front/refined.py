"""Derivatives of runs to a wanted accuracy: the run is repeated with tighter tolerances.

Derivatives are exact for what the integrator computed, which controls the error of the states, not
theirs.  They are computed again along a run whose steps hold a tighter tolerance; the difference
estimates the error of the coarser ones and bounds that of the finer ones, which are returned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from poinsot.errors import ModelError
from poinsot.simulation.integrate import integrate
from poinsot.simulation.running.checks import RTOL_RANGE
from poinsot.simulation.running.run_plan import Accuracy
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.spatial import Array

Result = TypeVar("Result")

LEAST: Final = 1e-11
"""Relative accuracy that rounding errors allow."""
SHARE: Final = 0.1
"""Part of the wanted error that the next run aims at."""
SLIGHT: Final = 1e-9
"""Derivatives so much smaller than the largest of their kind do not count by themselves."""


def refined(
    run: Trajectory, rtol: float, compute: Callable[[Trajectory], Result],
    deviation: Callable[[Result, Result], float], where: str,
) -> tuple[Result, float]:  # fmt: skip
    """Return what is computed along a run so accurate that it is known to a tolerance.

    Args:
        run: The run.
        rtol: The relative error wanted.
        compute: Computes it along a run.
        deviation: Returns the relative difference of a coarser and a finer result.
        where: Opens the message of an error.

    Returns:
        The result, and its estimated error.

    Raises:
        ModelError: If the accuracy is not reached with the tightest tolerance there is, or the run
            did not reach its end.
    """
    if isinstance(rtol, bool) or not isinstance(rtol, float | int) or not LEAST <= rtol < 1.0:
        raise ModelError(
            f"{where}: rtol must be a number from {LEAST:g} to 1, the relative error of the "
            f"derivatives, got {rtol!r}"
        )
    if not run.status.ok:
        raise ModelError(
            f"{where}: the run did not reach its end ({run.status.message}), so that it cannot be "
            "repeated with tighter tolerances; leave out rtol="
        )
    accuracy, result, factor, error = run.accuracy, compute(run), SHARE, np.inf
    while True:
        tighter = _tighter(accuracy, factor)
        if tighter is None:
            raise ModelError(
                f"{where}: the derivatives are known to {error:.1e} only with the tightest "
                f"tolerance of a run, not to rtol={rtol:g}; ask for less, for a shorter time, or "
                "end the run before they grow so much"
            )
        finer = integrate(run.equations, run.start, tighter, run.plan, run.events)
        if not finer.status.ok or _names(finer) != _names(run):
            raise ModelError(
                f"{where}: with tolerance {tighter.rtol:g} other events happen than with "
                f"{run.accuracy.rtol:g}, or the run fails ({finer.status.message}); simulate with "
                "a tighter rtol, and away from where events only just happen"
            )
        accuracy, coarser, result = tighter, result, compute(finer)
        error = deviation(coarser, result)
        if error <= rtol:
            return result, error
        factor = float(np.clip(SHARE * rtol / error, 1e-3, SHARE))


def same_moments(run: Trajectory, other: Trajectory, times: Array) -> Array:
    """Return the times of a run in another one with the same events, each at its own time."""
    pairs = zip(run.occurrences, other.occurrences, strict=True)
    moments = {occurrence.t: again.t for occurrence, again in pairs}
    return np.array([moments.get(t, t) for t in times.tolist()])


def relative_deviation(coarse: Array, fine: Array) -> float:
    """Return the largest difference, relative to the largest number of its column.

    Args:
        coarse: Derivatives, shape (..., m), NaN where there are none.
        fine: More accurate ones.
    """
    columns = np.nan_to_num(fine).reshape(-1, fine.shape[-1])
    difference = np.nan_to_num(coarse - fine).reshape(columns.shape)
    sizes = np.abs(columns).max(axis=0, initial=0.0)
    scale = np.maximum(sizes, SLIGHT * sizes.max(initial=0.0))
    differs = np.abs(difference).max(axis=0, initial=0.0)
    return float(np.max(differs / np.where(scale > 0.0, scale, 1.0), initial=0.0))


def _tighter(accuracy: Accuracy, factor: float) -> Accuracy | None:
    """Return tolerances, or steps, so much smaller; None where there are none."""
    if accuracy.step is not None:
        return replace(accuracy, step=accuracy.step / 2)
    if accuracy.rtol <= RTOL_RANGE[0]:
        return None
    rtol = max(factor * accuracy.rtol, RTOL_RANGE[0])
    return replace(accuracy, rtol=rtol, atol=accuracy.atol * rtol / accuracy.rtol)


def _names(run: Trajectory) -> list[str]:
    return [occurrence.name for occurrence in run.occurrences]
