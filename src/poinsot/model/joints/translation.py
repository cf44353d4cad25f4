"""The joint that slides in every direction and does not turn."""

from typing import ClassVar, final

import numpy as np

from poinsot.model.fields import declared
from poinsot.model.joints.base import AbstractJoint
from poinsot.spatial import Array, Transform

__all__ = ["Translation"]


@final
@declared
class Translation(AbstractJoint):
    """Slides freely: q = p_JB [m], in the axes of J and B alike, v its rate [m/s].

    Examples:
        >>> Translation().transform(np.array([1.0, 2.0, 3.0])).p
        array([1., 2., 3.])
    """

    kind: ClassVar[str] = "translation"
    nq: ClassVar[int] = 3
    nv: ClassVar[int] = 3
    q_units: ClassVar[tuple[str, ...]] = ("m",) * 3
    v_units: ClassVar[tuple[str, ...]] = ("m/s",) * 3
    q_parts: ClassVar[tuple[str, ...]] = ("x", "y", "z")
    v_parts: ClassVar[tuple[str, ...]] = ("x", "y", "z")

    def transform(self, q: Array) -> Transform:
        """Return X_JB: R = 1, p = q [m]."""
        return Transform(np.eye(3), q)

    def motion_subspace(self, q: Array) -> Array:
        """Return S = [1; 0], shape (6, 3)."""
        return np.eye(6)[:, :3]

    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt = 0, shape (6, nv)."""
        return np.zeros((6, self.nv))

    def reaction_subspace(self, q: Array) -> Array:
        """Return T = [0; 1]: moments x, y, z, shape (6, 3)."""
        return np.eye(6)[:, 3:]

    def coordinates(self, X_JB: Transform) -> Array:
        """Return p_JB [m], shape (3,)."""
        return np.array(X_JB.p)

    def random(self, rng: "np.random.Generator") -> Array:
        """Return offsets uniform in (-1, 1) [m], shape (3,)."""
        return rng.uniform(-1.0, 1.0, 3)
