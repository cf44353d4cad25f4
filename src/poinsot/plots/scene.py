"""The moving picture of a run: a stage, and layers that move on it."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from poinsot.plots import layers
from poinsot.plots.show import Show
from poinsot.plots.stage import Stage, draw_stage
from poinsot.plots.style import GREY, PAPER
from poinsot.plots.trace import trace
from poinsot.spatial import Array

__all__ = ["Scene"]

_DPI = 100

_LAYERS = (
    layers.lattice,
    layers.rod_shadows,
    layers.box_shadows,
    trace,
    layers.slides,
    layers.boxes,
    layers.ties,
    layers.springs,
    layers.rods,
    layers.spring_ends,
    layers.mass_centres,
    layers.joints,
    layers.caption,
)
"""From the back to the front."""


class Scene:
    """One matplotlib figure: what stands still is drawn once, what moves for every picture."""

    def __init__(self, show: Show, stage: Stage) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        width, height = stage.size
        figure = Figure(figsize=(width / _DPI, height / _DPI), dpi=_DPI, facecolor=PAPER)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set(xlim=(0, width), ylim=(0, height))
        axes.set_axis_off()
        draw_stage(axes, stage, show)
        axes.text(width - 16, 20, show.note, ha="right", va="center", fontsize=9, color=GREY)
        self._layers = [make(axes, show, stage) for make in _LAYERS]
        for layer in self._layers:
            layer.artist.set_animated(True)
        canvas: Any = FigureCanvasAgg  # its methods are not annotated
        self._canvas = canvas(figure)
        self._canvas.draw()
        self._still = self._canvas.copy_from_bbox(figure.bbox)

    def pictures(self, frames: range) -> Iterator[Array]:
        """Yield the pictures of these frames, shape (height, width, 4), 8 bits a channel."""
        renderer = self._canvas.get_renderer()
        for frame in frames:
            self._canvas.restore_region(self._still)
            for layer in self._layers:
                layer.move(frame)
                layer.artist.draw(renderer)
            yield np.array(self._canvas.buffer_rgba())
