"""Checkpoints of many runs: a file of them in which those that have not ended are interrupted."""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import final

from poinsot.errors import ModelError
from poinsot.front.runs_files import save_runs
from poinsot.front.system import System
from poinsot.simulation.files.checkpoint import refuse_callbacks
from poinsot.simulation.files.checkpoint_writer import SHARE
from poinsot.simulation.running.batch.batch_results import BatchResults
from poinsot.simulation.running.status import SimulationWarning

__all__ = ["RunsCheckpoint"]


@final
class RunsCheckpoint:
    """Writes checkpoints of a batch, each replacing the last atomically.

    Args:
        system: What moves.
        shape: Of the batch.
        file: Where, ``.npz``.
        every: Time between checkpoints [s].
    """

    def __init__(self, system: System, shape: tuple[int, ...], file: Path, every: float) -> None:
        self._system, self._shape, self._file, self._every = system, shape, file, every
        self._due = 0.0

    def begin(self, batch: BatchResults) -> None:
        """Write the first checkpoint.

        Raises:
            ModelError: If the file cannot be written.
            PoinsotError: If the runs have callbacks.
        """
        refuse_callbacks(batch.equations, None)
        for events in {id(events): events for events in batch.events}.values():
            refuse_callbacks(batch.equations, events)
        try:
            self._write(batch)
        except OSError as error:
            raise ModelError(
                f"simulate: the checkpoint {str(self._file)!r} cannot be written: "
                f"{error.strerror or error}; choose another file"
            ) from error

    def see(self, batch: BatchResults, *, last: bool) -> None:
        """Write a checkpoint if one is due, or if it is the last."""
        if not last and time.monotonic() < self._due:
            return
        try:
            self._write(batch)
        except OSError as error:
            warnings.warn(
                f"the checkpoint {str(self._file)!r} after {batch.done} runs could not be written: "
                f"{error.strerror or error}; the one before it stays",
                SimulationWarning,
                stacklevel=2,
            )
            self._due = time.monotonic() + self._every

    def _write(self, batch: BatchResults) -> None:
        begun = time.monotonic()
        save_runs(self._system, batch.so_far(), self._shape, self._file)
        now = time.monotonic()
        self._due = now + max(self._every, SHARE * (now - begun))
