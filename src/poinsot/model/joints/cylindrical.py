"""The joint that slides along an axis and turns about it, one independent of the other."""

from typing import ClassVar, final

import numpy as np

from poinsot.model.axis import Axis, AxisField, perpendicular
from poinsot.model.fields import declared, field
from poinsot.model.joints.base import AbstractJoint
from poinsot.model.joints.reactions import wrenches
from poinsot.spatial import Array, Transform, angle_about, axis_angle, vector

__all__ = ["Cylindrical"]


@final
@declared
class Cylindrical(AbstractJoint):
    """Slides along ``axis`` and turns about it: q = [z [m], θ [rad]], v = qdot.

        p_JB = z axis,   R_JB = Rot(axis, θ)

    Examples:
        >>> Cylindrical("y").motion_subspace(np.zeros(2)).T
        array([[0., 1., 0., 0., 0., 0.],
               [0., 0., 0., 0., 1., 0.]])
    """

    kind: ClassVar[str] = "cylindrical"
    nq: ClassVar[int] = 2
    nv: ClassVar[int] = 2
    q_units: ClassVar[tuple[str, ...]] = ("m", "rad")
    v_units: ClassVar[tuple[str, ...]] = ("m/s", "rad/s")
    q_parts: ClassVar[tuple[str, ...]] = ("z", "angle")
    v_parts: ClassVar[tuple[str, ...]] = ("z", "angle")

    axis: AxisField = field(
        Axis(),
        "Unit vector, the same in J and in B",
        default="z",
        omit=False,
    )

    def transform(self, q: Array) -> Transform:
        """Return X_JB: R = Rot(axis, q[1]), p = q[0] axis [m]."""
        axis = np.array(self.axis)
        return Transform(axis_angle(axis, q[1]), q[0] * axis)

    def motion_subspace(self, q: Array) -> Array:
        """Return S with columns [axis; 0] and [0; axis], shape (6, 2)."""
        axis, zero = np.array(self.axis), np.zeros(3)
        return np.stack([np.concatenate([axis, zero]), np.concatenate([zero, axis])], axis=1)

    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt = 0, shape (6, nv)."""
        return np.zeros((6, self.nv))

    def reaction_subspace(self, q: Array) -> Array:
        """Return T: two forces and two moments across the axis, shape (6, 4)."""
        across = perpendicular(self.axis)
        return wrenches(across, across)

    def coordinates(self, X_JB: Transform) -> Array:
        """Return the offset along the axis [m] and the angle of R about it [rad], shape (2,)."""
        return vector(X_JB.p @ np.array(self.axis), angle_about(self.axis, X_JB.R))

    def random(self, rng: "np.random.Generator") -> Array:
        """Return an offset uniform in (-1, 1) [m] and an angle in (-pi, pi) [rad], shape (2,)."""
        return np.array([rng.uniform(-1.0, 1.0), rng.uniform(-np.pi, np.pi)])
