"""Rack and pinion: a pitch radius couples an angle and a displacement."""

from collections.abc import Mapping
from typing import ClassVar, final

from poinsot.model.constraints.base import JointName
from poinsot.model.constraints.coupling import AbstractCoupling
from poinsot.model.fields import Number, declared, field
from poinsot.spatial import Scalar

__all__ = ["RackPinion"]


@final
@declared
class RackPinion(AbstractCoupling):
    """Rolls a pinion on a rack: q_rack = radius q_pinion + offset.

    Its multiplier is the force on the rack [N].

    Examples:
        >>> RackPinion("steering", pinion="column", rack="rack", radius=0.008).joints
        ('column', 'rack')
    """

    kind: ClassVar[str] = "rack and pinion"
    file_type: ClassVar[str] = "rack_pinion"
    renamed: ClassVar[Mapping[str, str]] = {
        "where": "label", "first": "pinion", "second": "rack", "factor": "radius",
    }  # fmt: skip

    pinion: str = field(JointName(), "Name of the joint of the pinion [rad]")
    rack: str = field(JointName(), "Name of the joint of the rack [m]")
    radius: Scalar = field(
        Number("not zero"), "Pitch radius; its sign says on which side the rack is", unit="m"
    )
    offset: Scalar = field(
        Number(), "Coordinate of the rack where that of the pinion is 0", unit="m", default=0.0
    )

    @property
    def law(self) -> tuple[Scalar, Scalar]:
        """Radius and offset."""
        return self.radius, self.offset
