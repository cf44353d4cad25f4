"""One turn of a driver of a planar mechanism as tables, figures and animations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.front.motion_tables import TableColumn, write_table
from poinsot.front.planar_figure import plot_turn
from poinsot.front.planar_system import coordinates_of, pictured_system
from poinsot.front.turn_rounding import least_force, least_moment, without_rounding
from poinsot.front.turn_states import TurnStates
from poinsot.io.optional_packages import imported
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from poinsot.front.system import System
    from poinsot.plots.animation import Film
    from poinsot.plots.animation_file import Animation


@final
class CrankTurn(TurnStates):
    """One turn of the crank: motion, forces, special positions, tables and pictures.

    See ``TurnStates`` for what it holds.
    """

    def columns(self) -> dict[str, TableColumn]:
        """Return the columns of tables by name: motion, torque, reactions, shaking force."""
        unit = "rad" if self.is_angle else "m"
        columns = {"t": TableColumn(self.t, "s"), self.driver: TableColumn(self.x, unit)}
        force = TableColumn(self.driver_force, "N m" if self.is_angle else "N")
        columns[f"{'torque' if self.is_angle else 'force'} of {self.driver}"] = force
        for link in self.mechanism.linkage.links:
            for word, motions in (("", self.positions), ("d", self.velocities)):
                for k, name in enumerate(("x", "y", "phi")):
                    length = ("m", "m", "rad")[k] + ("/s" if word else "")
                    columns[f"{link}.{word}{name}"] = TableColumn(motions[link][:, k], length)
        linkage = self.mechanism.linkage
        for name, reaction in self.reactions.items():
            names: tuple[str, ...] = ("F",)
            if name in linkage.by_name:
                names = ("Fx", "Fy") if linkage.by_name[name].kind == "R" else ("N", "T")
            for k in range(reaction.shape[1]):
                unit = "N m" if names[k] == "T" else "N"
                columns[f"{name}.{names[k]}"] = TableColumn(reaction[:, k], unit)
        for k, name in enumerate(("Fx", "Fy", "M")):
            unit = "N m" if name == "M" else "N"
            columns[f"shaking {name}"] = TableColumn(self.shaking_force[:, k], unit)
        for name, angle in self.transmission_angles.items():
            columns[f"transmission angle in {name}"] = TableColumn(angle, "rad")
        for name, angle in self.pressure_angles.items():
            columns[f"pressure angle in {name}"] = TableColumn(angle, "rad")
        return columns

    def save_table(self, path: str | Path) -> Path:
        """Write motion, torque, reactions and shaking force as a table; return the file.

        Args:
            path: The file: .csv, .txt or .xlsx (Excel; extra ``data``).
        """
        return write_table(path, "turn", self.columns())

    def to_pandas(self) -> Any:  # noqa: ANN401
        """Return the same as a ``pandas.DataFrame``; ``attrs["units"]`` holds the units."""
        pd = imported("pandas", "data", "to_pandas")
        columns = self.columns()
        table = pd.DataFrame({name: column.values for name, column in columns.items()})
        table.attrs["units"] = {name: column.unit for name, column in columns.items()}
        return table.set_index("t")

    def plot(
        self, path: str | Path | None = None, *, curves: Mapping[str, str | ArrayLike] | None = None
    ) -> Figure:
        """Draw all of it in one figure, of matplotlib, and return it.

        The mechanism with its units in colours and coupler curves; motions of output links; torque;
        forces in joints; transmission angles; shaking force.  Dotted lines are ``points``.

        Args:
            path: File to write: .png, .svg or .pdf.  None: show it.
            curves: Points whose paths to draw, by their links, as ``curve`` takes them.
        """
        if not isinstance(curves or {}, Mapping):
            raise ModelError(f'plot: curves must be points by link, {{"rod": "B"}}, got {curves!r}')
        return plot_turn(self, path, curves or {})

    def animate(self, path: str | Path | None = None, **look: Unpack[Film]) -> Animation:
        """Draw the motion as a moving picture; see ``Study.animate``.

        Args:
            path: File to write: .gif, .apng, .png or .webp.  None: show it.
            look: ``fps``, ``seconds``, ``trace``.
        """
        from poinsot.plots.animation import animate_runs

        shown = _Shown(pictured_system(self.mechanism.linkage), self.t, self._configurations())
        return animate_runs([shown], path, **look)

    def save_html(self, path: str | Path) -> Path:
        """Write one HTML file that shows the turn in any browser, and return its path.

        The slider is the crank; curves are those of ``plot``.  It needs no server and no network.

        Args:
            path: The file, .html.
        """
        from poinsot.front.motion_page import write_page

        return write_page(path, self._page)

    def _page(self) -> str:
        from poinsot.front.turn_page import turn_page

        return turn_page(self, pictured_system(self.mechanism.linkage), self._configurations())

    def _repr_html_(self) -> str:
        """Show the turn in notebooks."""
        from poinsot.viewer.frame import framed

        return framed(self._page(), str(self))

    def _configurations(self) -> Array:
        """Return the configurations of the mechanism as a system, shape (n, nq)."""
        linkage = self.mechanism.linkage
        system = pictured_system(linkage)
        return coordinates_of(linkage, system, self.positions, self.velocities)[0]

    def __repr__(self) -> str:
        return f"CrankTurn({self.driver!r}, {len(self.t)} positions to {self.t[-1]:g} s)"

    def __str__(self) -> str:
        """Return the special positions and what is largest."""
        unit = "N m" if self.is_angle else "N"
        lines = [f"turn of {self.driver}, {len(self.t)} positions in {np.ptp(self.t):.4g} s"]
        lines += [f"  {point}" for point in self.points]
        least = least_force(self)
        force = without_rounding(self.driver_force, least_moment(self) if self.is_angle else least)
        lines.append(f"  driver: {np.min(force):.4g} to {np.max(force):.4g} {unit}")
        forces = self.bearing_forces
        for name, size in forces.items():
            if np.max(size) <= least:
                lines.append(f"  no force in {name}")
                continue
            k = int(np.argmax(size))
            where = self.shown(float(self.x[k]))
            lines.append(f"  largest force in {name}: {size[k]:.4g} N at {where}")
        for name, angle in self.transmission_angles.items():
            lines.append(f"  least transmission angle in {name}: {np.degrees(angle.min()):.3g}°")
        for name, angle in self.pressure_angles.items():
            largest = np.degrees(np.max(np.abs(angle)))
            lines.append(f"  largest pressure angle in {name}: {largest:.3g}°")
        return "\n".join(lines)


class _Shown:
    """A turn as pictures of runs take it."""

    def __init__(self, system: System, t: Array, q: Array) -> None:
        self.system, self.t, self._q = system, t, q

    def at(self, t: float) -> tuple[Array, Array]:
        """Return q and v at the stored position nearest to a time."""
        k = int(np.argmin(np.abs(self.t - t)))
        return self._q[k], np.zeros_like(self._q[k])
