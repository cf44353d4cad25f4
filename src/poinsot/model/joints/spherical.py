"""The joint that turns in every direction about one point."""

from typing import ClassVar, final

import numpy as np

from poinsot.model.fields import declared
from poinsot.model.joints.base import AbstractJoint
from poinsot.model.joints.quaternion import (
    neutral_quaternion,
    random_quaternion,
    turn_between,
    turned,
)
from poinsot.spatial import (
    Array,
    Transform,
    matrix_to_quaternion,
    quaternion_rate,
    quaternion_to_matrix,
)

__all__ = ["Spherical"]


@final
@declared
class Spherical(AbstractJoint):
    """Turns about the origin: q the unit quaternion (w, x, y, z) of R_JB, v = ω_JB [rad/s] in B.

    Stiffness is rejected: a quaternion is no angle to be proportional to.

    Examples:
        >>> Spherical().neutral()
        array([1., 0., 0., 0.])
    """

    kind: ClassVar[str] = "spherical"
    nq: ClassVar[int] = 4
    nv: ClassVar[int] = 3
    q_units: ClassVar[tuple[str, ...]] = ("1",) * 4
    v_units: ClassVar[tuple[str, ...]] = ("rad/s",) * 3
    q_parts: ClassVar[tuple[str, ...]] = ("qw", "qx", "qy", "qz")
    v_parts: ClassVar[tuple[str, ...]] = ("wx", "wy", "wz")

    def transform(self, q: Array) -> Transform:
        """Return X_JB: R of the quaternion q, p = 0."""
        return Transform(quaternion_to_matrix(q), np.zeros(3))

    def motion_subspace(self, q: Array) -> Array:
        """Return S = [0; 1], shape (6, 3)."""
        return np.eye(6)[:, 3:]

    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt = 0, shape (6, nv)."""
        return np.zeros((6, self.nv))

    def position_rate(self, q: Array, v: Array) -> Array:
        """Return qdot = q ∘ (0, ω) / 2, shape (4,)."""
        return quaternion_rate(q, v)

    def reaction_subspace(self, q: Array) -> Array:
        """Return T = [1; 0]: forces x, y, z, shape (6, 3)."""
        return np.eye(6)[:, :3]

    def coordinates(self, X_JB: Transform) -> Array:
        """Return the unit quaternion of R with w ≥ 0, shape (4,)."""
        return matrix_to_quaternion(X_JB.R)

    def neutral(self) -> Array:
        """Return (1, 0, 0, 0)."""
        return neutral_quaternion()

    def random(self, rng: "np.random.Generator") -> Array:
        """Return a unit quaternion, uniform over all rotations, shape (4,)."""
        return random_quaternion(rng)

    @staticmethod
    def integrate(q: Array, v: Array) -> Array:
        """Return q ∘ exp(v), of length 1, shape (..., 4); v is axis times angle [rad], in B."""
        return turned(q, v)

    @staticmethod
    def difference(q0: Array, q1: Array) -> Array:
        """Return the shortest turn from q0 to q1 [rad], at most π, in B, shape (..., 3)."""
        return turn_between(q0, q1)
