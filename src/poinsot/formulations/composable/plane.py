"""Vectors and poses of the plane; arrays with any batch axes in front, floats or expressions.

A pose is (x, y, φ), the origin of a link's frame [m] and the angle of its x axis [rad].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from poinsot.expr import Scalar, atan2, cos, sin, sqrt
from poinsot.formulations.composable.turn import Turn
from poinsot.model.planar.linkage import PlanarAngle, PlanarVector
from poinsot.spatial import Array

PARALLEL: Final = 1e-9
"""Sine of an angle between slides that counts as zero."""


def direction(angle: PlanarAngle) -> Array:
    """Return the unit vector at an angle [rad], shape (..., 2)."""
    if np.asarray(angle).dtype == object:
        angles = np.asarray(angle)
        pairs = [_direction_of(entry) for entry in angles.ravel()]
        return np.array(pairs, object).reshape(*angles.shape, 2)
    return stacked(np.cos(angle), np.sin(angle))


def turned(vector: Array) -> Array:
    """Return a vector turned by +90°, J a."""
    return stacked(-vector[..., 1], vector[..., 0])


def rotated(angle: PlanarAngle, vector: PlanarVector) -> Array:
    """Return A(angle) vector."""
    s, u = np.asarray(vector), direction(angle)
    vectors: Array = s[..., :1] * u + s[..., 1:] * turned(u)
    return vectors


def dot(a: Array, b: Array) -> Array:
    """Return a · b, shape (...)."""
    return np.asarray(a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1])


def wedge(a: Array, b: Array) -> Array:
    """Return a × b = a_x b_y - a_y b_x, shape (...)."""
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def angle_of(vector: Array, square: PlanarAngle | None = None) -> Array:
    """Return the angle of a vector from the x axis [rad].

    Args:
        vector: The vector.
        square: Its length squared where that is known: expressions then need no other root.
    """
    angle = _over_any(np.arctan2, atan2, vector[..., 1], vector[..., 0])
    if angle.dtype != object:
        return angle
    inverse = 1.0 / square_root(dot(vector, vector) if square is None else square)
    return _over_any(np.arctan2, Turn, angle, vector[..., 0] * inverse, vector[..., 1] * inverse)


def angle_between(a: Array, b: Array, square: Array) -> Array:
    """Return the angle from b to a, two vectors of the same squared length [rad]."""
    angle = np.asarray(plain(angle_of(a)) - plain(angle_of(b)))
    if angle.dtype != object:
        return angle
    inverse = 1.0 / square
    return _over_any(np.arctan2, Turn, angle, dot(b, a) * inverse, wedge(b, a) * inverse)


def plain(values: Array) -> Array:
    """Return values without the directions that turns carry: floats or expressions."""
    if values.dtype != object:
        return values
    flat = [x.angle if isinstance(x, Turn) else x for x in values.ravel()]
    return np.array([*flat, None], object)[:-1].reshape(values.shape)


def square_root(x: PlanarAngle) -> Array:
    """Return √x of floats or expressions."""
    return _over_any(np.sqrt, sqrt, x)


def point_at(pose: Array, point: PlanarVector) -> Array:
    """Return where a point of a link is, r + A s, shape (..., 2)."""
    return pose[..., :2] + rotated(pose[..., 2], point)


def pose_with(point: PlanarVector, place: Array, angle: PlanarAngle) -> Array:
    """Return the pose of a link at an angle, one point of which is at a place."""
    origin = place - rotated(angle, point)
    return stacked(origin[..., 0], origin[..., 1], angle)


def stacked(*values: PlanarAngle) -> Array:
    """Return values side by side on a new last axis, broadcast against each other."""
    if all(np.ndim(value) == 0 for value in values):
        return np.array([value[()] if isinstance(value, np.ndarray) else value for value in values])
    return np.stack(np.broadcast_arrays(*values), axis=-1)


def scaled(factor: PlanarAngle, vector: Array) -> Array:
    """Return each vector times its factor, shape (..., 2)."""
    product: Array = np.asarray(factor)[..., None] * vector
    return product


def _direction_of(angle: Scalar | Turn) -> tuple[Scalar, Scalar]:
    """Return cosine and sine of an expression; a turn has them."""
    if isinstance(angle, Turn):
        return angle.c, angle.s
    return cos(angle), sin(angle)


def _over_any(
    of_floats: Callable[..., Any], of_scalars: Callable[..., Any], *values: PlanarAngle
) -> Array:
    """Apply a function to arrays; NumPy's own fail on floats among expressions."""
    arrays = [np.asarray(value) for value in values]
    if any(array.dtype == object for array in arrays):
        return np.asarray(np.frompyfunc(of_scalars, len(arrays), 1)(*arrays))
    return np.asarray(of_floats(*arrays))


def plane_normal(hinges: Sequence[Array], slides: Sequence[Array]) -> Array:
    """Return the normal of the plane in which joints move: a hinge's axis, else across slides.

    Args:
        hinges: Axes of hinges, and normals of planar joints, in the world, (3,) each.
        slides: Directions of slides, (3,) each.
    """
    if len(hinges):
        return np.asarray(hinges[0])
    for other in slides[1:]:
        normal = np.cross(slides[0], other)
        if np.linalg.norm(normal) > PARALLEL:
            return np.asarray(normal / np.linalg.norm(normal))
    along = slides[0] if len(slides) else np.array([1.0, 0.0, 0.0])
    candidates = np.eye(3) - np.outer(along, along)
    upright = candidates[2] if np.linalg.norm(candidates[2]) > 0.5 else candidates[1]
    return np.asarray(upright / np.linalg.norm(upright))
