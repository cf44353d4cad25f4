"""Driven motions of many variants of a system, side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from poinsot.assemble.driven_motion import Followed, follow_all
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import ModelError
from poinsot.evaluate.expression import Expression
from poinsot.front.driven_states import DrivenStates, status_of
from poinsot.front.parameter_numbers import at_values
from poinsot.front.study import Study
from poinsot.front.system import System
from poinsot.io.optional_packages import imported
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 8
"""How many motions a figure shows where it is not said which."""


@final
class Studies(DrivenStates):
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
        self.shape, self._numbers_of_all = shape, numbers
        values = {
            name: column.reshape(shape)
            for name, column in zip(system.free, numbers.T, strict=False)
            if name not in system.signals
        }
        super().__init__(system, motion, drives, values)
        self.q, self.v, self.a = (
            x.reshape(*shape, *x.shape[1:]) for x in (motion.q, motion.v, motion.a)
        )

    @property
    def size(self) -> int:
        """How many motions there are."""
        return math.prod(self.shape)

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

    def at(self, t: float) -> tuple[Array, Array]:
        """Return q and v of all at a time between the first and the last, (..., nq), (..., nv)."""
        if not self.t[0] <= t <= self.t[-1]:
            raise ModelError(
                f"at: the studies go from t = {self.t[0]:g} s to {self.t[-1]:g} s, got {t:g}"
            )
        k = int(np.searchsorted(self.t, t, side="right")) - 1
        if self.t[k] == t:
            return self.q[..., k, :], self.v[..., k, :]
        step = follow_all(self._rows, self._motion.q[:, k], np.array([self.t[k], t]))
        q, v = (x[:, -1].reshape(*self.shape, -1) for x in (step.q, step.v))
        return q, v

    def to_pandas(self, more: Mapping[str, Expression] | None = None) -> Any:  # noqa: ANN401
        """Return all states as a ``pandas.DataFrame``, one row for each motion and stored time.

        The index is the number of the motion, ``run``, and ``t`` [s]; columns are the parameters,
        ``q.rocker``, ``v.rocker``, ``a.rocker`` and ``tau.crank`` of the drives.

        Args:
            more: Further columns: expressions by name, as ``evaluate`` takes them.

        Raises:
            MissingPackageError: If pandas is not installed: extra ``data``.
        """
        pd = imported("pandas", "data", "to_pandas")
        n, columns = self.t.size, {}
        for name, values in self.parameters.items():
            columns[name] = np.repeat(values.ravel(), n)
        for key, array in (("q", self.q), ("v", self.v), ("a", self.a)):
            names = self.names["q" if key == "q" else "v"]
            flat = array.reshape(-1, array.shape[-1])
            columns |= {f"{key}.{name}": flat[:, k] for k, name in enumerate(names)}
        for joint, force in self.drive_forces().items():
            columns[f"tau.{joint}"] = force.ravel()
        for name, given in (more or {}).items():
            columns[name] = self.evaluate(given).ravel()
        index = pd.MultiIndex.from_product([range(self.size), self.t], names=["run", "t"])
        return pd.DataFrame(columns, index=index)

    def plot(
        self, path: str | Path | None = None, what: Sequence[str] = (), *,
        rows: Sequence[int] | None = None,
    ) -> Figure:  # fmt: skip
        """Draw quantities of several motions over time, one curve each; return the figure.

        Args:
            path: File to write: .png, .svg or .pdf.  None: show it, in the notebook or a window.
            what: Formulas as ``evaluate`` takes them, an axes each: ``["rocker", "tau.crank"]``;
                the coordinates by default.
            rows: Which motions, by number; some that reached the end by default.
        """
        from poinsot.front.run_plot import unit_of
        from poinsot.plots.figure import plot_panels
        from poinsot.plots.panels import Panel, PlottedCurve

        if rows is None:
            good = np.flatnonzero(self._motion.ok)
            numbers = good[np.linspace(0, len(good) - 1, min(SHOWN, len(good))).astype(int)]
        else:
            numbers = np.arange(self.size)[list(rows)]
        chosen = self._some(numbers)
        labels = [str(number) for number in numbers.tolist()]
        panels = []
        for text in what or [f"q.{name}" for name in self.names["q"]]:
            curves = zip(labels, chosen.evaluate(text), strict=True)
            drawn = tuple(PlottedCurve(label, values) for label, values in curves)
            panels.append(Panel(text, unit_of(self.names, self.units, text), self.t, drawn))
        pairs = [panels[k : k + 2] for k in range(0, len(panels), 2)]
        return plot_panels(path, self.system.name, pairs)

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

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 (a Study, or Studies again)
        """Return one motion, or some of them, chosen as NumPy would choose from ``shape``."""
        numbers = np.arange(self.size).reshape(self.shape)[index]
        if np.ndim(numbers) == 0:
            k = int(numbers)
            system = at_values(self.system, self._numbers_of_all[k])
            return Study(system, self._motion.alone(k), self._drives)
        return self._some(numbers)

    def __iter__(self) -> Iterator[Any]:
        """Go through the first dimension."""
        return (self[k] for k in range(len(self)))

    def __len__(self) -> int:
        """Return the length of the first dimension."""
        return self.shape[0]

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
