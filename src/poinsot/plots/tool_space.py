"""Points of tools in space: workspaces, errors with their ellipsoids, paths."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from poinsot.plots.figure import FIGURES, put_out
from poinsot.plots.picture_file import checked_target
from poinsot.plots.style import RC, SERIES, label_of
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["VIEWS", "plot_points"]

VIEWS = (("x", "y"), ("x", "z"))
"""Axes of the panels: from above, and from the side."""


def plot_points(
    path: str | Path | None, title: str, points: Array, shades: Array | None = None,
    meaning: str = "", *, unit: str = "m", outlines: Sequence[tuple[str, Array]] = (),
) -> "Figure":  # fmt: skip
    """Draw points from above and from the side; return the figure.

    Args:
        path: File to write; None: show it.
        title: Of the figure.
        points: Shape (n, 3).
        shades: A number for each, shown by colour, shape (n,).
        meaning: What the numbers are.
        unit: Of the points.
        outlines: Labels and closed surfaces as directions' ends: matrices E, shape (3, 3), of
            ellipsoids {E u, |u| = 1} about the mean of the points.
    """
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    target = None if path is None else checked_target(path, FIGURES, "figure")
    with style.context(["default", dict(RC)]):
        figure = Figure(figsize=(10.0, 4.8), layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(label_of(title, 80), fontsize=13, fontweight="bold")
        panels = figure.subplots(1, len(VIEWS))
        order = np.argsort(shades) if shades is not None else np.arange(len(points))
        middle = points.mean(axis=0)
        circle = np.linspace(0.0, 2.0 * np.pi, 121)
        for axes, names in zip(panels, VIEWS, strict=True):
            columns = ["xyz".index(name) for name in names]
            colours = SERIES[0] if shades is None else shades[order]
            dots = axes.scatter(*points[order][:, columns].T, c=colours, s=2.0, linewidths=0.0,
                                rasterized=True, zorder=2)  # fmt: skip
            for colour, (label, axes_matrix) in zip(SERIES[1:], outlines, strict=False):
                # the outline of {E u} seen along an axis is that of the matrix E Eᵀ without it
                values, vectors = np.linalg.eigh((axes_matrix @ axes_matrix.T)[columns][:, columns])
                root = vectors * np.sqrt(np.maximum(values, 0.0))
                rim = middle[columns, None] + root @ [np.cos(circle), np.sin(circle)]
                axes.plot(*rim, color=colour, lw=1.6, label=label_of(label, 40), zorder=3)
            axes.set_xlabel(f"{names[0]} [{unit}]")
            axes.set_ylabel(f"{names[1]} [{unit}]")
            axes.set_aspect("equal", adjustable="datalim")
        if shades is not None:
            figure.colorbar(dots, ax=panels, label=label_of(meaning, 40))
        if outlines:
            panels[-1].legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        put_out(figure, target)
    return figure
