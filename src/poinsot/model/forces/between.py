"""What force elements that act between two points have in common."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.changed import changed
from poinsot.model.forces.base import AbstractForce, End, PointMotion, checked_end
from poinsot.spatial import Array

__all__ = ["AbstractForceBetween"]


@dataclass(frozen=True, init=False)
class AbstractForceBetween(AbstractForce):
    """Equal and opposite forces on two points of two bodies.

    Attributes:
        first: Body and point [m] of one end.
        second: Body and point of the other.
    """

    first: End
    second: End

    def __init__(self, first: tuple[str, Any], second: tuple[str, Any], name: str | None) -> None:
        """Check and store where it acts."""
        super().__init__(name)
        where = self.where(name)
        object.__setattr__(self, "first", checked_end(first, f"{where}: first"))
        object.__setattr__(self, "second", checked_end(second, f"{where}: second"))
        if self.first[0] == self.second[0]:
            raise ModelError(
                f"{where}: both ends are on {self.first[0]!r}, so it moves nothing; "
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
