"""The wheel that rolls on a plane."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import maximum, sqrt
from poinsot.model.axis import Axis, AxisField
from poinsot.model.constraints.rolling import AbstractRolling, Touch
from poinsot.model.fields import Number, declared, field
from poinsot.model.scalar_values import is_symbolic
from poinsot.spatial import Scalar, Transform, cross

__all__ = ["RollingDisc"]

FLAT: Final = 1e-30
"""Square of the sine of the lean at which a disc lies flat, and the contact is no point."""


@final
@declared
class RollingDisc(AbstractRolling):
    """Rolls a disc or wheel on the plane z = 0 of a frame, its axis not along z.

    With a the axis and n = z the normal of the ground, the disc runs along l = a × n / s,
    s = |a × n|, and its lowest point is, from the centre,

        c = (radius - edge) (a × l) - edge n,      phi = z - (radius - edge) s - edge.

    A knife-edge disc has edge = 0; the section of a tyre is a circle of radius ``edge``.
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
        a, n = X.R @ np.array(self.axis), np.array([0.0, 0.0, 1.0])
        s = sqrt(maximum(a[0] * a[0] + a[1] * a[1], FLAT))
        along = np.array([a[1] / s, -a[0] / s, 0.0])
        rim = self.radius - self.edge
        arm = rim * cross(a, along) - self.edge * n
        return X.p[2] - rim * s - self.edge, arm, (n, along, cross(n, along))
