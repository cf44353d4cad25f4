"""The ball that rolls on a plane or another surface."""

from typing import ClassVar, final

import numpy as np

from poinsot.expr import gradient
from poinsot.model.constraints.rolling import AbstractRollingOnSurface, Touch, unit_vector
from poinsot.model.fields import Number, declared, field
from poinsot.spatial import Array, Scalar, Transform

__all__ = ["RollingBall"]


@final
@declared
class RollingBall(AbstractRollingOnSurface):
    """Rolls a ball on the plane z = 0 of a frame, or on a surface that its centre runs parallel to.

    The centre stays on g(x, y, z) = 0, and the ball touches the ground at c = -radius n from it,
    n = ∇g / |∇g|, so g grows away from the ground.  In a bowl of radius R about the origin g is
    ``(R - r)**2 - x**2 - y**2 - z**2``, on top of a sphere ``x**2 + y**2 + z**2 - (R + r)**2``.
    The multipliers are the forces of the ground on the ball along n and along the tangents into
    which x and y turn as z turns into n [N]; n must not be -z.  The ball may spin about n.

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
        return g / length, -self.radius * n, (n, *_tangents(n))


def _tangents(n: Array) -> tuple[Array, Array]:
    """Return x and y, turned as z is turned into n by the shortest way; not for n = -z."""
    x, y, z = n.tolist()
    f = 1.0 / (1.0 + z)
    first, second = (1.0 - x * x * f, -x * y * f, -x), (-x * y * f, 1.0 - y * y * f, -y)
    return np.array(first), np.array(second)
