"""The force that is always the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.model.checks import Vec3, vec3
from poinsot.model.forces.base import PointMotion
from poinsot.model.forces.on_body import AbstractBodyForce
from poinsot.spatial import Array, Scalar

__all__ = ["ConstantForce"]


@final
@dataclass(frozen=True, init=False)
class ConstantForce(AbstractBodyForce):
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

    force: Vec3
    moment: Vec3

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
        super().__init__(body, point, axes, name)
        where = self.where(name)
        object.__setattr__(self, "force", vec3(force, f"{where}: force"))
        object.__setattr__(self, "moment", vec3(moment, f"{where}: moment"))

    def wrenches(self, ends: Sequence[PointMotion], t: Scalar) -> tuple[Array]:
        """Return force and moment in body axes."""
        return self._in_body(ends[0], np.array(self.force), np.array(self.moment))
