"""The motion of a driven system."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analysis.singular_configurations import singular_times
from poinsot.assemble.driven_motion import follow
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import ModelError
from poinsot.front.driven_states import DrivenStates, driven_rows, status_of
from poinsot.front.parameter_numbers import with_numbers
from poinsot.model.coordinate_names import force_unit
from poinsot.simulation.running.status import Status
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from poinsot.plots.animation import Film, Look
    from poinsot.plots.animation_file import Animation


@final
class Study(DrivenStates):
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

    def at(self, t: float) -> tuple[Array, Array]:
        """Return q and v at a time between the first and the last."""
        if not self.t[0] <= t <= self.t[-1]:
            raise ModelError(
                f"at: the study goes from t = {self.t[0]:g} s to {self.t[-1]:g} s, got {t:g}"
            )
        k = int(np.searchsorted(self.t, t, side="right")) - 1
        if self.t[k] == t:
            return self.q[k], self.v[k]
        step = follow(self._rows, self.q[k], np.array([self.t[k], t]))
        return step.q[-1], step.v[-1]

    def table(self) -> dict[str, Array]:
        """Return named columns: t, coordinates, velocities, accelerations and drive forces."""
        columns: dict[str, Array] = {"t [s]": self.t}
        for symbol, array, names in (
            ("q", self.q, self.system.coordinate_names),
            ("v", self.v, self.system.velocity_names),
            ("a", self.a, self.system.velocity_names),
        ):
            columns |= {f"{symbol} {name}": array[:, k] for k, name in enumerate(names)}
        return columns | {f"drive {name}": f for name, f in self.drive_forces().items()}

    def save_table(self, path: str | Path) -> Path:
        """Write the table as comma-separated values; return the file written.

        Args:
            path: The file, ending in .csv or .txt.

        Raises:
            ModelError: If it ends otherwise.
        """
        file = Path(path)
        if file.suffix.lower() not in (".csv", ".txt"):
            raise ModelError(
                f"save_table: the file must end in .csv or .txt, got {file.name!r}: it holds "
                "comma-separated values"
            )
        columns = self.table()
        head = ",".join(f'"{name}"' for name in columns)
        np.savetxt(file, np.column_stack(list(columns.values())), "%.17g", ",", header=head,
                   comments="")  # fmt: skip
        return file

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw coordinates, velocities, energies and forces of the drives; return the figure.

        Args:
            path: File to write: .png, .svg or .pdf.  None: show it, in the notebook or a window.
        """
        from poinsot.plots.figure import plot_panels
        from poinsot.plots.panels import energy_panel, state_rows, unit_panels

        system = with_numbers(self.system, "plot")
        rows = state_rows(system, self.t, self.q, self.v)
        energies = energy_panel(self.t, self.kinetic_energy(), self.potential_energy())
        forces = self.drive_forces()
        units = [force_unit(self.system.velocity_units[self.system.v_slice(name).start])
                 for name in forces]  # fmt: skip
        titles = {"N": "Forces of the drives", "N m": "Torques of the drives"}
        values = np.stack(list(forces.values()), axis=1)
        panels = [energies, *unit_panels(titles, self.t, values, list(forces), units)]
        pairs = [panels[k : k + 2] for k in range(0, len(panels), 2)]
        return plot_panels(path, self.system.name, [*rows, *pairs])

    def save(self, path: str | Path) -> Path:
        """Write the motion, the model and the drives to a file; see ``Studies.save``."""
        from poinsot.front.study_files import save_studies

        return save_studies(Path(path), self.system, self._motion, self._drives, None)

    def animate(self, path: str | Path | None = None, **look: Unpack[Film]) -> Animation:
        """Draw the motion as a moving picture; see ``Run.animate``."""
        from poinsot.plots.animation import animate_run

        return animate_run(self._numeric("animate"), path, **look)

    def draw(
        self, path: str | Path | None = None, t: ArrayLike | None = None, **look: Unpack[Look]
    ) -> Figure:
        """Draw the system at some times; see ``Run.draw``."""
        from poinsot.plots.animation import draw_run

        return draw_run(self._numeric("draw"), path, t, **look)

    def _numeric(self, asked: str) -> Study:
        """Return the study with numbers in place of free parameters, as pictures take it."""
        return Study(with_numbers(self.system, asked), self._motion, self._drives)

    @cached_property
    def _rows(self) -> NumericRows:
        return driven_rows(self.system)

    def __repr__(self) -> str:
        end = "" if self.ok else ", stopped"
        return f"Study({self.system.name!r}, {self.t.size} states to {self.status.time:g} s{end})"
