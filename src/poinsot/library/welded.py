"""Links made of thin rods that are welded together: frames, triangles, bent levers."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from poinsot.model import AbstractJoint, Body, Capsule, Pose
from poinsot.spatial import Array

__all__ = ["bar", "welded"]


def welded(
    name: str,
    parent: str,
    joint: AbstractJoint,
    pose: Pose,
    *,
    rods: Sequence[tuple[ArrayLike, ArrayLike]],
    density: float,
) -> Body:
    """Return a body of thin uniform rods.

    A rod of mass m along d about its middle has the inertia m (|d|² 1 - d dᵀ) / 12.  The rods are
    its shapes, too: bars whose radius is a fiftieth of the longest.

    Args:
        name: Name of the body.
        parent: Name of the body that carries it.
        joint: How it moves against its parent.
        pose: Where the joint sits on the parent.
        rods: Both ends of each rod in the body's frame [m], each of shape (3,).
        density: Mass per length of all rods [kg/m].
    """
    ends = np.array([(np.asarray(p, float), np.asarray(q, float)) for p, q in rods])
    along, middle = ends[:, 1] - ends[:, 0], ends.mean(axis=1)
    masses = density * np.linalg.norm(along, axis=1)
    mass = float(masses.sum())
    com: Array = masses @ middle / mass if mass > 0.0 else middle.mean(axis=0)
    inertia = np.zeros((3, 3))
    for m, d, away in zip(masses, along, middle - com, strict=True):
        inertia += m * (_turning(d) / 12.0 + _turning(away))
    radius = float(np.max(np.linalg.norm(along, axis=1))) / 50.0
    shapes = [bar(start, end, radius) for start, end in ends]
    return Body(name, parent, joint, pose, mass=mass, com=com, inertia=inertia, shapes=shapes)


def bar(start: ArrayLike, end: ArrayLike, radius: float) -> Capsule:
    """Return the shape of a rod between two points [m], each of shape (3,)."""
    p, q = np.asarray(start, float), np.asarray(end, float)
    length = float(np.linalg.norm(q - p))
    z = (q - p) / length if length > 0.0 else np.array([0.0, 0.0, 1.0])
    across = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = np.cross(across, z)
    x = x / np.linalg.norm(x)
    axes = np.column_stack([x, np.cross(z, x), z])
    return Capsule(radius, length, pose=Pose((p + q) / 2.0, matrix=axes))


def _turning(d: Array) -> Array:
    """Return |d|² 1 - d dᵀ, the inertia of a unit mass at d."""
    inertia: Array = d @ d * np.eye(3) - np.outer(d, d)
    return inertia
