"""The tabulated spring and damper between two points."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np

from poinsot.model.fields import Number, declared, field
from poinsot.model.forces.base import PointMotion
from poinsot.model.forces.spring_tables import TABLE, check_tables
from poinsot.model.forces.two_point_element import AbstractForceBetween
from poinsot.model.tabulated_function import Table
from poinsot.spatial import Array, Scalar

__all__ = ["TabulatedSpring"]


@final
@declared
class TabulatedSpring(AbstractForceBetween):
    """A spring and damper between two points that follow tables, with equal and opposite forces.

    With d = p2 - p1 from the first end to the second, L = |d| and u = d / L, the force on the
    first end is

        f = scale (spring(L) + damper(dL/dt)) u,      dL/dt = u·(v2 - v1),

    so positive values pull the ends together.  Where the ends meet, forces are NaN.  Stored is
    scale times the integral of the spring's table, from its first point.

    Examples:
        >>> strut = TabulatedSpring(("wheel", (0, 0, 0)), ("car", (0, 0, 0.5)),
        ...                         spring=Table([0.3, 0.5, 0.6], [-9000, 0, 2000]))
        >>> strut.spring.y
        (-9000.0, 0.0, 2000.0)
    """

    kind: ClassVar[str] = "tabulated spring"

    spring: Table | None = field(
        TABLE, "Pull [N] over the length [m]; None: no spring", default=None
    )
    damper: Table | None = field(
        TABLE, "Pull [N] over the rate of the length [m/s]; None: no damper", default=None
    )
    scale: Scalar = field(Number(), "Factor of both; may be a formula", default=1.0, kw_only=True)

    def _check_together(self, given: Mapping[str, Any]) -> None:
        super()._check_together(given)
        check_tables(self.spring, self.damper, self.label)

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
