"""The joint that turns about two axes, one on each of its sides."""

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.axis import Axis, AxisField
from poinsot.model.fields import declared, field
from poinsot.model.joints.base import AbstractJoint
from poinsot.model.joints.reactions import wrenches
from poinsot.model.joints.revolute import Revolute
from poinsot.model.scalar_values import is_symbolic
from poinsot.spatial import Array, Transform, angle_between, axis_angle, cross, vector

__all__ = ["Universal"]

_PARALLEL = 1e-6
"""Sine of the angle between the axes below which they are rejected: the motions would be
dependent."""


@final
@declared
class Universal(AbstractJoint):
    """Turns about ``axis`` and about ``axis2``, which it carries: q = [θ1, θ2] [rad], v = qdot.

        R_JB = Rot(axis, θ1) Rot(axis2, θ2)

    The axes meet at the origin; they are not parallel and need not be orthogonal. The first moves
    when seen from the body, so S depends on θ2 and its rate on θ2's.

    Examples:
        >>> Universal("x", "y").motion_subspace(np.zeros(2))[3:].T
        array([[1., 0., 0.],
               [0., 1., 0.]])
    """

    kind: ClassVar[str] = "universal"
    nq: ClassVar[int] = 2
    nv: ClassVar[int] = 2
    q_units: ClassVar[tuple[str, ...]] = ("rad",) * 2
    v_units: ClassVar[tuple[str, ...]] = ("rad/s",) * 2
    q_parts: ClassVar[tuple[str, ...]] = ("1", "2")
    v_parts: ClassVar[tuple[str, ...]] = ("1", "2")

    axis: AxisField = field(
        Axis(), "Unit vector of the first axis, in the joint frame J, where it is fixed",
        default="x", omit=False,
    )  # fmt: skip
    axis2: AxisField = field(
        Axis(), "Unit vector of the second, in the body frame B, where it is fixed",
        default="y", omit=False,
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        super()._check_together(given)
        numeric = not is_symbolic(self.axis, self.axis2)
        if numeric and np.linalg.norm(np.cross(self.axis, self.axis2)) < _PARALLEL:
            raise ModelError(
                f"{self.label}: axis and axis2 must not be parallel, got {given['axis']!r} and "
                f"{given['axis2']!r}; a joint about one axis is Revolute"
            )

    def transform(self, q: Array) -> Transform:
        """Return X_JB: R = Rot(axis, q[0]) Rot(axis2, q[1]), p = 0."""
        R = axis_angle(np.array(self.axis), q[0]) @ axis_angle(np.array(self.axis2), q[1])
        return Transform(R, np.zeros(3))

    def motion_subspace(self, q: Array) -> Array:
        """Return S with columns [0; Rot(axis2, q[1])ᵀ axis] and [0; axis2], shape (6, 2)."""
        turning = np.stack([self._axis_in_body(q), np.array(self.axis2)], axis=1)
        return np.concatenate([np.zeros((3, 2)), turning])

    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt, shape (6, 2): the first axis turns against the body with -v[1] axis2."""
        moving = -v[1] * cross(self.axis2, self._axis_in_body(q))
        return np.concatenate([np.zeros((3, 2)), np.stack([moving, np.zeros(3)], axis=1)])

    def reaction_subspace(self, q: Array) -> Array:
        """Return T: forces x, y, z and the moment about the normal of both axes, shape (6, 4)."""
        return wrenches(np.eye(3), self._normal_in_body(q)[:, None])

    def reaction_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dT/dt, shape (6, 4): the normal turns against the body with -v[1] axis2."""
        moving = -v[1] * cross(self.axis2, self._normal_in_body(q))
        return wrenches(np.zeros((3, 3)), moving[:, None])

    def coordinates(self, X_JB: Transform) -> Array:
        """Return how far R turns axis2 about axis, and Rᵀ axis back about axis2 [rad], shape (2,).

        Neither depends on the turn about the axis itself.
        """
        first, second = np.array(self.axis), np.array(self.axis2)
        return vector(
            angle_between(first, second, X_JB.R @ second),
            angle_between(second, X_JB.R.T @ first, first),
        )

    def rate_map(self, q: Array) -> Array:
        """Return P with rows [0, (a - c b)ᵀ / s²] and [0, (b - c a)ᵀ / s²], shape (2, 6).

        a and b are the axes in B, c and s cosine and sine of the angle between them.
        """
        a, b = self._axis_in_body(q), np.array(self.axis2)
        c = np.dot(self.axis, self.axis2)
        rows = np.stack([a - c * b, b - c * a]) / self._sine() ** 2
        return np.concatenate([np.zeros((2, 3)), rows], axis=1)

    def chain(self) -> tuple[AbstractJoint, ...]:
        """Return hinges about both axes."""
        return Revolute(self.axis), Revolute(self.axis2)

    def random(self, rng: "np.random.Generator") -> Array:
        """Return two angles uniform in (-pi, pi) [rad], shape (2,)."""
        return rng.uniform(-np.pi, np.pi, 2)

    def _axis_in_body(self, q: Array) -> Array:
        """Return the first axis in B, shape (3,)."""
        axis: Array = axis_angle(np.array(self.axis2), q[1]).T @ np.array(self.axis)
        return axis

    def _normal_in_body(self, q: Array) -> Array:
        """Return the unit normal of both axes in B, shape (3,)."""
        normal: Array = cross(self._axis_in_body(q), self.axis2) / self._sine()
        return normal

    def _sine(self) -> float:
        """Return the sine of the angle between the axes, which the joint does not change."""
        return float(np.linalg.norm(np.cross(self.axis, self.axis2)))
