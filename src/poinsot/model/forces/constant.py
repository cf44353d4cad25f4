"""The force that is always the same."""

from collections.abc import Sequence
from typing import ClassVar, final

import numpy as np

from poinsot.model.fields import Vector, Vector3, declared, field
from poinsot.model.forces.base import PointMotion
from poinsot.model.forces.one_point_element import AbstractBodyForce
from poinsot.spatial import Array, Scalar

__all__ = ["ConstantForce"]


@final
@declared
class ConstantForce(AbstractBodyForce):
    """A force and a moment on a body whose components never change.

    Examples:
        >>> ConstantForce("rocket", force=(0, 0, 20), axes="body").force
        (0.0, 0.0, 20.0)
    """

    kind: ClassVar[str] = "constant force"
    file_type: ClassVar[str] = "constant"

    force: Vector3 = field(Vector(), "Components of the force", unit="N", default=(0.0, 0.0, 0.0))
    moment: Vector3 = field(
        Vector(), "Components of the moment", unit="N m", default=(0.0, 0.0, 0.0)
    )

    def wrenches(self, ends: Sequence[PointMotion], t: Scalar) -> tuple[Array]:
        """Return force and moment in body axes."""
        return self._in_body(ends[0], np.array(self.force), np.array(self.moment))
