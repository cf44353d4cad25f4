"""The wheel that rolls on a plane or another surface."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import fresh_symbols, gradient, jacobian, maximum, sqrt
from poinsot.expr.replay import with_values
from poinsot.model.axis import Axis, AxisField
from poinsot.model.constraints.rolling import AbstractRollingOnSurface, Touch, unit_vector
from poinsot.model.fields import Number, declared, field
from poinsot.model.scalar_values import is_symbolic
from poinsot.spatial import Array, Scalar, Transform, cross

__all__ = ["RollingDisc"]

ROUNDS: Final = 5
"""Newton steps to the contact with a surface; each doubles the digits."""
FLAT: Final = 1e-30
"""Square of the sine of the lean at which a disc lies flat, and the contact is no point."""


@final
@declared
class RollingDisc(AbstractRollingOnSurface):
    """Rolls a disc or wheel on the plane z = 0 of a frame, or on a surface, its axis not along n.

    With a the axis and n = z the normal of the ground, the disc runs along l = a × n / s,
    s = |a × n|, and its lowest point is, from the centre,

        c = (radius - edge) (a × l) - edge n,      phi = z - (radius - edge) s - edge.

    A knife-edge disc has edge = 0; the section of a tyre is a circle of radius ``edge``.  On a
    surface g(x, y, z) = 0 the point of the rim, of radius - edge, is that where g is least: with
    c' its rate along the rim, ∇g·c' = 0, by Newton's method from the point that is lowest along
    ∇g at the centre.  The disc must be more curved than the ground.  g is the ground of a
    knife-edge disc, and parallel to it, ``edge`` above, for a tyre.
    The multipliers are the forces of the ground along n, l and n × l [N]: load, traction, side
    force.

    Examples:
        >>> RollingDisc("tyre", "wheel", radius=0.3).locked
        ('contact', 'rolling', 'sideways')
    """

    kind: ClassVar[str] = "rolling disc"

    axis: AxisField = field(
        Axis(), "Axis of the disc in the frame of its centre", default="y", kw_only=True
    )
    radius: Scalar = field(
        Number("positive"), "Distance of the edge from the axis", unit="m", kw_only=True
    )
    edge: Scalar = field(
        Number("not negative"), "Radius of the rounding of the edge", unit="m", default=0.0,
        kw_only=True,
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        if not is_symbolic((self.radius, self.edge)) and self.edge > self.radius:
            raise ModelError(
                f"{self.label}: edge must be at most radius = {self.radius:g}, got {self.edge:g}; "
                "a RollingBall is round everywhere"
            )
        super()._check_together(given)

    @property
    def _tangents(self) -> tuple[str, str]:
        return "rolling", "sideways"

    def _touch(self, X: Transform) -> Touch:
        a, rim = X.R @ np.array(self.axis), self.radius - self.edge
        if self.surface is not None:
            return self._touch_surface(X.p, a, rim)
        n = np.array([0.0, 0.0, 1.0])
        s = sqrt(maximum(a[0] * a[0] + a[1] * a[1], FLAT))
        along = np.array([a[1] / s, -a[0] / s, 0.0])
        arm = rim * cross(a, along) - self.edge * n
        return X.p[2] - rim * s - self.edge, arm, (n, along, cross(n, along))

    def _touch_surface(self, center: Array, a: Array, rim: Scalar) -> Touch:
        """Return the contact with a surface, a being the axis."""
        x = fresh_symbols("x", 3)
        g = self._height(x)
        slope = gradient(g, x)
        known = np.array([g, *slope, *jacobian(slope, x).ravel()], dtype=object)

        def ground(point: Array) -> tuple[Scalar, Array, Array]:
            """Return g, its gradient and its second derivatives."""
            values = with_values(known, x, point)
            return values[0], values[1:4], values[4:].reshape(3, 3)

        n, _ = unit_vector(ground(center)[1])
        forward, _ = unit_vector(cross(a, n), FLAT)
        down = cross(a, forward)
        cosine, sine = 1.0, 0.0
        for _ in range(ROUNDS):
            arm = rim * (cosine * down + sine * forward)
            tangent = rim * (cosine * forward - sine * down)
            _, slope, second = ground(center + arm)
            turn = -(slope @ tangent) / (tangent @ (second @ tangent) - slope @ arm)
            scale = 1.0 / sqrt(1.0 + turn * turn)
            cosine, sine = scale * (cosine - turn * sine), scale * (sine + turn * cosine)
        arm = rim * (cosine * down + sine * forward)
        height, slope, _ = ground(center + arm)
        n, length = unit_vector(slope)
        along = cosine * forward - sine * down
        return height / length, arm - self.edge * n, (n, along, cross(n, along))
