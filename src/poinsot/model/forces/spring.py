"""The spring and damper between two points."""

from collections.abc import Sequence
from typing import ClassVar, final

import numpy as np

from poinsot.expr import select
from poinsot.model.fields import Number, declared, field
from poinsot.model.forces.base import PointMotion
from poinsot.model.forces.two_point_element import AbstractForceBetween
from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Array, Scalar

__all__ = ["Spring"]


@final
@declared
class Spring(AbstractForceBetween):
    """A spring with a damper that pulls two points together, with equal and opposite forces.

    With d = p2 - p1 from the first end to the second, L = |d| and u = d / L, the force on the
    first end is

        f = (stiffness (L - length) + damping dL/dt) u,      dL/dt = u·(v2 - v1).

    Its direction is not defined where the ends meet: there forces are NaN, unless the spring has no
    length.  Then the pull is linear, stiffness d, and ends that meet are taken to come along their
    relative velocity, which makes the damper's force damping (v2 - v1).

    Examples:
        >>> spring = Spring(("arm", (0, 0, 0.5)), ("world", (1, 0, 0)), stiffness=100, length=0.3)
        >>> spring.first, spring.damping
        (('arm', (0.0, 0.0, 0.5)), 0.0)
    """

    kind: ClassVar[str] = "spring"

    stiffness: Scalar = field(Number("not negative"), "Stiffness", unit="N/m")
    damping: Scalar = field(Number("not negative"), "Damping", unit="N s/m", default=0.0)
    length: Scalar = field(
        Number("not negative"), "Length at which the spring is relaxed", unit="m", default=0.0
    )

    @property
    def is_spring(self) -> bool:
        """Whether it has a stiffness."""
        return nonzero(self.stiffness)

    @property
    def is_damper(self) -> bool:
        """Whether it has a damping."""
        return nonzero(self.damping)

    def wrenches(self, ends: Sequence[PointMotion], t: Scalar) -> tuple[Array, Array]:
        """Return f on the first end and -f on the second, each in the axes of its body."""
        first, second = ends
        d, rate = second.p - first.p, second.v - first.v
        squared = d @ d
        if not nonzero(self.length):
            f = self.stiffness * d
            if self.is_damper:
                apart = squared > 0.0
                along = (d @ rate) / select(apart, squared, 1.0)
                f = f + self.damping * (along * d + select(apart, 0.0, 1.0) * rate)
        else:
            length = np.sqrt(squared)
            pull = self.stiffness * (length - self.length)
            if self.is_damper:
                pull = pull + self.damping * ((d @ rate) / length)
            f = (pull / length) * d
        return self._opposite(ends, f)

    def energy(self, ends: Sequence[PointMotion]) -> Scalar:
        """Return stiffness (L - length)² / 2 [J]."""
        d = ends[1].p - ends[0].p
        if not nonzero(self.length):
            return 0.5 * self.stiffness * (d @ d)
        stretch = np.sqrt(d @ d) - self.length
        return 0.5 * self.stiffness * (stretch * stretch)
