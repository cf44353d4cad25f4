"""What force elements that act along a velocity of a joint have in common."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from poinsot.errors import ModelError
from poinsot.model.changed import changed
from poinsot.model.checks import checked_name
from poinsot.model.forces.base import AbstractForce, PointMotion
from poinsot.model.joints import AbstractJoint
from poinsot.model.suggest import suggestion
from poinsot.spatial import Array, Scalar

__all__ = ["AbstractJointForce", "JointMotion"]


@dataclass(frozen=True, eq=False)
class JointMotion:
    """Where a joint is and how fast it moves.

    Attributes:
        q: Coordinates [m or rad], shape (nq,).
        v: Velocities [m/s or rad/s], shape (nv,).
    """

    q: Array
    v: Array


@dataclass(frozen=True, init=False)
class AbstractJointForce(AbstractForce):
    """A force along one velocity of a joint, on the right-hand side as joint forces are.

    Attributes:
        joint: Name of the joint it acts on.
        index: Along which of the joint's velocities, counted from 0.
    """

    joint: str
    index: int

    def __init__(self, joint: str, index: int, name: str | None) -> None:
        """Check and store where it acts."""
        super().__init__(name)
        where = self.where(name)
        if isinstance(index, bool) or not isinstance(index, int) or index < 0:
            raise ModelError(
                f"{where}: index must be the number of a velocity of the joint, 0 or more, "
                f"got {index!r}"
            )
        object.__setattr__(self, "joint", checked_name(joint, f"{where}: joint"))
        object.__setattr__(self, "index", index)

    @property
    def ends(self) -> tuple[()]:
        """It acts at no point."""
        return ()

    def with_ends(self, ends: Sequence[object]) -> Self:
        """Return itself."""
        return self

    def wrenches(self, ends: Sequence[PointMotion], t: Scalar) -> tuple[()]:
        """Return nothing: it acts along a joint."""
        return ()

    @property
    def joints(self) -> tuple[str, ...]:
        """The joint on which it acts, then those that it only looks at."""
        return (self.joint,)

    def with_joints(self, joints: Sequence[str]) -> Self:
        """Return the same element at another joint."""
        (joint,) = joints
        return changed(self, joint=joint)

    @property
    def needs_coordinate(self) -> bool:
        """Whether the joint must have one coordinate for each velocity."""
        return True

    @abstractmethod
    def force_along(self, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        """Return the force [N or N m] along its velocity of the first joint.

        Args:
            joints: The motion of each of ``joints``.
            t: Time [s].
        """

    def stored(self, q: Sequence[Array]) -> Scalar:
        """Return the energy that is stored in it [J], from the coordinates of its joints."""
        return 0.0

    def check_joints(self, joints: Mapping[str, AbstractJoint]) -> None:
        """Refuse joints that are unknown or do not fit.

        Args:
            joints: All joints of the mechanism, by name.
        """
        where = self.where(self.name)
        for name in self.joints:
            if name not in joints:
                hint = suggestion(name, joints)
                raise ModelError(f"{where} names the unknown joint {name!r}; {hint}")
        joint = joints[self.joint]
        if self.index >= joint.nv:
            raise ModelError(
                f"{where}: joint {self.joint!r} ({joint.kind}) has {joint.nv} velocities, so index "
                f"must be less than that, got {self.index}"
            )
        if self.needs_coordinate and joint.nq != joint.nv:
            raise ModelError(
                f"{where}: joint {self.joint!r} ({joint.kind}) has a quaternion, no angle for each "
                "velocity; let it act on another joint"
            )

    def _own(self, joints: Sequence[JointMotion]) -> tuple[Scalar, Scalar]:
        """Return its coordinate and its velocity."""
        return joints[0].q[self.index], joints[0].v[self.index]
