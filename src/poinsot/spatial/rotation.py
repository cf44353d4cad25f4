"""Rotation matrices, and their parametrisations other than quaternions.

``R_AB`` has shape (3, 3) and takes the coordinates of a vector from frame B to frame A. Its
columns are the axes of B seen from A: turning A by the given rotation gives B.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.expr import atan2
from poinsot.spatial.array import Array, components, matrix
from poinsot.spatial.scalar import Scalar, cosine, sine


def skew(r: ArrayLike) -> Array:
    """Return the skew matrix of a vector, shape (3, 3): ``skew(r) @ x`` is r × x.

        skew(r) = [[0, -r3, r2], [r3, 0, -r1], [-r2, r1, 0]]

    [Liu1988, eq. (5)], where the scan loses the index 3.

    Args:
        r: Vector, shape (3,).

    >>> skew([1.0, 2.0, 3.0]) @ [1.0, 2.0, 3.0]
    array([0., 0., 0.])
    """
    x, y, z = components(r)
    return matrix((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0))


def rotation_x(angle: Scalar) -> Array:
    """Return the rotation by ``angle`` [rad] about the x axis, shape (3, 3).

    >>> from math import pi
    >>> rotation_x(pi / 2).round(3) @ [0, 1, 0]
    array([0., 0., 1.])
    """
    c, s = cosine(angle), sine(angle)
    return matrix((1.0, 0.0, 0.0), (0.0, c, -s), (0.0, s, c))


def rotation_y(angle: Scalar) -> Array:
    """Return the rotation by ``angle`` [rad] about the y axis, shape (3, 3).

    >>> from math import pi
    >>> rotation_y(pi / 2).round(3) @ [0, 0, 1]
    array([1., 0., 0.])
    """
    c, s = cosine(angle), sine(angle)
    return matrix((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c))


def rotation_z(angle: Scalar) -> Array:
    """Return the rotation by ``angle`` [rad] about the z axis, shape (3, 3).

    >>> from math import pi
    >>> rotation_z(pi / 2).round(3) @ [1, 0, 0]
    array([0., 1., 0.])
    """
    c, s = cosine(angle), sine(angle)
    return matrix((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))


def axis_angle(axis: ArrayLike, angle: Scalar) -> Array:
    """Return the rotation by ``angle`` about ``axis`` (Rodrigues' formula), shape (3, 3).

        R = n nᵀ + cos(angle) (1 - n nᵀ) + sin(angle) skew(n)

    Args:
        axis: Unit vector n, shape (3,), the same in both frames. Its length is not checked.
        angle: Angle [rad], right-handed about the axis.

    >>> from math import pi
    >>> axis_angle([0, 0, 1], pi / 2).round(3) @ [1, 0, 0]
    array([0., 1., 0.])
    """
    x, y, z = components(axis)
    c, s = cosine(angle), sine(angle)
    k = 1.0 - c
    # The diagonal is grouped so that a coordinate axis folds to rotation_x, _y or _z.
    return matrix(
        (x * x + (1.0 - x * x) * c, x * y * k - z * s, x * z * k + y * s),
        (x * y * k + z * s, y * y + (1.0 - y * y) * c, y * z * k - x * s),
        (x * z * k - y * s, y * z * k + x * s, z * z + (1.0 - z * z) * c),
    )


def rpy_to_matrix(rpy: ArrayLike) -> Array:
    """Return the rotation of roll, pitch and yaw as URDF files give it, shape (3, 3).

        R = rotation_z(yaw) rotation_y(pitch) rotation_x(roll)

    The turns follow each other about the fixed axes x, y, z.

    Args:
        rpy: Roll, pitch and yaw [rad], shape (3,).

    >>> from math import pi
    >>> rpy_to_matrix([0.0, 0.0, pi / 2]).round(3) @ [1, 0, 0]
    array([0., 1., 0.])
    """
    roll, pitch, yaw = components(rpy)
    R: Array = rotation_z(yaw) @ rotation_y(pitch) @ rotation_x(roll)
    return R


def matrix_to_rpy(R: ArrayLike) -> Array:
    """Return roll, pitch and yaw of a rotation matrix of numbers [rad], shape (3,).

    The inverse of :func:`rpy_to_matrix`, to rounding also where the pitch is a quarter turn: yaw is
    taken from R, whatever it is there, and roll from Rz(-yaw) R = Ry(pitch) Rx(roll).

    Args:
        R: Rotation matrix, shape (3, 3).

    >>> matrix_to_rpy(rpy_to_matrix([0.1, 0.2, 0.3])).round(12)
    array([0.1, 0.2, 0.3])
    """
    rows = np.asarray(R, float)
    yaw = np.arctan2(rows[1, 0], rows[0, 0])
    turned = rotation_z(-yaw) @ rows
    pitch = np.arctan2(-rows[2, 0], turned[0, 0])
    roll = np.arctan2(-turned[1, 2], turned[1, 1])
    return np.array([roll, pitch, yaw])


def euler_to_matrix(sequence: str, angles: ArrayLike) -> Array:
    """Return the rotation of successive turns about the moving axes (intrinsic), shape (3, 3).

        R = rotation_a(angles[0]) rotation_b(angles[1]) rotation_c(angles[2])

    for the sequence "abc". Differs from SciPy: upper and lower case mean the same.

    Args:
        sequence: Names of the axes in the order of the turns, such as "zxz".
        angles: Angles [rad], as many as the sequence has letters.

    Raises:
        ModelError: If a letter is not x, y or z, or the number of angles is wrong.

    >>> abs(euler_to_matrix("zxz", [0.1, 0.0, 0.2]) - rotation_z(0.3)).max() < 1e-15
    np.True_
    """
    turns = components(angles)
    axes = sequence.lower()
    if not axes or len(axes) != len(turns) or not set(axes) <= _ROTATIONS.keys():
        raise ModelError(
            f"a sequence of axes x, y, z with one angle each is needed, such as 'zxz' and three "
            f"angles; got {sequence!r} and {len(turns)} angles"
        )
    R: Array = _ROTATIONS[axes[0]](turns[0])
    for axis, angle in zip(axes[1:], turns[1:], strict=True):
        R = R @ _ROTATIONS[axis](angle)
    return R


def angle_about(axis: ArrayLike, R: ArrayLike) -> Scalar:
    """Return the angle [rad], within ±π, by which ``R`` turns about ``axis``.

        angle = atan2(n·w, tr R - nᵀ R n),   skew(w) = R - Rᵀ

    The inverse of :func:`axis_angle`. If R does not turn about the axis alone, the angle of the
    rotation about the axis that is nearest to R (that maximises the trace of their quotient).

    Args:
        axis: Unit vector n, shape (3,).
        R: Rotation matrix, shape (3, 3).

    >>> round(angle_about([0, 0, 1], rotation_z(0.5)), 12)
    0.5
    """
    x, y, z = components(axis)
    (a, b, c), (d, e, f), (g, h, i) = components(R)
    along = x * x * a + y * y * e + z * z * i
    along = along + x * y * (b + d) + x * z * (c + g) + y * z * (f + h)
    return atan2(x * (h - f) + y * (c - g) + z * (d - b), a + e + i - along)


def angle_between(axis: ArrayLike, start: ArrayLike, end: ArrayLike) -> Scalar:
    """Return the angle [rad], within ±π, that turns ``start`` about ``axis`` towards ``end``.

        angle = atan2(n·(s × e), s·e - (n·s)(n·e))

    The angle between the parts of both that are perpendicular to the axis.

    Args:
        axis: Unit vector n, shape (3,).
        start: Vector s, shape (3,), of any length, not along the axis.
        end: Vector e, the same.

    >>> from math import pi
    >>> angle_between([0, 0, 1], [2, 0, 7], [0, 3, 0]) / pi
    0.5
    """
    n, s, e = (np.asarray(v) for v in (axis, start, end))
    return atan2(n @ (skew(s) @ e), s @ e - (n @ s) * (n @ e))


_ROTATIONS: Mapping[str, Callable[[Scalar], Array]] = {
    "x": rotation_x,
    "y": rotation_y,
    "z": rotation_z,
}
