"""Couplings between coordinates of joints: gears, racks, and joints that mimic others."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, final

from poinsot.errors import ModelError
from poinsot.model.constraints.base import JointName
from poinsot.model.constraints.point_relation import AbstractRelation
from poinsot.model.constraints.smooth_function import traced
from poinsot.model.fields import Number, declared, field
from poinsot.spatial import Scalar

__all__ = ["AbstractCoupling", "Gear", "RackPinion"]


@declared
class AbstractCoupling(AbstractRelation):
    """The coordinate of the second joint is a factor of the first one's, and an offset."""

    @property
    @abstractmethod
    def law(self) -> tuple[Scalar, Scalar]:
        """Factor and offset."""

    @property
    def locked(self) -> tuple[str]:
        """The coupling."""
        return ("coupling",)

    def _check_together(self, given: Mapping[str, Any]) -> None:
        first, second = self.joints
        factor, offset = self.law
        if first == second:
            raise ModelError(f"{self.label}: joint {first!r} cannot be coupled to itself")
        self._keep(traced(lambda x, t: x[1] - factor * x[0] - offset, 2, self.label))


@final
@declared
class Gear(AbstractCoupling):
    """Couples two joints: q_second = ratio q_first + offset; what URDF calls a mimic joint.

    Its multiplier is the force on the second joint [N or N m].

    Examples:
        >>> Gear("pair", "input", "output", ratio=-0.5).ratio
        -0.5
    """

    kind: ClassVar[str] = "gear"
    renamed: ClassVar[Mapping[str, str]] = {"where": "label", "factor": "ratio"}

    first: str = field(JointName(), "Name of the joint that leads, of one coordinate")
    second: str = field(JointName(), "Name of the joint that follows, of one coordinate")
    ratio: Scalar = field(Number(), "dq_second / dq_first; negative for an outer gear pair")
    offset: Scalar = field(
        Number(), "Coordinate of the second joint where that of the first is 0", unit="rad or m",
        default=0.0,
    )  # fmt: skip

    @property
    def law(self) -> tuple[Scalar, Scalar]:
        """Ratio and offset."""
        return self.ratio, self.offset


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
