"""Two directions across a normal, over any scalar."""

from __future__ import annotations

import numpy as np

from poinsot.expr import select
from poinsot.spatial import Array

__all__ = ["tangents"]


def tangents(n: Array, below: float = 0.0) -> tuple[Array, Array]:
    """Return two unit vectors across a unit vector and each other, for any direction.

    They are x and y, turned as z is turned into n by the shortest way; where n_z is less than
    ``below`` x and -y, turned as -z is turned into n.

    T. Duff et al., Building an Orthonormal Basis, Revisited, J. Comput. Graph. Tech. 6, 2017.

    Args:
        n: The unit vector, shape (3,).
        below: Where they change, above -1.

    >>> (np.stack(tangents(np.array([1.0, 0.0, 0.0]))) + 0.0).tolist()
    [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]
    """
    x, y, z = n.tolist()
    sign = select(z < below, -1.0, 1.0)
    f = -1.0 / (sign + z)
    return (
        np.array([1.0 + sign * x * x * f, sign * x * y * f, -sign * x]),
        np.array([x * y * f, sign + y * y * f, -y]),
    )
