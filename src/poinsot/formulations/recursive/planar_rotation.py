"""Rotations in the form that costs least: about a coordinate axis, or by a full matrix.

A turn takes coordinates from the child's axes to the parent's.  All operands are NumPy arrays of
floats or expressions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from poinsot.spatial import Array, Scalar


class AbstractTurn(ABC):
    """A rotation R of the child against the parent."""

    @abstractmethod
    def to_parent(self, u: Array) -> Array:
        """Return R u, shape (3,) or (3, k)."""

    @abstractmethod
    def to_child(self, u: Array) -> Array:
        """Return Rᵀ u, shape (3,) or (3, k)."""

    @abstractmethod
    def congruence(self, A: Array) -> Array:
        """Return R A Rᵀ of a symmetric matrix, shape (3, 3)."""

    def conjugate(self, A: Array) -> Array:
        """Return R A Rᵀ of any matrix, shape (3, 3)."""
        return self.to_parent(self.to_parent(A).T).T


@final
@dataclass(frozen=True, eq=False)
class PlanarTurn(AbstractTurn):
    """A rotation about coordinate axis 0, 1 or 2 with this cosine and sine."""

    axis: int
    c: Scalar
    s: Scalar

    def to_parent(self, u: Array) -> Array:
        """Return R u: 4 products and 2 sums a vector."""
        return self._rotate(u, self.s)

    def to_child(self, u: Array) -> Array:
        """Return Rᵀ u."""
        return self._rotate(u, -self.s)

    def congruence(self, A: Array) -> Array:
        """Return R A Rᵀ of a symmetric matrix in 10 operations, and 6 for the side.

        In the plane of rotation, with t = s (Axx - Ayy) + 2 c Axy:

            Axx - s t,   Ayy + s t,   c t - Axy
        """
        z, x, y = self.axis, (self.axis + 1) % 3, (self.axis + 2) % 3
        t = self.s * (A[x, x] - A[y, y]) + self.c * (A[x, y] + A[x, y])
        side = self._rotate(A[:, z], self.s)
        rows: list[list[Scalar]] = [[0.0] * 3 for _ in range(3)]
        rows[x][x], rows[y][y], rows[z][z] = A[x, x] - self.s * t, A[y, y] + self.s * t, side[z]
        rows[x][y] = rows[y][x] = self.c * t - A[x, y]
        rows[x][z] = rows[z][x] = side[x]
        rows[y][z] = rows[z][y] = side[y]
        return np.array(rows)

    def _rotate(self, u: Array, s: Scalar) -> Array:
        x, y = (self.axis + 1) % 3, (self.axis + 2) % 3
        rows = list(u)
        rows[x] = self.c * u[x] - s * u[y]
        rows[y] = s * u[x] + self.c * u[y]
        return np.array(rows)


@final
@dataclass(frozen=True, eq=False)
class FullTurn(AbstractTurn):
    """A rotation by a matrix R, shape (3, 3)."""

    R: Array

    def to_parent(self, u: Array) -> Array:
        """Return R u."""
        product: Array = self.R @ u
        return product

    def to_child(self, u: Array) -> Array:
        """Return Rᵀ u."""
        product: Array = self.R.T @ u
        return product

    def congruence(self, A: Array) -> Array:
        """Return R A Rᵀ, each entry above the diagonal once."""
        B = self.R @ A
        upper = {(i, j): B[i] @ self.R[j] for i in range(3) for j in range(i, 3)}
        return np.array([[upper[min(i, j), max(i, j)] for j in range(3)] for i in range(3)])
