"""Deviation of a pose from the identity, as six numbers: a twist to first order."""

import numpy as np

from poinsot.spatial.array import Array
from poinsot.spatial.quaternion import matrix_to_quaternion
from poinsot.spatial.transform import Transform


def mismatch(X_AB: Transform) -> Array:
    """Return how far B is from A, shape (6,); zero only where they coincide.

        [p; 2 sin(θ/2) n] = [p; 2 (x, y, z)],   (w, x, y, z) the quaternion of R with w ≥ 0

    Of a small turn the angular part is the turn itself [rad]. It grows with θ up to 2 at half a
    turn, where n changes its sign, and is finite everywhere. At the identity its rate is the
    velocity [v; w] of B in A.

    Args:
        X_AB: Pose with the turn θ [rad] about n and the offset p [m].

    >>> mismatch(Transform.translation([1.0, 2.0, 3.0]))
    array([1., 2., 3., 0., 0., 0.])
    """
    return np.concatenate([X_AB.p, 2.0 * matrix_to_quaternion(X_AB.R)[1:]])
