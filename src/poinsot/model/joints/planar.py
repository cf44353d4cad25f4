"""The joint that keeps a plane of the body on a plane of its parent."""

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.axis import Axis, AxisField, unit_axis
from poinsot.model.fields import declared, field
from poinsot.model.joints.base import AbstractJoint
from poinsot.model.joints.prismatic import Prismatic
from poinsot.model.joints.reactions import wrenches
from poinsot.model.joints.revolute import Revolute
from poinsot.model.scalar_values import is_symbolic
from poinsot.spatial import (
    Array,
    Scalar,
    Transform,
    angle_about,
    axis_angle,
    cosine,
    cross,
    sine,
    vector,
)

__all__ = ["Planar"]

ORTHOGONAL = 1e-6
"""Largest cosine of the angle between the axes that counts as rounding error, e.g. of axes written
with seven digits; the second axis is then orthogonalised."""

_ROUNDING = 4 * float(np.finfo(np.float64).eps)
"""Axes this close to orthogonal are kept, so that making the joint twice changes no bit."""


@final
@declared
class Planar(AbstractJoint):
    """Slides in the plane of ``axis`` and ``axis2`` and turns about their normal.

        p_JB = x axis + y axis2,   R_JB = Rot(axis × axis2, θ)

    q = [x [m], y [m], θ [rad]] and v = qdot: the offsets and their rates are along axes of J, which
    the body does not carry, so S depends on θ and its rate on θ's.
    Differs from Pinocchio, where v is in body axes and q holds cosine and sine.

    Examples:
        >>> Planar("x", "y").transform(np.array([1.0, 2.0, 0.0])).p
        array([1., 2., 0.])
    """

    kind: ClassVar[str] = "planar"
    nq: ClassVar[int] = 3
    nv: ClassVar[int] = 3
    q_units: ClassVar[tuple[str, ...]] = ("m", "m", "rad")
    v_units: ClassVar[tuple[str, ...]] = ("m/s", "m/s", "rad/s")
    q_parts: ClassVar[tuple[str, ...]] = ("x", "y", "angle")
    v_parts: ClassVar[tuple[str, ...]] = ("x", "y", "angle")

    axis: AxisField = field(
        Axis(), "Unit vector of the first offset, in the joint frame J", default="x", omit=False
    )
    axis2: AxisField = field(
        Axis(), "Unit vector of the second, in J, orthogonal to the first", default="y", omit=False
    )

    def _check_together(self, given: Mapping[str, Any]) -> None:
        super()._check_together(given)
        first, second = self.axis, self.axis2
        slant = 0.0 if is_symbolic(first, second) else float(np.dot(first, second))
        if abs(slant) > ORTHOGONAL:
            raise ModelError(
                f"{self.label}: axis and axis2 must be orthogonal, got {given['axis']!r} and "
                f"{given['axis2']!r}, whose angle has the cosine {slant:.3g}"
            )
        if abs(slant) > _ROUNDING:
            upright = np.array(second) - slant * np.array(first)
            self._store(axis2=unit_axis(upright, self.label))

    def transform(self, q: Array) -> Transform:
        """Return X_JB: R = Rot(axis × axis2, q[2]), p = q[0] axis + q[1] axis2 [m]."""
        p = q[0] * np.array(self.axis) + q[1] * np.array(self.axis2)
        return Transform(axis_angle(self._normal(), q[2]), p)

    def motion_subspace(self, q: Array) -> Array:
        """Return S with columns [Rᵀ axis; 0], [Rᵀ axis2; 0] and [0; axis × axis2], shape (6, 3)."""
        return self._subspace(cosine(q[2]), sine(q[2]), self._normal())

    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt, shape (6, 3): axes fixed in J turn against the body with -v[2]."""
        return self._subspace(-v[2] * sine(q[2]), v[2] * cosine(q[2]), np.zeros(3))

    def reaction_subspace(self, q: Array) -> Array:
        """Return T: the force along the normal, moments along axis and axis2 in B, shape (6, 3)."""
        return wrenches(self._normal()[:, None], np.array([self.axis, self.axis2]).T)

    def coordinates(self, X_JB: Transform) -> Array:
        """Return the offsets in the plane [m] and the angle about its normal [rad], shape (3,)."""
        x, y = np.array([self.axis, self.axis2]) @ X_JB.p
        return vector(x, y, angle_about(self._normal(), X_JB.R))

    def chain(self) -> tuple[AbstractJoint, ...]:
        """Return slides along both axes, and a hinge about their normal."""
        return Prismatic(self.axis), Prismatic(self.axis2), Revolute(self._normal())

    def random(self, rng: "np.random.Generator") -> Array:
        """Return offsets uniform in (-1, 1) [m] and an angle in (-pi, pi) [rad], shape (3,)."""
        return np.append(rng.uniform(-1.0, 1.0, 2), rng.uniform(-np.pi, np.pi))

    def _normal(self) -> Array:
        return cross(self.axis, self.axis2)

    def _subspace(self, c: Scalar, s: Scalar, normal: Array) -> Array:
        """Return columns [c axis - s axis2; 0], [s axis + c axis2; 0] and [0; normal]."""
        first, second = np.array(self.axis), np.array(self.axis2)
        zero = np.zeros(3)
        slides = np.stack([c * first - s * second, s * first + c * second, zero], axis=1)
        return np.concatenate([slides, np.stack([zero, zero, normal], axis=1)])
