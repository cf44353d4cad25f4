"""The object that a simulation of many runs returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, final

import numpy as np

from poinsot.front.run import Run
from poinsot.front.runs_states import RecordedRuns


@final
class Runs(RecordedRuns):
    """Motions of one system from many starts, or with many values of its parameters.

    ``runs[i]`` is one of them, a ``Run``; with a slice, an array or fewer numbers than there are
    dimensions it is ``Runs`` again, as in NumPy.  A run that stopped before its end is NaN from
    there on, and ``status`` says why; the others do not feel it.
    """

    def to_xarray(self) -> Any:  # noqa: ANN401
        """Return states and energies of all runs as an ``xarray.Dataset``.

        As that of a ``Run``, with one more dimension ``run``, or ``run_0``, ``run_1``, ... where
        the batch has several; parameters are coordinates, ``ok`` and ``reached`` variables.

        Raises:
            MissingPackageError: If xarray is not installed: extra ``data``.
        """
        from poinsot.front.runs_table import xarray_of_runs

        return xarray_of_runs(self)

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 (a Run, or Runs again)
        """Return one run, or some of them, chosen as NumPy would choose from ``shape``."""
        numbers = np.arange(self.size).reshape(self._shape)[index]
        if np.ndim(numbers) == 0:
            return Run(self._system, self._trajectories.run(int(numbers)))
        chosen = self._trajectories.some(numbers.ravel())
        return Runs(self._system, chosen, numbers.shape)

    def __iter__(self) -> Iterator[Any]:
        """Go through the first dimension."""
        return (self[k] for k in range(len(self)))

    def __len__(self) -> int:
        """Return the length of the first dimension."""
        return self._shape[0]

    def __repr__(self) -> str:
        failed = len(self._trajectories.stops)
        end = f", {failed} stopped early" if failed else ""
        span = f" from {self.t[0]:g} s to {self.t[-1]:g} s" if self.t.size else ""
        return f"Runs({self._system.name!r}, {self.size} runs of {self.t.size} states{span}{end})"
