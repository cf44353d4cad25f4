"""The picture of an impact: bodies, points, impulses, velocities before and after, energy."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from poinsot.plots.camera import Camera, choose_view
from poinsot.plots.figure import FIGURES, put_out
from poinsot.plots.picture_file import checked_target
from poinsot.plots.point_labels import label_points
from poinsot.plots.style import GREY, INK, RC, SERIES, label_of
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["PicturedImpact", "plot_impact"]

FLAT = 1e-3
"""How far velocities and impulses may leave a plane, relative to the largest, and be flat."""
BARS = 5
"""Bars of work are no wider than if there were so many."""
TICKS = 4
"""Intervals of the scale of work, so that its numbers stay apart."""
ROUNDING = 1e-12
"""Work that is none, relative to what went to and fro."""
NORMAL = 0.06
"""Half the length of normals, relative to the size of the picture."""
ARROW = 0.3
"""Length of the longest arrow, relative to the size of the picture."""


@dataclass(frozen=True)
class PicturedImpact:
    """What the picture shows.

    Attributes:
        title: Of the figure.
        rods: Lines of each system, from and to, shapes (lines, 2, 3) [m].
        names: Of the points.
        points: Where they touch, shape (s, 3) [m].
        impulses: On the second bodies, shape (s, 3) [N s].
        before: Velocities of second bodies relative to first ones before it, shape (s, 3) [m/s].
        after: And after it, shape (s, 3).
        normals: Directions in which the points part, shape (s, 3); zeros where there is none.
        works: Of the impulses at each point, shape (s,) [J].
        rest: What else did work, and how much [J].
        gravity: Which way is down.
        sizes: Texts of the sizes of the impulses; those of the arrows by default.
        ropes: Taut ones, from and to, shape (ropes, 2, 3) [m].
    """

    title: str
    rods: Sequence[Array]
    names: Sequence[str]
    points: Array
    impulses: Array
    before: Array
    after: Array
    normals: Array
    works: Array
    rest: tuple[str, float]
    gravity: tuple[float, float, float]
    sizes: Sequence[str] = ()
    ropes: Array = field(default_factory=lambda: np.zeros((0, 2, 3)))


def plot_impact(path: str | Path | None, impact: PicturedImpact) -> "Figure":
    """Draw an impact, and the work at its points; return the figure.

    Args:
        path: File to write; None: show it.
        impact: What to draw.
    """
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    target = None if path is None else checked_target(path, FIGURES, "figure")
    with style.context(["default", dict(RC)]):
        figure = Figure(figsize=(10.0, 4.8), layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(label_of(impact.title, 80), fontsize=13, fontweight="bold")
        scene, bars = figure.subplots(1, 2, width_ratios=(2.2, 1.0))
        _draw_works(bars, impact)
        _draw_scene(scene, impact)
        put_out(figure, target)
    return figure


def _draw_scene(axes: "Axes", impact: PicturedImpact) -> None:
    camera = _camera(impact)
    shape = [rods.reshape(-1, 3) for rods in (*impact.rods, impact.ropes)]
    seen = camera.project(np.concatenate([impact.points, *shape]))
    size = max(float(np.ptp(seen, axis=0).max()), 1e-6)
    sides = (("first system", SERIES[0], 5.0), ("second system", SERIES[3], 3.0))
    for rods, (label, colour, width) in zip(impact.rods, sides, strict=False):
        for rod in rods:
            axes.plot(*camera.project(rod).T, color=colour, linewidth=width, alpha=0.55,
                      solid_capstyle="round", zorder=1)  # fmt: skip
        if len(impact.rods) > 1 and all(map(len, impact.rods)):
            axes.plot([], color=colour, linewidth=width, alpha=0.55, label=label)
    for k, rope in enumerate(impact.ropes):
        axes.plot(*camera.project(rope).T, color=INK, linewidth=1.0, zorder=1.2,
                  label=None if k else "rope")  # fmt: skip
    axes.set_axisbelow(True)
    places = camera.project(impact.points)
    speed, force = (
        max((float(np.abs(vectors).max(initial=0.0)) for vectors in same), default=0.0)
        for same in ((impact.before, impact.after), (impact.impulses,))
    )
    arrows = (
        (impact.before, speed, GREY, "velocity before (second from first)", "m/s", 1.4),
        (impact.after, speed, SERIES[2], "velocity after", "m/s", 1.4),
        (impact.impulses, force, SERIES[1], "impulse on the second body", "N s", 2.4),
    )
    shafts = [camera.project(rods) for rods in impact.rods]
    across = camera.project(impact.normals) * (NORMAL * size)
    has_normal = impact.normals.any(axis=1)
    lines = np.stack([places - across, places + across], axis=1)[has_normal]
    for k, line in enumerate(lines):
        axes.plot(*line.T, color=INK, linestyle=":", linewidth=0.9, zorder=1.5,
                  label=None if k else "normal")  # fmt: skip
    for vectors, scale, colour, label, unit, width in arrows:
        longest = float(np.linalg.norm(vectors, axis=1).max(initial=0.0))
        if not longest:
            continue
        ends = camera.project(vectors) * (ARROW * size / scale)
        axes.quiver(*places.T, *ends.T, color=colour, label=f"{label}, up to {longest:.3g} {unit}",
                    angles="xy", scale=1.0, scale_units="xy", width=0.0022 * width,
                    zorder=5.0 - width)  # fmt: skip
        reached = places + ends
        axes.plot(*reached.T, linestyle="none")  # so that the axes hold the arrows
        shafts.append(np.stack([places, reached], axis=1))
    axes.plot(*places.T, "o", color=INK, markersize=4.0, zorder=4)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.12)
    axes.set_xlabel(f"{_axis_name(camera.right)} [m]")
    axes.set_ylabel(f"{_axis_name(camera.up)} [m]")
    figure = axes.get_figure(root=True)
    if figure is not None and axes.get_legend_handles_labels()[0]:
        figure.legend(loc="outside lower center", ncols=3)
    sizes = impact.sizes or [f"{np.linalg.norm(impulse):.3g} N s" for impulse in impact.impulses]
    labels = [f"{label_of(name)}\n{size}" for name, size in zip(impact.names, sizes, strict=True)]
    label_points(axes, labels, places, np.concatenate(shafts))


def _camera(impact: PicturedImpact) -> Camera:
    """Return a view of all, face-on where what is to be seen lies in a plane."""
    lines = [rods.reshape(-1, 3) for rods in (*impact.rods, impact.ropes)]
    shape = np.concatenate([impact.points, *lines])
    if not len(impact.points):
        return choose_view(np.zeros((2, 1, 3)), shape[None], impact.gravity)
    velocities = np.concatenate([impact.before, impact.after])
    vectors = np.concatenate(
        [rows / (float(np.abs(rows).max()) or 1.0) for rows in (velocities, impact.impulses)]
    )
    moving = np.stack([np.zeros_like(vectors), vectors])
    _, sizes, directions = np.linalg.svd(vectors, full_matrices=True)
    across = np.ptp(impact.points @ directions[2]) / max(float(np.ptp(shape, axis=0).max()), 1e-6)
    if (sizes > FLAT).sum() == 2 and across <= FLAT:
        shape = impact.points  # however thick bodies are
    return choose_view(moving, shape[None], impact.gravity)


def _axis_name(direction: Array) -> str:
    """Return the axis of the world along a direction, or what is across or up in the picture."""
    k = int(np.argmax(np.abs(direction)))
    if abs(direction[k]) < 1.0 - 1e-9:
        return "in the picture"
    return ("-" if direction[k] < 0.0 else "") + "xyz"[k]


def _draw_works(axes: "Axes", impact: PicturedImpact) -> None:
    from matplotlib.ticker import MaxNLocator

    names = [label_of(name) for name in [*impact.names, impact.rest[0]]]
    works = np.append(impact.works, impact.rest[1])
    speeds = np.linalg.norm([impact.before, impact.after], axis=2).max(axis=0)
    exchanged = float(np.sum(np.linalg.norm(impact.impulses, axis=1) * speeds))
    least = ROUNDING * max(exchanged, float(np.abs(works).max()))
    works = np.where(np.abs(works) <= least, 0.0, works)
    if len(names) > 1 and not works[-1]:
        names, works = names[:-1], works[:-1]
    colours = [SERIES[1] if work > 0.0 else SERIES[0] for work in works]
    axes.set_axisbelow(True)
    axes.barh(range(len(works)), works, color=colours, height=0.6)
    beside = max(0.0, 0.5 * (BARS - len(works)))
    axes.set_ylim(-0.5 - beside, len(works) - 0.5 + beside)
    axes.set_yticks(range(len(works)), names)
    axes.axvline(0.0, color=INK, linewidth=0.8)
    axes.invert_yaxis()
    axes.set_xlabel("work [J], negative: lost")
    axes.xaxis.set_major_locator(MaxNLocator(TICKS))
    axes.set_title(f"energy: {works.sum():+.4g} J" if works.any() else "energy: none lost")
