"""The joint that does not hold the body at all."""

from typing import ClassVar, final

import numpy as np

from poinsot.model.fields import declared
from poinsot.model.joints.base import AbstractJoint
from poinsot.model.joints.quaternion import neutral_quaternion, random_quaternion
from poinsot.model.joints.rigid_motion import moved, twist_between
from poinsot.spatial import (
    Array,
    Transform,
    matrix_to_quaternion,
    quaternion_rate,
    quaternion_to_matrix,
)

__all__ = ["Free"]


@final
@declared
class Free(AbstractJoint):
    """Moves freely: q = [p_JB [m], unit quaternion (w, x, y, z) of R_JB].

    v = [velocity of B's origin [m/s], ω_JB [rad/s]], both in B's axes, and a is the derivative of
    these components. Stiffness is rejected: a quaternion is no angle to be proportional to.

    Examples:
        >>> Free().neutral()
        array([0., 0., 0., 1., 0., 0., 0.])
    """

    kind: ClassVar[str] = "free"
    nq: ClassVar[int] = 7
    nv: ClassVar[int] = 6
    q_units: ClassVar[tuple[str, ...]] = ("m",) * 3 + ("1",) * 4
    v_units: ClassVar[tuple[str, ...]] = ("m/s",) * 3 + ("rad/s",) * 3
    q_parts: ClassVar[tuple[str, ...]] = ("x", "y", "z", "qw", "qx", "qy", "qz")
    v_parts: ClassVar[tuple[str, ...]] = ("x", "y", "z", "wx", "wy", "wz")

    def transform(self, q: Array) -> Transform:
        """Return X_JB: p = q[:3] [m], R of the quaternion q[3:]."""
        return Transform(quaternion_to_matrix(q[3:]), q[:3])

    def motion_subspace(self, q: Array) -> Array:
        """Return S = 1, shape (6, 6)."""
        return np.eye(6)

    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt = 0, shape (6, nv)."""
        return np.zeros((6, self.nv))

    def position_rate(self, q: Array, v: Array) -> Array:
        """Return qdot = [R_JB v[:3]; q[3:] ∘ (0, ω) / 2], shape (7,)."""
        return np.concatenate([quaternion_to_matrix(q[3:]) @ v[:3], quaternion_rate(q[3:], v[3:])])

    def reaction_subspace(self, q: Array) -> Array:
        """Return T without columns, shape (6, 0): it transmits nothing."""
        return np.zeros((6, 0))

    def coordinates(self, X_JB: Transform) -> Array:
        """Return p [m] and the unit quaternion of R with w ≥ 0, shape (7,)."""
        return np.concatenate([X_JB.p, matrix_to_quaternion(X_JB.R)])

    def neutral(self) -> Array:
        """Return (0, 0, 0, 1, 0, 0, 0)."""
        return np.concatenate([np.zeros(3), neutral_quaternion()])

    def random(self, rng: "np.random.Generator") -> Array:
        """Return an offset uniform in (-1, 1)³ [m] and a uniform unit quaternion, shape (7,)."""
        return np.concatenate([rng.uniform(-1.0, 1.0, 3), random_quaternion(rng)])

    @staticmethod
    def integrate(q: Array, v: Array) -> Array:
        """Return X(q) exp(v), shape (..., 7): a screw motion with constant v [m, rad] in B."""
        return moved(q, v)

    @staticmethod
    def difference(q0: Array, q1: Array) -> Array:
        """Return the screw motion from q0 to q1 [m, rad], turning at most π, shape (..., 6)."""
        return twist_between(q0, q1)
