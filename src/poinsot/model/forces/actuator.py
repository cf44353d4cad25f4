"""The actuator between two points: a cylinder, a linear motor, a muscle, by formula."""

from collections.abc import Sequence
from typing import ClassVar, Final, final

import numpy as np

from poinsot.model.fields import declared, field
from poinsot.model.forces.base import PointMotion
from poinsot.model.forces.formula_fields import ForceFormula, Formula, FormulaFields
from poinsot.model.forces.two_point_element import AbstractForceBetween
from poinsot.spatial import Array, Scalar

__all__ = ["Actuator"]

NAMES: Final = ("t", "length", "rate")
"""What its formula may contain besides parameters: time, distance of the ends and its rate."""


@final
@declared
class Actuator(FormulaFields, AbstractForceBetween):
    """Pushes two points apart with equal and opposite forces, by formula.

    With d = p2 - p1 from the first end to the second, length = |d| [m] and u = d / length, the
    force on the second end is push u and that on the first one -push u.  The formula may contain
    the time ``t`` [s], ``length``, its rate ``rate`` [m/s] and parameters of the system.  It does
    the work ∫ push rate dt, and stores no energy.  Where the ends meet, forces are NaN.

    Examples:
        >>> cylinder = Actuator(("boom", (0.4, 0, 0)), ("world", (0.2, 0, -0.3)),
        ...                     push="pressure*area - 800*rate", name="boom cylinder")
        >>> sorted(cylinder.parameters), cylinder.depends_on_time
        (['area', 'pressure'], False)
    """

    kind: ClassVar[str] = "actuator"
    meaning_of_names: ClassVar[str] = "time, length or rate in the formula of an actuator"

    push: Formula = field(
        ForceFormula(), "Force that drives the ends apart: a number, or a formula", unit="N"
    )

    @property
    def is_spring(self) -> bool:
        """Whether it is drawn as a coil: no."""
        return False

    @property
    def is_damper(self) -> bool:
        """Whether it is drawn as a cylinder: yes."""
        return True

    @property
    def own_names(self) -> tuple[str, ...]:
        """Time, length and rate."""
        return NAMES

    def wrenches(self, ends: Sequence[PointMotion], t: Scalar) -> tuple[Array, Array]:
        """Return -push u on the first end and push u on the second, in the axes of the bodies."""
        first, second = ends
        d = second.p - first.p
        length = np.sqrt(d @ d)
        names = {"t": t, "length": length, "rate": (d @ (second.v - first.v)) / length}
        return self._opposite(ends, (-self._formula_value(self.push, names) / length) * d)
