"""A figure of a run: coordinates, velocities and energies over time."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.plots.run_like import RunLike
from poinsot.plots.series import Panel, rows_of
from poinsot.plots.style import RC, SERIES, label_of, line_colours
from poinsot.plots.target import checked_target
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_run"]

FIGURES = (".png", ".svg", ".pdf")
"""Suffixes of figures."""

_FEW = len(SERIES)
"""So many curves a legend names."""

_FAR = 3.0
"""A potential energy above so many times its changes is shown less its first value."""

_POINTS = 800
"""A run of fewer states is asked for more between them; as many as the axes have pixels, nearly."""

_ROW_HEIGHT = 2.3
"""Height of a row of axes [inch]."""


def plot_run(run: RunLike, path: str | Path) -> Path:
    """Draw coordinates, velocities and energies over time; return the file written.

    Angles, positions and quaternions have axes of their own, each beside the velocities that belong
    to it. The last row shows the energies, and by how much the total changes as a part of the
    largest kinetic energy: without drives and dampers this is the error of the integration.

    Args:
        run: The motion.
        path: File to write: .png, .svg or .pdf. Missing folders are made.

    Raises:
        PlotError: If the suffix is unknown.
    """
    target = checked_target(path, FIGURES, "figure")
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with style.context(["default", dict(RC)]):
        rows = rows_of(run.system)
        t, q, v = _dense(run)
        height = _ROW_HEIGHT * (len(rows) + 1) + 0.6
        figure = Figure(figsize=(11.0, height), layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(label_of(run.system.name, 80), fontsize=13, fontweight="bold")
        axes = figure.subplots(len(rows) + 1, 2, sharex=True, squeeze=False)
        for (left, right), row in zip(axes, rows, strict=False):
            _draw_panel(left, row.q, t, q)
            _draw_panel(right, row.v, t, v)
        kinetic, potential = run.system.kinetic_energy(q, v), run.system.potential_energy(q)
        _draw_energies(axes[-1, 0], t, np.asarray(kinetic), np.asarray(potential))
        _draw_drift(axes[-1, 1], run.t, run.kinetic_energy(), run.potential_energy())
        _finish(figure, axes)
        # Without a date the same run gives the same file.
        metadata = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
        suffix = target.suffix.lower()
        figure.savefig(target, format=suffix[1:], dpi=120, metadata=metadata[suffix])
    return target


def _dense(run: RunLike) -> tuple[Array, Array, Array]:
    """Return times and states close enough to one another for curves without corners."""
    if not 1 < len(run.t) < _POINTS:
        return run.t, run.q, run.v
    t = np.union1d(run.t, np.linspace(run.t[0], run.t[-1], _POINTS))
    states = [run.at(float(one)) for one in t]
    return t, np.array([q for q, _ in states]), np.array([v for _, v in states])


def _draw_panel(axes: "Axes", panel: Panel, t: Array, values: Array) -> None:
    many = len(panel.curves) > _FEW
    colours = line_colours(len(panel.curves))
    for curve, colour in zip(panel.curves, colours, strict=True):
        label = label_of(curve.label)
        _curve(axes, t, values[:, curve.column], label, color=colour, lw=0.8 if many else 1.4)
    axes.set_title(panel.title, loc="left", y=1.0)
    axes.set_ylabel(f"[{panel.unit}]")
    _legend(axes)


def _draw_energies(axes: "Axes", t: Array, kinetic: Array, potential: Array) -> None:
    # Far from zero, the changes of the potential energy would not be seen beside its value.
    away = float(potential[0]) if _is_far(potential, kinetic) else 0.0
    less = f" {'less' if away > 0.0 else 'plus'} {abs(away):.4g} J" if away else ""
    blue, orange, green = SERIES[:3]
    _curve(axes, t, kinetic, "kinetic", color=blue, lw=1.4)
    _curve(axes, t, potential - away, f"potential{less}", color=orange, lw=1.4)
    _curve(axes, t, kinetic + potential - away, f"total{less}", color=green, lw=1.4, ls="--")
    axes.set_title("Energies", loc="left", y=1.0)
    axes.set_ylabel("[J]")
    _legend(axes)


def _draw_drift(axes: "Axes", t: Array, kinetic: Array, potential: Array) -> None:
    """Draw the change of the total energy at the stored states, where the run answers for it."""
    total = kinetic + potential
    drift = total - total[0]
    largest = float(np.max(kinetic[np.isfinite(kinetic)], initial=0.0))
    if largest > 0.0:
        axes.set_title("Change of total / largest kinetic energy", loc="left", y=1.0)
        axes.set_ylabel("[1]")
        drift = drift / largest
    else:
        axes.set_title("Change of total energy (nothing moves)", loc="left", y=1.0)
        axes.set_ylabel("[J]")
    _curve(axes, t, drift, "", color=SERIES[2], lw=1.2)
    if not np.any(np.nan_to_num(drift)):
        axes.set_ylim(-1.0, 1.0)


def _is_far(potential: Array, kinetic: Array) -> bool:
    both = np.concatenate([potential - potential[0], kinetic])
    changes = float(np.max(np.abs(both[np.isfinite(both)]), initial=0.0))
    return abs(float(potential[0])) > _FAR * changes > 0.0


def _curve(axes: "Axes", t: Array, values: Array, label: str, **look: Any) -> None:  # noqa: ANN401
    """Draw values over time; a run of one state is a dot."""
    axes.plot(t, values, label=label, marker="o" if len(t) == 1 else "", markersize=4, **look)


def _legend(axes: "Axes") -> None:
    """Put the legend beside the axes, where it covers nothing; of many curves it names some."""
    curves = axes.get_lines()
    chosen = np.linspace(0, len(curves) - 1, min(len(curves), _FEW)).round().astype(int)
    title = f"some of {len(curves)}:" if len(curves) > _FEW else None
    axes.legend(
        handles=[curves[i] for i in chosen], title=title, title_fontsize=8, alignment="left",
        loc="upper left", bbox_to_anchor=(1.0, 1.04), borderaxespad=0.2, handlelength=1.2,
        handletextpad=0.5, labelspacing=0.35,
    )  # fmt: skip


def _finish(figure: "Figure", axes: Array) -> None:
    """Give every axes the same care: time below, no long numbers, a margin at either end."""
    from matplotlib.ticker import ScalarFormatter

    for one in axes.flat:
        one.margins(x=0.01)
        formatter = ScalarFormatter(useMathText=True)
        formatter.set_powerlimits((-3, 4))
        one.yaxis.set_major_formatter(formatter)
        # The power of ten goes to the right: the title is on the left.
        one.yaxis.get_offset_text().set(x=1.0, horizontalalignment="right")
    for one in axes[-1]:
        one.set_xlabel("time [s]")
    figure.align_ylabels()
