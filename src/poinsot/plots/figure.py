"""A figure of panels over one axis of time."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.plots.panels import Panel, PlottedCurve
from poinsot.plots.picture_file import checked_target
from poinsot.plots.shown import show_figure
from poinsot.plots.style import GREY, RC, SERIES, label_of
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "dense_states", "draw_panel", "plot_panels", "put_out"]

FIGURES = (".png", ".svg", ".pdf")
"""Suffixes of figures."""

_FEW = len(SERIES)
"""So many curves a legend names."""

_POINTS = 800
"""Number of states to interpolate to in shorter runs: about the pixels of the axes."""

_ROW_HEIGHT = 2.3
"""Height of a row of axes [inch]."""

_FAINT = "#c3c8d0"
"""Curves that the legend does not name."""

At = Callable[[Array], tuple[Array, Array]]
"""Times, shape (m,), -> q (m, nq) and v (m, nv)."""


def dense_states(t: Array, q: Array, v: Array, states_at: At) -> tuple[Array, Array, Array]:
    """Return times and states dense enough for smooth curves.

    Two states at one time, before and after a jump, both stay.

    Args:
        t: Times of stored states [s], shape (n,).
        q: Configurations, shape (n, nq).
        v: Velocities, shape (n, nv).
        states_at: States at other times.
    """
    if not 1 < len(t) < _POINTS or t[0] == t[-1]:
        return t, q, v
    more = np.setdiff1d(np.linspace(t[0], t[-1], _POINTS), t)
    more_q, more_v = states_at(more)
    times = np.concatenate([t, more])
    order = np.argsort(times, kind="stable")
    return times[order], np.concatenate([q, more_q])[order], np.concatenate([v, more_v])[order]


def plot_panels(
    path: str | Path | None, name: str, rows: Sequence[Sequence[Panel]],
    marks: Sequence[tuple[float, str]] = (), along: str = "time [s]",
) -> "Figure":  # fmt: skip
    """Draw rows of panels over one axis, of time by default; return the figure.

    Args:
        path: File to write: .png, .svg or .pdf. Missing folders are made.  None: show it.
        name: Title of the figure.
        rows: The panels, one or two in a row.
        marks: Times [s] to mark by vertical lines, and what they are called.
        along: What the axis is.

    Raises:
        PlotError: If the suffix is unknown.
    """
    target = None if path is None else checked_target(path, FIGURES, "figure")
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with style.context(["default", dict(RC)]):
        columns = max(map(len, rows))
        width = 11.0 if columns > 1 else 7.0
        figure = Figure(figsize=(width, _ROW_HEIGHT * len(rows) + 0.6), layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(label_of(name, 80), fontsize=13, fontweight="bold")
        axes = figure.subplots(len(rows), columns, sharex=True, squeeze=False)
        for line, row in zip(axes, rows, strict=True):
            for axis, panel in zip(line, row, strict=False):
                draw_panel(axis, panel, marks)
            for axis in line[len(row) :]:
                axis.set_axis_off()
        _finish(figure, axes, rows, along)
        put_out(figure, target)
    return figure


def put_out(figure: "Figure", target: Path | None) -> None:
    """Write a figure to a file, or show it.

    Args:
        figure: The figure.
        target: The file, with one of the suffixes of figures; None: show it.
    """
    if target is None:
        show_figure(figure)
        return
    # Without a date the same run gives the same file.
    metadata = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    suffix = target.suffix.lower()
    figure.savefig(target, format=suffix[1:], dpi=120, metadata=metadata[suffix])


def draw_panel(axes: "Axes", panel: Panel, marks: Sequence[tuple[float, str]]) -> None:
    """Draw the curves of a panel, marks as dotted lines, and a legend beside them."""
    named = _most_moving(panel.curves)
    for k, curve in enumerate(panel.curves):
        if k not in named:
            _curve(axes, panel.t, curve, color=_FAINT, lw=0.7, zorder=1.5)
    for colour, k in zip(SERIES, named, strict=False):
        look = {"color": colour, "lw": 1.4, "ls": "--" if panel.curves[k].dashed else "-"}
        _curve(axes, panel.t, panel.curves[k], **look)
    for time, _ in marks:
        axes.axvline(time, color=GREY, lw=0.8, ls=":", zorder=1.2)
    axes.set_title(panel.title, loc="left", y=1.0)
    axes.set_ylabel(f"[{panel.unit}]" if panel.unit else "")
    if panel.log:
        axes.set_yscale("log")
    else:
        _power_of_ten(axes)
    if not panel.log and all(not np.any(np.nan_to_num(curve.values)) for curve in panel.curves):
        axes.set_ylim(-1.0, 1.0)
    _legend(axes, panel, named, marks)


def _power_of_ten(axes: "Axes") -> None:
    """Write the power of ten of large and small values on the right: the title is on the left."""
    from matplotlib.ticker import ScalarFormatter

    formatter = ScalarFormatter(useMathText=True)
    formatter.set_powerlimits((-3, 4))
    axes.yaxis.set_major_formatter(formatter)
    axes.yaxis.get_offset_text().set(x=1.0, horizontalalignment="right")


def _most_moving(curves: Sequence[PlottedCurve]) -> list[int]:
    """Return the indices of curves in the legend: all, or of many those that change most."""
    if len(curves) <= _FEW:
        return list(range(len(curves)))
    changes = []
    for curve in curves:
        finite = curve.values[np.isfinite(curve.values)]
        changes.append(float(np.ptp(finite)) if finite.size else 0.0)
    return sorted(np.argsort(changes, kind="stable")[-_FEW:].tolist())


def _curve(axes: "Axes", t: Array, curve: PlottedCurve, **look: Any) -> None:  # noqa: ANN401
    """Draw values over time; a run of one state is a dot."""
    marker = "o" if len(t) == 1 else ""
    axes.plot(t, curve.values, label=label_of(curve.label), marker=marker, markersize=4, **look)


def _legend(
    axes: "Axes", panel: Panel, named: Sequence[int], marks: Sequence[tuple[float, str]]
) -> None:
    """Draw the legend beside the axes; of many curves it names some."""
    from matplotlib.lines import Line2D

    lines = axes.get_lines()
    rest = len(panel.curves) - len(named)
    drawn = zip(lines[rest : len(panel.curves)], named, strict=True)
    handles = [line for line, k in drawn if panel.curves[k].label]
    if rest:
        handles.append(Line2D([], [], color=_FAINT, lw=0.7, label=f"{rest} others"))
    words = ", ".join(dict.fromkeys(name for _, name in marks))
    if marks and handles:
        handles.append(Line2D([], [], color=GREY, lw=0.8, ls=":", label=label_of(words)))
    if not handles:
        return
    axes.legend(
        handles=handles, title="change most:" if rest else None, title_fontsize=8,
        alignment="left", loc="upper left", bbox_to_anchor=(1.0, 1.04), borderaxespad=0.2,
        handlelength=1.2, handletextpad=0.5, labelspacing=0.35,
    )  # fmt: skip


def _finish(figure: "Figure", axes: Array, rows: Sequence[Sequence[Panel]], along: str) -> None:
    """Format all axes: what they are over below, a margin at either end."""
    for line, row in zip(axes, rows, strict=True):
        for axis, _ in zip(line, row, strict=False):
            axis.margins(x=0.01)
    for column in range(axes.shape[1]):
        last = max(k for k, row in enumerate(rows) if len(row) > column)
        axes[last, column].set_xlabel(along)
        axes[last, column].tick_params(labelbottom=True)
    figure.align_ylabels()
