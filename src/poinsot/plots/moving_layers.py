"""The moving layers of an animation: each creates its artist once and then moves it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.plots.inertia_boxes import FACES
from poinsot.plots.prepared_motion import Show
from poinsot.plots.springs import coil, dashpot
from poinsot.plots.still_background import Stage, round_length
from poinsot.plots.style import GREY, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "Layer",
    "box_shadows",
    "boxes",
    "caption",
    "joints",
    "lattice",
    "mass_centres",
    "rod_shadows",
    "rods",
    "slides",
    "spring_ends",
    "springs",
    "ties",
]

_SHADOW = "#e2e3e3"
_SPRING = "#7a5c2e"

_LIGHT = (-0.43, 0.75, 0.5)
"""Where light comes from: right, up, towards the eye; a unit vector."""


@dataclass(frozen=True)
class Layer:
    """An artist and the function that moves it to its position in frame ``k``."""

    artist: Any
    move: Callable[[int], None]


def lattice(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """Marks that rest in the world while the eye moves."""
    marks = axes.plot([], [], "+", ms=7, mec="#d3d6db", mew=1)[0]
    cell = round_length(130.0 / stage.scale) * stage.scale

    def move(k: int) -> None:
        if show.follows:
            start = (stage.offset - stage.view.project(show.centre[k]) * stage.scale) % cell
            x, y = (np.arange(a, end, cell) for a, end in zip(start, stage.size, strict=True))
            y = y[(y > stage.free[0]) & (y < stage.free[1])]
            marks.set_data(*(grid.ravel() for grid in np.meshgrid(x, y)))

    return Layer(marks, move)


def rod_shadows(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """Shadows of lines on the floor, if there is one."""
    lines = _lines(axes, show, colors=_SHADOW)

    def move(k: int) -> None:
        if stage.floor is not None:
            lines.set_segments(stage.pixels(stage.dropped(show.figure.rods[k])))

    return Layer(lines, move)


def box_shadows(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """Shadows of boxes on the floor, if there is one."""
    faces = _faces(axes, facecolors=_SHADOW, edgecolors=_SHADOW)

    def move(k: int) -> None:
        if stage.floor is not None:
            corners = show.figure.boxes[k][:, FACES].reshape(-1, 4, 3)
            faces.set_verts(stage.pixels(stage.dropped(corners)))

    return Layer(faces, move)


def slides(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """Dashed lines along which one body slides on another."""
    lines = _lines(axes, show, colors=GREY, linewidths=1.5, linestyles="--")
    bodies = show.system.bodies
    sliding = [b.joint.q_units.count("m") == 1 and b.parent != "world" for b in bodies]
    some = np.flatnonzero(sliding)

    def move(k: int) -> None:
        ends = (show.figure.anchors[k, some], show.figure.origins[k, some])
        lines.set_segments(stage.pixels(np.stack(ends, axis=1)))

    return Layer(lines, move)


def boxes(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """The visible faces of boxes, those of far boxes first."""
    faces = _faces(axes, edgecolors=INK)
    view = stage.view
    light = np.array(_LIGHT) @ np.stack([view.right, view.up, view.towards])

    def move(k: int) -> None:
        corners = show.figure.boxes[k]
        order = np.argsort(view.depth(corners.mean(axis=1)), kind="stable")
        corners = corners[order][:, FACES]
        normals = np.cross(corners[:, :, 1] - corners[:, :, 0], corners[:, :, 2] - corners[:, :, 1])
        normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
        seen = normals @ view.towards > 1e-9
        white = np.clip(0.45 + 0.35 * normals @ light, 0.05, 0.85)[..., None]
        colours = show.colours[show.figure.box_bodies[order]][:, None]
        faces.set_verts(stage.pixels(corners[seen]))
        faces.set_facecolor((white + (1.0 - white) * colours)[seen])

    return Layer(faces, move)


def rods(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """The lines of bodies, far ones first."""
    lines = _lines(axes, show)

    def move(k: int) -> None:
        ends = show.figure.rods[k]
        order = np.argsort(stage.view.depth(ends.mean(axis=1)), kind="stable")
        lines.set_segments(stage.pixels(ends[order]))
        lines.set_color(show.colours[show.figure.rod_bodies[order]])

    return Layer(lines, move)


def mass_centres(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """Faint dots at the mass centres of lines; a box has it in its middle."""
    dots = axes.plot([], [], "o", ms=5.5, mfc="white", mec="none", alpha=0.55)[0]
    lined = np.setdiff1d(show.figure.rod_bodies, show.figure.box_bodies)
    some = lined[show.figure.massive[lined] & (not show.crowded)]

    def move(k: int) -> None:
        dots.set_data(*stage.pixels(show.figure.coms[k, some]).T)

    return Layer(dots, move)


def joints(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """Dots at the joints that turn."""
    size = 4.0 if show.crowded else 7.0
    dots = axes.plot([], [], "o", ms=size, mfc="white", mec=INK, mew=1.2)[0]
    pinned = [b.joint.nv > 0 and "m" not in b.joint.q_units for b in show.system.bodies]
    some = np.flatnonzero(pinned)

    def move(k: int) -> None:
        points = np.concatenate([show.figure.origins[k, some], show.figure.pins[k]])
        dots.set_data(*stage.pixels(points).T)

    return Layer(dots, move)


def ties(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """Rods without mass."""
    lines = _lines(axes, show, colors=GREY, linewidths=2.0)
    return Layer(lines, lambda k: lines.set_segments(stage.pixels(show.figure.ties[k])))


def springs(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """Coils of springs and cylinders of dampers, as wide on the screen however long they are."""
    lines = _lines(axes, show, colors=_SPRING, linewidths=1.4, joinstyle="round")

    def move(k: int) -> None:
        drawn: list[Any] = []
        elements = zip(stage.pixels(show.figure.springs[k]), show.figure.coiled, show.figure.damped,
                    strict=True)  # fmt: skip
        for (start, end), coiled, damped in elements:
            drawn += [coil(start, end)] if coiled else []
            drawn += dashpot(start, end, beside=bool(coiled)) if damped else []
        lines.set_segments(drawn)

    return Layer(lines, move)


def spring_ends(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """Small dots at the attachment points of springs and dampers."""
    dots = axes.plot([], [], "o", ms=4.0, mfc=_SPRING, mec="none")[0]

    def move(k: int) -> None:
        dots.set_data(*stage.pixels(show.figure.springs[k].reshape(-1, 3)).T)

    return Layer(dots, move)


def caption(axes: "Axes", show: Show, stage: Stage) -> Layer:
    """The time."""
    text = axes.text(16, stage.size[1] - 36, "", va="top", fontsize=10)
    return Layer(text, lambda k: text.set_text(show.captions[k]))


def _lines(axes: "Axes", show: Show, **look: Any) -> Any:  # noqa: ANN401
    from matplotlib.collections import LineCollection

    look = {"linewidths": 4.0 if show.crowded else 6.0, "capstyle": "round", **look}
    return axes.add_collection(LineCollection([], **look), autolim=False)


def _faces(axes: "Axes", **look: Any) -> Any:  # noqa: ANN401
    from matplotlib.collections import PolyCollection

    look = {"linewidths": 0.9, "joinstyle": "round", **look}
    return axes.add_collection(PolyCollection([], **look), autolim=False)
