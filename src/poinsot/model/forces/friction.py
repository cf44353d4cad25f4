"""Dry friction in a joint: Coulomb's and Stribeck's, smooth through rest."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.same_formula import same
from poinsot.model.fields import Number, Stored, declared, field
from poinsot.model.forces.joint_element import AbstractJointForce, JointMotion
from poinsot.model.scalar_values import is_symbolic, nonzero
from poinsot.spatial import Scalar

__all__ = ["JointFriction"]


@final
@declared
class JointFriction(AbstractJointForce):
    """Dry and viscous friction in a joint.

        f = -(kinetic + (static - kinetic) exp(-(v / stribeck)²)) tanh(v / smoothing) - viscous v.

    ``backward`` is the ratio of the friction of motions with v < 0 to that of motions with v > 0,
    as seals of cylinders and worm gears have it: with s = tanh(v / smoothing) all of f is
    multiplied by ((1 + s) + backward (1 - s)) / 2.

    The jump at rest is spread over velocities of about ``smoothing``: a joint that sticks creeps
    with smoothing artanh(f / static), and a run takes steps that follow it (a stiff method, for a
    small one).  [Armstrong1994]

    Examples:
        >>> JointFriction("slide", kinetic=2.0).static
        2.0
    """

    kind: ClassVar[str] = "joint friction"

    kinetic: Scalar = field(Number("not negative"), "Level at which it slides", unit="N or N m")
    static: Stored[Scalar, Scalar | None] = field(
        Number(), "Level at which it breaks away, at least the kinetic one, which it is by default",
        unit="N or N m", default=None,
    )  # fmt: skip
    stribeck: Scalar = field(
        Number("positive"), "Velocity over which it falls from one to the other",
        unit="m/s or rad/s", default=0.1, kw_only=True,
    )  # fmt: skip
    viscous: Scalar = field(
        Number("not negative"), "Coefficient of the part that grows with the velocity",
        unit="N s/m or N m s/rad", default=0.0, kw_only=True,
    )  # fmt: skip
    smoothing: Scalar = field(
        Number("positive"), "Velocity that counts as rest", unit="m/s or rad/s", default=1e-3,
        kw_only=True,
    )  # fmt: skip
    backward: Scalar = field(
        Number("not negative"), "Ratio of the friction backwards, v < 0, to that forwards",
        default=1.0, kw_only=True, omit=True,
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        if self.static is None:
            self._store(static=self.kinetic)
        if not is_symbolic(self.static, self.kinetic) and self.static < self.kinetic:
            raise ModelError(
                f"{self.label}: static must be at least kinetic, {self.kinetic:g}, "
                f"got {given['static']!r}"
            )

    @property
    def needs_coordinate(self) -> bool:
        """Whether it needs a coordinate: it depends on the velocity only."""
        return False

    def force_along(self, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        """Return the friction against the velocity."""
        v = joints[0].v[self.index]
        level = self.kinetic
        if not same(self.static, self.kinetic):
            slow = v / self.stribeck
            level = level + (self.static - self.kinetic) * np.exp(-slow * slow)
        direction = np.tanh(v / self.smoothing)
        force = -level * direction
        if nonzero(self.viscous):
            force = force - self.viscous * v
        if same(self.backward, 1.0):
            return force
        return force * (0.5 * (1.0 + self.backward) + 0.5 * (1.0 - self.backward) * direction)
