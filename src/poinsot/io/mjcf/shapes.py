"""Volume and moments of the simple shapes, of density one, about their centres in their axes.

A shell has its mass on the surface: volume then means area.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from poinsot.io.mjcf.lumped_mass import Lump, joined
from poinsot.spatial import Array

__all__ = ["SHAPES", "SHELLS", "SIZES"]


def _solid(volume: float, squares: tuple[float, float, float]) -> Lump:
    """Return the inertia of a volume whose mean squares of x, y and z about its centre are given.

    Ixx = V (<y²> + <z²>) and so on.
    """
    x, y, z = squares
    return Lump(volume, I=volume * np.diag([y + z, z + x, x + y]))


def _box(size: Array) -> Lump:
    a, b, c = size.tolist()
    return _solid(8.0 * a * b * c, (a * a / 3.0, b * b / 3.0, c * c / 3.0))


def _ellipsoid(size: Array) -> Lump:
    a, b, c = size.tolist()
    return _solid(4.0 / 3.0 * math.pi * a * b * c, (a * a / 5.0, b * b / 5.0, c * c / 5.0))


def _sphere(size: Array) -> Lump:
    return _ellipsoid(np.repeat(size, 3))


def _cylinder(size: Array) -> Lump:
    r, h = size.tolist()
    return _solid(2.0 * math.pi * r * r * h, (r * r / 4.0, r * r / 4.0, h * h / 3.0))


def _capsule(size: Array) -> Lump:
    """Return the sum of a cylinder and of two half spheres, whose centres are 3r/8 beyond it."""
    r, h = size.tolist()
    ball = 4.0 / 3.0 * math.pi * r * r * r
    along = r * r / 5.0 + 0.75 * r * h + h * h  # <(h + z)²> of a half sphere, <z> = 3r/8
    return joined([_cylinder(size), _solid(ball, (r * r / 5.0, r * r / 5.0, along))])


def _sphere_shell(size: Array) -> Lump:
    (r,) = size.tolist()
    return _solid(4.0 * math.pi * r * r, (r * r / 3.0,) * 3)


def _box_shell(size: Array) -> Lump:
    a, b, c = size.tolist()
    xx, yy, zz = a * a, b * b, c * c
    return joined(
        [
            _solid(8.0 * b * c, (xx, yy / 3.0, zz / 3.0)),
            _solid(8.0 * a * c, (xx / 3.0, yy, zz / 3.0)),
            _solid(8.0 * a * b, (xx / 3.0, yy / 3.0, zz)),
        ]
    )


def _tube(r: float, h: float) -> Lump:
    return _solid(4.0 * math.pi * r * h, (r * r / 2.0, r * r / 2.0, h * h / 3.0))


def _cylinder_shell(size: Array) -> Lump:
    r, h = size.tolist()
    discs = _solid(2.0 * math.pi * r * r, (r * r / 4.0, r * r / 4.0, h * h))
    return joined([_tube(r, h), discs])


def _capsule_shell(size: Array) -> Lump:
    r, h = size.tolist()
    along = r * r / 3.0 + r * h + h * h  # <(h + z)²> of a half spherical shell, <z> = r/2
    caps = _solid(4.0 * math.pi * r * r, (r * r / 3.0, r * r / 3.0, along))
    return joined([_tube(r, h), caps])


SIZES: Final = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
"""How many half sizes [m] each shape has: radius, then half length; or along x, y, z."""

SHAPES: Final[dict[str, Callable[[Array], Lump]]] = {
    "sphere": _sphere,
    "capsule": _capsule,
    "cylinder": _cylinder,
    "ellipsoid": _ellipsoid,
    "box": _box,
}

SHELLS: Final[dict[str, Callable[[Array], Lump]]] = {
    "sphere": _sphere_shell,
    "capsule": _capsule_shell,
    "cylinder": _cylinder_shell,
    "box": _box_shell,
}
