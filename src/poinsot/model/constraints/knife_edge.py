"""The blade that slides along its edge only: skates, runners, wheels whose spin is left out."""

from typing import ClassVar, final

import numpy as np

from poinsot.model.axis import Axis, AxisField
from poinsot.model.body import WORLD
from poinsot.model.constraints.base import FrameField, FrameOnBody, FramePair, PointOnBody
from poinsot.model.constraints.frame_velocity import AbstractFrameVelocity, Equations
from poinsot.model.fields import declared, field
from poinsot.model.pose import Pose
from poinsot.spatial import Array, Scalar, Transform

__all__ = ["KnifeEdge"]


@final
@declared
class KnifeEdge(AbstractFrameVelocity):
    """Lets a point of a body move in every direction but across its blade: across·v = 0.

    v is the velocity of the point relative to ``on``; the direction across turns with the body.
    The multiplier is the force on the body along it [N].

    Examples:
        >>> KnifeEdge("blade", ("sled", (0.3, 0, 0))).locked
        ('sideways',)
    """

    kind: ClassVar[str] = "knife edge"

    point: FrameField = field(
        PointOnBody(), "A body's name and the point of the blade, or its frame, on it [m]"
    )
    across: AxisField = field(
        Axis(), "Direction in which the point cannot move, in its frame", default="y", kw_only=True
    )
    on: FrameField = field(
        FrameOnBody(), 'What it slides on: a body\'s name, or "world"', default=(WORLD, Pose()),
        kw_only=True,
    )  # fmt: skip

    @property
    def pair(self) -> FramePair:
        """The ice and the blade."""
        return self.on, self.point

    @property
    def locked(self) -> tuple[str]:
        """The direction across the blade."""
        return ("sideways",)

    def _equations(self, X: Transform, V: Array, t: Scalar) -> Equations:
        return (), [np.array(self.across) @ V[:3]]
