"""Base of constraints on the velocity of a frame: what rolls, slides along an edge, or moves on."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.constraints.base import FramePair, View
from poinsot.model.constraints.smooth_function import traced_velocities
from poinsot.model.constraints.velocity_relation import AbstractVelocityRelation, VelocityMotion
from poinsot.model.fields import declared
from poinsot.spatial import Array, Scalar, Transform, skew

__all__ = ["AbstractFrameVelocity", "Equations"]

Equations = tuple[Sequence[Scalar], Sequence[Scalar]]
"""phi, what vanishes of positions, and r, what vanishes of velocities, its rates first."""


@declared
class AbstractFrameVelocity(AbstractVelocityRelation):
    """Equations in the pose X and velocity V = [v; w] of a frame F, seen from a frame E.

    X takes F to E, V is in the axes of F at its origin.
    """

    @property
    @abstractmethod
    def pair(self) -> FramePair:
        """E and F."""

    @abstractmethod
    def _equations(self, X: Transform, V: Array, t: Scalar) -> Equations:
        """Return what vanishes, over any scalar."""

    @property
    def pairs(self) -> tuple[FramePair]:
        """The two frames."""
        return (self.pair,)

    def _check_together(self, given: Mapping[str, Any]) -> None:
        (first, _), (second, _) = self.pair
        if first == second:
            raise ModelError(
                f"{self.label}: both frames are on {first!r}, so that nothing moves; "
                "put one on another body"
            )

        def function(x: Array, u: Array, t: Scalar) -> Equations:
            return self._equations(Transform(x[:9].reshape(3, 3), x[9:]), u, t)

        self._store_function(traced_velocities(function, 12, 6, self.label))

    def _motion(self, view: View) -> VelocityMotion:
        """Return X as 12 numbers, dR/dt = R [w], dp/dt = R v, and V."""
        motion = view.frame(self.pair)
        R, v, w = motion.X.R, motion.V[:3], motion.V[3:]
        rate = np.concatenate([(R @ skew(w)).ravel(), R @ v])
        x = np.concatenate([R.ravel(), motion.X.p])
        return VelocityMotion(x, rate, motion.V, motion.A, motion.J)

    def loads(self, view: View, lam: Array) -> Sequence[Array]:
        """Return the wrench Bᵀ lam on the second frame."""
        _, relation = self._relation(view)
        wrench: Array = relation.B.T @ lam
        return (wrench,)
