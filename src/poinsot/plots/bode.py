"""Frequency responses."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from poinsot.plots.figure import FIGURES, put_out
from poinsot.plots.picture_file import PlotError, checked_target
from poinsot.plots.style import RC, SERIES, label_of
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_bode"]

MOST: Final = len(SERIES)
"""Curves in one panel, and panels side by side, that people tell apart."""

STEPS: Final = (45.0, 90.0, 180.0, 360.0, 720.0)
"""Between marks on axes of phases [°]."""

LABEL: Final = 40
"""Letters of a label in the legend."""


def plot_bode(
    path: str | Path | None, title: str, omega: Array, responses: Array, phases: Array,
    outputs: Sequence[str], inputs: Sequence[str],
) -> "Figure":  # fmt: skip
    """Draw magnitudes and phases over the frequency; return the figure.

    Few curves are in one panel; of many each input has its own.

    Args:
        path: File to write; None: show it.
        title: Of the figure.
        omega: Angular frequencies [rad/s], shape (n,).
        responses: Complex responses, shape (n, outputs, inputs); NaN where there is none.
        phases: Their phases [rad], in the same shape.
        outputs: Names of the outputs.
        inputs: Names of the inputs.

    Raises:
        PlotError: If there are more curves than can be told apart, or none.
    """
    p, m = len(outputs), len(inputs)
    if not p * m:
        raise PlotError("plot_bode: the model has no inputs or no outputs; nothing to draw")
    if max(p, m) > MOST and p * m > MOST:
        raise PlotError(
            f"plot_bode: {p} outputs over {m} inputs are more curves than can be told apart (at "
            f"most {MOST} of each); choose some by inputs= and outputs= of ps.linearize"
        )
    pairs = [(i, j) for j in range(m) for i in range(p)]
    columns = [pairs] if len(pairs) <= MOST else [pairs[p * j : p * (j + 1)] for j in range(m)]
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    target = None if path is None else checked_target(path, FIGURES, "figure")
    with style.context(["default", dict(RC)]):
        width = 8.0 if len(columns) == 1 else 2.4 * len(columns) + 2.0
        figure = Figure(figsize=(width, 5.6), layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(label_of(title, 80), fontsize=13, fontweight="bold")
        panels = figure.subplots(2, len(columns), sharex=True, sharey="row", squeeze=False)
        for column, (above, below) in zip(columns, panels.T, strict=True):
            for colour, (i, j) in zip(SERIES, column, strict=False):
                label = outputs[i] if len(columns) > 1 else f"{outputs[i]} / {inputs[j]}"
                _draw(above, below, omega, responses[:, i, j], phases[:, i, j], label, colour)
            below.set_xlabel("angular frequency [rad/s]")
        _finish(panels, [inputs[j] for j in range(m)] if len(columns) > 1 else [])
        put_out(figure, target)
    return figure


def _draw(
    above: "Axes", below: "Axes", omega: Array, response: Array, phase: Array, label: str,
    colour: str,
) -> None:  # fmt: skip
    """Draw one curve; one that is zero everywhere is named only."""
    shown = np.isfinite(response)
    name = label_of(label, LABEL) + ("" if shown.any() else ": none")
    size = np.full(len(omega), np.nan)
    size[shown] = 20.0 * np.log10(np.abs(response[shown]))
    above.semilogx(omega, size, color=colour, lw=1.4, label=name)
    angle = np.full(len(omega), np.nan)
    angle[shown] = np.degrees(np.unwrap(phase[shown]))
    below.semilogx(omega, angle, color=colour, lw=1.4)


def _finish(panels: Array, inputs: Sequence[str]) -> None:
    """Write what axes are, and the legend beside the last panel."""
    from matplotlib.ticker import MultipleLocator

    panels[0, 0].set_ylabel("magnitude [dB]")
    panels[1, 0].set_ylabel("phase [°]")
    low, high = panels[1, 0].get_ylim()
    if high - low < 90.0:
        panels[1, 0].set_ylim(low - 45.0, high + 45.0)
    step = next((x for x in STEPS if high - low < 8 * x), STEPS[-1])
    panels[1, 0].yaxis.set_major_locator(MultipleLocator(step))
    for axes, name in zip(panels[0], inputs, strict=False):
        axes.set_title(f"over {label_of(name)}", loc="left")
    panels[0, -1].legend(loc="upper left", bbox_to_anchor=(1.0, 1.04))
