"""Constraint wrenches that a joint transmits, as columns [f; n], and their names in messages."""

import numpy as np

from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Array, halves

__all__ = ["locked_motion", "wrenches"]


def wrenches(forces: Array, moments: Array) -> Array:
    """Return wrenches, shape (6, m + n): pure forces [f; 0], then pure moments [0; n].

    Args:
        forces: Directions of the forces by columns, shape (3, m).
        moments: Those of the moments, shape (3, n).
    """
    m, n = forces.shape[1], moments.shape[1]
    return np.block([[forces, np.zeros((3, n))], [np.zeros((3, m)), moments]])


def locked_motion(wrench: Array) -> str:
    """Return what messages call the motion that a wrench prevents.

    Args:
        wrench: [f; n] in the axes of the body, shape (6,).

    Examples:
        >>> locked_motion(np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]))
        'translation z'
        >>> locked_motion(np.array([0.0, 0.0, 0.0, 0.6, 0.8, 0.0]))
        'rotation about (0.6, 0.8, 0)'
    """
    force, moment = halves(wrench)
    if not nonzero(force):
        return f"rotation {_direction(moment, 'about')}"
    slide = f"translation {_direction(force, 'along')}"
    return f"{slide} tied to rotation" if nonzero(moment) else slide


def _direction(vector: Array, preposition: str) -> str:
    """Return the letter of a coordinate axis, else the components to three digits."""
    x, y, z = (np.array(vector.tolist(), dtype=float).round(3) + 0.0).tolist()
    for letter, along, others in (("x", x, (y, z)), ("y", y, (x, z)), ("z", z, (x, y))):
        if along and not any(others):
            return letter
    return f"{preposition} ({x:g}, {y:g}, {z:g})"
