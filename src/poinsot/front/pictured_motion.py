"""Figures, animations and still pictures of one motion."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from numpy.typing import ArrayLike

from poinsot.front.single_motion import AbstractSingleMotion

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from poinsot.front.run_plot import What
    from poinsot.plots.animation import Film, Look
    from poinsot.plots.animation_file import Animation
    from poinsot.viewer.server import Viewer

__all__ = ["PicturedMotion"]


class PicturedMotion(AbstractSingleMotion):
    """One motion of a system, and pictures of it."""

    def plot(self, path: str | Path | None = None, what: What | None = None) -> Figure:
        """Draw the motion over time, and return the figure, of matplotlib.

        By default coordinates and velocities of each kind, energies, forces of the drive where
        there is one (else the change of the total energy), how well loops and constraints hold
        where that is more than rounding, and events as dotted lines.  Of many curves those that
        change most are named.

        Args:
            path: File to write: .png, .svg or .pdf.  None: show it, in the notebook or a window.
            what: What to show, in two columns: "q", "v", "a" (accelerations), "tau" (forces of the
                drive), "energy", "drift", "momentum", "residual", "states", or formulas as
                ``evaluate`` takes them; those in a list of their own share their axes:
                ``["energy", "v.elbow", ["sin(elbow)", "cos(elbow)"]]``.
        """
        from poinsot.front.run_plot import plot

        return plot(self, path, what)

    def animate(self, path: str | Path | None = None, **look: Unpack[Film]) -> Animation:
        """Draw the motion as a moving picture, and return it; notebooks show it.

        Args:
            path: File to write: .gif, .apng, .png (animated too), .webp or, where FFmpeg is
                installed, .mp4.  None: show it.
            look: ``fps``, pictures a second; ``seconds``, how long it plays [s], as long as the
                motion lasted by default; ``trace``, points whose paths to draw: a body, a body and
                a point of it [m], ``("coupler", (0.1, 0, 0))``, or a list of such; ``view``, the
                axes that point right and up, ``"xz"``, or the direction to the eye, (1, -2, 0.5).
        """
        from poinsot.plots.animation import animate_runs

        return animate_runs([self.numeric()], path, **look)

    def save_mp4(self, path: str | Path, **look: Unpack[Film]) -> Path:
        """Write the motion as a film .mp4, where FFmpeg is installed, and return its path.

        Args:
            path: The file; ``animate`` writes .gif, .apng and .webp, for which nothing is needed.
            look: ``fps``, ``seconds``, ``trace`` and ``view``, as ``animate`` takes them.
        """
        from poinsot.plots.picture_file import checked_target

        target = checked_target(path, (".mp4",), "film")
        self.animate(target, **look)
        return target

    def draw(
        self, path: str | Path | None = None, t: ArrayLike | None = None, **look: Unpack[Look]
    ) -> Figure:
        """Draw the system at some times, all but the last one pale, and return the figure.

        Args:
            path: File to write: .png, .svg or .pdf.  None: show it, in the notebook or a window.
            t: Time or times [s]; the last one by default.
            look: ``trace`` and ``view``, as ``animate`` takes them.
        """
        from poinsot.plots.animation import draw_runs

        return draw_runs([self.numeric()], path, t, **look)

    def save_html(
        self,
        path: str | Path,
        what: What | None = None,
        *,
        ghosts: PicturedMotion | Sequence[PicturedMotion] = (),
    ) -> Path:
        """Write one HTML file that shows the motion in any browser, and return its path.

        It needs no server and no network: bodies with their shapes and meshes, to be turned with
        the mouse, playback, plots with the values of the moment.

        Args:
            path: The file, .html.
            what: Curves beside the scene, as ``plot`` takes them; by default those of ``plot``.
            ghosts: A further motion of the same bodies, or several, shown pale.
        """
        from poinsot.front.motion_page import save_page

        return save_page(self, path, what, ghosts)

    def view(
        self, what: What | None = None, *, ghosts: PicturedMotion | Sequence[PicturedMotion] = (),
        host: str = "127.0.0.1", port: int = 0, show: bool = True,
    ) -> Viewer:  # fmt: skip
        """Show the motion in the browser, and return its ``Viewer`` (``.url``, ``.close()``).

        Of long runs the page has an overview and asks the server for the seconds that are looked
        at.  Free parameters of a ``Run`` have sliders: it is simulated again, and curves follow.

        Args:
            what: Curves beside the scene, as ``plot`` takes them.
            ghosts: A further motion of the same bodies, or several, shown pale.
            host: Where to listen: this machine only, unless told otherwise.
            port: The port; 0: any that is free.
            show: Whether to open the user's browser.
        """
        from poinsot.front.run_view import view_motion

        viewer = view_motion(self, what, ghosts, host, port)
        if show:
            viewer.open()
        return viewer

    def report(self, path: str | Path, *, verified: object = None) -> Path:
        """Write a report of the motion, one page to send to others, and return its path.

        Scene, figures, checks, tables of joints, loads and bodies, equations where they are short,
        settings and versions.

        Args:
            path: The file: .html, or .pdf where Chromium is installed.
            verified: What ``ps.verify(system)`` returned, to be shown among the checks.
        """
        from poinsot.front.run_report import save_report

        return save_report(self, path, None if verified is None else str(verified))

    def _repr_html_(self) -> str:
        """Show the motion in notebooks: how it ended, and the page of ``save_html`` in a frame."""
        from poinsot.front.motion_page import motion_page
        from poinsot.viewer.frame import framed

        return framed(motion_page(self), str(self))
