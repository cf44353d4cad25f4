"""The ball that rolls on a plane or another surface."""

from collections.abc import Collection
from typing import ClassVar, Final, final

import numpy as np

from poinsot.expr import gradient, maximum, sqrt
from poinsot.model.constraints.frame_velocity import Equations
from poinsot.model.constraints.point_relation import (
    Formula,
    FunctionOrFormula,
    check_formulas,
    from_formulas,
)
from poinsot.model.constraints.rolling import AbstractRolling, Touch
from poinsot.model.constraints.surface import SURFACE_NAMES
from poinsot.model.fields import Number, Stored, declared, field
from poinsot.spatial import Array, Scalar, Transform

__all__ = ["RollingBall"]

LEAST: Final = 1e-60
"""Square of the gradient of a surface where it has no normal."""


@final
@declared
class RollingBall(AbstractRolling):
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
    surface: Stored[Formula | None, Formula | None] = field(
        FunctionOrFormula(),
        "g, zero where the centre may be: a formula in x, y, z [m] and parameters; the plane "
        "z - radius by default",
        default=None, kw_only=True,
    )  # fmt: skip

    def check_parameters(self, known: Collection[str]) -> None:
        """Reject names in the surface that are not parameters of the mechanism."""
        formulas = () if self.surface is None else (self.surface,)
        check_formulas(formulas, SURFACE_NAMES, known, self.label)

    def _touch(self, X: Transform) -> Touch:
        if self.surface is None:
            n = np.array([0.0, 0.0, 1.0])
            return X.p[2] - self.radius, -self.radius * n, (n, *np.eye(3)[:2])
        (g,) = from_formulas([self.surface], SURFACE_NAMES, f"{self.label}: surface")(X.p)
        slope = gradient(g, X.p)
        length = sqrt(maximum(slope @ slope, LEAST))
        n = slope / length
        return g / length, -self.radius * n, (n, *_tangents(n))

    def _equations(self, X: Transform, V: Array, t: Scalar) -> Equations:
        """Return those of all contacts, with the rate of the gap beside the surface too."""
        gaps, (_, *slips) = super()._equations(X, V, t)
        return gaps, [gradient(gaps[0], X.p) @ (X.R @ V[:3]), *slips]


def _tangents(n: Array) -> tuple[Array, Array]:
    """Return x and y, turned as z is turned into n by the shortest way; not for n = -z."""
    x, y, z = n.tolist()
    f = 1.0 / (1.0 + z)
    first, second = (1.0 - x * x * f, -x * y * f, -x), (-x * y * f, 1.0 - y * y * f, -y)
    return np.array(first), np.array(second)
