"""The lines of a body that has shapes: bars by their axes, discs by their rims."""

from itertools import pairwise

import numpy as np

from poinsot.model import Body, Capsule, Cylinder
from poinsot.spatial import Array

__all__ = ["Line", "outline"]

Line = tuple[Array, Array]
"""From and to [m] in the axes of a body, each of shape (3,)."""

_SLENDER = 4.0
"""Ratio of length to radius above which a cylinder is drawn as a bar, else as a disc."""

_SIDES = 24
"""Of the polygon that a rim is drawn as."""


def outline(body: Body) -> list[Line]:
    """Return the lines of a body whose visual shapes are all capsules and cylinders, else none."""
    shapes = [shape for shape in body.shapes if shape.role == "visual"]
    lines: list[Line] = []
    for shape in shapes:
        if not isinstance(shape, Capsule | Cylinder):
            return []
        pose = shape.pose.transform()
        middle, axes = pose.p, pose.R
        radius, length = float(shape.radius), float(shape.length)
        if isinstance(shape, Capsule) or length > _SLENDER * radius:
            half = axes[:, 2] * length / 2.0
            lines.append((middle - half, middle + half))
        else:
            angles = np.linspace(0.0, 2.0 * np.pi, _SIDES + 1)
            circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
            lines += list(pairwise(middle + radius * circle @ axes[:, :2].T))
    return lines
