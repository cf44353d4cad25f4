"""The joint that turns about one axis."""

from typing import ClassVar, final

import numpy as np

from poinsot.model.axis import Axis, AxisField, perpendicular
from poinsot.model.fields import declared, field
from poinsot.model.joints.base import AbstractJoint
from poinsot.model.joints.reactions import wrenches
from poinsot.spatial import Array, Transform, angle_about, axis_angle, vector

__all__ = ["Revolute"]


@final
@declared
class Revolute(AbstractJoint):
    """Turns about ``axis``: R_JB = Rot(axis, q), q the angle [rad], v its rate [rad/s].

    Examples:
        >>> Revolute("y", damping=0.1)
        Revolute(damping=(0.1,), axis=(0.0, 1.0, 0.0))
    """

    kind: ClassVar[str] = "revolute"
    nq: ClassVar[int] = 1
    nv: ClassVar[int] = 1
    q_units: ClassVar[tuple[str, ...]] = ("rad",)
    v_units: ClassVar[tuple[str, ...]] = ("rad/s",)

    axis: AxisField = field(
        Axis(),
        "Unit vector, the same in J and in B",
        default="z",
        omit=False,
    )

    def transform(self, q: Array) -> Transform:
        """Return X_JB: R = Rot(axis, q), p = 0."""
        return Transform(axis_angle(np.array(self.axis), q[0]), np.zeros(3))

    def motion_subspace(self, q: Array) -> Array:
        """Return S = [0; axis], shape (6, 1)."""
        return np.array([0.0, 0.0, 0.0, *self.axis])[:, None]

    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt = 0, shape (6, nv)."""
        return np.zeros((6, self.nv))

    def reaction_subspace(self, q: Array) -> Array:
        """Return T: forces x, y, z and two moments across the axis, shape (6, 5)."""
        return wrenches(np.eye(3), perpendicular(self.axis))

    def coordinates(self, X_JB: Transform) -> Array:
        """Return the angle of R about the axis [rad], shape (1,)."""
        return vector(angle_about(self.axis, X_JB.R))

    def random(self, rng: "np.random.Generator") -> Array:
        """Return an angle uniform in (-pi, pi) [rad], shape (1,)."""
        return rng.uniform(-np.pi, np.pi, 1)
