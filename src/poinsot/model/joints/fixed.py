"""The joint that does not move."""

from typing import ClassVar, final

import numpy as np

from poinsot.model.fields import declared
from poinsot.model.joints.base import AbstractJoint
from poinsot.spatial import Array, Transform

__all__ = ["Fixed"]


@final
@declared
class Fixed(AbstractJoint):
    """Holds the body still in its parent: X_JB = 1, no coordinate, no velocity.

    Examples:
        >>> Fixed().nq, Fixed().nv
        (0, 0)
    """

    kind: ClassVar[str] = "fixed"
    nq: ClassVar[int] = 0
    nv: ClassVar[int] = 0
    q_units: ClassVar[tuple[str, ...]] = ()
    v_units: ClassVar[tuple[str, ...]] = ()

    def transform(self, q: Array) -> Transform:
        """Return X_JB = 1."""
        return Transform(np.eye(3), np.zeros(3))

    def motion_subspace(self, q: Array) -> Array:
        """Return S, shape (6, 0)."""
        return np.zeros((6, 0))

    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt = 0, shape (6, nv)."""
        return np.zeros((6, self.nv))

    def reaction_subspace(self, q: Array) -> Array:
        """Return T = 1: every force and moment, shape (6, 6)."""
        return np.eye(6)

    def coordinates(self, X_JB: Transform) -> Array:
        """Return the empty q, shape (0,)."""
        return np.zeros(0)

    def random(self, rng: "np.random.Generator") -> Array:
        """Return the empty q, shape (0,)."""
        return np.zeros(0)
