"""Base of bodies that touch a surface and roll on it without slip."""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, Self

import numpy as np

from poinsot.expr import gradient, maximum, sqrt
from poinsot.model.body import WORLD
from poinsot.model.constraints.base import FrameField, FrameOnBody, FramePair, PointOnBody
from poinsot.model.constraints.frame_velocity import AbstractFrameVelocity, Equations
from poinsot.model.constraints.point_relation import (
    Formula,
    FunctionOrFormula,
    check_formulas,
    from_formulas,
)
from poinsot.model.constraints.surface import SURFACE_NAMES
from poinsot.model.fields import Stored, Truth, declared, field
from poinsot.model.pose import Pose
from poinsot.spatial import Array, Scalar, Transform, cross, skew

__all__ = ["AbstractRolling", "AbstractRollingOnSurface", "Touch", "unit_vector"]

LEAST: Final = 1e-60
"""Square of the gradient of a surface where it has no normal."""

Touch = tuple[Scalar, Array, Sequence[Array]]
"""The gap, from the centre to the point of contact, and three directions: the gradient of the gap
by the centre, and two tangents; all in the axes of the ground."""


@declared
class AbstractRolling(AbstractFrameVelocity):
    """A surface of a body that touches the ground and does not slip.

    With c the vector from the centre to the contact, the body's point there has the velocity

        u = v + w × c,      and      dphi/dt = n·u = 0,      t_1·u = t_2·u = 0.

    The gap phi is holonomic and stays zero for positions; the other two rows constrain velocities.
    Multipliers are the components of the force of the ground on the body [N].
    """

    center: FrameField = field(
        PointOnBody(), "A body's name and the centre, a point or a frame in its coordinates [m]"
    )
    on: FrameField = field(
        FrameOnBody(), 'What it rolls on: a body\'s name, or "world", and the pose of the ground',
        default=(WORLD, Pose()), kw_only=True,
    )  # fmt: skip
    rolling: bool = field(
        Truth(), "Whether it rolls without slip; else it slides without friction",
        default=True, kw_only=True,
    )  # fmt: skip

    @abstractmethod
    def _touch(self, X: Transform) -> Touch:
        """Return where it touches the ground, X being the pose of the centre's frame."""

    @property
    def pair(self) -> FramePair:
        """The ground and the centre."""
        return self.on, self.center

    @property
    def position_part(self) -> Self:
        """The same contact without friction."""
        return replace(self, rolling=False) if self.rolling else self

    @property
    def locked(self) -> tuple[str, ...]:
        """The gap, and the two tangents."""
        return ("contact", *self._tangents) if self.rolling else ("contact",)

    @property
    def _tangents(self) -> tuple[str, str]:
        return "rolling x", "rolling y"

    def _equations(self, X: Transform, V: Array, t: Scalar) -> Equations:
        gap, arm, directions = self._touch(X)
        velocity = X.R @ V[:3] + cross(X.R @ V[3:], arm)
        rows = [direction @ velocity for direction in directions]
        return [gap], rows if self.rolling else rows[:1]


@declared
class AbstractRollingOnSurface(AbstractRolling):
    """What rolls on the plane z = 0 of a frame, or on a surface g(x, y, z) = 0 in it.

    g grows away from the ground; it is zero on the surface that the centre of a ball, or the middle
    line of a tyre, runs on, parallel to the ground.
    """

    surface: Stored[Formula | None, Formula | None] = field(
        FunctionOrFormula(),
        "g, zero where the centre of a ball, or the rim of a disc, may be: a formula in x, y, z "
        "[m] and parameters; the plane by default",
        default=None, kw_only=True,
    )  # fmt: skip

    def check_parameters(self, known: Collection[str]) -> None:
        """Reject names in the surface that are not parameters of the mechanism."""
        formulas = () if self.surface is None else (self.surface,)
        check_formulas(formulas, SURFACE_NAMES, known, self.label)

    def _height(self, x: Array) -> Scalar:
        """Return g at a point."""
        assert self.surface is not None, "there is a surface"
        (g,) = from_formulas([self.surface], SURFACE_NAMES, f"{self.label}: surface")(x)
        return g

    def _equations(self, X: Transform, V: Array, t: Scalar) -> Equations:
        """Return those of all contacts, with the rate of the gap beside the surface too."""
        gaps, (first, *slips) = super()._equations(X, V, t)
        if self.surface is not None:
            first = gradient(gaps[0], X.p) @ (X.R @ V[:3])
            first = first + np.sum(gradient(gaps[0], X.R) * (X.R @ skew(V[3:])))
        return gaps, [first, *slips]


def unit_vector(vector: Array, least: float = LEAST) -> tuple[Array, Scalar]:
    """Return a vector of length 1 along another, and its length, whose square is at least that."""
    length = sqrt(maximum(sum(x * x for x in vector.tolist()), least))
    return vector / length, length
