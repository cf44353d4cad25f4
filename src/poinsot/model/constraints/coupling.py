"""Couplings between coordinates of joints: gears, racks, and joints that mimic others."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, final

from poinsot.errors import ModelError
from poinsot.model.checks import checked_name, scalar_number
from poinsot.model.constraints.relation import AbstractRelation
from poinsot.model.constraints.smooth import traced
from poinsot.model.numbers import nonzero
from poinsot.spatial import Scalar

__all__ = ["Gear", "RackPinion"]


@dataclass(frozen=True, init=False)
class _Coupling(AbstractRelation):
    """q_second = factor q_first + offset, of joints with one coordinate each."""

    first: str
    second: str
    factor: Scalar
    offset: Scalar

    joint_fields: ClassVar[tuple[str, ...]] = ("first", "second")

    def __init__(
        self, name: str, first: str, second: str, factor: Scalar, offset: Scalar = 0.0
    ) -> None:
        super().__init__(name)
        object.__setattr__(self, "first", checked_name(first, f"{self.where}: first joint"))
        object.__setattr__(self, "second", checked_name(second, f"{self.where}: second joint"))
        factor = scalar_number(factor, f"{self.where}: factor")
        offset = scalar_number(offset, f"{self.where}: offset")
        object.__setattr__(self, "factor", factor)
        object.__setattr__(self, "offset", offset)
        if first == second:
            raise ModelError(f"{self.where}: joint {first!r} cannot be coupled to itself")
        self._keep(traced(lambda x, t: x[1] - factor * x[0] - offset, 2, self.where))

    def remade(self, fields: Mapping[str, Any], values: Mapping[str, float]) -> Self:
        """Return the coupling with numbers in place of some parameters."""
        return type(self)(*(fields[key] for key in ("name", "first", "second", "factor", "offset")))

    @property
    def joints(self) -> tuple[str, str]:
        """The two joints."""
        return self.first, self.second

    @property
    def locked(self) -> tuple[str]:
        """The coupling."""
        return ("coupling",)


@final
@dataclass(frozen=True, init=False)
class Gear(_Coupling):
    """Couples two joints: q_second = ratio q_first + offset; what URDF calls a mimic joint.

    Its multiplier is the force on the second joint [N or N m].

    Attributes:
        first: Name of the joint that leads; one coordinate.
        second: Name of the joint that follows; one coordinate.
        factor: The ratio.
        offset: Coordinate of the second joint where that of the first is 0 [rad or m].

    Examples:
        >>> Gear("pair", "input", "output", ratio=-0.5).factor
        -0.5
    """

    kind: ClassVar[str] = "gear"

    def __init__(
        self, name: str, first: str, second: str, ratio: Scalar, offset: Scalar = 0.0
    ) -> None:
        """Check and store the gear.

        Args:
            name: Name, unique among loops and constraints.
            first: Name of the joint that leads.
            second: Name of the joint that follows.
            ratio: dq_second / dq_first; negative for an outer gear pair.
            offset: Coordinate of the second joint where that of the first is 0.
        """
        super().__init__(name, first, second, ratio, offset)


@final
@dataclass(frozen=True, init=False)
class RackPinion(_Coupling):
    """Rolls a pinion on a rack: q_rack = radius q_pinion + offset.

    Its multiplier is the force on the rack [N].

    Attributes:
        first: Name of the joint of the pinion [rad].
        second: Name of the joint of the rack [m].
        factor: Pitch radius [m]; its sign says on which side the rack is.
        offset: Coordinate of the rack where that of the pinion is 0 [m].

    Examples:
        >>> RackPinion("steering", pinion="column", rack="rack", radius=0.008).joints
        ('column', 'rack')
    """

    kind: ClassVar[str] = "rack and pinion"

    def __init__(
        self, name: str, pinion: str, rack: str, radius: Scalar, offset: Scalar = 0.0
    ) -> None:
        """Check and store the pair.

        Args:
            name: Name, unique among loops and constraints.
            pinion: Name of the joint of the pinion.
            rack: Name of the joint of the rack.
            radius: Pitch radius [m], not 0.
            offset: Coordinate of the rack where that of the pinion is 0 [m].
        """
        super().__init__(name, pinion, rack, radius, offset)
        if not nonzero(self.factor):
            raise ModelError(f"{self.where}: radius must not be 0")
