"""The joint that turns about an axis and slides along it in proportion: a screw in its nut."""

from typing import ClassVar, final

import numpy as np

from poinsot.expr import atan2
from poinsot.model.axis import Axis, AxisField, perpendicular
from poinsot.model.fields import Number, declared, field
from poinsot.model.joints.base import AbstractJoint
from poinsot.model.joints.reactions import wrenches
from poinsot.spatial import (
    Array,
    Scalar,
    Transform,
    angle_about,
    axis_angle,
    cosine,
    sine,
    vector,
)

__all__ = ["Helical"]


@final
@declared
class Helical(AbstractJoint):
    """Screws along ``axis``: R_JB = Rot(axis, q), p_JB = pitch q axis, q the angle [rad].

    Examples:
        >>> Helical("z", 0.5).transform(np.array([4.0])).p
        array([0., 0., 2.])
    """

    kind: ClassVar[str] = "helical"
    nq: ClassVar[int] = 1
    nv: ClassVar[int] = 1
    q_units: ClassVar[tuple[str, ...]] = ("rad",)
    v_units: ClassVar[tuple[str, ...]] = ("rad/s",)

    axis: AxisField = field(
        Axis(),
        "Unit vector, the same in J and in B",
        omit=False,
    )
    pitch: Scalar = field(
        Number(),
        "Way along the axis per **radian**, positive for a right-handed thread; the lead of a "
        "screw, its way in one turn, is 2π pitch",
        unit="m",
    )  # fmt: skip

    def transform(self, q: Array) -> Transform:
        """Return X_JB: R = Rot(axis, q), p = pitch q axis [m]."""
        axis = np.array(self.axis)
        return Transform(axis_angle(axis, q[0]), self.pitch * q[0] * axis)

    def motion_subspace(self, q: Array) -> Array:
        """Return S = [pitch axis; axis], shape (6, 1)."""
        axis = np.array(self.axis)
        return np.concatenate([self.pitch * axis, axis])[:, None]

    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt = 0, shape (6, nv)."""
        return np.zeros((6, self.nv))

    def reaction_subspace(self, q: Array) -> Array:
        """Return T: two forces across the axis, [axis; -pitch axis], two moments, shape (6, 5).

        The third is the push of the thread: a force along the axis [N] needs the moment
        -pitch [N·m] for the two to do no work.
        """
        across, axis = perpendicular(self.axis), np.array(self.axis)
        T = wrenches(np.column_stack([across, axis]), across)
        T[3:, 2] = -self.pitch * axis
        return T

    def coordinates(self, X_JB: Transform) -> Array:
        """Return the angle of R about the axis [rad] plus the turns made, shape (1,).

        The offset along the axis tells the turns, unless the pitch is zero: of all angles of R
        the nearest to offset / pitch.
        """
        angle = angle_about(self.axis, X_JB.R)
        if not self.pitch:
            return vector(angle)
        screwed = X_JB.p @ np.array(self.axis) / self.pitch
        off = screwed - angle
        return vector(screwed - atan2(sine(off), cosine(off)))

    def rate_map(self, q: Array) -> Array:
        """Return P = [0, axisᵀ]: the turning alone, shape (1, 6)."""
        return np.array([[0.0, 0.0, 0.0, *self.axis]])

    def random(self, rng: "np.random.Generator") -> Array:
        """Return an angle uniform in (-pi, pi) [rad], shape (1,)."""
        return rng.uniform(-np.pi, np.pi, 1)
