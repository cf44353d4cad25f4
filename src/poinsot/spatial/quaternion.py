"""Unit quaternions ``(w, x, y, z)`` as descriptions of rotation.

The quaternion of ``R_AB`` takes vectors from frame B to frame A: v_A = q (0, v_B) q*. The product
is Hamilton's, so products of quaternions and of matrices follow the same order.
"""

from numpy.typing import ArrayLike

from poinsot.expr import select, sqrt
from poinsot.spatial.array import Array, components, matrix, vector
from poinsot.spatial.scalar import Scalar


def quaternion_to_matrix(quat: ArrayLike) -> Array:
    """Return the rotation matrix of a unit quaternion, shape (3, 3), body to parent.

        R = 1 + 2 w skew(u) + 2 skew(u)²,   u = (x, y, z)

    A polynomial: the quaternion is not normalised, and R is a rotation only if it has length 1.

    Args:
        quat: Unit quaternion (w, x, y, z), shape (4,).

    >>> quaternion_to_matrix([0, 0, 0, 1]) @ [1, 0, 0]
    array([-1.,  0.,  0.])
    """
    w, x, y, z = components(quat)
    x2, y2, z2 = x + x, y + y, z + z
    wx, wy, wz = w * x2, w * y2, w * z2
    xx, xy, xz = x * x2, x * y2, x * z2
    yy, yz, zz = y * y2, y * z2, z * z2
    return matrix(
        (1.0 - (yy + zz), xy - wz, xz + wy),
        (xy + wz, 1.0 - (xx + zz), yz - wx),
        (xz - wy, yz + wx, 1.0 - (xx + yy)),
    )


def matrix_to_quaternion(R: ArrayLike) -> Array:
    """Return the unit quaternion of a rotation matrix, shape (4,), with w ≥ 0.

    The entries of R give the symmetric matrix 4 q qᵀ. Its row with the largest diagonal entry,
    divided by its length, is ±q without loss of digits [Shepperd1978].

    Args:
        R: Rotation matrix, shape (3, 3).

    >>> matrix_to_quaternion([[0, -1, 0], [1, 0, 0], [0, 0, 1]]).round(4)
    array([0.7071, 0.    , 0.    , 0.7071])
    """
    (a, b, c), (d, e, f), (g, h, i) = components(R)
    rows: tuple[tuple[Scalar, ...], ...] = (
        (1.0 + a + e + i, h - f, c - g, d - b),
        (h - f, 1.0 + a - e - i, b + d, c + g),
        (c - g, b + d, 1.0 - a + e - i, f + h),
        (d - b, c + g, f + h, 1.0 - a - e + i),
    )
    largest, row = rows[0][0], rows[0]
    for k in (1, 2, 3):
        better = largest < rows[k][k]
        row = tuple(select(better, x, y) for x, y in zip(rows[k], row, strict=True))
        largest = select(better, rows[k][k], largest)
    w, x, y, z = row
    length = sqrt(w * w + x * x + y * y + z * z)
    signed = select(w < 0.0, -length, length)
    return vector(w / signed, x / signed, y / signed, z / signed)


def quaternion_product(left: ArrayLike, right: ArrayLike) -> Array:
    """Return Hamilton's product of two quaternions, shape (4,): R(left right) = R(left) R(right).

        (a, u) (b, v) = (a b - u·v, a v + b u + u × v)

    Args:
        left: Quaternion (w, x, y, z), shape (4,).
        right: Quaternion (w, x, y, z), shape (4,).

    >>> quaternion_product([0, 1, 0, 0], [0, 0, 1, 0])
    array([0., 0., 0., 1.])
    """
    a, x, y, z = components(left)
    b, r, s, t = components(right)
    return vector(
        a * b - x * r - y * s - z * t,
        a * r + x * b + y * t - z * s,
        a * s + y * b + z * r - x * t,
        a * t + z * b + x * s - y * r,
    )


def quaternion_conjugate(quat: ArrayLike) -> Array:
    """Return (w, -x, -y, -z), shape (4,): the inverse rotation if ``quat`` has length 1.

    >>> quaternion_conjugate([1, 2, 3, 4])
    array([ 1., -2., -3., -4.])
    """
    w, x, y, z = components(quat)
    return vector(w, -x, -y, -z)


def quaternion_rate(quat: ArrayLike, omega: ArrayLike) -> Array:
    """Return the time derivative of a quaternion [1/s], shape (4,).

        dq/dt = ½ q (0, ω)

    Linear in both; keeps the length of the quaternion, whatever it is.

    Args:
        quat: Quaternion (w, x, y, z) of R_AB, shape (4,).
        omega: Angular velocity ω [rad/s] of B in A, expressed in B (the body), shape (3,).

    >>> quaternion_rate([1, 0, 0, 0], [0, 0, 2])
    array([0., 0., 0., 1.])
    """
    return 0.5 * quaternion_product(quat, vector(0.0, *components(omega)))
