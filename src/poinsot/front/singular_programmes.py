"""Where programmes that laws followed were singular: along a run, and along those of a batch."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from poinsot.model.followed_programmes import SingularPlace, StatesBetween
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.running.batch.batch_results import Trajectories
from poinsot.spatial import Array

__all__ = ["singular_in_batch", "singular_programmes"]


def singular_programmes(
    laws: Iterable[MotionEquations], t: Array, q: Array, stopped: NDArray[np.bool_],
    between: StatesBetween | None = None,
) -> dict[int, list[SingularPlace]]:  # fmt: skip
    """Return where programmes that laws followed were singular along runs, by their numbers.

    Args:
        laws: The equations that were in force.
        t: Times [s], shape (n,) or (r, n).
        q: Configurations of r runs, shape (r, n, nq).
        stopped: Whether each ended early, shape (r,).
        between: Configurations of the one run at other times.
    """
    programmes = dict.fromkeys(programme for law in laws for programme in law.programmes)
    singular: dict[int, list[SingularPlace]] = {}
    for programme in programmes:
        for number, place in programme.singular_along(t, q, stopped, between).items():
            singular.setdefault(number, []).append(place)
    return dict(sorted(singular.items()))


def singular_in_batch(
    laws: Iterable[MotionEquations], runs: Trajectories
) -> dict[int, list[SingularPlace]]:
    """Return where programmes were singular along the runs of a batch, by their numbers.

    Args:
        laws: The equations that were in force in any of them.
        runs: The runs; of those that stopped the last state counts too.
    """
    laws = [law for law in laws if law.programmes]
    if not laws:
        return {}
    t, q, stopped = runs.t, runs.q, np.zeros(len(runs), bool)
    if runs.stops:
        t = np.column_stack([np.broadcast_to(t, q.shape[:2]), runs.reached])
        last = np.full((len(runs), 1, q.shape[2]), np.nan)
        for number, stop in runs.stops.items():
            last[number, 0], stopped[number] = stop.state[: q.shape[2]], not stop.status.ok
        q = np.concatenate([q, last], axis=1)
    return singular_programmes(laws, t, q, stopped)
