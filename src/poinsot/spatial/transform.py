"""The pose of one frame in another, and what it does to points, motions and forces."""

from dataclasses import dataclass
from typing import Self, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.spatial.array import Array, frozen, halves
from poinsot.spatial.rotation import skew
from poinsot.spatial.screw import cross


@final
@dataclass(frozen=True, eq=False)
class Transform:
    """The pose ``X_AB`` of frame B (the child) in frame A (the parent).

        X_AC = X_AB @ X_BC

    Motions and forces change both their axes and their reference point: in A they refer to A's
    origin, in B to B's origin. The power ``F @ V`` is the same in both.

    Attributes:
        R: R_AB, takes coordinates from B to A, shape (3, 3).
        p: p_AB [m], from A's origin to B's, in A, shape (3,).

    >>> X_AB = Transform(np.eye(3), [1.0, 2.0, 3.0])
    >>> (X_AB @ X_AB).p
    array([2., 4., 6.])
    """

    R: Array
    p: Array

    def __init__(self, R: ArrayLike, p: ArrayLike) -> None:
        object.__setattr__(self, "R", frozen("R", R, (3, 3)))
        object.__setattr__(self, "p", frozen("p", p, (3,)))

    @classmethod
    def identity(cls) -> Self:
        """Return the pose of a frame in itself."""
        return cls(np.eye(3), np.zeros(3))

    @classmethod
    def translation(cls, p: ArrayLike) -> Self:
        """Return the pose of a frame with parallel axes and its origin at ``p`` [m], shape (3,)."""
        return cls(np.eye(3), p)

    @classmethod
    def rotation(cls, R: ArrayLike) -> Self:
        """Return the pose of a frame with the same origin and axes ``R``, shape (3, 3)."""
        return cls(R, np.zeros(3))

    def __matmul__(self, other: "Transform") -> "Transform":
        """Return X_AC = X_AB @ X_BC [Liu1988, eq. (7)]."""
        if not isinstance(other, Transform):
            return NotImplemented
        return Transform(self.R @ other.R, self.R @ other.p + self.p)

    def inverse(self) -> "Transform":
        """Return X_BA, the pose of A in B; its screw transform is the inverse [Liu1988, eq. (9)].

        >>> Transform.translation([1.0, 2.0, 3.0]).inverse().p
        array([-1., -2., -3.])
        """
        return Transform(self.R.T, -(self.R.T @ self.p))

    def apply_point(self, p_B: ArrayLike) -> Array:
        """Return the position of a point seen from A [m], shape (3,): p_A = R p_B + p.

        Args:
            p_B: The point seen from B [m], shape (3,).
        """
        p_A: Array = self.R @ np.asarray(p_B) + self.p
        return p_A

    def motion_to_parent(self, V_B: ArrayLike) -> Array:
        """Return a motion in A, shape (6,), from its form in B.

            w_A = R w_B,   v_A = R v_B + p × w_A

        Args:
            V_B: [v; w] [m/s, rad/s] of the point at B's origin, in B, shape (6,).

        >>> Transform.translation([1, 0, 0]).motion_to_parent([0, 1, 0, 0, 0, 1])
        array([0., 0., 0., 0., 0., 1.])
        """
        v_B, w_B = halves(V_B)
        w_A = self.R @ w_B
        return np.concatenate([self.R @ v_B + cross(self.p, w_A), w_A])

    def motion_to_child(self, V_A: ArrayLike) -> Array:
        """Return a motion in B, shape (6,), from its form in A.

            w_B = Rᵀ w_A,   v_B = Rᵀ (v_A + w_A × p)

        Args:
            V_A: [v; w] [m/s, rad/s] of the point at A's origin, in A, shape (6,).

        >>> Transform.translation([1, 0, 0]).motion_to_child([0, 0, 0, 0, 0, 1])
        array([0., 1., 0., 0., 0., 1.])
        """
        v_A, w_A = halves(V_A)
        return np.concatenate([self.R.T @ (v_A + cross(w_A, self.p)), self.R.T @ w_A])

    def force_to_parent(self, F_B: ArrayLike) -> Array:
        """Return a force in A, shape (6,), from its form in B [Liu1988, eq. (1) and (6)].

            f_A = R f_B,   n_A = R n_B + p × f_A

        Args:
            F_B: [f; n] [N, N·m], moment about B's origin, in B, shape (6,).

        >>> Transform.translation([1, 0, 0]).force_to_parent([0, 1, 0, 0, 0, 0])
        array([0., 1., 0., 0., 0., 1.])
        """
        f_B, n_B = halves(F_B)
        f_A = self.R @ f_B
        return np.concatenate([f_A, self.R @ n_B + cross(self.p, f_A)])

    def force_to_child(self, F_A: ArrayLike) -> Array:
        """Return a force in B, shape (6,), from its form in A.

            f_B = Rᵀ f_A,   n_B = Rᵀ (n_A - p × f_A)

        Args:
            F_A: [f; n] [N, N·m], moment about A's origin, in A, shape (6,).

        >>> Transform.translation([1, 0, 0]).force_to_child([0, 1, 0, 0, 0, 1])
        array([0., 1., 0., 0., 0., 0.])
        """
        f_A, n_A = halves(F_A)
        return np.concatenate([self.R.T @ f_A, self.R.T @ (n_A + cross(f_A, self.p))])

    def motion_matrix(self) -> Array:
        """Return the matrix of :meth:`motion_to_parent`, shape (6, 6).

            [[R, skew(p) R], [0, R]]

        The transpose of the inverse of :meth:`force_matrix` [Liu1988, eq. (10)].
        """
        return np.block([[self.R, skew(self.p) @ self.R], [np.zeros((3, 3)), self.R]])

    def force_matrix(self) -> Array:
        """Return the matrix of :meth:`force_to_parent`, shape (6, 6).

            [[R, 0], [skew(p) R, R]]

        The screw transform of [Liu1988, eq. (3) and (4)], with i, j for A, B.
        """
        return np.block([[self.R, np.zeros((3, 3))], [skew(self.p) @ self.R, self.R]])

    def homogeneous(self) -> Array:
        """Return [[R, p], [0, 1]], shape (4, 4), which takes [p_B; 1] to [p_A; 1]."""
        return np.block([[self.R, self.p[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])
