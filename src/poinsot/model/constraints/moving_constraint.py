"""A constraint with coordinates of its own: a cut joint or a curve."""

from abc import abstractmethod

import numpy as np

from poinsot.model.constraints.base import AbstractConstraint, FrameMotion, FramePair
from poinsot.model.fields import declared
from poinsot.spatial import Array

__all__ = ["AbstractClosure"]


@declared
class AbstractClosure(AbstractConstraint):
    """A constraint between two frames with its own coordinates, springs, dampers and actuators."""

    @property
    @abstractmethod
    def pair(self) -> FramePair:
        """The two frames."""

    @property
    def pairs(self) -> tuple[FramePair]:
        """The two frames."""
        return (self.pair,)

    @property
    @abstractmethod
    def nv(self) -> int:
        """Number of its velocities."""

    @property
    @abstractmethod
    def is_passive(self) -> bool:
        """Whether its own spring or damper exerts a force."""

    @abstractmethod
    def position(self, motion: FrameMotion) -> Array:
        """Return its coordinates [rad or m], shape (nq of its own,)."""

    @abstractmethod
    def velocity(self, motion: FrameMotion) -> Array:
        """Return its velocities, shape (nv of its own,)."""

    @abstractmethod
    def acceleration(self, motion: FrameMotion, rate: Array) -> Array:
        """Return its accelerations, shape (nv of its own,).

        Args:
            motion: How the second frame moves.
            rate: Rate of the components of its velocity, shape (6,).
        """

    @abstractmethod
    def drive(self, motion: FrameMotion, tau: Array) -> Array:
        """Return the wrench of forces along its coordinates on the second body, shape (6,).

        In the axes of the second frame at its origin.

        Args:
            motion: How the second frame moves.
            tau: The forces [N or N m], shape (nv of its own,).
        """

    @abstractmethod
    def passive(self, motion: FrameMotion) -> Array:
        """Return the forces of its spring and damper along its coordinates, shape (nv,)."""

    @abstractmethod
    def spring_energy(self, motion: FrameMotion) -> Array:
        """Return the energy stored in its spring [J], shape ()."""

    def applied(self, motion: FrameMotion, drive: Array | None) -> Array:
        """Return the wrench of its own spring, damper and actuator on its second frame, shape (6,).

        Args:
            motion: How the second frame moves.
            drive: Forces along its coordinates [N or N m], shape (nv,); None: it is not driven.
        """
        force = self.passive(motion) if self.is_passive else np.zeros(self.nv)
        return self.drive(motion, force if drive is None else force + drive)
