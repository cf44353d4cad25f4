"""The motion of a driven system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np

from poinsot.analysis.singular_configurations import singular_times
from poinsot.assemble.driven_motion import follow
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.evaluate.expression import Expression
from poinsot.front.driven_states import DrivenStates, driven_rows, status_of
from poinsot.front.motion_text import span
from poinsot.front.parameter_numbers import with_numbers
from poinsot.front.pictured_motion import PicturedMotion
from poinsot.simulation.running.status import Status
from poinsot.spatial import Array


class AlongStudy:
    """Quantities at the states of a study, as figures ask for them."""

    def __init__(self, study: Study) -> None:
        self._study = study

    def tau(self) -> Array:
        """Return the forces of the drives [N or N m], shape (n, nv)."""
        return self._study.tau()

    def acceleration(self) -> Array:
        """Return dv/dt, shape (n, nv)."""
        return self._study.a

    def expression(self, given: Expression) -> Array:
        """Return an expression of the state, shape (n, ...)."""
        return self._study.evaluate(given)


@final
class Study(DrivenStates, PicturedMotion):
    """The motion of a driven system: states at increasing times, and the drive forces.

    Times ``t`` [s], states ``q``, ``v`` and ``a``; ``system`` is the system with its drives as
    constraints.
    """

    @property
    def ok(self) -> bool:
        """Whether it reached the end."""
        return bool(self._motion.ok)

    @cached_property
    def status(self) -> Status:
        """How it ended: ``.ok``, ``.message``, ``.time``, ``.outcome``."""
        return status_of(self._rows, self._motion)

    @property
    def message(self) -> str:
        """Why it ended."""
        return self.status.message

    @property
    def parameters(self) -> dict[str, float | None]:
        """Values of the free parameters by name; of those that are samples not."""
        values, samples = self.system.parameters, self.system.signals
        return {name: values[name] for name in self.system.free if name not in samples}

    @cached_property
    def singular(self) -> tuple[float, ...]:
        """Times of singular configurations [s]: dead points, bifurcations."""
        return singular_times(self._rows, self._motion)

    def _followed(self, k: int, t: float) -> tuple[Array, Array]:
        step = follow(self._rows, self.q[k], np.array([self.t[k], t]))
        return step.q[-1], step.v[-1]

    def to_pandas(self, more: Mapping[str, Expression] | None = None) -> Any:  # noqa: ANN401
        """Return the motion as a ``pandas.DataFrame``, one row for each stored time.

        The index is ``t`` [s]; columns are ``q.rocker``, ``v.rocker``, ``a.rocker`` and
        ``tau.crank``, ... of the drives; ``attrs["units"]`` holds their units.

        Args:
            more: Further columns: expressions by name, as ``evaluate`` takes them.

        Raises:
            MissingPackageError: If pandas is not installed: extra ``data``.
        """
        from poinsot.front.motion_tables import pandas_of_one

        return pandas_of_one(self, more or {})

    @property
    def events(self) -> tuple[()]:
        """A study has no events."""
        return ()

    @property
    def stored_only(self) -> bool:
        """Figures show the stored states."""
        return True

    def along(self, t: Array, q: Array, v: Array) -> AlongStudy:
        """Return the evaluator of quantities at the stored states."""
        return AlongStudy(self)

    def constraint_residual(self) -> Array:
        """Return by how much loops, constraints and drives are open [m or rad], (n, rows)."""
        return self.system.constraint_residual(self.q, t=self.t)

    def constraint_rate(self) -> Array:
        """Return how fast they open [m/s or rad/s], shape (n, rows)."""
        return self.system.constraint_rate(self.q, self.v, t=self.t)

    def save(self, path: str | Path) -> Path:
        """Write the motion, the model and the drives to a file; see ``Studies.save``."""
        from poinsot.front.study_files import save_studies

        return save_studies(Path(path), self.system, self._motion, self._drives, None)

    def numeric(self) -> Study:
        """Return the study with numbers in place of free parameters, as pictures take it."""
        motion = replace(self._motion, further=None)
        return Study(with_numbers(self.system, "plot"), motion, self._drives)

    @cached_property
    def _rows(self) -> NumericRows:
        return driven_rows(self.system)

    def __repr__(self) -> str:
        end = "" if self.ok else ", stopped"
        return f"Study({self.system.name!r}, {self.t.size} states to {self.status.time:g} s{end})"

    def __str__(self) -> str:
        """Return how it ended and what drives it."""
        lines = [f"{self.system.name}: {self.message}", f"  {span(self.t)}"]
        return "\n".join([*lines, f"  driven: {', '.join(self._drives)}"])
