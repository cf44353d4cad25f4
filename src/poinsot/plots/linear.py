"""Pole maps, root loci and frequency responses."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from poinsot.plots.figure import FIGURES, put_out
from poinsot.plots.picture_file import checked_target
from poinsot.plots.style import GREY, RC, SERIES, label_of
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot_bode", "plot_locus", "plot_poles"]


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
        if len(poles) > 1:
            axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        _margins(figure, np.concatenate(list(poles.values())))
        put_out(figure, target)
    return figure


def plot_locus(
    path: str | Path | None, title: str, name: str, values: Array, poles: Array
) -> "Figure":
    """Draw how poles move over a parameter, by colour; return the figure.

    Args:
        path: File to write; None: show it.
        title: Of the figure.
        name: Of the parameter.
        values: Its values, shape (n,).
        poles: Shape (n, poles).
    """
    from matplotlib import style

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


def plot_bode(
    path: str | Path | None, title: str, omega: Array, responses: Mapping[str, Array]
) -> "Figure":
    """Draw magnitudes and phases over the frequency; return the figure.

    Args:
        path: File to write; None: show it.
        title: Of the figure.
        omega: Angular frequencies [rad/s], shape (n,).
        responses: Complex responses by label, shapes (n,).
    """
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    target = None if path is None else checked_target(path, FIGURES, "figure")
    with style.context(["default", dict(RC)]):
        figure = Figure(figsize=(8.0, 5.6), layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(label_of(title, 80), fontsize=13, fontweight="bold")
        above, below = figure.subplots(2, 1, sharex=True)
        for colour, (label, response) in zip(SERIES, responses.items(), strict=False):
            size = 20.0 * np.log10(np.maximum(np.abs(response), 1e-300))
            above.semilogx(omega, size, color=colour, lw=1.4, label=label_of(label))
            phase = np.degrees(np.unwrap(np.angle(response)))
            below.semilogx(omega, phase, color=colour, lw=1.4)
        above.set_ylabel("magnitude [dB]")
        below.set_ylabel("phase [°]")
        below.set_xlabel("angular frequency [rad/s]")
        above.legend(loc="upper left", bbox_to_anchor=(1.0, 1.04))
        put_out(figure, target)
    return figure


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
