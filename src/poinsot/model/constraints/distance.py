"""The rod without mass between two points."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import Expr, maximum
from poinsot.model.checks import scalar_number
from poinsot.model.constraints.base import Frame, FramePair, checked_frame
from poinsot.model.constraints.relation import AbstractRelation
from poinsot.model.constraints.smooth import traced
from poinsot.spatial import Scalar

__all__ = ["Distance"]

LEAST: Final = 1e-60
"""Square of the distance of points that coincide [m²]."""


@final
@dataclass(frozen=True, init=False)
class Distance(AbstractRelation):
    """Keeps two points at a distance: phi = |p2 - p1| - length.

    Its multiplier is the force with which the rod pushes them apart [N].

    Attributes:
        first: Body and pose whose origin is one point.
        second: The same for the other.
        length: Their distance [m], positive.

    Examples:
        >>> Distance("rod", ("crank", (0.1, 0, 0)), ("slider", (0, 0, 0)), 0.5).locked
        ('distance',)
    """

    first: Frame
    second: Frame
    length: Scalar

    kind: ClassVar[str] = "distance"
    frame_fields: ClassVar[tuple[str, ...]] = ("first", "second")

    def __init__(
        self, name: str, first: tuple[str, Any], second: tuple[str, Any], length: Scalar
    ) -> None:
        """Check and store the rod.

        Args:
            name: Name, unique among loops and constraints.
            first: A body's name, or ``"world"``, and a point in its coordinates [m].
            second: The same for the other end, on another body.
            length: Distance of the points [m], positive.

        Raises:
            ModelError: If one of them is wrong.
        """
        super().__init__(name)
        object.__setattr__(self, "first", checked_frame(first, f"{self.where}: first"))
        object.__setattr__(self, "second", checked_frame(second, f"{self.where}: second"))
        number = scalar_number(length, f"{self.where}: length")
        if not isinstance(number, Expr) and number <= 0.0:
            raise ModelError(
                f"{self.where}: length must be positive, got {length!r}; points that coincide are "
                "joined by a Loop with a Spherical joint"
            )
        object.__setattr__(self, "length", number)
        if self.first[0] == self.second[0]:
            raise ModelError(
                f"{self.where}: both ends are on {self.first[0]!r}; put one on another body"
            )
        # where the points coincide no direction is pushed along, rather than 0 / 0
        self._keep(traced(lambda x, t: np.sqrt(maximum(x @ x, LEAST)) - number, 3, self.where))

    def remade(self, fields: Mapping[str, Any], values: Mapping[str, float]) -> Self:
        """Return the rod with numbers in place of some parameters."""
        return type(self)(*(fields[key] for key in ("name", "first", "second", "length")))

    @property
    def pairs(self) -> tuple[FramePair]:
        """The two points."""
        return ((self.first, self.second),)

    @property
    def locked(self) -> tuple[str]:
        """The distance."""
        return ("distance",)
