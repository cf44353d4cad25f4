"""Base of force elements that act at one point of one body."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.body import WORLD
from poinsot.model.changed import changed
from poinsot.model.checks import checked_name
from poinsot.model.fields import Choice, Name, Vector, Vector3, declared, field
from poinsot.model.forces.base import AbstractForce, End, PointMotion
from poinsot.spatial import Array

__all__ = ["AbstractBodyForce", "MovedBody"]


class MovedBody(Name):
    """The name of a body that can move."""

    def stored(self, given: Any, where: str, owner: Any) -> str:  # noqa: ANN401
        """Return the name."""
        if checked_name(given, where) == WORLD:
            raise ModelError(
                f"{owner.label}: a force on 'world' moves nothing; name the body it acts on"
            )
        return str(given)


@declared
class AbstractBodyForce(AbstractForce):
    """A force and a moment at a point of a body."""

    body: str = field(MovedBody(), "Name of the body it acts on")
    point: Vector3 = field(
        Vector(), "Where the force acts, in body coordinates", unit="m", default=(0.0, 0.0, 0.0),
        kw_only=True,
    )  # fmt: skip
    axes: str = field(
        Choice("world", "body"), "Whose axes the components refer to", default="world", kw_only=True
    )

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
