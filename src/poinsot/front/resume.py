"""Resumption of killed or interrupted runs: ``ps.resume``."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

from poinsot.front.run import Run
from poinsot.front.system import System
from poinsot.simulation.files.checkpoint import GOES_ON, resumed
from poinsot.simulation.files.checkpoint_writer import CheckpointWriter, read_checkpoint
from poinsot.simulation.integrate import run_with_progress
from poinsot.simulation.running import checks
from poinsot.simulation.running.status import SimulationWarning


def resume(
    path: str | os.PathLike[str],
    *,
    max_steps: int | None = None,
    checkpoint_every: float = 30.0,
    progress: bool | None = None,
) -> Run:
    """Return the run of a checkpoint, gone on to its end: the same bits as one never stopped.

    The bits are the same on the same kind of processor and with the same version of poinsot; on
    others the run goes on as well, within its tolerances.  It keeps writing checkpoints to the
    file.  A run that has reached its end, or failed, is returned as it is.

    Args:
        path: The file that ``simulate(..., checkpoint=path)`` wrote.
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
    if status is not None and status.outcome not in GOES_ON:
        return Run(system, going.trajectory(status))
    every = checks.positive("checkpoint_every", checkpoint_every)
    run = Run(
        system, run_with_progress(going, progress, CheckpointWriter(file, description, every))
    )
    if not run.status.ok:
        warnings.warn(f"{system.name!r}: {run.status.message}", SimulationWarning, stacklevel=2)
    return run
