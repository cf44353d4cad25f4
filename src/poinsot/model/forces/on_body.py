"""What force elements that act at one point of one body have in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from poinsot.model.changed import changed
from poinsot.model.checks import Vec3
from poinsot.model.forces.base import (
    AbstractForce,
    End,
    PointMotion,
    checked_axes,
    moved_end,
)
from poinsot.spatial import Array

__all__ = ["AbstractBodyForce"]


@dataclass(frozen=True, init=False)
class AbstractBodyForce(AbstractForce):
    """A force and a moment at a point of a body.

    Attributes:
        body: Name of the body it acts on.
        point: Where the force acts [m], in body coordinates.
        axes: Whose axes the components refer to: ``"world"`` or ``"body"``.
    """

    body: str
    point: Vec3
    axes: str

    def __init__(self, body: str, point: Any, axes: str, name: str | None) -> None:  # noqa: ANN401
        """Check and store where it acts."""
        super().__init__(name)
        where = self.where(name)
        body, point = moved_end(body, point, where)
        object.__setattr__(self, "body", body)
        object.__setattr__(self, "point", point)
        object.__setattr__(self, "axes", checked_axes(axes, where))

    @property
    def ends(self) -> tuple[End]:
        """The point at which it acts."""
        return ((self.body, self.point),)

    def with_ends(self, ends: Sequence[End]) -> Self:
        """Return the same force at another point."""
        ((body, point),) = ends
        return changed(self, body=body, point=point)

    def _in_body(self, end: PointMotion, f: Array, n: Array) -> tuple[Array]:
        """Return force and moment as a wrench in body axes."""
        if self.axes == "world":
            f, n = end.R.T @ f, end.R.T @ n
        return (np.concatenate([f, n]),)
