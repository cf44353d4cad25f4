"""The checkpoint writer: saves a run in progress periodically, so that it can be resumed."""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import Final, final

from poinsot.errors import ModelError
from poinsot.io.native import native_from_mechanism
from poinsot.io.native.node import Node
from poinsot.io.tree_file import write_tree
from poinsot.model import Mechanism
from poinsot.simulation.files.checkpoint import KEYS, checkpoint_tree, refuse_callbacks
from poinsot.simulation.files.saved_simulation import mechanism_from_tree
from poinsot.simulation.running.run_in_progress import RunInProgress
from poinsot.simulation.running.status import SimulationWarning, Status

FORMAT: Final = "poinsot-checkpoint/1"
"""What the key ``format`` must say."""
SHARE = 10.0
"""Least time between checkpoints, in multiples of the time that writing one takes."""


@final
class CheckpointWriter:
    """Writes checkpoints of one run, each replacing the last atomically.

    Args:
        path: The file, ``.npz``.
        description: The system, with all its formulas.
        every: Time between checkpoints [s].
    """

    def __init__(self, path: Path, description: Mechanism, every: float) -> None:
        if path.suffix.lower() != ".npz":
            raise ModelError(f"simulate: a checkpoint must be a file .npz, got {str(path)!r}")
        self._path, self._every, self._due = path, every, 0.0
        self._model = native_from_mechanism(description)

    def begin(self, run: RunInProgress) -> None:
        """Write the first checkpoint.

        Raises:
            ModelError: If the file cannot be written.
            PoinsotError: If the run has callbacks.
        """
        event_handler = run.event_handler
        refuse_callbacks(run.equations, None if event_handler is None else event_handler.events)
        try:
            self._write(run, None)
        except OSError as error:
            raise ModelError(
                f"simulate: the checkpoint {str(self._path)!r} cannot be written: "
                f"{error.strerror or error}; choose another file"
            ) from error

    def see(self, run: RunInProgress) -> None:
        """Write a checkpoint if one is due."""
        if time.monotonic() >= self._due:
            self._try(run, None)

    def finish(self, run: RunInProgress, status: Status) -> None:
        """Write how it ended."""
        self._try(run, status)

    def _try(self, run: RunInProgress, status: Status | None) -> None:
        """Write a checkpoint; if that fails the run continues, and the last one stays."""
        try:
            self._write(run, status)
        except OSError as error:
            warnings.warn(
                f"the checkpoint {str(self._path)!r} at t = {run.t:g} s could not be written: "
                f"{error.strerror or error}; the one before it stays",
                SimulationWarning,
                stacklevel=2,
            )
            self._due = time.monotonic() + self._every

    def _write(self, run: RunInProgress, status: Status | None) -> None:
        begun = time.monotonic()
        tree = {"format": FORMAT, "model": self._model, **checkpoint_tree(run, status)}
        write_tree(self._path, tree)
        now = time.monotonic()
        self._due = now + max(self._every, SHARE * (now - begun))


def checkpoint_from_tree(top: Node) -> tuple[Mechanism, dict[str, Node]]:
    """Return the system of a checkpoint, and the nodes of the run.

    Raises:
        ModelError: If the file is no checkpoint.
    """
    keys = ("format", "model", *KEYS)
    if not isinstance(top.value, dict) or top.value.get("format") != FORMAT:
        file_format = top.value.get("format") if isinstance(top.value, dict) else None
        hint = "; ps.load_run reads it" if str(file_format).startswith("poinsot-run") else ""
        raise ModelError(
            f"{top.where}: is no checkpoint of simulate: its format is {file_format!r}{hint}"
        )
    nodes = top.fields(keys, keys)
    return mechanism_from_tree(nodes["model"]), nodes
