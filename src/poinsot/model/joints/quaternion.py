"""What the joints with a quaternion share: where it starts and how to draw one."""

import numpy as np

from poinsot.spatial import Array

__all__ = ["neutral_quaternion", "random_quaternion"]


def neutral_quaternion() -> Array:
    """Return the quaternion (w, x, y, z) of no rotation, shape (4,)."""
    return np.array([1.0, 0.0, 0.0, 0.0])


def random_quaternion(rng: np.random.Generator) -> Array:
    """Return a unit quaternion (w, x, y, z), uniform over all rotations, shape (4,).

    Four independent normal numbers point in every direction of four-space alike.
    """
    vector = rng.standard_normal(4)
    unit: Array = vector / np.linalg.norm(vector)
    return unit
