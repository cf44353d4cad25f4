"""Stiff stops at the ends of a joint's range."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import maximum
from poinsot.expr.same_formula import same
from poinsot.model.checks import real_array, scalar_number
from poinsot.model.fields import AbstractKind, Number, declared, field
from poinsot.model.forces.joint_element import AbstractJointForce, JointMotion
from poinsot.model.scalar_values import is_symbolic, nonzero
from poinsot.spatial import Array, Scalar

__all__ = ["Bound", "Exponent", "JointStop"]


@dataclass(frozen=True)
class Bound(AbstractKind):
    """An end of a range: a number, a formula, or the infinity that stands for no end.

    Attributes:
        none: That infinity.
    """

    none: float
    numbers: ClassVar[int] = 1
    file_form: ClassVar[str] = "number"

    def stored(self, given: Any, where: str, owner: Any) -> Scalar:  # noqa: ANN401
        """Return a float or a formula."""
        if not is_symbolic(given) and np.all(real_array(given, where) == self.none):
            return self.none
        return scalar_number(given, where)


class Exponent(AbstractKind):
    """A number of at least 1 that is known when the equations are made."""

    words = "at least 1"
    file_form: ClassVar[str] = "number"

    def stored(self, given: Any, where: str, owner: Any) -> float:  # noqa: ANN401
        """Return a float."""
        if not (isinstance(given, int | float) and 1.0 <= given < math.inf):
            raise ModelError(f"{where} must be a number of at least 1, got {given!r}")
        return float(given)


@final
@declared
class JointStop(AbstractJointForce):
    """Stops that push a joint back into its range, after Hunt and Crossley.

        f = -stiffness dᵖ max(1 + dissipation ḋ, 0),      d = q - upper > 0

    It is the same at the lower end; p is the exponent.  The force begins at zero, never pulls, and
    stiffness dᵖ⁺¹ / (p + 1) is stored energy.  With dissipation 3 (1 - e) / (2 u) a slow impact at
    speed u comes back with about e u.  [HuntCrossley1975]

    Examples:
        >>> JointStop("slide", upper=0.2, stiffness=1e5, dissipation=0.5).lower
        -inf
    """

    kind: ClassVar[str] = "joint stop"

    lower: Scalar = field(
        Bound(-math.inf), "Smallest coordinate that is free; -inf: no stop there",
        unit="m or rad", default=-math.inf, omit=True,
    )  # fmt: skip
    upper: Scalar = field(
        Bound(math.inf), "Largest one; inf: no stop there",
        unit="m or rad", default=math.inf, omit=True,
    )  # fmt: skip
    stiffness: Scalar = field(
        Number("positive"), "Stiffness", unit="N/mᵖ or N m/radᵖ", kw_only=True
    )
    dissipation: Scalar = field(
        Number("not negative"), "How much more it pushes on the way in than on the way out",
        unit="s/m or s/rad", default=0.0, kw_only=True,
    )  # fmt: skip
    exponent: float = field(Exponent(), "p; 1.5 for spheres", default=1.0, kw_only=True)

    def _check_together(self, given: Mapping[str, Any]) -> None:
        ends = (self.lower, self.upper)
        if same(ends, (-math.inf, math.inf)):
            raise ModelError(f"{self.label}: there is no end; give lower, upper or both")
        if not is_symbolic(*ends) and not self.lower < self.upper:
            raise ModelError(
                f"{self.label}: lower must be below upper, got {given['lower']!r} and "
                f"{given['upper']!r}"
            )

    def force_along(self, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        """Return the force of the stops, directed into the range."""
        _, v = self._own(joints)
        force: Scalar = 0.0
        for sign, depth in self._depths(joints[0].q):
            push = self.stiffness * depth**self.exponent
            if nonzero(self.dissipation):
                push = push * maximum(1.0 + self.dissipation * (sign * v), 0.0)
            force = force - sign * push
        return force

    def stored(self, q: Sequence[Array]) -> Scalar:
        """Return stiffness dᵖ⁺¹ / (p + 1) of the end that is exceeded."""
        more = self.exponent + 1.0
        energy: Scalar = 0.0
        for _, depth in self._depths(q[0]):
            energy = energy + self.stiffness * depth**more / more
        return energy

    def _depths(self, q: Array) -> list[tuple[float, Scalar]]:
        """Return for each end the direction outwards, and how far the joint is beyond it."""
        x, penetrations = q[self.index], []
        if not same(self.lower, -math.inf):
            penetrations.append((-1.0, maximum(self.lower - x, 0.0)))
        if not same(self.upper, math.inf):
            penetrations.append((1.0, maximum(x - self.upper, 0.0)))
        return penetrations
