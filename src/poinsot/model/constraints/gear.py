"""Gear pairs and joints that mimic others: a ratio between two joint coordinates."""

from collections.abc import Mapping
from typing import ClassVar, final

from poinsot.model.constraints.base import JointName
from poinsot.model.constraints.coupling import AbstractCoupling
from poinsot.model.fields import Number, declared, field
from poinsot.spatial import Scalar

__all__ = ["Gear"]


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
