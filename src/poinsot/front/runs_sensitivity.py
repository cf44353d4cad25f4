"""Derivatives of many runs: ``Runs.sensitivity``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import ModelError
from poinsot.evaluate.expression import Expression
from poinsot.front.run import Run
from poinsot.front.run_sensitivity import RunSensitivity
from poinsot.spatial import Array


@final
@dataclass(frozen=True, eq=False)
class RunsSensitivity:
    """Derivatives of the states of many runs at the same times; NaN where a run had stopped.

    Attributes:
        t: Times [s], shape (n,).
        by: What is varied, m names, as of ``RunSensitivity``.
        q: Derivatives of the configurations, shape (..., n, nv, m).
        v: Those of the velocities, shape (..., n, nv, m).
        states: Those of further states, by name, shapes (..., n, m).
        each: Those of each run, with the times of its events, shape (...).
    """

    t: Array
    by: tuple[str, ...]
    q: Array
    v: Array
    states: Mapping[str, Array]
    each: NDArray[np.object_]

    def of(self, expression: Expression) -> Array:
        """Return the derivatives of any number along the runs, shape (..., n, m).

        Args:
            expression: As ``RunSensitivity.of`` takes it.
        """
        changes: list[RunSensitivity] = self.each.ravel().tolist()
        return _stacked([x.of(expression) for x in changes], self.t.size, self.each.shape)


def runs_sensitivity(
    runs: Sequence[Run], by: Sequence[str] | str | None, t: Array, shape: tuple[int, ...],
    rtol: float | None,
) -> RunsSensitivity:  # fmt: skip
    """Return the derivatives of runs at times; see ``Run.sensitivity``.

    Args:
        runs: The runs.
        by: What to vary.
        t: Times [s], shape (n,).
        shape: That of the batch.
        rtol: Relative error of the derivatives that is wanted.
    """
    end = max(run.t[-1] for run in runs)
    if not (t <= end).all():
        raise ModelError(f"sensitivity: the runs go up to t = {end:g} s, got {t[~(t <= end)][0]:g}")
    changes: list[RunSensitivity] = [
        run.sensitivity(by, t[t <= run.t[-1]], rtol=rtol) for run in runs
    ]
    each = np.empty(len(runs), object)
    each[:] = changes
    q, v = (_stacked([getattr(x, key) for x in changes], t.size, shape) for key in ("q", "v"))
    states = {
        name: _stacked([x.states[name] for x in changes], t.size, shape)
        for name in changes[0].states
    }
    return RunsSensitivity(t, changes[0].by, q, v, states, each.reshape(shape))


def _stacked(arrays: Sequence[Array], n: int, shape: tuple[int, ...]) -> Array:
    """Return arrays one after the other, shape (..., n, ...), NaN where one ends before."""
    result = np.full((len(arrays), n, *arrays[0].shape[1:]), np.nan)
    for row, array in zip(result, arrays, strict=True):
        row[: len(array)] = array
    return result.reshape(*shape, *result.shape[1:])
