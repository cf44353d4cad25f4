"""What ``Run`` and ``Study`` have in common: states between the stored ones, and pictures."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, Unpack

from numpy.typing import ArrayLike

from poinsot.evaluate.expression import Expression
from poinsot.front.motion import AbstractMotion
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from poinsot.front.run_plot import What
    from poinsot.plots.animation import Film, Look
    from poinsot.plots.animation_file import Animation
    from poinsot.simulation.laws.event import Occurrence

__all__ = ["AbstractSingleMotion", "Along"]


class Along(Protocol):
    """Quantities at given states."""

    def tau(self) -> Array:
        """Return the joint forces of the drive [N or N m], shape (n, nv)."""

    def acceleration(self) -> Array:
        """Return dv/dt, shape (n, nv)."""

    def expression(self, given: Expression) -> Array:
        """Return an expression of the state, shape (n, ...)."""


class AbstractSingleMotion(AbstractMotion):
    """One motion of a system."""

    @property
    @abstractmethod
    def events(self) -> Sequence[Occurrence]:
        """Events in order: ``.name``, ``.t``, ``.q_before``, ``.v_before``, ``.q``, ``.v``."""

    @property
    @abstractmethod
    def stored_only(self) -> bool:
        """Whether figures show the stored states only."""

    @abstractmethod
    def at(self, t: Any) -> tuple[Array, Array]:  # noqa: ANN401 (a number, or many)
        """Return q and v at times of the motion [s]."""

    @abstractmethod
    def along(self, t: Array, q: Array, v: Array) -> Along:
        """Return the evaluator of quantities at states of the motion."""

    @abstractmethod
    def constraint_residual(self) -> Array:
        """Return by how much loops and constraints are open [m or rad], shape (n, rows)."""

    @abstractmethod
    def constraint_rate(self) -> Array:
        """Return how fast loops and constraints open [m/s or rad/s], shape (n, rows)."""

    @abstractmethod
    def numeric(self) -> Self:
        """Return the same motion of the system with numbers in place of parameters."""

    def plot(self, path: str | Path | None = None, what: What | None = None) -> Figure:
        """Draw the motion over time, and return the figure, of matplotlib.

        By default coordinates and velocities of each kind, energies, forces of the drive where
        there is one (else the change of the total energy), how well loops and constraints hold
        where that is more than rounding, and events as dotted lines.  Of many curves those that
        change most are named.

        Args:
            path: File to write: .png, .svg or .pdf.  None: show it, in the notebook or a window.
            what: What to show, in two columns: "q", "v", "a" (accelerations), "tau" (forces of the
                drive), "energy", "drift", "momentum", "residual", or formulas as ``evaluate`` takes
                them; those in a list of their own share their axes:
                ``["energy", "v.elbow", ["sin(elbow)", "cos(elbow)"]]``.
        """
        from poinsot.front.run_plot import plot

        return plot(self, path, what)

    def animate(self, path: str | Path | None = None, **look: Unpack[Film]) -> Animation:
        """Draw the motion as a moving picture, and return it; notebooks show it.

        Args:
            path: File to write: .gif, .apng, .png (animated too) or .webp.  None: show it.
            look: ``fps``, pictures a second; ``seconds``, how long it plays [s], as long as the
                motion lasted by default; ``trace``, points whose paths to draw: a body, a body and
                a point of it [m], ``("coupler", (0.1, 0, 0))``, or a list of such; ``view``, the
                axes that point right and up, ``"xz"``, or the direction to the eye, (1, -2, 0.5).
        """
        from poinsot.plots.animation import animate_runs

        return animate_runs([self.numeric()], path, **look)

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
