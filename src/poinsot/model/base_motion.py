"""The motion of the base of a mechanism, as a user gives it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ArrayTypeError, ShapeError
from poinsot.model.pose import Pose
from poinsot.spatial import Array

_ZERO6 = (0.0,) * 6


@dataclass(frozen=True, eq=False, init=False)
class BaseMotion:
    """How the "world" body of a system moves in inertial space, for one state or many.

    Attributes:
        R: Rotation of the base, base to inertial axes, shape (..., 3, 3).
        p: Its origin in inertial space [m], shape (..., 3).
        velocity: [v; w] of the base [m/s, rad/s], in its own axes, shape (..., 6).
        acceleration: Rate of those six numbers, shape (..., 6).

    Examples:
        >>> lift = BaseMotion(acceleration=(0, 0, 2, 0, 0, 0))
        >>> lift.numbers((0, 0, -9.81))[:3]
        array([ 0.  ,  0.  , -9.81])
    """

    R: Array
    p: Array
    velocity: Array
    acceleration: Array

    def __init__(
        self,
        pose: Pose | ArrayLike = Pose(),  # noqa: B008 (immutable)
        velocity: ArrayLike = _ZERO6,
        acceleration: ArrayLike = _ZERO6,
    ) -> None:
        """Check and store the motion.

        Args:
            pose: Of the base in inertial space: a Pose, or matrices of shape (..., 4, 4); only its
                rotation matters to forces and accelerations, by way of gravity.
            velocity: [v; w] [m/s, rad/s] in base axes, shape (..., 6).
            acceleration: Rate of those six numbers, shape (..., 6).
        """
        if isinstance(pose, Pose):
            R: Array = np.array(pose.matrix, dtype=np.float64)
            p: Array = np.array(pose.xyz, dtype=np.float64)
        else:
            R = _real("pose", pose)
            if R.shape[-2:] != (4, 4):
                raise ShapeError(
                    f"base motion: pose must be a Pose or have shape (..., 4, 4), got {R.shape}"
                )
            R, p = R[..., :3, :3], R[..., :3, 3]
        object.__setattr__(self, "R", R)
        object.__setattr__(self, "p", p)
        object.__setattr__(self, "velocity", _six("velocity", velocity))
        object.__setattr__(self, "acceleration", _six("acceleration", acceleration))

    def numbers(self, gravity: ArrayLike) -> Array:
        """Return gravity in base axes, velocity and acceleration side by side, shape (..., 15).

        Args:
            gravity: Acceleration of free fall [m/s²], in inertial axes, shape (..., 3).
        """
        turned = np.einsum("...ji,...j->...i", self.R, np.asarray(gravity, float))
        vectors = (turned, self.velocity, self.acceleration)
        batch = np.broadcast_shapes(*(vector.shape[:-1] for vector in vectors))
        return np.concatenate(
            [np.broadcast_to(vector, (*batch, vector.shape[-1])) for vector in vectors], axis=-1
        )


def _six(name: str, values: ArrayLike) -> Array:
    array = _real(name, values)
    if array.shape[-1:] != (6,):
        raise ShapeError(f"base motion: {name} must have shape (..., 6), got {array.shape}")
    return array


def _real(name: str, values: ArrayLike) -> Array:
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise ArrayTypeError(f"base motion: {name} must hold real numbers, got {array.dtype}")
    return array.astype(float)
