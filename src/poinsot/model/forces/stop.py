"""The end of a joint's way: a stiff stop."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import maximum
from poinsot.expr.same import same
from poinsot.model.checks import real_array, scalar_number
from poinsot.model.forces.on_joint import AbstractJointForce, JointMotion
from poinsot.model.numbers import is_symbolic, nonzero
from poinsot.spatial import Array, Scalar

__all__ = ["JointStop"]

_ENDS: Final = {"lower": -math.inf, "upper": math.inf}


@final
@dataclass(frozen=True, init=False)
class JointStop(AbstractJointForce):
    """Stops that push a joint back from beyond its ends, after Hunt and Crossley.

        f = -stiffness dᵖ max(1 + dissipation ḋ, 0),      d = q - upper > 0

    It is the same at the lower end; p is the exponent.  The force begins at zero, never pulls, and
    stiffness dᵖ⁺¹ / (p + 1) is stored energy.  With dissipation 3 (1 - e) / (2 u) a slow impact at
    speed u comes back with about e u.  [HuntCrossley1975]

    Attributes:
        joint: Name of the joint.
        lower: Smallest coordinate that is free [m or rad]; -inf: no stop there.
        upper: Largest one; inf: no stop there.
        stiffness: Stiffness [N/mᵖ or N m/radᵖ].
        dissipation: How much more it pushes on the way in than on the way out [s/m or s/rad].
        exponent: p, at least 1.
        index: For which of the joint's coordinates, counted from 0.

    Examples:
        >>> JointStop("slide", upper=0.2, stiffness=1e5, dissipation=0.5).lower
        -inf
    """

    lower: Scalar
    upper: Scalar
    stiffness: Scalar
    dissipation: Scalar
    exponent: float

    kind: ClassVar[str] = "joint stop"

    def __init__(
        self,
        joint: str,
        lower: Scalar = -math.inf,
        upper: Scalar = math.inf,
        *,
        stiffness: Scalar,
        dissipation: Scalar = 0.0,
        exponent: float = 1.0,
        index: int = 0,
        name: str | None = None,
    ) -> None:
        """Check and store the stops.

        Args:
            joint: Name of the joint.
            lower: Smallest coordinate that is free [m or rad]; no stop there by default.
            upper: Largest one, alike.
            stiffness: Stiffness [N/mᵖ or N m/radᵖ], positive.
            dissipation: Dissipation [s/m or s/rad], not negative.
            exponent: p, at least 1; 1.5 for spheres.
            index: For which of the joint's coordinates, counted from 0.
            name: Name of the element, for messages.

        Raises:
            ModelError: If one of them is wrong.
        """
        super().__init__(joint, index, name)
        where = self.where(name)
        for key, end in (("lower", lower), ("upper", upper)):
            object.__setattr__(self, key, _checked_end(end, key, where))
        for key, value in (("stiffness", stiffness), ("dissipation", dissipation)):
            number = scalar_number(value, f"{where}: {key}")
            if not is_symbolic(number) and (number < 0.0 or (number == 0.0 and key == "stiffness")):
                sign = "positive" if key == "stiffness" else "not negative"
                raise ModelError(f"{where}: {key} must be {sign}, got {value!r}")
            object.__setattr__(self, key, number)
        if not (isinstance(exponent, int | float) and 1.0 <= exponent < math.inf):
            raise ModelError(f"{where}: exponent must be a number of at least 1, got {exponent!r}")
        object.__setattr__(self, "exponent", float(exponent))
        ends = (self.lower, self.upper)
        if same(ends, (-math.inf, math.inf)):
            raise ModelError(f"{where}: there is no end; give lower, upper or both")
        if not is_symbolic(*ends) and not self.lower < self.upper:
            raise ModelError(f"{where}: lower must be below upper, got {lower!r} and {upper!r}")

    def force_along(self, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        """Return what the stops push, back into the range."""
        _, v = self._own(joints)
        force: Scalar = 0.0
        for sign, depth in self._depths(joints[0].q):
            push = self.stiffness * depth**self.exponent
            if nonzero(self.dissipation):
                push = push * maximum(1.0 + self.dissipation * (sign * v), 0.0)
            force = force - sign * push
        return force

    def stored(self, q: Sequence[Array]) -> Scalar:
        """Return stiffness dᵖ⁺¹ / (p + 1) of the end that is passed."""
        more = self.exponent + 1.0
        energy: Scalar = 0.0
        for _, depth in self._depths(q[0]):
            energy = energy + self.stiffness * depth**more / more
        return energy

    def _depths(self, q: Array) -> list[tuple[float, Scalar]]:
        """Return for each end the direction outwards, and how far the joint is beyond it."""
        x, found = q[self.index], []
        if not same(self.lower, -math.inf):
            found.append((-1.0, maximum(self.lower - x, 0.0)))
        if not same(self.upper, math.inf):
            found.append((1.0, maximum(x - self.upper, 0.0)))
        return found


def _checked_end(end: Scalar, key: str, where: str) -> Scalar:
    if not is_symbolic(end) and np.all(real_array(end, f"{where}: {key}") == _ENDS[key]):
        return _ENDS[key]
    return scalar_number(end, f"{where}: {key}")
