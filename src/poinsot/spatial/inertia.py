"""The spatial inertia of a rigid body."""

from dataclasses import dataclass, field
from typing import Self, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.expr.packing import SYMMETRIC
from poinsot.spatial.array import Array, components, frozen, halves, matrix
from poinsot.spatial.rotation import skew
from poinsot.spatial.scalar import Scalar
from poinsot.spatial.screw import cross
from poinsot.spatial.transform import Transform


@final
@dataclass(frozen=True, eq=False)
class Inertia:
    """Mass, first moment and rotational inertia of a body about its origin, in its axes.

    These ten numbers are linear in the mass distribution, so inertias of parts fixed to each
    other add. They are the blocks of the generalised inertia matrix [Liu1988, eq. (16)], where
    the rotational inertia must be read as the one about the origin, not the mass centre.

    Attributes:
        mass: m = ∫ dm [kg].
        h: First moment h = ∫ r dm = m c [kg·m], shape (3,).
        I: Rotational inertia ∫ (r·r 1 - r rᵀ) dm [kg·m²] about the origin, symmetric, shape (3, 3).

    >>> ball = Inertia.from_com(2.0, [1, 0, 0], 0.1 * np.eye(3))
    >>> ball.h, np.diagonal(ball.I)
    (array([2., 0., 0.]), array([0.1, 2.1, 2.1]))
    """

    mass: Scalar
    h: Array
    I: Array = field(metadata=SYMMETRIC)

    def __init__(self, mass: Scalar, h: ArrayLike, I: ArrayLike) -> None:
        object.__setattr__(self, "mass", mass)
        object.__setattr__(self, "h", frozen("h", h, (3,)))
        object.__setattr__(self, "I", frozen("I", I, (3, 3)))

    @classmethod
    def from_com(cls, mass: Scalar, com: ArrayLike, I_com: ArrayLike) -> Self:
        """Return the inertia of a body whose values are known about its mass centre.

            h = m c,   I = I_com + m (c·c 1 - c cᵀ)

        Args:
            mass: m [kg].
            com: Place c of the mass centre [m], shape (3,).
            I_com: Rotational inertia about the mass centre [kg·m²], in body axes, shape (3, 3).
        """
        c = np.asarray(com)
        h = mass * c
        return cls(mass, h, np.asarray(I_com) + _moment(h, c))

    def __add__(self, other: "Inertia") -> "Inertia":
        """Return the inertia of two bodies fixed to each other, both given in the same frame."""
        if not isinstance(other, Inertia):
            return NotImplemented
        return Inertia(self.mass + other.mass, self.h + other.h, self.I + other.I)

    def com(self) -> Array:
        """Return the mass centre c = h / m [m], shape (3,); the mass must not be zero."""
        c: Array = self.h / self.mass
        return c

    def apply(self, V: ArrayLike) -> Array:
        """Return the momentum [N·s, N·m·s], shape (6,), of the body moving with ``V``.

            [m v + w × h; h × v + I w]

        [Liu1988, eq. (14)]. Given an acceleration, the result is a force.

        Args:
            V: Motion [v; w] [m/s, rad/s] at the origin, in body axes, shape (6,).

        >>> Inertia(2.0, [0, 0, 0], np.eye(3)).apply([1, 0, 0, 0, 0, 3])
        array([2., 0., 0., 0., 0., 3.])
        """
        v, w = halves(V)
        return np.concatenate([self.mass * v + cross(w, self.h), cross(self.h, v) + self.I @ w])

    def kinetic_energy(self, V: ArrayLike) -> Scalar:
        """Return ½ V·(momentum) [J] of the body moving with ``V`` [m/s, rad/s], shape (6,).

        >>> float(Inertia(2.0, [0, 0, 0], np.eye(3)).kinetic_energy([3, 0, 0, 0, 0, 0]))
        9.0
        """
        return 0.5 * (np.asarray(V) @ self.apply(V))

    def to_parent(self, X_AB: Transform) -> "Inertia":
        """Return the inertia about A's origin in A's axes, given this one in B.

            h_A = g + m p,   g = R h
            I_A = R I Rᵀ + (k·p) 1 - ½ (k pᵀ + p kᵀ),   k = g + h_A

        The same as the congruence F I₆ Fᵀ with ``F = X_AB.force_matrix()``, in fewer operations.

        Args:
            X_AB: Pose of the body frame B in A.

        >>> I_B = Inertia(2.0, [0, 0, 0], np.zeros((3, 3)))
        >>> np.diagonal(I_B.to_parent(Transform.translation([1, 0, 0])).I)
        array([0., 2., 2.])
        """
        g = X_AB.R @ self.h
        h_A = g + self.mass * X_AB.p
        I_A = _symmetric(X_AB.R @ self.I @ X_AB.R.T) + _moment(g + h_A, X_AB.p)
        return Inertia(self.mass, h_A, I_A)

    def matrix(self) -> Array:
        """Return the matrix of :meth:`apply`, symmetric, shape (6, 6).

            [[m 1, skew(h)ᵀ], [skew(h), I]]

        [Liu1988, eq. (16)].
        """
        return np.block([[self.mass * np.eye(3), -skew(self.h)], [skew(self.h), self.I]])

    def second_moment(self) -> Array:
        """Return Σ = ∫ r rᵀ dm = ½ tr(I) 1 - I [kg·m²], symmetric, shape (3, 3).

        A body is physically possible only if Σ has no negative eigenvalue about its mass centre.

        >>> np.diagonal(Inertia(1.0, [0, 0, 0], np.diag([3, 4, 5])).second_moment())
        array([3., 2., 1.])
        """
        half_trace = 0.5 * (self.I[0, 0] + self.I[1, 1] + self.I[2, 2])
        sigma: Array = half_trace * np.eye(3) - self.I
        return sigma


def _moment(a: Array, b: Array) -> Array:
    """Return (a·b) 1 - ½ (a bᵀ + b aᵀ), the symmetric part of -skew(a) skew(b)."""
    a1, a2, a3 = components(a)
    b1, b2, b3 = components(b)
    x, y, z = a1 * b1, a2 * b2, a3 * b3
    xy = -0.5 * (a1 * b2 + a2 * b1)
    xz = -0.5 * (a1 * b3 + a3 * b1)
    yz = -0.5 * (a2 * b3 + a3 * b2)
    return matrix((y + z, xy, xz), (xy, x + z, yz), (xz, yz, x + y))


def _symmetric(A: Array) -> Array:
    """Return A with its lower triangle replaced by the mirror of the upper one."""
    (a, b, c), (_, d, e), (_, _, f) = components(A)
    return matrix((a, b, c), (b, d, e), (c, e, f))
