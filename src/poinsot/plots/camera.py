"""From which side to look at a motion: face-on if it stays in a plane, else from above."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from poinsot.plots.picture_file import PlotError
from poinsot.spatial import Array

__all__ = ["Camera", "View", "choose_view", "given_view"]

_FLAT = 1e-3
"""A motion that leaves its plane by less than this fraction of the size is planar."""

_THICK = 0.2
"""A mechanism thicker than this fraction of its size is viewed as a solid."""

_LEVEL = 0.2
"""A plane that rises less than this (sine of the slope) is looked at from above."""

_ROUND = 0.75
"""Horizontal spreads whose ratio is above this are taken for equal."""

_TURN, _RISE = np.radians(28.0), np.radians(20.0)
"""How far the eye of a spatial view is turned aside and raised [rad]."""

_STATES = 400
"""Number of states from which the directions of a motion are determined."""


@dataclass(frozen=True)
class Camera:
    """An orthographic view: unit vectors to the right, up, and towards the eye, shape (3,).

    Attributes:
        right: World direction that points right in the picture.
        up: World direction that points up in the picture.
        towards: World direction that points out of the picture.
        vertical: World direction against gravity.
        planar: Whether the motion stays in the plane of the picture.
    """

    right: Array
    up: Array
    towards: Array
    vertical: Array
    planar: bool

    def level(self) -> tuple[Array, Array]:
        """Return two level unit vectors across each other, aside of how a spatial view looks."""
        away = np.cross(self.vertical, self.right)
        first = np.cos(_TURN) * self.right - np.sin(_TURN) * away
        return first, np.cross(self.vertical, first)

    def project(self, points: Array) -> Array:
        """Return where points, shape (..., 3), are in the picture, shape (..., 2)."""
        projected: Array = points @ np.stack([self.right, self.up], axis=1)
        return projected

    def depth(self, points: Array) -> Array:
        """Return how near to the eye points are, shape (...)."""
        nearness: Array = points @ self.towards
        return nearness


View: TypeAlias = str | Sequence[float]
"""Two axes, those that point right and up in the picture: "xz", "-xz"; or where the eye is."""


def given_view(view: View, gravity: tuple[float, float, float]) -> Camera:
    """Return the view that a user asked for.

    Args:
        view: The axes that point right and up in the picture, "xz", "y-x"; or the direction from
            the system to the eye, shape (3,).
        gravity: Acceleration of free fall [m/s²]; up is against it, or z without it.

    Raises:
        PlotError: If it is neither.
    """
    vertical = _vertical(gravity)
    if isinstance(view, str):
        letters = re.fullmatch(r"(-?[xyz])(-?[xyz])", view)
        right, up = (_axis(letter) for letter in letters.groups()) if letters else (None, None)
        if right is None or up is None or abs(right @ up) > 0.5:
            raise PlotError(
                "view must name the two axes that point right and up in the picture, e.g. 'xz' or "
                f"'-yz', or be the direction to the eye, e.g. (1, -2, 0.5), got {view!r}"
            )
        return Camera(right, up, np.cross(right, up), vertical, planar=True)
    towards = np.array(view, dtype=float)
    if towards.shape != (3,) or not np.isfinite(towards).all() or not towards.any():
        raise PlotError(f"view must be two axes or three numbers, not all 0, got {view!r}")
    towards /= np.linalg.norm(towards)
    right = np.cross(vertical, towards)
    if np.linalg.norm(right) < _FLAT:
        return _face_on(towards, vertical)
    right /= np.linalg.norm(right)
    return Camera(right, np.cross(towards, right), towards, vertical, planar=False)


def _axis(letter: str) -> Array:
    axis: Array = np.eye(3)["xyz".index(letter[-1])]
    return -axis if letter.startswith("-") else axis


def _vertical(gravity: tuple[float, float, float]) -> Array:
    g = np.array(gravity)
    return -g / np.linalg.norm(g) if g.any() else np.array([0.0, 0.0, 1.0])


def choose_view(moving: Array, shape: Array, gravity: tuple[float, float, float]) -> Camera:
    """Return the side from which the motion is seen best.

    Args:
        moving: Points whose paths say how the system moves [m], shape (n, k, 3).
        shape: Points that say how large it is [m], shape (n, l, 3).
        gravity: Acceleration of free fall [m/s²]; up is against it, or z without it.
    """
    vertical = _vertical(gravity)
    thinned = slice(None, None, max(1, len(moving) // _STATES))
    paths = (moving[thinned] - moving[thinned].mean(axis=0)).reshape(-1, 3)
    points = (shape[thinned] - shape[thinned].mean(axis=(0, 1))).reshape(-1, 3)
    normal = _plane(paths, points, vertical)
    if normal is None:
        return _spatial(points, vertical)
    return _face_on(normal, vertical)


def _plane(paths: Array, points: Array, vertical: Array) -> Array | None:
    """Return the normal of the plane in which the system moves; None if there is none.

    The plane holds the directions of the motion; what the motion leaves open, as for a slider or a
    system at rest, the shape of the system says, then the vertical, then the axes of the world.
    """
    size = max(_spread(paths), _spread(points))
    if size == 0.0:
        return _horizontal(vertical)[1]
    inside: list[Array] = []
    for rows in (paths, points, vertical[None] * size, np.eye(3) * size):
        for direction in _directions(rows, inside, _FLAT * size):
            if len(inside) < 2:
                inside.append(direction)
            elif rows is paths:
                return None
    normal: Array = np.cross(inside[0], inside[1])
    return normal if np.ptp(points @ normal) <= _THICK * size else None


def _directions(rows: Array, inside: list[Array], tolerance: float) -> list[Array]:
    """Return orthonormal principal directions of rows, outside a subspace; widest first."""
    for direction in inside:
        rows = rows - np.outer(rows @ direction, direction)
    _, _, directions = np.linalg.svd(rows, full_matrices=False)
    return [direction for direction in directions if np.max(np.abs(rows @ direction)) > tolerance]


def _spread(points: Array) -> float:
    return float(np.max(np.linalg.norm(points, axis=-1), initial=0.0))


def _face_on(normal: Array, vertical: Array) -> Camera:
    """Look along the normal of a plane, up against gravity; from above if the plane is level."""
    up = vertical - (vertical @ normal) * normal
    if np.linalg.norm(up) < _LEVEL:
        towards = normal if normal @ vertical > 0.0 else -normal
        x, y = np.eye(3)[:2]
        right = x if abs(x @ normal) < abs(y @ normal) or abs(x @ normal) < 0.9 else y
        right = right - (right @ towards) * towards
        right /= np.linalg.norm(right)
        return Camera(right, np.cross(towards, right), towards, vertical, planar=True)
    up /= np.linalg.norm(up)
    right = _positive(np.cross(up, normal))
    return Camera(right, up, np.cross(right, up), vertical, planar=True)


def _spatial(points: Array, vertical: Array) -> Camera:
    """Look across the widest horizontal spread, turned aside and from above."""
    a, b = _horizontal(vertical)
    flat = np.stack([points @ a, points @ b], axis=1)
    _, widths, directions = np.linalg.svd(flat, full_matrices=False)
    wide = directions[0] if widths[1] < _ROUND * widths[0] else np.array([1.0, 0.0])
    right = _positive(wide[0] * a + wide[1] * b)
    away = np.cross(vertical, right)
    right = np.cos(_TURN) * right + np.sin(_TURN) * away
    level = np.cross(right, vertical)
    towards = np.cos(_RISE) * level + np.sin(_RISE) * vertical
    return Camera(right, np.cross(towards, right), towards, vertical, planar=False)


def _horizontal(vertical: Array) -> tuple[Array, Array]:
    """Return two horizontal directions: the projection of the world's x (or y), and its normal."""
    start = np.eye(3)[0 if abs(vertical[0]) < 0.9 else 1]
    a = start - (start @ vertical) * vertical
    a /= np.linalg.norm(a)
    return a, np.cross(vertical, a)


def _positive(direction: Array) -> Array:
    """Return the direction or its opposite, whichever points along a world axis."""
    return direction if direction[np.argmax(np.abs(direction))] > 0.0 else -direction
