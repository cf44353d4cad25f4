"""Runs from files: ``ps.load_run``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from poinsot.front.run import Run
from poinsot.front.run_files import run_from_tree
from poinsot.front.runs import Runs
from poinsot.front.runs_files import holds_runs, runs_from_tree
from poinsot.io.native.node import Node
from poinsot.io.tree_file import read_tree


def load_run(path: str | os.PathLike[str]) -> Any:  # noqa: ANN401 (a Run, or Runs)
    """Return the ``Run`` or ``Runs`` that ``save`` wrote to a file.

    It has the states, the model, the drive and all settings: ``.at(t)`` gives the same bits as
    before, and so does ``.repeat()``, which simulates it again (on the same kind of processor).  A
    drive that Python itself had to call is not in the file; then ``.at`` knows the stored states
    only.  No file can run code.

    Args:
        path: The file, ``.npz`` or ``.parquet``.

    Raises:
        OSError: If it cannot be opened.
        ModelError: If it is no run, or its content is invalid; the message names the error.
        MissingPackageError: If reading Parquet needs a package that is not installed.

    >>> import tempfile
    >>> import poinsot as ps
    >>> run = ps.simulate(ps.library.pendulum(), [0.3], [0.0], 1.0, tau=lambda t, q, v: -0.1 * v)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = ps.load_run(run.save(f"{folder}/swing.npz"))
    >>> again.system == run.system, bool((again.at(0.123)[0] == run.at(0.123)[0]).all())
    (True, True)
    """
    file = Path(path)
    top = Node(read_tree(file), "", str(file))
    if holds_runs(top):
        return Runs(*runs_from_tree(top))
    return Run(*run_from_tree(top))
