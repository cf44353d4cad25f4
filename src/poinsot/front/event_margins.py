"""How far something may be varied before other events happen in a run than those that did."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from poinsot.errors import ModelWarning
from poinsot.simulation.running.status import Outcome
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.spatial import Array

SMALL: Final = 1e-7
"""Variation, in the unit of what is varied, that is less than anyone would vary it by."""


def event_margins(run: Trajectory, by: Sequence[str], moments: Sequence[Array]) -> dict[str, float]:
    """Return the least variation of each quantity that changes which events happen, or their order.

    To first order: an event leaves the run by its end, or two events become simultaneous.  Events
    that only come near zero are not seen.

    Args:
        run: The run.
        by: What is varied, m names.
        moments: Derivatives of the times of events, shapes (m,).
    """
    t = np.array([occurrence.t for occurrence in run.occurrences])
    slopes = np.array(moments).reshape(len(t), len(by))
    if t.size and not (t[-1] == run.t[-1] and run.status.outcome is Outcome.STOPPED):
        t, slopes = np.append(t, run.t[-1]), np.append(slopes, np.zeros((1, len(by))), axis=0)
    gaps, closing = np.diff(t)[:, None], np.abs(np.diff(slopes, axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        changes = np.where(closing > 0.0, gaps / closing, np.inf)
    return dict(zip(by, changes.min(axis=0, initial=np.inf).tolist(), strict=True))


def warn_of_margins(margins: Mapping[str, float], run: Trajectory) -> None:
    """Warn where a variation that is next to nothing changes which events happen.

    Args:
        margins: By name, from ``event_margins``.
        run: The run.
    """
    for name, margin in margins.items():
        if margin <= SMALL:
            last = run.occurrences[-1]
            warnings.warn(
                f"sensitivity: a change of {name!r} by {margin:.1e} changes the number of events "
                f"or their order (the last one is {last.name!r} at t = {last.t:.6g} s, the run "
                f"ends at {run.t[-1]:.6g} s): derivatives hold on one side only; end the run "
                "elsewhere, or separate the events",
                ModelWarning,
                stacklevel=4,
            )
