"""The force that is always the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.model.changed import changed
from poinsot.model.checks import Vec3, vec3
from poinsot.model.forces.base import AbstractForce, End, PointMotion, checked_axes, moved_end
from poinsot.spatial import Array, Scalar

__all__ = ["ConstantForce"]


@final
@dataclass(frozen=True, init=False)
class ConstantForce(AbstractForce):
    """A force and a moment on a body whose components never change.

    Attributes:
        body: Name of the body it acts on.
        force: Components of the force [N].
        moment: Components of the moment [N m].
        point: Where the force acts [m], in body coordinates.
        axes: Whose axes the components refer to: ``"world"`` or ``"body"``.

    Examples:
        >>> ConstantForce("rocket", force=(0, 0, 20), axes="body").force
        (0.0, 0.0, 20.0)
    """

    body: str
    force: Vec3
    moment: Vec3
    point: Vec3
    axes: str

    kind: ClassVar[str] = "constant force"

    def __init__(
        self,
        body: str,
        force: ArrayLike = (0.0, 0.0, 0.0),
        moment: ArrayLike = (0.0, 0.0, 0.0),
        *,
        point: ArrayLike = (0.0, 0.0, 0.0),
        axes: str = "world",
        name: str | None = None,
    ) -> None:
        """Check and store the force.

        Args:
            body: Name of the body it acts on.
            force: Components of the force [N], shape (3,).
            moment: Components of the moment [N m], shape (3,).
            point: Where the force acts [m], in body coordinates, shape (3,).
            axes: Whose axes the components refer to: ``"world"`` or ``"body"``.
            name: Name of the force, for messages.

        Raises:
            ModelError: If one of them is wrong.
        """
        super().__init__(name)
        where = self.where(name)
        body, point = moved_end(body, point, where)
        object.__setattr__(self, "body", body)
        object.__setattr__(self, "force", vec3(force, f"{where}: force"))
        object.__setattr__(self, "moment", vec3(moment, f"{where}: moment"))
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

    def wrenches(self, ends: Sequence[PointMotion], t: Scalar) -> tuple[Array]:
        """Return force and moment in body axes."""
        f, n = np.array(self.force), np.array(self.moment)
        if self.axes == "world":
            f, n = ends[0].R.T @ f, ends[0].R.T @ n
        return (np.concatenate([f, n]),)
