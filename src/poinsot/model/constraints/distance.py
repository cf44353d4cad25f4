"""The rod without mass between two points."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import maximum
from poinsot.model.constraints.base import FrameField, FramePair, PointOnBody
from poinsot.model.constraints.point_relation import AbstractRelation
from poinsot.model.constraints.smooth_function import traced
from poinsot.model.fields import Number, declared, field
from poinsot.spatial import Scalar

__all__ = ["Distance"]

LEAST: Final = 1e-60
"""Square of the distance of points that coincide [m²]."""


@final
@declared
class Distance(AbstractRelation):
    """Keeps two points at a distance: phi = |p2 - p1| - length.

    Its multiplier is the force with which the rod pushes them apart [N].

    Examples:
        >>> Distance("rod", ("crank", (0.1, 0, 0)), ("slider", (0, 0, 0)), 0.5).locked
        ('distance',)
    """

    kind: ClassVar[str] = "distance"

    first: FrameField = field(
        PointOnBody(), 'One end: a body\'s name, or "world", and a point in its coordinates [m]'
    )
    second: FrameField = field(PointOnBody(), "The other end, on another body")
    length: Scalar = field(
        Number("positive", "points that coincide are joined by a Loop with a Spherical joint"),
        "Distance of the points", unit="m",
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        length = self.length
        if self.first[0] == self.second[0]:
            raise ModelError(
                f"{self.label}: both ends are on {self.first[0]!r}; put one on another body"
            )
        # a zero gradient where the points coincide, rather than 0 / 0
        self._store_function(
            traced(lambda x, t: np.sqrt(maximum(x @ x, LEAST)) - length, 3, self.label)
        )

    @property
    def pairs(self) -> tuple[FramePair]:
        """The two points."""
        return ((self.first, self.second),)

    @property
    def locked(self) -> tuple[str]:
        """The distance."""
        return ("distance",)
