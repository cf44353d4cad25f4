"""Springs and dampers between points in a picture: where they are, and how they are drawn."""

import numpy as np

from poinsot.model import WORLD, AbstractForceBetween, Mechanism
from poinsot.plots.closures import point_of
from poinsot.spatial import Array

__all__ = ["coil", "dashpot", "spring_points", "sprung_points"]

_TURNS = 7
_WIDTH = 6.0
"""Half of the width of a coil [pixel]."""
_LEAD = 0.15
"""Fraction of a spring that is straight, at either end."""
_CYLINDER = 5.0
"""Half of the width of a dashpot [pixel]."""
_LONGEST = 40.0
"""Length of a cylinder [pixel], unless the damper is shorter than three of them."""
_BESIDE = 13.0
"""Distance of a dashpot from the coil of the same element [pixel]."""


def sprung_points(mechanism: Mechanism) -> dict[int, list[Array]]:
    """Return the attachment points of springs and dampers on each body, in body axes."""
    points: dict[int, list[Array]] = {}
    for force in _between(mechanism):
        for body, xyz in force.ends:
            if body != WORLD:
                points.setdefault(mechanism.index(body), []).append(np.array(xyz, dtype=float))
    return points


def spring_points(mechanism: Mechanism, origins: Array, rotations: Array) -> dict[str, Array]:
    """Return the ends of the elements between two points, for n configurations; see ``Skeleton``.

    Args:
        mechanism: The bodies and force elements.
        origins: Of the bodies [m], shape (n, bodies, 3).
        rotations: Of the bodies, shape (n, bodies, 3, 3).
    """
    n = len(origins)
    between = _between(mechanism)
    ends = [
        np.stack([point_of(mechanism, origins, rotations, *end) for end in force.ends], axis=1)
        for force in between
    ]
    return {
        "springs": np.stack(ends, axis=1) if ends else np.empty((n, 0, 2, 3)),
        "coiled": np.array([force.is_spring for force in between], dtype=bool),
        "damped": np.array([force.is_damper for force in between], dtype=bool),
    }


def coil(start: Array, end: Array) -> Array:
    """Return the zigzag of a spring between two points [pixel], shape (corners, 2)."""
    along, across = _axes(start, end)
    corners = np.linspace(_LEAD, 1.0 - _LEAD, 2 * _TURNS + 1)
    aside = _WIDTH * np.where(np.arange(corners.size) % 2, 1.0, -1.0)
    aside[[0, -1]] = 0.0
    zigzag = start + corners[:, None] * along + aside[:, None] * across
    return np.vstack([start, zigzag, end])


def dashpot(start: Array, end: Array, *, beside: bool) -> list[Array]:
    """Return the lines of a damper between two points [pixel], each of shape (corners, 2).

    Args:
        start: Where the piston rod begins, shape (2,).
        end: Where the cylinder is held, shape (2,).
        beside: Whether to stand beside a spring between the same points.
    """
    along, across = _axes(start, end)
    aside = _BESIDE * across if beside else np.zeros(2)

    def point_at(s: float, width: float = 0.0) -> Array:
        point: Array = start + s * along + aside + width * across
        return point

    w = _CYLINDER
    half = min(0.16, 0.5 * _LONGEST / max(float(np.hypot(*along)), 1e-9))
    rod = [point_at(0.0), point_at(0.5)]
    held = [point_at(0.5 + half), point_at(1.0)]
    if beside:
        rod, held = [start, point_at(0.0), *rod], [*held, end]
    open_end, bottom = 0.5 - half, 0.5 + half
    cylinder = [
        point_at(open_end, -w),
        point_at(bottom, -w),
        point_at(bottom, w),
        point_at(open_end, w),
    ]
    piston = [point_at(0.5, -0.8 * w), point_at(0.5, 0.8 * w)]
    return [np.array(line) for line in (rod, piston, cylinder, held)]


def _between(mechanism: Mechanism) -> list[AbstractForceBetween]:
    """Return the elements that act between two points."""
    return [force for force in mechanism.forces if isinstance(force, AbstractForceBetween)]


def _axes(start: Array, end: Array) -> tuple[Array, Array]:
    """Return the vector from one point to the other, and a unit vector normal to it."""
    along = end - start
    length = float(np.hypot(*along))
    across = np.array([-along[1], along[0]]) / length if length > 0.0 else np.array([0.0, 1.0])
    return along, across
