"""A tabulated spring and damper in a joint."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

from poinsot.model.fields import Number, declared, field
from poinsot.model.forces.joint_element import AbstractJointForce, JointMotion
from poinsot.model.forces.spring_tables import TABLE, check_tables
from poinsot.model.tabulated_function import Table
from poinsot.spatial import Array, Scalar

__all__ = ["JointSpring"]


@final
@declared
class JointSpring(AbstractJointForce):
    """A spring and a damper in a joint that follow tables.

        f = -scale (spring(q) + damper(v))

    The signs are those of a joint's own spring and damper: a table that rises pulls back.  Stored
    is scale times the integral of the spring's table, from its first point.

    Examples:
        >>> knee = JointSpring("knee", Table([-1, 0, 1], [-9, 0, 4]), scale=2.0)
        >>> knee.spring(0.5) > 0, knee.damper
        (True, None)
    """

    kind: ClassVar[str] = "joint spring"

    spring: Table | None = field(
        TABLE,
        "Force [N] or moment [N m] over the coordinate [m or rad]; None: no spring",
        default=None,
    )
    damper: Table | None = field(
        TABLE, "The same over the velocity [m/s or rad/s]; None: no damper", default=None
    )
    scale: Scalar = field(Number(), "Factor of both; may be a formula", default=1.0, kw_only=True)

    def _check_together(self, given: Mapping[str, Any]) -> None:
        super()._check_together(given)
        check_tables(self.spring, self.damper, self.label)

    @property
    def needs_coordinate(self) -> bool:
        """Whether it has a spring."""
        return self.spring is not None

    def force_along(self, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        """Return the tabulated force, opposing the joint."""
        force: Scalar = 0.0
        if self.spring is not None:
            force = force - self.scale * self.spring(joints[0].q[self.index])
        if self.damper is not None:
            force = force - self.scale * self.damper(joints[0].v[self.index])
        return force

    def stored(self, q: Sequence[Array]) -> Scalar:
        """Return the integral of the spring's table."""
        return 0.0 if self.spring is None else self.scale * self.spring.integral(q[0][self.index])
