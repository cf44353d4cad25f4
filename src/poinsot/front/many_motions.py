"""What ``Runs`` and ``Studies`` have in common: choosing some, tables and pictures of many."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import ModelError
from poinsot.evaluate.expression import Expression
from poinsot.front.motion_text import NAMED, span
from poinsot.front.tabulated_motion import TabulatedMotion

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from poinsot.plots.animation import Film, Look
    from poinsot.plots.animation_file import Animation
    from poinsot.plots.panels import Panel
    from poinsot.viewer.server import Viewer

__all__ = ["AbstractManyMotions"]

SHOWN: Final = 8
"""How many motions a picture shows where it is not said which."""


class AbstractManyMotions(TabulatedMotion):
    """Many motions of one system at the same times; one that ended early is NaN from there on."""

    kind: ClassVar[str] = "motions"

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """Leading dimensions, those that all arguments broadcast to."""

    @property
    @abstractmethod
    def ok(self) -> NDArray[np.bool_]:
        """Whether each reached the end, shape (...)."""

    @abstractmethod
    def _alone(self, number: int) -> Any:  # noqa: ANN401
        """Return one of them, by its number."""

    @abstractmethod
    def _some(self, numbers: NDArray[np.intp]) -> Any:  # noqa: ANN401
        """Return the motions of these numbers, in their shape."""

    @property
    def size(self) -> int:
        """How many motions there are."""
        return math.prod(self.shape)

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 (one, or many again)
        """Return one motion, or some of them, chosen as NumPy would choose from ``shape``."""
        numbers = np.arange(self.size).reshape(self.shape)[index]
        return self._alone(int(numbers)) if np.ndim(numbers) == 0 else self._some(numbers)

    def __iter__(self) -> Iterator[Any]:
        """Go through the first dimension."""
        return (self[k] for k in range(len(self)))

    def __len__(self) -> int:
        """Return the length of the first dimension."""
        return self.shape[0]

    def __str__(self) -> str:
        """Return how they ended, what they took, and why some stopped early."""
        ok, end = self.ok.ravel(), f"t = {self.t[-1]:g} s" if self.t.size else "the end"
        stopped = np.flatnonzero(~ok).tolist()
        reached = f"{self.size - len(stopped)} of" if stopped else "all"
        lines = [f"{self.system.name}: {reached} {self.size} {self.kind} reached {end}"]
        lines += [f"  {span(self.t)} each", *self._effort()]
        lines += [f"  number {k}: {self._alone(k).status.message}" for k in stopped[:NAMED]]
        more = len(stopped) - NAMED
        return "\n".join([*lines, f"  and {more} more that stopped early"] if more > 0 else lines)

    def _effort(self) -> list[str]:
        """Return what they took, where that is known."""
        return []

    def to_pandas(self, more: Mapping[str, Expression] | None = None) -> Any:  # noqa: ANN401
        """Return all states as a ``pandas.DataFrame``, one row for each motion and stored time.

        The index is the number of the motion, ``run``, and ``t`` [s]; columns are the parameters,
        ``q.rocker``, ``v.rocker``, ``a.rocker``, ``tau.crank``, ...

        Args:
            more: Further columns: expressions by name, as ``evaluate`` takes them.

        Raises:
            MissingPackageError: If pandas is not installed: extra ``data``.
        """
        from poinsot.front.motion_tables import pandas_of_many

        return pandas_of_many(self, more or {})

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
        from poinsot.plots.figure import plot_panels

        panels = self._panels(what, self._shown(rows))
        pairs = [panels[k : k + 2] for k in range(0, len(panels), 2)]
        return plot_panels(path, self.system.name, pairs)

    def _panels(self, what: Sequence[str], numbers: NDArray[np.intp]) -> list[Panel]:
        """Return an axes for each formula, with a curve of each of some motions."""
        from poinsot.front.run_plot import unit_of
        from poinsot.plots.panels import Panel, PlottedCurve

        chosen, labels = self._some(numbers), [str(number) for number in numbers.tolist()]
        panels = []
        for text in what or [f"q.{name}" for name in self.names["q"]]:
            curves = zip(labels, chosen.evaluate(text), strict=True)
            drawn = tuple(PlottedCurve(label, values) for label, values in curves)
            panels.append(Panel(text, unit_of(self.names, self.units, text), self.t, drawn))
        return panels

    def save_html(
        self, path: str | Path, what: Sequence[str] = (), *, rows: Sequence[int] | None = None
    ) -> Path:
        """Write one HTML file that shows several motions in any browser, and return its path.

        The first of them in full, the others pale beside it; see ``Run.save_html``.

        Args:
            path: The file, .html.
            what: Formulas, an axes each with a curve of each motion; the coordinates by default.
            rows: Which motions, by number; some that reached the end by default.
        """
        from poinsot.front.motion_page import write_page

        return write_page(path, lambda: self._page(what, rows))

    def view(
        self, what: Sequence[str] = (), *, rows: Sequence[int] | None = None,
        host: str = "127.0.0.1", port: int = 0, show: bool = True,
    ) -> Viewer:  # fmt: skip
        """Show several motions in the browser, and return the ``Viewer``; see ``Run.view``.

        Args:
            what: Formulas, an axes each, as of ``save_html``.
            rows: Which motions, by number; some that reached the end by default.
            host: Where to listen: this machine only, unless told otherwise.
            port: The port; 0: any that is free.
            show: Whether to open the user's browser.
        """
        from poinsot.viewer.server import Viewer

        viewer = Viewer(self._page(what, rows), {}, host, port)
        if show:
            viewer.open()
        return viewer

    def _page(self, what: Sequence[str] = (), rows: Sequence[int] | None = None) -> str:
        from poinsot.front.motion_page import motion_page

        numbers = self._shown(rows)
        first, *others = (self._alone(number) for number in numbers.tolist())
        panels = self._panels(what or [f"q.{name}" for name in self.names["q"][:SHOWN]], numbers)
        return motion_page(first, ghosts=others, panels=[_labelled(panel) for panel in panels])

    def _repr_html_(self) -> str:
        """Show the motions in notebooks: how they ended, and the page of ``save_html``."""
        from poinsot.viewer.frame import framed

        return framed(self._page() if self.size and self.t.size else None, str(self))

    def animate(
        self, path: str | Path | None = None, *, rows: Sequence[int] | None = None,
        **look: Unpack[Film],
    ) -> Animation:  # fmt: skip
        """Draw several motions in one moving picture; see ``Run.animate``.

        Args:
            path: File to write: .gif, .apng, .png (animated too) or .webp.  None: show it.
            rows: Which motions, by number; some that reached the end by default.
            look: ``fps``, ``seconds``, ``trace`` and ``view``.
        """
        from poinsot.plots.animation import animate_runs

        shown = [self._alone(number).numeric() for number in self._shown(rows).tolist()]
        return animate_runs(shown, path, **look)

    def draw(
        self, path: str | Path | None = None, t: ArrayLike | None = None, *,
        rows: Sequence[int] | None = None, **look: Unpack[Look],
    ) -> Figure:  # fmt: skip
        """Draw several motions at some times in one picture; see ``Run.draw``.

        Args:
            path: File to write: .png, .svg or .pdf.  None: show it, in the notebook or a window.
            t: Time or times [s]; the last one by default.
            rows: Which motions, by number; some that reached the end by default.
            look: ``trace`` and ``view``.
        """
        from poinsot.plots.animation import draw_runs

        shown = [self._alone(number).numeric() for number in self._shown(rows).tolist()]
        return draw_runs(shown, path, t, **look)

    def _shown(self, rows: Sequence[int] | None) -> NDArray[np.intp]:
        """Return the numbers of the motions to show."""
        if rows is not None:
            try:
                numbers = np.asarray(np.arange(self.size)[list(rows)])
            except (TypeError, IndexError):
                numbers = np.zeros(0, np.intp)
            if not numbers.size:
                raise ModelError(
                    f"rows must be a list of numbers of {self.kind}, from 0 to {self.size - 1}, "
                    f"got {rows!r}"
                )
            return numbers
        good = np.flatnonzero(self.ok)
        some = good if good.size else np.arange(self.size)
        evenly = np.linspace(0, len(some) - 1, min(SHOWN, len(some))).astype(int)
        return np.asarray(some[evenly])


def _labelled(panel: Panel) -> Panel:
    """Return a panel whose curves are not called by numbers alone, which values follow."""
    curves = tuple(replace(curve, label=f"run {curve.label}:") for curve in panel.curves)
    return replace(panel, curves=curves)
