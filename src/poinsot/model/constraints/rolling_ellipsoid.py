"""The ellipsoid that rolls on a plane: eggs, pebbles, rattlebacks."""

from typing import ClassVar, final

import numpy as np

from poinsot.expr import sqrt
from poinsot.model.constraints.rolling import AbstractRolling, Touch
from poinsot.model.fields import Vector, Vector3, declared, field
from poinsot.spatial import Transform

__all__ = ["RollingEllipsoid"]


@final
@declared
class RollingEllipsoid(AbstractRolling):
    """Rolls an ellipsoid, its axes those of a frame on a body, on the plane z = 0 of another.

    With n the normal of the ground in the axes of the body and S = diag(semi_axes)², the lowest
    point is, from the centre,

        c = -S n / sqrt(n·S n),      phi = z - sqrt(n·S n)

    The multipliers are the forces of the ground along n, x and y [N].

    Examples:
        >>> RollingEllipsoid("hull", "stone", semi_axes=(0.2, 0.03, 0.02)).locked
        ('contact', 'rolling x', 'rolling y')
    """

    kind: ClassVar[str] = "rolling ellipsoid"

    semi_axes: Vector3 = field(
        Vector("not negative"), "Along x, y and z of the frame of the centre", unit="m",
        kw_only=True,
    )  # fmt: skip

    def _touch(self, X: Transform) -> Touch:
        n = X.R[2]
        stretched = np.array([s * s * x for s, x in zip(self.semi_axes, n, strict=True)])
        height = sqrt(n @ stretched)
        return X.p[2] - height, -(X.R @ stretched) / height, tuple(np.eye(3)[[2, 0, 1]])
