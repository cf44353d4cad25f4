"""The fading trace of the tip that moves most."""

from typing import TYPE_CHECKING

import numpy as np

from poinsot.plots.moving_layers import Layer
from poinsot.plots.prepared_motion import Show
from poinsot.plots.still_background import Stage
from poinsot.plots.style import INK, PAPER
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["chosen_points", "chosen_traces", "liveliest_tip", "trace"]

_SHADES, _SHADE_FRAMES = 12, 4
"""So many colours the trace has while it fades, each for so many pictures."""

_FINE = 4
"""Points of the trace from one picture to the next."""

_FAINTEST, _STRONGEST = 0.06, 0.8
"""Strength of the body's colour at the oldest and the newest segment of the trace."""

_STRAIGHT = 1e-3
"""Relative deviation below which a path is straight: a trace would hide a rail."""


def chosen_traces(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """The whole paths of chosen points, in the colours of their bodies."""
    from matplotlib.collections import LineCollection

    colours = [_pale(show, body) for body in show.traced_bodies]
    lines = LineCollection([], linewidths=1.6, capstyle="round", colors=colours)
    axes.add_collection(lines, autolim=False)
    paths = [_smooth(path) for path in np.moveaxis(show.traced, 1, 0)]

    def move(k: int) -> None:
        lines.set_segments([stage.pixels(path - show.centre[k]) for path in paths])

    return Layer(lines, move)


def chosen_points(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """Dots where the chosen points are."""
    dots = axes.plot([], [], "o", ms=5.0, mfc=INK, mec="white", mew=0.8)[0]

    def move(k: int) -> None:
        dots.set_data(*stage.pixels(show.traced[k] - show.centre[k]).T)

    return Layer(dots, move)


def _pale(show: Show, body: int) -> Array:
    from matplotlib.colors import to_rgb

    pale: Array = 0.6 * show.colours[body] + 0.4 * np.array(to_rgb(PAPER))
    return pale


def trace(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """Where the tip came from, paler the longer ago; nothing where points were chosen."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgb

    lines = LineCollection([], linewidths=1.6, capstyle="round")
    axes.add_collection(lines, autolim=False)
    paths = show.figure.tips + show.centre[:, None]
    tip = liveliest_tip(paths)
    if tip is None or show.traced_bodies.size:
        return Layer(lines, lambda k: None)
    # Opaque colours: where round ends overlap, transparent ones would show dots.
    strength = np.linspace(_FAINTEST, _STRONGEST, _SHADES)[:, None]
    colour = show.colours[show.figure.tip_bodies[tip]]
    lines.set_color(list(strength * colour + (1.0 - strength) * np.array(to_rgb(PAPER))))
    path = _smooth(paths[:, tip])
    step = _SHADE_FRAMES * _FINE

    def move(k: int) -> None:
        starts = (k * _FINE - (_SHADES - i) * step for i in range(_SHADES))
        segments = (path[max(0, start) : max(0, start + step) + 1] for start in starts)
        lines.set_segments([stage.pixels(segment - show.centre[k]) for segment in segments])

    return Layer(lines, move)


def liveliest_tip(paths: Array) -> int | None:
    """Return the tip with the longest path; None if all paths are straight.

    Args:
        paths: Where the tips are [m], shape (n, tips, 3).
    """
    n, tips, _ = paths.shape
    if n < 3 or tips == 0:
        return None
    ways = np.linalg.norm(np.diff(paths, axis=0), axis=-1).sum(axis=0)
    tip = int(np.argmax(ways))
    widths = np.linalg.svd(paths[:, tip] - paths[:, tip].mean(axis=0), compute_uv=False)
    return tip if widths[1] > _STRAIGHT * widths[0] else None


def _smooth(path: Array) -> Array:
    """Return a curve through the points of a path, shape (n, 3), with more points between them."""
    from scipy.interpolate import CubicSpline

    if len(path) < 2:
        return path
    curve = CubicSpline(np.arange(len(path)), path)
    fine: Array = curve(np.arange((len(path) - 1) * _FINE + 1) / _FINE)
    return fine
