"""Many runs: from arguments that are checked to ``Runs``, with the warnings about them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from poinsot.front.created_energy import warn_of_created_energy
from poinsot.front.runs import Runs
from poinsot.front.runs_checkpoint import RunsCheckpoint
from poinsot.front.single_run import warn_of_violation
from poinsot.front.singular_programmes import singular_in_batch
from poinsot.front.system import System
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.running.batch.batch_integration import integrate_many
from poinsot.simulation.running.batch.batch_results import Trajectories
from poinsot.simulation.running.run_plan import Accuracy, Plan
from poinsot.simulation.running.status import SimulationWarning
from poinsot.spatial import Array

__all__ = ["many_runs"]


def many_runs(
    system: System, shape: tuple[int, ...], laws: MotionEquations, starts: Array,
    accuracy: Accuracy, plan: Plan, events: Sequence[Events], progress: bool | None,
    writer: RunsCheckpoint | None, ended: Trajectories | None = None, *, stacklevel: int,
) -> Runs:  # fmt: skip
    """Return the motions from many states; warn, so many callers up, how they ended.

    Args:
        system: What moves.
        shape: Of the batch.
        laws: Equations of motion with the numbers of each run.
        starts: [q, v] of each, shape (B, nq + nv).
        accuracy: Integrator and tolerances.
        plan: How long, and what to store.
        events: Those of each run, if there are some.
        progress: Whether to show a bar.
        writer: Writes checkpoints.
        ended: The same batch, of which runs have ended that are not to be simulated again.
        stacklevel: Where warnings belong.
    """
    made = integrate_many(laws, starts, accuracy, plan, progress, events, writer, ended)
    singular = singular_in_batch([laws, *(law for each in events for law in each.laws)], made)
    remarks = {number: [x.told() for x in places] for number, places in singular.items()}
    runs = Runs(system, replace(made, remarks=remarks) if remarks else made, shape)
    failed = np.argwhere(~runs.ok)
    if failed.size:
        first = tuple(failed[0])
        warnings.warn(
            f"{system.name!r}: {len(failed)} of {runs.size} runs stopped before the end; run "
            f"{failed[0].tolist()} {runs[first].status.message}",
            SimulationWarning,
            stacklevel=stacklevel,
        )
    for number, places in list(singular.items())[:1]:
        which = f" of run {', '.join(map(str, np.unravel_index(number, shape)))}"
        which += f" ({len(singular)} runs in all)" * (len(singular) > 1)
        told = "; ".join(place.told(which) for place in places)
        warnings.warn(f"{system.name!r}: {told}", SimulationWarning, stacklevel=stacklevel)
    warn_of_created_energy(system.name, made.alone, stacklevel + 1)
    q, v = (x[..., -1, :].reshape(runs.size, x.shape[-1]) for x in (runs.q, runs.v))
    last = np.full(runs.size, runs.t[-1])
    warn_of_violation(
        system, q, v[:, : system.nv], laws.parameters, last, stacklevel=stacklevel + 1
    )
    return runs
