"""The ball that rolls on a plane or another surface."""

from typing import ClassVar, Final, final

import numpy as np

from poinsot.expr import gradient
from poinsot.model.constraints.rolling import AbstractRollingOnSurface, Touch, unit_vector
from poinsot.model.fields import Number, declared, field
from poinsot.spatial import Scalar, Transform
from poinsot.spatial.tangents import tangents

__all__ = ["RollingBall"]

UNDER: Final = -0.9
"""Component of n along z below which tangents are turned from -z: those from z end there."""


@final
@declared
class RollingBall(AbstractRollingOnSurface):
    """Rolls a ball on the plane z = 0 of a frame, or on a surface that its centre runs parallel to.

    The centre stays on g(x, y, z) = 0, and the ball touches the ground at c = -radius n from it,
    n = ∇g / |∇g|, so g grows away from the ground.  In a bowl of radius R about the origin g is
    ``(R - r)**2 - x**2 - y**2 - z**2``, on top of a sphere ``x**2 + y**2 + z**2 - (R + r)**2``.
    The multipliers are the forces of the ground on the ball along n and along the tangents into
    which x and y turn as z turns into n [N]; under a ground that looks down (n_z < -0.9) x and -y
    as -z turns into n.  The ball may spin about n.  On a sphere that another body carries (``on=``)
    it is a contact of two balls.

    Examples:
        >>> RollingBall("marble", "ball", radius=0.01).locked
        ('contact', 'rolling x', 'rolling y')
    """

    kind: ClassVar[str] = "rolling ball"

    radius: Scalar = field(Number("positive"), "Radius of the ball", unit="m", kw_only=True)

    def _touch(self, X: Transform) -> Touch:
        if self.surface is None:
            n = np.array([0.0, 0.0, 1.0])
            return X.p[2] - self.radius, -self.radius * n, (n, *np.eye(3)[:2])
        g = self._height(X.p)
        n, length = unit_vector(gradient(g, X.p))
        return g / length, -self.radius * n, (n, *tangents(n, UNDER))
