"""Resumption of killed or interrupted runs: ``ps.resume``."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.created_energy import warn_of_created_energy
from poinsot.front.run import Run
from poinsot.front.system import System
from poinsot.simulation.files.checkpoint import GOES_ON, resumed
from poinsot.simulation.files.checkpoint_writer import CheckpointWriter, read_checkpoint
from poinsot.simulation.integrate import run_with_progress
from poinsot.simulation.running import checks
from poinsot.simulation.running.run_in_progress import RunInProgress
from poinsot.simulation.running.status import Outcome, SimulationWarning, Status


def resume(
    path: str | os.PathLike[str],
    *,
    duration: float | None = None,
    max_steps: int | None = None,
    checkpoint_every: float = 30.0,
    progress: bool | None = None,
) -> Run:
    """Return the run of a checkpoint, gone on to its end: the same bits as one never stopped.

    The bits are the same on the same kind of processor and with the same version of poinsot; on
    others the run goes on as well, within its tolerances.  It keeps writing checkpoints to the
    file.  A run that has reached its end, or failed, is returned as it is, unless a longer
    ``duration`` is given.

    Args:
        path: The file that ``simulate(..., checkpoint=path)`` wrote.
        duration: Time to simulate [s] from the start of the run on, longer than before.  The run is
            the same as one of that duration within its tolerances: the step that ended at the old
            end may have been shorter.  It is the same to the bit with steps of "rk4" that fit into
            both durations, and where the checkpoint lies before the old end and ``first_step`` was
            given.  States are stored as often as before; where times were listed, the new end is
            added.
        max_steps: Most steps to try, in place of those that were given to ``simulate``.
        checkpoint_every: Time between checkpoints [s].
        progress: Whether to show a bar; by default on a terminal, once it takes 2 s.

    Raises:
        OSError: If the file cannot be opened.
        ModelError: If it is no checkpoint, or damaged; nothing in it can run code.
    """
    file = Path(path)
    most = None if max_steps is None else checks.positive_integer("max_steps", max_steps)
    description, nodes = read_checkpoint(file)
    system = System.from_mechanism(description)
    going, status = resumed(system.mechanism, nodes, most)
    if duration is not None:
        _prolong(going, status, checks.positive("duration", duration))
    elif status is not None and status.outcome not in GOES_ON:
        return Run(system, going.trajectory(status))
    every = checks.positive("checkpoint_every", checkpoint_every)
    made = run_with_progress(going, progress, CheckpointWriter(file, description, every))
    run = Run(system, made)
    warn_of_created_energy(system.name, [made], 3)
    if not run.status.ok:
        warnings.warn(f"{system.name!r}: {run.status.message}", SimulationWarning, stacklevel=2)
    return run


def _prolong(run: RunInProgress, status: Status | None, duration: float) -> None:
    """Give a run a longer duration."""
    plan = run.plan
    if duration <= plan.duration:
        raise ModelError(
            f"resume: the run takes {plan.duration:g} s; duration must be longer, got {duration:g}"
        )
    if status is not None and status.outcome not in (*GOES_ON, Outcome.FINISHED):
        raise ModelError(
            f"resume: the run ended before: {status.message}; it cannot be made longer"
        )
    times = plan.times
    if plan.every is not None:
        times = checks.times_to_save(plan.every, plan.start, duration, run.start.size)
    elif times is not None:
        times = np.append(times, plan.start + duration)
    run.prolong(replace(plan, duration=duration, times=times))
