"""Runs from files: ``ps.load_run``."""

from __future__ import annotations

import os
from pathlib import Path

from poinsot.front.run import Run
from poinsot.front.run_files import read_run


def load_run(path: str | os.PathLike[str]) -> Run:
    """Return the run that ``run.save`` wrote to a file.

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
    return Run(*read_run(Path(path)))
