"""The joint that closes a loop."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.constraints.base import (
    CoordinateMotion,
    FrameField,
    FrameMotion,
    FrameOnBody,
    FramePair,
    Rows,
    View,
)
from poinsot.model.constraints.moving_constraint import AbstractClosure
from poinsot.model.fields import declared, field
from poinsot.model.joints import AbstractJoint
from poinsot.model.joints.base import JOINT
from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Array, mismatch

__all__ = ["Loop"]


@final
@declared
class Loop(AbstractClosure):
    """A cut joint between two bodies of the tree: it closes a loop.

    The joint carries the frame of ``second`` as a joint of the tree carries its body, seen from the
    frame of ``first``.  With V the velocity of the second frame against the first [Liu1988, (38)]
    and N the wrenches that the joint transmits,

        Nᵀ V = 0,       phi = Nᵀ mismatch,

    where mismatch is the relative pose beyond what the joint allows.

    Examples:
        >>> from poinsot.model import Pose, Revolute
        >>> pin = Loop("pin", ("rocker", Pose((0.4, 0, 0))), ("world", Pose((1, 0, 0))),
        ...            Revolute("z"))
        >>> pin.locked
        ('translation x', 'translation y', 'translation z', 'rotation x', 'rotation y')
    """

    kind: ClassVar[str] = "loop"
    file_type: ClassVar[None] = None

    first: FrameField = field(
        FrameOnBody(), "A body's name, or \"world\", and the pose of the joint's frame on it"
    )
    second: FrameField = field(
        FrameOnBody(), "The same for the frame that the joint carries, on another body"
    )
    joint: AbstractJoint = field(
        JOINT, "What the closure lets move; its damping, stiffness and rest act as in the tree"
    )

    def _check_together(self, given: Mapping[str, Any]) -> None:
        if self.joint.nv == 6:
            raise ModelError(f"{self.label}: a free joint closes nothing; leave the loop out")
        if nonzero(self.joint.armature):
            raise ModelError(
                f"{self.label}: the joint of a loop cannot have armature, got "
                f"{self.joint.armature}; put it on a joint of the tree"
            )
        if self.first[0] == self.second[0]:
            raise ModelError(
                f"{self.label}: both ends are on {self.first[0]!r}, so it closes nothing; "
                "put one on another body, or on 'world'"
            )

    @property
    def pair(self) -> FramePair:
        """The two frames."""
        return self.first, self.second

    @property
    def nv(self) -> int:
        """Number of velocities of the joint."""
        return self.joint.nv

    @property
    def locked(self) -> tuple[str, ...]:
        """The directions that the joint locks."""
        return self.joint.locked

    def rows(self, view: View) -> Rows:
        """Return Nᵀ mismatch, Nᵀ J and Nᵀ A + dNᵀ/dt V."""
        motion = view.frame(self.pair)
        q = self.joint.coordinates(motion.X)
        N = self.joint.reaction_subspace(q)
        dN = self.joint.reaction_subspace_rate(q, self.joint.rate_map(q) @ motion.V)
        left = self.joint.transform(q).inverse() @ motion.X
        return Rows(
            N.T @ mismatch(left),
            N.T @ motion.J,
            np.zeros(N.shape[1]),
            N.T @ motion.A + dN.T @ motion.V,
        )

    def loads(self, view: View, lam: Array) -> Sequence[Array]:
        """Return N lam."""
        q = self.joint.coordinates(view.frame(self.pair).X)
        return (self.joint.reaction_subspace(q) @ lam,)

    @property
    def is_passive(self) -> bool:
        """Whether its own spring or damper exerts a force."""
        return nonzero(self.joint.damping, self.joint.stiffness)

    def position(self, motion: FrameMotion) -> Array:
        """Return the joint's coordinates, shape (nq of the joint,)."""
        return self.joint.coordinates(motion.X)

    def velocity(self, motion: FrameMotion) -> Array:
        """Return the joint's velocities P V, shape (nv of the joint,)."""
        v: Array = self.joint.rate_map(self.joint.coordinates(motion.X)) @ motion.V
        return v

    def coordinate_motion(self, motion: FrameMotion) -> CoordinateMotion:
        """Return how the joint's coordinates move: dq/dt = N P V."""
        q, v = self.position(motion), self.velocity(motion)
        N = np.array([self.joint.position_rate(q, unit) for unit in np.eye(self.nv)]).T
        second = N @ self.acceleration(motion, motion.A) + self.joint.position_bias(q, v)
        J = N @ (self.joint.rate_map(q) @ motion.J)
        turns = tuple(unit == "rad" and self.joint.kind != "helical" for unit in self.joint.q_units)
        return CoordinateMotion(q, self.joint.position_rate(q, v), second, J, turns)

    def acceleration(self, motion: FrameMotion, rate: Array) -> Array:
        """Return the joint's accelerations P (dV/dt - dS/dt v), shape (nv of the joint,).

        Args:
            motion: How the second frame moves.
            rate: Rate of the components of its velocity, shape (6,).
        """
        q = self.joint.coordinates(motion.X)
        P = self.joint.rate_map(q)
        v = P @ motion.V
        a: Array = P @ (rate - self.joint.motion_subspace_rate(q, v) @ v)
        return a

    def drive(self, motion: FrameMotion, tau: Array) -> Array:
        """Return the wrench Pᵀ tau of forces along the joint on the second body, shape (6,)."""
        wrench: Array = self.joint.rate_map(self.joint.coordinates(motion.X)).T @ tau
        return wrench

    def passive(self, motion: FrameMotion) -> Array:
        """Return the forces of its spring and damper along the joint, shape (nv of the joint,)."""
        joint, q = self.joint, self.joint.coordinates(motion.X)
        force = -joint.damping_matrix() @ (joint.rate_map(q) @ motion.V)
        if nonzero(joint.stiffness):
            force = force - joint.stiffness_matrix() @ (q - joint.rest_position())
        return np.asarray(force)

    def spring_energy(self, motion: FrameMotion) -> Array:
        """Return (q - rest)ᵀ K (q - rest) / 2 [J], shape ()."""
        if not nonzero(self.joint.stiffness):
            return np.zeros(())
        stretch = self.joint.coordinates(motion.X) - self.joint.rest_position()
        return np.asarray(0.5 * (stretch @ self.joint.stiffness_matrix() @ stretch))
