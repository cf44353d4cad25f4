"""The moving picture of a run: a stage, and layers that move on it."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.plots import moving_layers
from poinsot.plots.prepared_motion import Show
from poinsot.plots.still_background import Stage, draw_stage, draw_supports
from poinsot.plots.style import GREY, PAPER
from poinsot.plots.tip_trace import chosen_points, chosen_traces, trace
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Scene", "still_picture"]

_DPI = 100

_LAYERS = (
    moving_layers.lattice,
    moving_layers.rod_shadows,
    moving_layers.box_shadows,
    trace,
    chosen_traces,
    moving_layers.slides,
    moving_layers.boxes,
    moving_layers.ties,
    moving_layers.springs,
    moving_layers.rods,
    moving_layers.spring_ends,
    moving_layers.mass_centres,
    moving_layers.joints,
    chosen_points,
    moving_layers.caption,
)
"""From the back to the front."""


_GHOST = 0.25
"""Opacity of earlier positions in a still picture."""

_ONCE = (moving_layers.caption, trace, chosen_traces)
"""Layers that a still picture has once, however many positions it shows."""


def still_picture(shows: Sequence[Show], stage: Stage, frames: Sequence[int]) -> "Figure":
    """Return a figure of some positions, all but the last one pale.

    Args:
        shows: What to show.
        stage: The picture.
        frames: The positions, by their numbers in each of ``shows``.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure, axes = _background(shows, stage)
    for frame in frames:
        is_last = frame == frames[-1]
        for show, make in _layers(shows):
            if make in _ONCE and not is_last:
                continue
            layer = make(axes, show, stage)
            layer.move(frame)
            if not is_last:
                layer.artist.set_alpha(_GHOST)
    FigureCanvasAgg(figure)
    return figure


def _layers(shows: Sequence[Show]) -> list[tuple[Show, Callable[..., moving_layers.Layer]]]:
    """Return what to draw, from the back to the front; the time once."""
    return [
        (show, make)
        for make in _LAYERS
        for show in (shows[:1] if make is moving_layers.caption else shows)
    ]


def _background(shows: Sequence[Show], stage: Stage) -> "tuple[Figure, Axes]":
    """Return a figure with the stage, and its axes, whose units are pixels."""
    from matplotlib.figure import Figure

    width, height = stage.size
    figure = Figure(figsize=(width / _DPI, height / _DPI), dpi=_DPI, facecolor=PAPER)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.set_axis_off()
    draw_stage(axes, stage, shows[0])
    for show in shows:
        draw_supports(axes, stage, show)
    axes.text(width - 16, 20, shows[0].note, ha="right", va="center", fontsize=9, color=GREY)
    return figure, axes


class Scene:
    """One matplotlib figure: the background is drawn once, moving layers for every frame."""

    def __init__(self, shows: Sequence[Show], stage: Stage) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        figure, axes = _background(shows, stage)
        self._layers = [make(axes, show, stage) for show, make in _layers(shows)]
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
