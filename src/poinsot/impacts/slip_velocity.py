"""Velocities in a contact with friction, along its normal and two tangents, as constraint rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import ClassVar, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import gradient, maximum, sqrt
from poinsot.expr.replay import replay
from poinsot.model import AbstractConstraint, Distance, PointOnSurface
from poinsot.model.constraints.base import FrameField, FrameOnBody, FramePair, PointOnBody
from poinsot.model.constraints.frame_velocity import AbstractFrameVelocity, Equations
from poinsot.model.constraints.point_relation import Formula, check_formulas, from_formulas
from poinsot.model.constraints.rolling import AbstractRolling
from poinsot.model.constraints.smooth_function import TracedFunction
from poinsot.model.constraints.surface import SURFACE_NAMES, Surface
from poinsot.model.fields import declared, field
from poinsot.spatial import Array, Scalar, Transform
from poinsot.spatial.tangents import tangents

__all__ = ["PointSlip", "slip_velocity"]

LEAST = 1e-60
"""Square of the gradient of a surface where it has no normal."""


def slip_velocity(gap: AbstractConstraint) -> AbstractConstraint:
    """Return a constraint of three rows: how fast a contact opens, and slips in two directions.

    Args:
        gap: The constraint of the contact, closed.

    Raises:
        ModelError: If the constraint does not tell which points of the bodies touch.
    """
    name = f"{gap.name}: slip"
    if isinstance(gap, AbstractRolling):
        return replace(gap, name=name, rolling=True)
    if isinstance(gap, PointOnSurface) and not gap.depends_on_time:
        return PointSlip(name, gap.point, gap.surface, gap.on)
    why = (
        f"{gap.label} does not tell which points touch; give a PointOnSurface, or a RollingBall, "
        "RollingDisc or RollingEllipsoid with rolling=False"
    )
    if isinstance(gap, PointOnSurface):
        why = "its surface depends on the time; let a body carry the surface (on=)"
    if isinstance(gap, Distance):
        why += (
            "; of two balls with radii r and R: RollingBall(name, second, radius=r, on=first, "
            "surface=f'x**2 + y**2 + z**2 - {(R + r)**2}', rolling=False)"
        )
    raise ModelError(f"contact {gap.name!r}: it cannot have friction: {why}")


@final
@declared
class PointSlip(AbstractFrameVelocity):
    """The velocity u of a point that touches a surface g(x, y, z) = 0, seen from the surface.

    n·u, t₁·u, t₂·u with n = ∇g / |∇g|; the first is the rate of g / |∇g| where g = 0.
    """

    kind: ClassVar[str] = "point slip"
    file_type: ClassVar[None] = None

    point: FrameField = field(PointOnBody(), "A body's name and a point in its coordinates [m]")
    surface: Formula | TracedFunction = field(
        Surface(), "g: a formula in x, y, z [m] and parameters, or a traced function", compare=False
    )
    on: FrameField = field(
        FrameOnBody(), "A body's name and the pose of the frame of x, y, z on it"
    )

    @property
    def pair(self) -> FramePair:
        """The frame of the surface and that of the point."""
        return self.on, self.point

    def check_parameters(self, known: Collection[str]) -> None:
        """Reject names in the surface that are not parameters of the mechanism."""
        formulas = () if isinstance(self.surface, TracedFunction) else (self.surface,)
        check_formulas(formulas, SURFACE_NAMES, known, self.label)

    @property
    def locked(self) -> tuple[str, ...]:
        """The normal, and two tangents."""
        return ("normal", "slip 1", "slip 2")

    def _equations(self, X: Transform, V: Array, t: Scalar) -> Equations:
        if isinstance(self.surface, TracedFunction):
            terms = np.array(self.surface.terms, object)
            (g,) = replay(self.surface.program, X.p, np.array([t]), terms)[0]
        else:
            (g,) = from_formulas([self.surface], SURFACE_NAMES, f"{self.label}: surface")(X.p)
        slope = gradient(g, X.p)
        length = sqrt(maximum(slope @ slope, LEAST))
        u, distance = X.R @ V[:3], g / length
        first, second = tangents(slope / length)
        return [distance], [gradient(distance, X.p) @ u, first @ u, second @ u]
