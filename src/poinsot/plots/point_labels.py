"""Labels of points that may lie close to each other: apart, and away from what is drawn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poinsot.plots.style import GREY
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["free_offsets", "label_points"]

DISTANCES: Final = (22.0, 34.0, 48.0, 64.0, 84.0, 108.0, 136.0)
"""How far the middles of labels are from their points beside half their size [points]."""
AROUND: Final = 16
"""Directions that are tried."""
SAMPLES: Final = 30
"""Points of each line that labels keep away from."""
GAP: Final = 3.0
"""Least distance between labels [points]."""
LEADER: Final = 30.0
"""Distance beyond which a line leads from the label to its point [points]."""
COVERED: Final = 4.0
"""How far a label goes for not covering one more sample of a line [points]."""
OUTSIDE: Final = 1e4
"""Cost of overlapping another label, or the edge of the axes."""


def label_points(axes: "Axes", labels: Sequence[str], places: Array, lines: Array) -> None:
    """Write labels beside points, when all else is drawn and the limits are set.

    Args:
        axes: Where.
        labels: One for each point.
        places: Of the points, shape (s, 2).
        lines: What labels keep away from, from and to, shape (k, 2, 2).
    """
    figure = axes.get_figure(root=True)
    assert figure is not None
    style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8}
    texts = [axes.text(0.5, 0.5, label, transform=axes.transAxes, **style) for label in labels]
    figure.draw_without_rendering()
    scale = 72.0 / figure.dpi
    extents = [text.get_window_extent() for text in texts]
    halves = np.array([[box.width, box.height] for box in extents]).reshape(-1, 2) * 0.5 * scale
    for text in texts:
        text.remove()
    frame = axes.get_window_extent()
    corners = np.array([[frame.x0, frame.y0], [frame.x1, frame.y1]]) * scale
    seen = axes.transData.transform(np.reshape(places, (-1, 2))) * scale
    ends = axes.transData.transform(np.reshape(lines, (-1, 2))).reshape(-1, 2, 2) * scale
    offsets = free_offsets(seen, halves, ends, corners)
    for label, place, offset, half in zip(labels, places, offsets, halves, strict=True):
        is_far = float(np.max(np.abs(offset) - half)) > LEADER
        leader = {"arrowstyle": "-", "color": GREY, "linewidth": 0.7, "shrinkA": 1, "shrinkB": 3}
        axes.annotate(
            label, place, xytext=tuple(offset), textcoords="offset points", zorder=5, **style,
            arrowprops=leader if is_far else None,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 1.0},
        )  # fmt: skip


def free_offsets(places: Array, halves: Array, lines: Array, frame: Array) -> Array:
    """Return where the middles of labels are, from their points, shape (s, 2) [points].

    Args:
        places: Of the points, shape (s, 2).
        halves: Half the widths and heights of the labels, shape (s, 2).
        lines: What they keep away from, from and to, shape (k, 2, 2).
        frame: Lower left and upper right corner of what is seen, shape (2, 2).

    >>> frame = np.array([[0.0, 0.0], [400.0, 300.0]])
    >>> same = np.full((2, 2), 150.0)
    >>> offsets = free_offsets(same, np.full((2, 2), 10.0), np.zeros((0, 2, 2)), frame)
    >>> bool(np.abs(offsets[0] - offsets[1]).max() > 20.0)
    True
    """
    shares = np.linspace(0.0, 1.0, SAMPLES)[:, None]
    lines = lines[:, None]
    samples = (lines[:, :, 0] + shares * (lines[:, :, 1] - lines[:, :, 0])).reshape(-1, 2)
    samples = np.concatenate([samples, np.repeat(places, SAMPLES, axis=0)])
    turns = 2.0 * np.pi * np.arange(AROUND) / AROUND - np.pi / 4.0
    ring = np.column_stack([np.cos(turns), np.sin(turns)])
    middles, offsets = np.zeros((0, 2)), np.zeros(places.shape)
    for k, (place, half) in enumerate(zip(places, halves, strict=True)):
        reach = half * np.minimum(1.0, np.sqrt(2.0) * np.abs(ring)) * np.sign(ring)
        tried = np.concatenate([reach + 0.5 * far * ring for far in DISTANCES])
        at_middle = place + tried
        covered = (np.abs(at_middle[:, None] - samples) < half + 2.5).all(axis=2).sum(axis=1)
        room = half + halves[:k] + GAP
        clashes = (np.abs(at_middle[:, None] - middles) < room).all(axis=2).sum(axis=1)
        beyond = ((at_middle - half < frame[0]) | (at_middle + half > frame[1])).any(axis=1)
        cost = COVERED * covered + OUTSIDE * (clashes + beyond) + np.hypot(*tried.T)
        offsets[k] = tried[int(np.argmin(cost))]
        middles = np.vstack([middles, place + offsets[k]])
    return offsets
