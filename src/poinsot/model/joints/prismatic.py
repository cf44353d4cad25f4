"""The joint that slides along one axis."""

from typing import ClassVar, final

import numpy as np

from poinsot.model.axis import Axis, AxisField, perpendicular
from poinsot.model.fields import declared, field
from poinsot.model.joints.base import AbstractJoint
from poinsot.model.joints.reactions import wrenches
from poinsot.spatial import Array, Transform, vector

__all__ = ["Prismatic"]


@final
@declared
class Prismatic(AbstractJoint):
    """Slides along ``axis``: p_JB = q axis, q the offset [m], v its rate [m/s].

    Examples:
        >>> Prismatic("y", damping=0.1)
        Prismatic(damping=(0.1,), axis=(0.0, 1.0, 0.0))
    """

    kind: ClassVar[str] = "prismatic"
    nq: ClassVar[int] = 1
    nv: ClassVar[int] = 1
    q_units: ClassVar[tuple[str, ...]] = ("m",)
    v_units: ClassVar[tuple[str, ...]] = ("m/s",)

    axis: AxisField = field(
        Axis(),
        "Unit vector, the same in J and in B",
        default="z",
        omit=False,
    )

    def transform(self, q: Array) -> Transform:
        """Return X_JB: R = 1, p = q axis [m]."""
        return Transform(np.eye(3), q[0] * np.array(self.axis))

    def motion_subspace(self, q: Array) -> Array:
        """Return S = [axis; 0], shape (6, 1)."""
        return np.array([*self.axis, 0.0, 0.0, 0.0])[:, None]

    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt = 0, shape (6, nv)."""
        return np.zeros((6, self.nv))

    def reaction_subspace(self, q: Array) -> Array:
        """Return T: two forces across the axis and moments x, y, z, shape (6, 5)."""
        return wrenches(perpendicular(self.axis), np.eye(3))

    def coordinates(self, X_JB: Transform) -> Array:
        """Return the offset along the axis [m], shape (1,)."""
        return vector(X_JB.p @ np.array(self.axis))

    def random(self, rng: "np.random.Generator") -> Array:
        """Return an offset uniform in (-1, 1) [m], shape (1,)."""
        return rng.uniform(-1.0, 1.0, 1)
