"""The object that a simulation of many runs returns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.evaluate.expression import Expression
from poinsot.front.run import Run
from poinsot.front.runs_states import RecordedRuns
from poinsot.model.checks import real_array
from poinsot.renamed import renamed
from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.front.runs_sensitivity import RunsSensitivity


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

    def _between(self, times: Array) -> tuple[Array, Array]:
        q = np.full((self.size, times.size, self._system.nq), np.nan)
        v = np.full((self.size, times.size, self._system.nv), np.nan)
        for k, end in enumerate(self.reached.ravel().tolist()):
            there = times <= end
            q[k, there], v[k, there] = self._alone(k).at(times[there])
        return self._shaped(q), self._shaped(v)

    @renamed()
    def sensitivity(
        self,
        by: Sequence[str] | str | None = None,
        t: ArrayLike | None = None,
        *,
        rtol: float | None = None,
    ) -> RunsSensitivity:
        """Return the derivatives of all runs; see ``Run.sensitivity``.

        Args:
            by: What to vary: "q", "v", "states", "parameters", or single ones of these by name.
            t: Times [s], increasing, shape (n,), in place of the stored ones.
            rtol: Relative error of the derivatives that is wanted.

        >>> import poinsot as ps
        >>> runs = ps.simulate(ps.library.pendulum(), [[0.3], [0.4]], [0.0], 1.0, save=0.5)
        >>> runs.sensitivity("q").q.shape
        (2, 3, 1, 1)
        """
        from poinsot.front.runs_sensitivity import runs_sensitivity

        times = self.t if t is None else np.atleast_1d(real_array(t, "sensitivity: t"))
        runs = [self._alone(k) for k in range(self.size)]
        return runs_sensitivity(runs, by, times, self._shape, rtol)

    @renamed()
    def gradient(
        self,
        expression: Expression,
        by: Sequence[str] | str | None = None,
        *,
        rtol: float | None = None,
    ) -> dict[str, Array]:
        """Return the gradients of a number at the ends of all runs; see ``Run.gradient``.

        Args:
            expression: A formula, or a function of t, q and v.
            by: What to vary, as for ``sensitivity``; all by default.
            rtol: Relative error of the derivatives that is wanted.

        Returns:
            For each name an array of the shape of the batch.

        >>> import poinsot as ps
        >>> runs = ps.simulate(ps.library.pendulum(), [[0.3], [0.4]], [0.0], 1.0, save=0.5)
        >>> runs.gradient("-cos(bob)", "q")["q.bob"].shape
        (2,)
        """
        every = [self._alone(k).gradient(expression, by, rtol=rtol) for k in range(self.size)]
        return {
            name: np.array([slopes[name] for slopes in every]).reshape(self._shape)
            for name in every[0]
        }

    def save(self, path: str | Path) -> Path:
        """Write all runs with model, laws, numbers and settings to a file; return the file.

        ``ps.load_run`` reads it.  No number is rounded; of a Python function that had to be called,
        nothing is kept.

        Args:
            path: The file, ``.npz``, replaced as a whole if it exists.

        Raises:
            ModelError: If the suffix is another, or the model cannot be written.
        """
        from poinsot.front.runs_files import save_runs

        return save_runs(self._system, self._trajectories, self._shape, Path(path))

    def _alone(self, number: int) -> Run:
        return Run(self._system, self._trajectories.run(number))

    def _some(self, numbers: NDArray[np.intp]) -> Runs:
        chosen = self._trajectories.some(numbers.ravel())
        return Runs(self._system, chosen, numbers.shape)

    def __repr__(self) -> str:
        failed = len(self._trajectories.stops)
        end = f", {failed} stopped early" if failed else ""
        span = f" from {self.t[0]:g} s to {self.t[-1]:g} s" if self.t.size else ""
        return f"Runs({self._system.name!r}, {self.size} runs of {self.t.size} states{span}{end})"
