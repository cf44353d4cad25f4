"""Driven motions of many variants of a system, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import final

import numpy as np
from numpy.typing import NDArray

from poinsot.assemble.driven_motion import Followed, follow_all
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.front.driven_states import DrivenStates, status_of
from poinsot.front.many_motions import AbstractManyMotions
from poinsot.front.parameter_numbers import at_values
from poinsot.front.study import Study
from poinsot.front.system import System
from poinsot.spatial import Array


@final
class Studies(DrivenStates, AbstractManyMotions):
    """Driven motions of one system with many values of its parameters, or from many starts.

    ``studies[i]`` is one of them, a ``Study``; with a slice, an array of numbers or of truth
    values it is ``Studies`` again, as in NumPy.  Motions that do not close, or cannot go on, are
    NaN from there on; ``ok``, ``reached`` and ``status`` say so, and the others do not feel it.

    Args:
        system: The system with its drives as constraints.
        motion: All motions, one after the other.
        drives: Names of the driven joints.
        shape: Leading dimensions.
        numbers: Values of the free parameters, shape (B, number of them).
    """

    def __init__(
        self,
        system: System,
        motion: Followed,
        drives: Sequence[str],
        shape: tuple[int, ...],
        numbers: Array,
    ) -> None:
        self._numbers_of_all = numbers
        values = {
            name: column.reshape(shape)
            for name, column in zip(system.free, numbers.T, strict=False)
            if name not in system.signals
        }
        super().__init__(system, motion, drives, values, shape)

    @property
    def shape(self) -> tuple[int, ...]:
        """Leading dimensions."""
        return self._shape

    @property
    def parameters(self) -> dict[str, Array]:
        """Values of the free parameters by name, shapes (...); of those that are samples not."""
        return dict(self._values or {})

    @property
    def ok(self) -> NDArray[np.bool_]:
        """Whether each reached the end, shape (...)."""
        return self._motion.ok.reshape(self.shape)

    @property
    def reached(self) -> Array:
        """Time at which each ended [s], NaN where the system does not close, shape (...)."""
        return self._motion.reached.reshape(self.shape)

    @property
    def status(self) -> NDArray[np.object_]:
        """How each ended, an array of ``Status``, shape (...)."""
        statuses = np.empty(self.size, object)
        for k in range(self.size):
            statuses[k] = status_of(self._rows.some(k), self._motion.alone(k))
        return statuses.reshape(self.shape)

    def _followed(self, k: int, t: float) -> tuple[Array, Array]:
        step = follow_all(self._rows, self._motion.q[:, k], np.array([self.t[k], t]))
        return self._shaped(step.q[:, -1]), self._shaped(step.v[:, -1])

    def save(self, path: str | Path) -> Path:
        """Write all motions, the model and the drives to a file; ``ps.load_study`` reads it.

        Args:
            path: The file, ``.npz``, replaced as a whole if it exists.

        Raises:
            ModelError: If the suffix is another, or the model or the law of a drive cannot be
                written, because it is a Python function of yours.
        """
        from poinsot.front.study_files import save_studies

        return save_studies(Path(path), self.system, self._motion, self._drives,
                            (self.shape, self._numbers_of_all))  # fmt: skip

    def _alone(self, number: int) -> Study:
        system = at_values(self.system, self._numbers_of_all[number])
        return Study(system, self._motion.alone(number), self._drives)

    def __repr__(self) -> str:
        failed = int(np.count_nonzero(~self._motion.ok))
        end = f", {failed} stopped early" if failed else ""
        return (
            f"Studies({self.system.name!r}, {self.size} motions of {self.t.size} states to "
            f"{self.t[-1]:g} s{end})"
        )

    @property
    def _rows(self) -> NumericRows:
        return NumericRows(self.system.mechanism, parameters=self._numbers_of_all)

    def _some(self, numbers: NDArray[np.intp]) -> Studies:
        """Return the motions of these numbers, in their shape."""
        which = numbers.ravel()
        values = self._numbers_of_all[which]
        return Studies(self.system, self._motion.some(which), self._drives, numbers.shape, values)
