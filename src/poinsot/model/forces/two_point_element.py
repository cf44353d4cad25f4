"""Base of force elements that act between two points."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.changed import changed
from poinsot.model.fields import Stored, declared, field
from poinsot.model.forces.base import AbstractForce, End, EndOnBody, PointMotion
from poinsot.spatial import Array

__all__ = ["AbstractForceBetween"]


@declared
class AbstractForceBetween(AbstractForce):
    """Equal and opposite forces on two points of two bodies."""

    first: Stored[End, tuple[str, Any]] = field(
        EndOnBody(), 'One end: a body\'s name, or "world", and a point in its coordinates [m]'
    )
    second: Stored[End, tuple[str, Any]] = field(EndOnBody(), "The other end, on another body")

    def _check_together(self, given: Mapping[str, Any]) -> None:
        if self.first[0] == self.second[0]:
            raise ModelError(
                f"{self.label}: both ends are on {self.first[0]!r}, so it moves nothing; "
                "put one on another body, or on 'world'"
            )

    @property
    @abstractmethod
    def is_spring(self) -> bool:
        """Whether its force depends on how far the ends are from each other."""

    @property
    @abstractmethod
    def is_damper(self) -> bool:
        """Whether its force depends on how fast that changes."""

    @property
    def ends(self) -> tuple[End, End]:
        """The two ends."""
        return self.first, self.second

    def with_ends(self, ends: Sequence[End]) -> Self:
        """Return the same element between two other points."""
        first, second = ends
        return changed(self, first=first, second=second)

    def _opposite(self, ends: Sequence[PointMotion], f: Array) -> tuple[Array, Array]:
        """Return the wrenches of f on the first end and -f on the second, in the bodies' axes."""
        first, second = ends
        moment = np.zeros(3)
        return (
            np.concatenate([first.R.T @ f, moment]),
            np.concatenate([-(second.R.T @ f), moment]),
        )
