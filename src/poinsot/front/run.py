"""The object that a simulation returns."""

from __future__ import annotations

from pathlib import Path
from typing import final

from poinsot.front.run_quantities import RunQuantities


@final
class Run(RunQuantities):
    """The motion of a system: states at increasing times, and everything between them.

    Args:
        system: What moved.
        trajectory: How.
    """

    def plot(self, path: str | Path) -> Path:
        """Draw coordinates, velocities and energies over time; the suffix chooses the format.

        Args:
            path: File to write.
        """
        from poinsot.plots.figure import plot_run

        return plot_run(self._numeric(), path)

    def animate(self, path: str | Path, *, fps: float = 25.0, seconds: float | None = None) -> Path:
        """Write the motion as a moving picture; the suffix chooses the format.

        Args:
            path: File to write.
            fps: Pictures a second.
            seconds: How long the picture plays [s]; as long as the motion lasted by default.
        """
        from poinsot.plots.animation import animate_run

        return animate_run(self._numeric(), path, fps=fps, seconds=seconds)

    def _numeric(self) -> Run:
        """Return the same run of the system with the values of the parameters folded in."""
        return Run(self._system.numeric("plot", self._given()), self._trajectory)
