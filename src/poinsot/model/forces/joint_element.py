"""Base of force elements that act along a velocity of a joint."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from poinsot.errors import ModelError
from poinsot.model.changed import changed
from poinsot.model.fields import Name, Whole, declared, field
from poinsot.model.forces.base import AbstractForce, PointMotion
from poinsot.model.joints import AbstractJoint
from poinsot.model.name_suggestion import suggestion
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


@declared
class AbstractJointForce(AbstractForce):
    """A force along one velocity of a joint, on the right-hand side as joint forces are."""

    joint: str = field(Name(), "Name of the joint it acts on")
    index: int = field(
        Whole("a velocity of the joint"), "Along which of the joint's velocities, counted from 0",
        default=0, kw_only=True, omit=True,
    )  # fmt: skip

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
        """The joint on which it acts, then those that it only reads."""
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
        """Reject joints that are unknown or do not fit.

        Args:
            joints: All joints of the mechanism, by name.
        """
        where = self.label
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
