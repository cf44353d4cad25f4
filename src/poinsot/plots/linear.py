"""Pole maps and root loci."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ShapeError
from poinsot.plots.figure import FIGURES, put_out
from poinsot.plots.picture_file import checked_target
from poinsot.plots.style import GREY, RC, SERIES, label_of
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_locus", "plot_poles"]

TOGETHER: Final = 1e-3
"""Distance of poles, relative to the largest, at which the eye takes them for one."""


def plot_poles(path: str | Path | None, title: str, poles: Mapping[str, Array]) -> "Figure":
    """Draw poles in the complex plane; return the figure.

    Args:
        path: File to write; None: show it.
        title: Of the figure.
        poles: Sets of poles [1/s] by label.
    """
    from matplotlib import style

    target = None if path is None else checked_target(path, FIGURES, "figure")
    with style.context(["default", dict(RC)]):
        figure = _plane(title)
        axes = figure.axes[0]
        for colour, (label, values) in zip(SERIES, poles.items(), strict=False):
            axes.plot(values.real, values.imag, "x", color=colour, ms=7, mew=1.8,
                      label=label_of(label))  # fmt: skip
            _count(axes, values, colour)
        if len(poles) > 1:
            axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        _margins(figure, np.concatenate(list(poles.values())))
        put_out(figure, target)
    return figure


def plot_locus(
    path: str | Path | None, title: str, name: str, values: ArrayLike, poles: ArrayLike
) -> "Figure":
    """Draw how poles move over a parameter, by colour; return the figure.

    Args:
        path: File to write; None: show it.
        title: Of the figure.
        name: Of the parameter.
        values: Its values, shape (n,).
        poles: Shape (n, poles).

    Raises:
        ShapeError: If there are not as many rows of poles as values.
    """
    from matplotlib import style

    values, poles = np.asarray(values, float), np.asarray(poles)
    if values.ndim != 1 or poles.ndim != 2 or len(poles) != len(values):
        raise ShapeError(
            "plot_locus: poles must have a row for each value, as ps.root_locus returns them, got "
            f"values {values.shape} and poles {poles.shape}"
        )
    target = None if path is None else checked_target(path, FIGURES, "figure")
    with style.context(["default", dict(RC)]):
        figure = _plane(title)
        axes = figure.axes[0]
        shades = np.broadcast_to(values[:, None], poles.shape)
        dots = axes.scatter(poles.real.ravel(), poles.imag.ravel(), c=shades.ravel(), s=9, zorder=3)
        figure.colorbar(dots, label=label_of(name))
        _margins(figure, poles.ravel())
        put_out(figure, target)
    return figure


def _count(axes: "Axes", poles: Array, colour: str) -> None:
    """Write beside poles that lie on each other how many they are."""
    size = float(np.max(np.abs(poles), initial=0.0)) or 1.0
    left = list(poles)
    while left:
        pole = left[0]
        together = [other for other in left if abs(other - pole) <= TOGETHER * size]
        left = [other for other in left if abs(other - pole) > TOGETHER * size]
        if len(together) > 1:
            axes.annotate(
                f"({len(together)})", (pole.real, pole.imag), (5, 5), textcoords="offset points",
                color=colour, fontsize=8,
            )  # fmt: skip


def _plane(title: str) -> "Figure":
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 5.2), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(label_of(title, 80), fontsize=13, fontweight="bold")
    axes = figure.subplots()
    axes.axvline(0.0, color=GREY, lw=1.0)
    axes.axhline(0.0, color=GREY, lw=1.0)
    axes.set_xlabel("real part [1/s]")
    axes.set_ylabel("imaginary part [rad/s]")
    return figure


def _margins(figure: "Figure", poles: Array) -> None:
    """Leave room beside the poles; undamped ones all lie on one line."""
    size = float(np.max(np.abs(poles), initial=0.0)) or 1.0
    axes = figure.axes[0]
    low, high = float(poles.real.min(initial=0.0)), float(poles.real.max(initial=0.0))
    room = max(0.1 * (high - low), 0.05 * size)
    axes.set_xlim(low - room, high + room)
    axes.margins(y=0.1)
