"""The spring and damper between two points, out of tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from poinsot.model.checks import scalar_number
from poinsot.model.forces.base import PointMotion
from poinsot.model.forces.between import AbstractForceBetween
from poinsot.model.forces.tables import checked_tables
from poinsot.model.table import Table
from poinsot.spatial import Array, Scalar

__all__ = ["TabulatedSpring"]


@final
@dataclass(frozen=True, init=False)
class TabulatedSpring(AbstractForceBetween):
    """A spring and damper between two points that follow tables, with equal and opposite forces.

    With d = p2 - p1 from the first end to the second, L = |d| and u = d / L, the force on the
    first end is

        f = scale (spring(L) + damper(dL/dt)) u,      dL/dt = u·(v2 - v1),

    so positive values pull the ends together.  Where the ends meet, forces are NaN.  Stored is
    scale times the integral of the spring's table, from its first point.

    Attributes:
        first: Body and point [m] of one end.
        second: Body and point of the other.
        spring: Pull [N] over the length [m]; None: no spring.
        damper: Pull [N] over the rate of the length [m/s]; None: no damper.
        scale: Factor of both.

    Examples:
        >>> strut = TabulatedSpring(("wheel", (0, 0, 0)), ("car", (0, 0, 0.5)),
        ...                         spring=Table([0.3, 0.5, 0.6], [-9000, 0, 2000]))
        >>> strut.spring.y
        (-9000.0, 0.0, 2000.0)
    """

    spring: Table | None
    damper: Table | None
    scale: Scalar

    kind: ClassVar[str] = "tabulated spring"

    def __init__(
        self,
        first: tuple[str, Any],
        second: tuple[str, Any],
        spring: Table | None = None,
        damper: Table | None = None,
        *,
        scale: Scalar = 1.0,
        name: str | None = None,
    ) -> None:
        """Check and store the spring.

        Args:
            first: A body's name, or ``"world"``, and a point in its coordinates [m], shape (3,).
            second: The same for the other end, on another body.
            spring: Pull [N] over the length [m].
            damper: Pull [N] over the rate of the length [m/s].
            scale: Factor of both; may be a formula.
            name: Name of the spring, for messages.

        Raises:
            ModelError: If one of them is wrong.
        """
        super().__init__(first, second, name)
        where = self.where(name)
        checked_tables(spring, damper, where)
        object.__setattr__(self, "spring", spring)
        object.__setattr__(self, "damper", damper)
        object.__setattr__(self, "scale", scalar_number(scale, f"{where}: scale"))

    @property
    def is_spring(self) -> bool:
        """Whether it has a table over the length."""
        return self.spring is not None

    @property
    def is_damper(self) -> bool:
        """Whether it has a table over the rate of the length."""
        return self.damper is not None

    def wrenches(self, ends: Sequence[PointMotion], t: Scalar) -> tuple[Array, Array]:
        """Return f on the first end and -f on the second, each in the axes of its body."""
        first, second = ends
        d = second.p - first.p
        length = np.sqrt(d @ d)
        pull: Scalar = 0.0
        if self.spring is not None:
            pull = self.spring(length)
        if self.damper is not None:
            pull = pull + self.damper((d @ (second.v - first.v)) / length)
        f = (self.scale * pull / length) * d
        return self._opposite(ends, f)

    def energy(self, ends: Sequence[PointMotion]) -> Scalar:
        """Return the integral of the spring's table [J]."""
        if self.spring is None:
            return 0.0
        d = ends[1].p - ends[0].p
        return self.scale * self.spring.integral(np.sqrt(d @ d))
