"""The relative motion of two frames, from the motions of the bodies that carry them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.model import FrameMotion
from poinsot.spatial import Array, Transform, cross_motion


@dataclass(frozen=True, eq=False)
class PairMotion:
    """Frame E on one body and frame F on another, both moving relative to the same base.

    Attributes:
        X_1E, X_2F: The frames in their bodies.
        X_EF: Pose of F in E.
        V: Velocities of the two bodies, each in its own axes at its origin, shape (6,).
        A: Rates of their components, shape (6,).
    """

    X_1E: Transform
    X_2F: Transform
    X_EF: Transform
    V: tuple[Array, Array]
    A: tuple[Array, Array]

    @staticmethod
    def from_bodies(
        frames: Sequence[Transform], bodies: Sequence[Transform], V: Sequence[Array],
        A: Sequence[Array],
    ) -> PairMotion:  # fmt: skip
        """Return the pair of two frames in their bodies, given poses and motions of the bodies."""
        X_BE, X_BF = (body @ frame for body, frame in zip(bodies, frames, strict=True))
        X_EF = X_BE.inverse() @ X_BF
        return PairMotion(frames[0], frames[1], X_EF, (V[0], V[1]), (A[0], A[1]))

    def seen(self, J: Array) -> FrameMotion:
        """Return the motion of F relative to E; the motion of the base drops out.

            V = V_F - X V_E,        dV/dt = A_F - X A_E + V × V_F,

        X taking motions from E to F.

        Args:
            J: Derivative of V by the velocities, shape (6, k).
        """
        V_F = self.X_2F.motion_to_child(self.V[1])
        A_F = self.X_2F.motion_to_child(self.A[1])
        V = V_F - self.X_EF.motion_to_child(self.X_1E.motion_to_child(self.V[0]))
        A_E = self.X_EF.motion_to_child(self.X_1E.motion_to_child(self.A[0]))
        return FrameMotion(self.X_EF, V, A_F - A_E + cross_motion(V, V_F), J)

    def on_bodies(self, wrenches: Array) -> tuple[Array, Array]:
        """Return wrenches on F's body, and the opposite ones on E's, each in its body's frame.

        Args:
            wrenches: [f; n] on F in its axes at its origin, by rows, shape (m, 6).

        Returns:
            On the body of E and on that of F, shape (m, 6) each.
        """
        first = [self.X_1E.force_to_parent(self.X_EF.force_to_parent(-w)) for w in wrenches]
        second = [self.X_2F.force_to_parent(w) for w in wrenches]
        return np.array(first), np.array(second)
