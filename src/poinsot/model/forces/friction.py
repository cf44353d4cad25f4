"""Dry friction in a joint: Coulomb's and Stribeck's, smooth through rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.same import same
from poinsot.model.checks import scalar_number
from poinsot.model.forces.on_joint import AbstractJointForce, JointMotion
from poinsot.model.numbers import is_symbolic, nonzero
from poinsot.spatial import Scalar

__all__ = ["JointFriction"]


@final
@dataclass(frozen=True, init=False)
class JointFriction(AbstractJointForce):
    """Dry and viscous friction in a joint.

        f = -(kinetic + (static - kinetic) exp(-(v / stribeck)²)) tanh(v / smoothing) - viscous v.

    The jump at rest is spread over velocities of about ``smoothing``: a joint that sticks creeps
    with smoothing artanh(f / static), and a run takes steps that follow it (a stiff method, for a
    small one).  [Armstrong1994]

    Attributes:
        joint: Name of the joint it acts on.
        kinetic: Level at which it slides [N or N m], not negative.
        static: Level at which it breaks away [N or N m], at least the kinetic one.
        stribeck: Velocity over which it falls from one to the other [m/s or rad/s].
        viscous: Coefficient of the part that grows with the velocity [N s/m or N m s/rad].
        smoothing: Velocity that counts as rest [m/s or rad/s].
        index: Along which of the joint's velocities, counted from 0.

    Examples:
        >>> JointFriction("slide", kinetic=2.0).static
        2.0
    """

    kinetic: Scalar
    static: Scalar
    stribeck: Scalar
    viscous: Scalar
    smoothing: Scalar

    kind: ClassVar[str] = "joint friction"

    def __init__(
        self,
        joint: str,
        kinetic: Scalar,
        static: Scalar | None = None,
        *,
        stribeck: Scalar = 0.1,
        viscous: Scalar = 0.0,
        smoothing: Scalar = 1e-3,
        index: int = 0,
        name: str | None = None,
    ) -> None:
        """Check and store the friction.

        Args:
            joint: Name of the joint it acts on.
            kinetic: Level at which it slides [N or N m], not negative.
            static: Level at which it breaks away; the kinetic one by default.
            stribeck: Velocity over which it falls from one to the other, positive.
            viscous: Coefficient of the part that grows with the velocity, not negative.
            smoothing: Velocity that counts as rest, positive.
            index: Along which of the joint's velocities, counted from 0.
            name: Name of the element, for messages.

        Raises:
            ModelError: If one of them is wrong.
        """
        super().__init__(joint, index, name)
        where = self.where(name)
        given = {
            "kinetic": kinetic,
            "static": kinetic if static is None else static,
            "stribeck": stribeck,
            "viscous": viscous,
            "smoothing": smoothing,
        }
        for key, value in given.items():
            number = scalar_number(value, f"{where}: {key}")
            if not is_symbolic(number):
                if number < 0.0:
                    raise ModelError(f"{where}: {key} must not be negative, got {value!r}")
                if number == 0.0 and key in ("stribeck", "smoothing"):
                    raise ModelError(f"{where}: {key} must be positive, got {value!r}")
            object.__setattr__(self, key, number)
        levels = self.static, self.kinetic
        if not is_symbolic(*levels) and self.static < self.kinetic:
            raise ModelError(
                f"{where}: static must be at least kinetic, {self.kinetic:g}, got {static!r}"
            )

    @property
    def needs_coordinate(self) -> bool:
        """Whether it needs a coordinate: it looks at the velocity only."""
        return False

    def force_along(self, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        """Return the friction against the velocity."""
        v = joints[0].v[self.index]
        level = self.kinetic
        if not same(self.static, self.kinetic):
            slow = v / self.stribeck
            level = level + (self.static - self.kinetic) * np.exp(-slow * slow)
        force = -level * np.tanh(v / self.smoothing)
        return force - self.viscous * v if nonzero(self.viscous) else force
