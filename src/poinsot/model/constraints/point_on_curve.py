"""The point that stays on a curve."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.body import WORLD
from poinsot.model.constraints.base import (
    FrameField,
    FrameMotion,
    FrameOnBody,
    FramePair,
    PointOnBody,
    Rows,
    View,
)
from poinsot.model.constraints.curve import Curve, CurvePoint
from poinsot.model.constraints.moving_constraint import AbstractClosure
from poinsot.model.fields import Instance, Number, declared, field
from poinsot.model.pose import Pose
from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Array, Scalar, cross, vector

__all__ = ["PointOnCurve"]


@final
@declared
class PointOnCurve(AbstractClosure):
    """Keeps a point of a body on a curve c(s) that another body carries, as a bead on a wire.

    With x the position of the point in the axes of the curve and n the normals where it is,

        n·(x - c) = 0,      n·dx/dt = 0,      ds/dt = dc·dx/dt / |dc|².

    The parameter s, its rate and acceleration are the coordinates of the constraint; its own force
    along s is -damping ds/dt - stiffness (s - rest), in N where s is the arc length.

    Examples:
        >>> wire = Curve(("cos(s)", "sin(s)", 0), (-3.2, 3.2))
        >>> PointOnCurve("bead", ("tip", (0, 0, 0)), wire, damping=0.1).locked
        ('normal 1', 'normal 2')
    """

    kind: ClassVar[str] = "point on curve"

    point: FrameField = field(PointOnBody(), "A body's name and a point in its coordinates [m]")
    curve: Curve = field(Instance(Curve, "Curve(('s', 0, 0), (0, 1))"), "The curve")
    on: FrameField = field(
        FrameOnBody(), 'A body\'s name, or "world", and the pose of the curve\'s frame on it',
        default=(WORLD, Pose()),
    )  # fmt: skip
    damping: Scalar = field(Number(), "Force per ds/dt", default=0.0, kw_only=True)
    stiffness: Scalar = field(Number(), "Force per s", default=0.0, kw_only=True)
    rest: Scalar = field(
        Number(), "The s at which the spring is relaxed", default=0.0, kw_only=True
    )

    def _check_together(self, given: Mapping[str, Any]) -> None:
        if self.point[0] == self.on[0]:
            raise ModelError(
                f"{self.label}: point and curve are both on {self.on[0]!r}; "
                "let another body carry one of them"
            )

    def check_parameters(self, known: Collection[str]) -> None:
        """Reject names in the formulas of the curve that are not parameters of the mechanism."""
        self.curve.check_parameters(known, f"{self.label}: curve")

    @property
    def pair(self) -> FramePair:
        """The frame of the curve and the point."""
        return self.on, self.point

    @property
    def nv(self) -> int:
        """One: the rate of the parameter."""
        return 1

    @property
    def locked(self) -> tuple[str, str]:
        """The two normals of the curve."""
        return "normal 1", "normal 2"

    @property
    def is_passive(self) -> bool:
        """Whether its own spring or damper exerts a force."""
        return nonzero(self.damping, self.stiffness)

    def rows(self, view: View) -> Rows:
        """Return n·(x - c), n·J and n·d²x/dt² + ds/dt dn·dx/dt."""
        motion = view.frame(self.pair)
        foot = self._nearest_point(motion)
        R, w, v = motion.X.R, motion.V[3:], motion.V[:3]
        velocity = R @ v
        bias = R @ (motion.A[:3] + cross(w, v))
        gamma = foot.n @ bias + _rate(foot, velocity) * (foot.dn @ velocity)
        return Rows(foot.n @ (motion.X.p - foot.c), foot.n @ (R @ motion.J[:3]), np.zeros(2), gamma)

    def loads(self, view: View, lam: Array) -> Sequence[Array]:
        """Return the force along the normals."""
        motion = view.frame(self.pair)
        return (_force(motion, self._nearest_point(motion).n.T @ lam),)

    def position(self, motion: FrameMotion) -> Array:
        """Return the parameter of the curve's nearest point, shape (1,)."""
        return vector(self.curve.nearest(motion.X.p))

    def velocity(self, motion: FrameMotion) -> Array:
        """Return ds/dt, shape (1,)."""
        return vector(_rate(self._nearest_point(motion), motion.X.R @ motion.V[:3]))

    def acceleration(self, motion: FrameMotion, rate: Array) -> Array:
        """Return d²s/dt² = dc·(d²x/dt² - ddc (ds/dt)²) / |dc|², shape (1,)."""
        foot, R = self._nearest_point(motion), motion.X.R
        v, w = motion.V[:3], motion.V[3:]
        s_rate = _rate(foot, R @ v)
        x = R @ (rate[:3] + cross(w, v))
        return vector(_rate(foot, x - foot.ddc * (s_rate * s_rate)))

    def drive(self, motion: FrameMotion, tau: Array) -> Array:
        """Return the force tau dc / |dc|² on the point, shape (6,)."""
        foot = self._nearest_point(motion)
        return _force(motion, foot.dc * (tau[0] / (foot.dc @ foot.dc)))

    def passive(self, motion: FrameMotion) -> Array:
        """Return -damping ds/dt - stiffness (s - rest), shape (1,)."""
        force = -self.damping * self.velocity(motion)
        if nonzero(self.stiffness):
            force = force - self.stiffness * (self.position(motion) - self.rest)
        return np.asarray(force)

    def spring_energy(self, motion: FrameMotion) -> Array:
        """Return stiffness (s - rest)² / 2 [J], shape ()."""
        if not nonzero(self.stiffness):
            return np.zeros(())
        stretch = self.position(motion)[0] - self.rest
        return np.asarray(0.5 * self.stiffness * (stretch * stretch))

    def _nearest_point(self, motion: FrameMotion) -> CurvePoint:
        return self.curve.at(self.curve.nearest(motion.X.p))


def _rate(foot: CurvePoint, velocity: Array) -> Scalar:
    rate: Scalar = (foot.dc @ velocity) / (foot.dc @ foot.dc)
    return rate


def _force(motion: FrameMotion, f: Array) -> Array:
    """Return the wrench of a force f in the axes of the first frame, at the point, shape (6,)."""
    return np.concatenate([motion.X.R.T @ f, np.zeros(3)])
