"""A picture of a system in TikZ: bodies as lines and boxes, joints with their coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from poinsot.algebra.notation import Notation
from poinsot.plots.camera import Camera, choose_view
from poinsot.plots.run_like import SystemLike
from poinsot.plots.skeleton import Skeleton, skeleton
from poinsot.spatial import Array

SIZE: Final = 7.0
"""Larger side of the picture [cm]."""

BENT, OUT = 0.35, 0.25
"""Angles [rad] of the joints in the picture, and slides relative to its size."""

MOST_LARGE: Final = 10
"""Labels up to which they are written large."""

_COLOURS: Final = ("blue!60!black", "red!70!black", "green!45!black", "orange!80!black", "violet")


def figure(system: SystemLike, symbols: Notation, q: Array) -> str:
    """Return the picture of a system as a ``tikzpicture``.

    Args:
        system: The system, with numbers.
        symbols: Its notation.
        q: The configuration to show it in, shape (nq,).
    """
    bones = skeleton(system, np.stack([q, bent(system, q, 0.1)]))
    view = choose_view(bones.points(), bones.points(), system.gravity)
    draw = _Drawing(bones, view)
    lines = [r"\begin{tikzpicture}[line cap=round, line join=round]"]
    lines += draw.boxes() + draw.rods() + draw.joints(system, symbols)
    return "\n".join([*lines, r"\end{tikzpicture}"])


def bent(system: SystemLike, q: Array, amount: float = 1.0) -> Array:
    """Return a configuration with angles and slides that show how a system moves, shape (nq,).

    Args:
        system: The system, with numbers.
        q: Reference configuration, shape (nq,).
        amount: Scale of the displacement, 1 for the picture.
    """
    points = skeleton(system, q[None]).points()[0]
    size = float(np.max(np.ptp(points, axis=0))) or 1.0
    steps = {"rad": BENT, "m": OUT * size}
    moved = np.array(q)
    for body, q_slice in zip(system.bodies, system.mechanism.q_slices, strict=True):
        if body.joint.nq == body.joint.nv:
            moved[q_slice] += amount * np.array([steps[unit] for unit in body.joint.q_units])
    return moved


class _Drawing:
    """The strokes of a picture, the first configuration of a skeleton seen from one side."""

    def __init__(self, bones: Skeleton, view: Camera) -> None:
        self._bones, self._view = bones, view
        flat = view.project(bones.points()[0])
        self._low = flat.min(axis=0)
        width = float(np.max(np.ptp(flat, axis=0)))
        self._scale = SIZE / width if width > 0.0 else 1.0

    def rods(self) -> list[str]:
        """Return the lines of bodies, rods without mass thin, and their mass centres."""
        bones = self._bones
        lines = [
            rf"\draw[line width=1.6pt, {_colour(body)}] {self._path(ends)};"
            for body, ends in zip(bones.rod_bodies.tolist(), bones.rods[0], strict=True)
        ]
        lines += [rf"\draw[thin] {self._path(ends)};" for ends in bones.ties[0]]
        for body, centre in enumerate(bones.coms[0]):
            if bones.massive[body]:
                lines.append(rf"\fill[{_colour(body)}] {self._position(centre)} circle (1.6pt);")
        return lines

    def boxes(self) -> list[str]:
        """Return the outlines of bodies that are boxes."""
        bones = self._bones
        lines = []
        for body, corners in zip(bones.box_bodies.tolist(), bones.boxes[0], strict=True):
            outline = _hull(self._view.project(corners))
            path = " -- ".join(self._point(corner) for corner in outline)
            lines.append(rf"\draw[fill={_colour(body)}!15, draw={_colour(body)}] {path} -- cycle;")
        return lines

    def joints(self, system: SystemLike, symbols: Notation) -> list[str]:
        """Return joints as circles with the letters of their coordinates, and their supports."""
        lines: list[str] = []
        labels: dict[str, list[str]] = {}  # coincident joints share a label
        bones = self._bones
        for i, body in enumerate(system.bodies):
            point = bones.anchors[0, i]
            if system.mechanism.parents[i] < 0 and body.joint.nv < 6:
                lines += self._ground(point)
            if body.joint.nv == 0:
                continue
            if "m" in body.joint.q_units and body.joint.nv < 6:
                ends = np.stack([point, bones.origins[0, i]])
                lines.append(rf"\draw[gray, dashed] {self._path(ends)};")
            names = [str(x.value) for x in symbols.q[system.mechanism.q_slices[i]]]
            shown = [symbols.letters[name].latex for name in names[:3]]
            shown += [r"\ldots"] if len(names) > 3 else []
            labels.setdefault(self._position(point), []).extend(shown)
            lines.append(rf"\draw[fill=white] {self._position(point)} circle (2.2pt);")
        font = r"\small" if len(labels) <= MOST_LARGE else r"\tiny"
        for position, letters in labels.items():
            text = ", ".join(letters)
            lines.append(rf"\node[above right, font={font}] at {position} {{${text}$}};")
        for point in bones.pins[0]:
            lines.append(rf"\draw[fill=white] {self._position(point)} circle (2.2pt);")
        for point in bones.grounds[0]:
            lines += self._ground(point)
        return lines

    def _ground(self, point: Array) -> list[str]:
        """Return a hatched line below a point."""
        x, y = self._on_page(self._view.project(point))
        y -= 0.16
        lines = [rf"\draw[gray] ({x - 0.3:.3f},{y:.3f}) -- ({x + 0.3:.3f},{y:.3f});"]
        for k in range(4):
            left = x - 0.26 + 0.15 * k
            lines.append(rf"\draw[gray] ({left:.3f},{y:.3f}) -- ({left - 0.1:.3f},{y - 0.12:.3f});")
        return lines

    def _path(self, ends: Array) -> str:
        return " -- ".join(self._position(end) for end in ends)

    def _position(self, point: Array) -> str:
        return self._point(self._view.project(point))

    def _point(self, flat: Array) -> str:
        x, y = self._on_page(flat)
        return f"({x:.3f},{y:.3f})"

    def _on_page(self, flat: Array) -> tuple[float, float]:
        x, y = self._scale * (flat - self._low)
        return float(x) + 0.0, float(y) + 0.0


def _colour(body: int) -> str:
    return _COLOURS[body % len(_COLOURS)]


def _hull(points: Array) -> list[Array]:
    """Return the convex hull of points, shape (n, 2)."""
    ordered = sorted(points.tolist())
    return [np.array(p) for p in (*_chain(ordered), *_chain(ordered[::-1]))]


def _chain(points: Sequence[list[float]]) -> list[list[float]]:
    """Return one half of the hull, without its last corner."""
    kept: list[list[float]] = []
    for p in points:
        while len(kept) > 1 and _turn(kept[-2], kept[-1], p) <= 1e-12:
            kept.pop()
        kept.append(p)
    return kept[:-1]


def _turn(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
