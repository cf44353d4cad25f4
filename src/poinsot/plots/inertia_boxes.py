"""The box that a body is drawn as when no line would show it: the one that has its inertia."""

import numpy as np

from poinsot.model import Body
from poinsot.spatial import Array

__all__ = ["CORNERS", "FACES", "box_axes"]

CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
"""The corners of a cube of side 2, shape (8, 3)."""

FACES = np.array(
    [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
)
"""The corners of each face, counterclockwise seen from outside, shape (6, 4)."""

_THIN = 0.02
"""No side is drawn thinner than this fraction of the longest."""

_ALIGNED = 1e-12
"""Directions this near to a body axis are along it but for rounding."""


def box_axes(body: Body, default: float, along: Array | None = None) -> Array:
    """Return the half sides of the solid box that has the body's mass and inertia.

    A box of sides a, b, c has Ixx = m (b² + c²) / 12, and so a² = 6 (Iyy + Izz - Ixx) / m.

    Args:
        body: The body.
        default: Side [m] of the cube that stands for a body without mass or inertia.
        along: Unit vector in body axes that an edge of this cube follows: its guide's direction.

    Returns:
        Three orthogonal vectors in body axes, the columns of an array of shape (3, 3) [m].

    >>> import poinsot as ps
    >>> box_axes(ps.Body("b", mass=12.0, inertia=(5.0, 10.0, 13.0)), default=1.0).diagonal()
    array([1.5, 1. , 0.5])
    """
    moments, axes = np.linalg.eigh(body.inertia_matrix())
    if np.count_nonzero(body.inertia_matrix() - np.diag(body.inertia[:3])) == 0:
        # Already principal: keep the body's own axes, in their order.
        moments, axes = np.array(body.inertia[:3]), np.eye(3)
    if body.mass <= 0.0 or not moments.any():
        return _turned_to(along) * default / 2.0
    squares = 6.0 * (moments.sum() - 2.0 * moments) / body.mass
    sides = np.sqrt(np.maximum(squares, 0.0))
    half: Array = axes * np.maximum(sides, _THIN * sides.max()) / 2.0
    return half


def _turned_to(along: Array | None) -> Array:
    """Return axes of which one is a direction, turned about the axis most perpendicular to it."""
    axes = np.eye(3)
    if along is None or np.max(np.abs(along)) > 1.0 - _ALIGNED:
        return axes
    fixed = axes[:, 2 - int(np.argmin(np.abs(along[::-1])))]
    fixed = fixed - (fixed @ along) * along
    fixed /= np.linalg.norm(fixed)
    return np.stack([along, np.cross(fixed, along), fixed], axis=-1)
