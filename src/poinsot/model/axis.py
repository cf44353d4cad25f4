"""Axes of joints and rotations: a letter or any non-zero vector, stored as a unit vector."""

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.checks import Vec3, scalar_vector
from poinsot.model.fields import AbstractKind, Stored
from poinsot.model.scalar_values import is_symbolic
from poinsot.spatial import Array

__all__ = ["Axis", "AxisField", "AxisLike", "normalised", "perpendicular", "unit_axis"]

AxisLike = str | ArrayLike
"""``"x"``, ``"y"``, ``"z"``, the same with a minus sign, or a vector of three numbers."""

AxisField = Stored[Vec3, AxisLike]
"""The type of a field that holds an axis."""

_LETTERS: dict[str, Vec3] = {
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    "-x": (-1.0, 0.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "-z": (0.0, 0.0, -1.0),
}

_UNIT_TOLERANCE = 2 * float(np.finfo(np.float64).eps)
"""A vector this close to unit length is kept, so that normalising twice changes no bit."""


class Axis(AbstractKind):
    """A direction: a letter or any non-zero vector, stored as a unit vector."""

    words = '"x", "y", "z" or any vector but zero'
    numbers: ClassVar[int] = 3
    file_form: ClassVar[str] = "axis"

    def stored(self, given: Any, where: str, owner: Any) -> Vec3:  # noqa: ANN401
        """Return the unit vector."""
        opening, _, called = where.rpartition(": ")
        return unit_axis(given, opening, called)


def unit_axis(axis: AxisLike, where: str, called: str = "axis") -> Vec3:
    """Return the unit vector along ``axis``; formulas as they are, until they have numbers.

    Args:
        axis: A letter or a direction of any length but zero [1], in the frame of the caller.
        where: What the axis belongs to, e.g. ``"joint 'elbow'"``; opens the message of an error.
        called: What the joint calls it.

    Examples:
        >>> unit_axis("y", "joint 'elbow'")
        (0.0, 1.0, 0.0)
        >>> unit_axis((3, 0, 4), "joint 'elbow'")
        (0.6, 0.0, 0.8)
    """
    if isinstance(axis, str):
        if axis not in _LETTERS:
            raise ModelError(f'{where}: {called} must be "x", "y", "z" or a vector, got {axis!r}')
        return _LETTERS[axis]
    vector = scalar_vector(axis, 3, f"{where}: {called}")
    if is_symbolic(vector):
        x, y, z = vector.tolist()
        return (x, y, z)
    if not vector.any():
        raise ModelError(
            f"{where}: {called} must not be zero, got {axis}; give the direction, e.g. (0, 0, 1)"
        )
    x, y, z = normalised(vector).tolist()
    return (x, y, z)


def perpendicular(axis: Vec3) -> Array:
    """Return two unit vectors perpendicular to an axis and to each other, by columns, shape (3, 2).

    The two coordinate axes that slant least to the plane across the axis, projected onto it: for
    the axis z these are x and y themselves.

    Args:
        axis: Unit vector.

    Examples:
        >>> perpendicular((0.0, 1.0, 0.0)).T
        array([[1., 0., 0.],
               [0., 0., 1.]])
    """
    n = np.array(axis)
    i, j = sorted(np.argsort(np.abs(n), kind="stable")[:2])
    first = normalised(np.eye(3)[i] - n[i] * n)
    second = np.eye(3)[j] - n[j] * n
    second = normalised(second - (second @ first) * first)
    return np.stack([first, second], axis=1) + 0.0  # no minus zeros


def normalised(vector: Array) -> Array:
    """Return ``vector / |vector|`` for a vector that is not zero, however short or long."""
    if is_symbolic(vector):
        direction: Array = vector / np.sqrt(vector @ vector)
        return direction
    if abs(math.hypot(*vector.tolist()) - 1.0) <= _UNIT_TOLERANCE:
        return vector
    scaled = vector / np.max(np.abs(vector))  # its squares neither overflow nor vanish
    unit: Array = scaled / np.sqrt(scaled @ scaled)
    return unit
