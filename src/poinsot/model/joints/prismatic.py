"""The joint that slides along one axis."""

from dataclasses import dataclass
from typing import ClassVar, Unpack, final

import numpy as np

from poinsot.model.axis import AxisLike, perpendicular, unit_axis
from poinsot.model.checks import Vec3
from poinsot.model.joints.base import AbstractJoint, JointOptions
from poinsot.model.joints.reactions import wrenches
from poinsot.spatial import Array, Transform, vector

__all__ = ["Prismatic"]


@final
@dataclass(frozen=True, init=False, repr=False)
class Prismatic(AbstractJoint):
    """Slides along ``axis``: p_JB = q axis, q the offset [m], v its rate [m/s].

    Attributes:
        axis: Unit vector, the same in the joint frame J and in the body frame B.

    Examples:
        >>> Prismatic("y", damping=0.1)
        Prismatic(damping=(0.1,), axis=(0.0, 1.0, 0.0))
    """

    axis: Vec3

    kind: ClassVar[str] = "prismatic"
    nq: ClassVar[int] = 1
    nv: ClassVar[int] = 1
    q_units: ClassVar[tuple[str, ...]] = ("m",)
    v_units: ClassVar[tuple[str, ...]] = ("m/s",)

    def __init__(
        self,
        axis: AxisLike = "z",
        **options: Unpack[JointOptions],
    ) -> None:
        """Check and store the joint.

        Args:
            axis: ``"x"``, ``"y"``, ``"z"`` or any non-zero vector in J, normalised here.
            **options: Name, damping, stiffness, rest, armature, friction and limits; see
                :class:`AbstractJoint`.
        """
        super().__init__(**options)
        object.__setattr__(self, "axis", unit_axis(axis, self.where(options.get("name"))))

    def transform(self, q: Array) -> Transform:
        """Return X_JB: R = 1, p = q axis [m]."""
        return Transform(np.eye(3), q[0] * np.array(self.axis))

    def motion_subspace(self, q: Array) -> Array:
        """Return S = [axis; 0], shape (6, 1)."""
        return np.array([*self.axis, 0.0, 0.0, 0.0])[:, None]

    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt = 0, shape (6, nv)."""
        return np.zeros((6, self.nv))

    def position_rate(self, q: Array, v: Array) -> Array:
        """Return qdot = v, shape (1,)."""
        return np.array(v)

    def reaction_subspace(self, q: Array) -> Array:
        """Return T: two forces across the axis and moments x, y, z, shape (6, 5)."""
        return wrenches(perpendicular(self.axis), np.eye(3))

    def coordinates(self, X_JB: Transform) -> Array:
        """Return the offset along the axis [m], shape (1,)."""
        return vector(X_JB.p @ np.array(self.axis))

    def neutral(self) -> Array:
        """Return q = 0, shape (1,)."""
        return np.zeros(1)

    def random(self, rng: "np.random.Generator") -> Array:
        """Return an offset uniform in (-1, 1) [m], shape (1,)."""
        return rng.uniform(-1.0, 1.0, 1)
