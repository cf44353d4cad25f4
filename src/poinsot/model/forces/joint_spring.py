"""A spring and a damper in a joint, out of tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

from poinsot.model.checks import scalar_number
from poinsot.model.forces.on_joint import AbstractJointForce, JointMotion
from poinsot.model.forces.tables import checked_tables
from poinsot.model.table import Table
from poinsot.spatial import Array, Scalar

__all__ = ["JointSpring"]


@final
@dataclass(frozen=True, init=False)
class JointSpring(AbstractJointForce):
    """A spring and a damper in a joint that follow tables.

        f = -scale (spring(q) + damper(v))

    The signs are those of a joint's own spring and damper: a table that rises pulls back.  Stored
    is scale times the integral of the spring's table, from its first point.

    Attributes:
        joint: Name of the joint.
        spring: Force [N] or moment [N m] over the coordinate [m or rad]; None: no spring.
        damper: The same over the velocity; None: no damper.
        scale: Factor of both.
        index: For which of the joint's velocities, counted from 0.

    Examples:
        >>> knee = JointSpring("knee", Table([-1, 0, 1], [-9, 0, 4]), scale=2.0)
        >>> knee.spring(0.5) > 0, knee.damper
        (True, None)
    """

    spring: Table | None
    damper: Table | None
    scale: Scalar

    kind: ClassVar[str] = "joint spring"

    def __init__(
        self,
        joint: str,
        spring: Table | None = None,
        damper: Table | None = None,
        *,
        scale: Scalar = 1.0,
        index: int = 0,
        name: str | None = None,
    ) -> None:
        """Check and store the spring.

        Args:
            joint: Name of the joint.
            spring: Force [N] or moment [N m] over the coordinate [m or rad].
            damper: The same over the velocity [m/s or rad/s].
            scale: Factor of both; may be a formula.
            index: For which of the joint's velocities, counted from 0.
            name: Name of the element, for messages.

        Raises:
            ModelError: If one of them is wrong.
        """
        super().__init__(joint, index, name)
        where = self.where(name)
        checked_tables(spring, damper, where)
        object.__setattr__(self, "spring", spring)
        object.__setattr__(self, "damper", damper)
        object.__setattr__(self, "scale", scalar_number(scale, f"{where}: scale"))

    @property
    def needs_coordinate(self) -> bool:
        """Whether it has a spring."""
        return self.spring is not None

    def force_along(self, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        """Return what the tables say, against the joint."""
        force: Scalar = 0.0
        if self.spring is not None:
            force = force - self.scale * self.spring(joints[0].q[self.index])
        if self.damper is not None:
            force = force - self.scale * self.damper(joints[0].v[self.index])
        return force

    def stored(self, q: Sequence[Array]) -> Scalar:
        """Return the integral of the spring's table."""
        return 0.0 if self.spring is None else self.scale * self.spring.integral(q[0][self.index])
