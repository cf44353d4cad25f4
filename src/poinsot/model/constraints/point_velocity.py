"""Base of constraints between velocities of points and rates of joint coordinates."""

from collections.abc import Sequence

from poinsot.model.constraints.base import View
from poinsot.model.constraints.point_relation import (
    coordinate_forces,
    point_forces,
    stacked_motion,
)
from poinsot.model.constraints.velocity_relation import AbstractVelocityRelation, VelocityMotion
from poinsot.model.fields import declared
from poinsot.spatial import Array

__all__ = ["AbstractPointVelocity"]


@declared
class AbstractPointVelocity(AbstractVelocityRelation):
    """r(x, dx/dt, t, p) = 0, x stacking positions of points and coordinates of joints."""

    def _motion(self, view: View) -> VelocityMotion:
        motion = stacked_motion(self, view)
        return VelocityMotion(motion.x, motion.rate, motion.rate, motion.bias, motion.J)

    def joint_forces(self, view: View, lam: Array) -> Sequence[Array]:
        """Return forces along the derivatives of r by the rates of coordinates."""
        return coordinate_forces(self, self._relation(view)[1].B, lam) if self.joints else ()

    def loads(self, view: View, lam: Array) -> Sequence[Array]:
        """Return forces along the derivatives of r by the velocities of points."""
        return point_forces(self, view, self._relation(view)[1].B, lam) if self.pairs else ()
