"""The static background of an animation: size of the picture, ground, scale, name."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from poinsot.plots.camera import Camera
from poinsot.plots.prepared_motion import Show
from poinsot.plots.run_like import SystemLike
from poinsot.plots.skeleton import Skeleton
from poinsot.plots.style import GREY, INK, label_of
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Stage", "draw_stage", "draw_supports", "floor_of", "make_stage", "round_length"]

_ROOM = (620.0, 460.0)
"""Largest width and height of the moving figure [pixel]."""

_LEAST = (400.0, 240.0)
"""Smallest width and height of the room for it [pixel]."""

_MARGIN, _TOP, _BOTTOM = 34.0, 56.0, 44.0
"""Margins beside, above and below the moving figure [pixel]."""

_ARROW = 30.0
"""Length of the arrow of gravity [pixel]."""


@dataclass(frozen=True)
class Stage:
    """A picture in pixels, from its lower left corner.

    Attributes:
        view: From where one looks.
        size: Width and height [pixel].
        scale: Pixels a metre.
        offset: Where the world origin is [pixel], shape (2,).
        floor: Lines of a level grid below all that moves [m], shape (lines, 2, 3), or None.
    """

    view: Camera
    size: tuple[int, int]
    scale: float
    offset: Array
    floor: Array | None

    @property
    def free(self) -> tuple[float, float]:
        """From which to which height [pixel] there is no text."""
        return _BOTTOM, self.size[1] - _TOP

    def pixels(self, points: Array) -> Array:
        """Return where world points, shape (..., 3), are in the picture, shape (..., 2)."""
        projected: Array = self.view.project(points) * self.scale + self.offset
        return projected

    def dropped(self, points: Array) -> Array:
        """Return world points, shape (..., 3), let down vertically to the floor."""
        if self.floor is None:
            return points
        vertical = self.view.vertical
        height = points @ vertical - self.floor[0, 0] @ vertical
        down: Array = points - height[..., None] * vertical
        return down


def make_stage(view: Camera, points: Array, *, floor: bool) -> Stage:
    """Return a picture that has room for all points, on the same scale in both directions.

    Args:
        view: From where one looks.
        points: All that is to be seen [m], shape (..., 3).
        floor: Whether there is to be a floor below them.
    """
    points = points.reshape(-1, 3)
    grid = floor_of(view, points) if floor else None
    seen = points if grid is None else np.concatenate([points, grid.reshape(-1, 3)])
    flat = view.project(seen)
    low, high = flat.min(axis=0), flat.max(axis=0)
    # Something without any size is shown as if it were one metre.
    extent = high - low if (high - low).any() else np.ones(2)
    scale = float(np.min(np.array(_ROOM) / np.maximum(extent, 1e-9 * extent.max())))
    room = np.maximum(extent * scale, _LEAST)
    width, height = room + 2.0 * _MARGIN + (0.0, _TOP + _BOTTOM)
    middle = np.array([width / 2.0, _BOTTOM + _MARGIN + room[1] / 2.0])
    return Stage(
        view=view,
        # Even numbers, as video encoders require.
        size=(2 * round(width / 2.0), 2 * round(height / 2.0)),
        scale=scale,
        offset=middle - (low + high) / 2.0 * scale,
        floor=grid,
    )


def round_length(length: float) -> float:
    """Return the largest of 1, 2, 5, 10, 20, ... (or 0.5, 0.2, ...) that is not above ``length``.

    >>> round_length(0.7), round_length(34.0)
    (0.5, 20.0)
    """
    power = 10.0 ** np.floor(np.log10(length))
    return float(power * max(step for step in (1.0, 2.0, 5.0) if step * power <= length * 1.001))


def floor_of(view: Camera, points: Array) -> Array:
    """Return the lines of a level grid below all points, shape (lines, 2, 3)."""
    flat = points.reshape(-1, 3)
    axes = np.stack(view.level())
    ground = float(np.min(flat @ view.vertical))
    level = flat @ axes.T
    height = float(np.ptp(flat @ view.vertical))
    cell = round_length(max(float(np.ptp(level, axis=0).max()), height) / 4.0)
    low, high = np.floor(level.min(axis=0) / cell), np.ceil(level.max(axis=0) / cell)
    x, y = (np.arange(a, b + 1.0) * cell for a, b in zip(low, high, strict=True))
    along = [((x[0], coordinate), (x[-1], coordinate)) for coordinate in y] + [
        ((coordinate, y[0]), (coordinate, y[-1])) for coordinate in x
    ]
    lines = np.array(along)
    grid: Array = lines @ axes + ground * view.vertical
    return grid


def draw_stage(axes: "Axes", stage: Stage, show: Show) -> None:
    """Draw the name, the scale, gravity and the floor."""
    from matplotlib.collections import LineCollection

    system = show.system
    if stage.floor is not None:
        lines = list(stage.pixels(stage.floor))
        axes.add_collection(LineCollection(lines, colors="#e4e5e8", linewidths=1), autolim=False)
    width, height = stage.size
    name = label_of(system.name, int(width / 12.0))
    axes.text(16, height - 14, name, va="top", fontsize=11, fontweight="bold")
    _draw_scale(axes, stage)
    _draw_gravity(axes, stage, system)


def draw_supports(axes: "Axes", stage: Stage, show: Show) -> None:
    """Draw the supports of the bodies."""
    system, figure = show.system, show.figure
    for i, body in enumerate(system.bodies):
        if body.parent != "world" or body.joint.nv == 6:
            continue
        if body.joint.q_units.count("m") == 1:
            box = figure.boxes[:1, figure.box_bodies == i]
            _draw_rail(axes, stage, figure.origins[:, i], stage.pixels(box).reshape(-1, 2))
        elif "m" not in body.joint.q_units:
            _draw_ground(axes, stage, figure.anchors[0, i], figure)
    for anchor in figure.grounds[0]:
        _draw_ground(axes, stage, anchor, figure)


def _draw_scale(axes: "Axes", stage: Stage) -> None:
    length = round_length(110.0 / stage.scale)
    x, y, tall = 16.0, 20.0, 4.0
    end = x + length * stage.scale
    axes.plot([x, x, x, end, end, end], [y + tall, y - tall, y, y, y - tall, y + tall],
              color=GREY, lw=1.2)  # fmt: skip
    axes.text(end + 8, y, f"{length:g} m", va="center", fontsize=9, color=GREY)


def _draw_gravity(axes: "Axes", stage: Stage, system: SystemLike) -> None:
    gravity = np.array(system.gravity)
    if not gravity.any():
        return
    direction = stage.view.project(gravity / np.linalg.norm(gravity))
    middle = np.array([stage.size[0] - 34.0, stage.size[1] - 34.0])
    if np.linalg.norm(direction) < 0.2:
        # The tail of an arrow that flies away from the eye.
        axes.plot(*middle, "o", ms=11, mfc="none", mec=GREY, mew=1.2)
        axes.plot(*middle, "x", ms=6, mec=GREY, mew=1.2)
    else:
        start = middle - direction * _ARROW / 2.0
        arrow = {"arrowstyle": "-|>", "color": GREY, "lw": 1.2, "shrinkA": 0, "shrinkB": 0}
        tip, tail = (tuple(end) for end in (start + direction * _ARROW, start))
        axes.annotate("", tip, tail, arrowprops=arrow)
    axes.text(middle[0] - 13, middle[1], "g", ha="right", va="center", color=GREY, style="italic")


def _draw_rail(axes: "Axes", stage: Stage, path: Array, box: Array) -> None:
    """Draw the straight rail of a slider, with a stop at either end.

    Args:
        axes: Where to draw.
        stage: The picture.
        path: Where the slider's origin was [m], shape (n, 3).
        box: The corners of the slider [pixel], shape (corners, 2); may be empty.
    """
    pixels = stage.pixels(path)
    _, _, axes_2d = np.linalg.svd(pixels - pixels.mean(axis=0), full_matrices=False)
    along = axes_2d[0] if np.ptp(pixels @ axes_2d[0]) > 0.0 else np.array([1.0, 0.0])
    across = np.array([-along[1], along[0]]) * 6.0
    positions = pixels @ along
    room = (8.0 + np.ptp(box @ along) / 2.0 if len(box) else 20.0) * along
    ends = [pixels[np.argmin(positions)] - room, pixels[np.argmax(positions)] + room]
    axes.plot(*np.transpose(ends), color=GREY, lw=3, solid_capstyle="round")
    for end in ends:
        axes.plot(*np.transpose([end - across, end + across]), color=GREY, lw=2)


def _draw_ground(axes: "Axes", stage: Stage, anchor: Array, figure: Skeleton) -> None:
    """Draw the mark of a joint on the ground: a bracket seen from the side, a plate otherwise."""
    view, foot = stage.view, stage.pixels(anchor)
    if not view.planar or abs(view.up @ view.vertical) < 0.2:
        a, b = view.level() if not view.planar else (view.right, view.up)
        square = np.array([a + b, a - b, -a - b, b - a]) * 14.0 / stage.scale
        plate = stage.pixels(anchor + square)
        axes.fill(*plate.T, facecolor="#dfe2e7", edgecolor=GREY, lw=1)
        return
    above = stage.pixels(figure.points())[..., 1].mean() >= foot[1] - 1.0
    side = -1.0 if above else 1.0
    triangle = foot + np.array([(0.0, 0.0), (-11.0, 17.0 * side), (11.0, 17.0 * side)])
    axes.fill(*triangle.T, facecolor="#dfe2e7", edgecolor=INK, lw=1, joinstyle="round")
    base = triangle[1:, 1]
    axes.plot(foot[0] + np.array([-18.0, 18.0]), base, color=INK, lw=1.5)
    for x in (-14.0, -6.0, 2.0, 10.0):
        axes.plot(
            [foot[0] + x, foot[0] + x + 5.0], [base[0], base[0] + 6.0 * side], color=INK, lw=0.8
        )
