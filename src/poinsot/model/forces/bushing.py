"""The bushing: springs and dampers along and about three axes, between frames of two bodies."""

from collections.abc import Sequence
from typing import ClassVar, final

import numpy as np

from poinsot.model.fields import Vector, Vector3, declared, field
from poinsot.model.forces.base import AbstractForce, PointMotion
from poinsot.model.frame import FrameField, FrameOnBody
from poinsot.spatial import Array, Scalar, cross, vector

__all__ = ["Bushing"]

NONE = (0.0, 0.0, 0.0)


@final
@declared
class Bushing(AbstractForce):
    """Six springs and six dampers between a frame E of one body and a frame F of another.

    With d the origin and R the rotation of F in E, the energy is

        U = ½ Σ kᵢ dᵢ² + tr G (1 - R),      G = tr(κ)/2 - diag κ,

    so that κᵢ is the stiffness of small rotations about axis i of E, and force and moment are its
    exact derivative at any rotation.  The dampers act on the velocity of F seen from E.  The
    springs are relaxed where both frames are the same.

    Examples:
        >>> mount = Bushing(("world", (0, 0, 1)), ("engine", (0.1, 0, 0.2)),
        ...                 stiffness=(9e4, 4e4, 4e4), torsion=(60, 80, 50))
        >>> mount.damping
        (0.0, 0.0, 0.0)
    """

    kind: ClassVar[str] = "bushing"

    first: FrameField = field(FrameOnBody(), "Body and frame E, whose axes the springs have")
    second: FrameField = field(FrameOnBody(), "The other body, and frame F on it")
    stiffness: Vector3 = field(Vector("not negative"), "k: stiffness along the axes", unit="N/m")
    torsion: Vector3 = field(
        Vector("not negative"), "κ: stiffness about them", unit="N m/rad", default=NONE
    )
    damping: Vector3 = field(
        Vector("not negative"), "Damping along them", unit="N s/m", default=NONE
    )
    torsional_damping: Vector3 = field(
        Vector("not negative"), "Damping about them", unit="N m s/rad", default=NONE
    )

    def wrenches(self, ends: Sequence[PointMotion], t: Scalar) -> tuple[Array, Array]:
        """Return the wrench on either body, at its end, in its axes."""
        first, second = ends
        E, d, R, G = self._deflection(ends)
        arm = second.p - first.p
        rate = E.T @ (second.v - first.v - cross(first.w, arm))
        turning = E.T @ (second.w - first.w)
        f = E @ (np.array(self.stiffness) * d + np.array(self.damping) * rate)
        A = R @ G
        moment = vector(A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1])
        n = E @ (moment + np.array(self.torsional_damping) * turning)
        on_first = [first.R.T @ f, first.R.T @ (n + cross(arm, f))]
        return np.concatenate(on_first), -np.concatenate([second.R.T @ f, second.R.T @ n])

    def energy(self, ends: Sequence[PointMotion]) -> Scalar:
        """Return ½ Σ kᵢ dᵢ² + tr G (1 - R) [J]."""
        _, d, R, G = self._deflection(ends)
        stored: Scalar = 0.5 * (np.array(self.stiffness) @ d**2) + np.trace(G - G @ R)
        return stored

    def _deflection(self, ends: Sequence[PointMotion]) -> tuple[Array, Array, Array, Array]:
        """Return the axes of E in the world, d, R and G."""
        E, F = (
            end.R @ np.array(frame[1].matrix)
            for end, frame in zip(ends, (self.first, self.second), strict=True)
        )
        torsion = np.array(self.torsion)
        G = np.diag(0.5 * torsion.sum() - torsion)
        return E, E.T @ (ends[1].p - ends[0].p), E.T @ F, G
