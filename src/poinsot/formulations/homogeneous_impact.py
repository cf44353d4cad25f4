"""Impacts of two trees by 4 × 4 matrices, each on a base that is turned and moves.

As in [Zhang1996, (3.9), (3.11), (3.12), (3.14)], corrected: R₁ and R₂ take inertial coordinates to
those of the bases, and W, which the paper does not define, has opposite signs at the two bodies of
a contact, its normal leading from the first to the second.  Independent of rows of contacts and of
motion subspaces, as is all of ``homogeneous.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from poinsot.formulations.homogeneous import PoseDerivatives, mass_matrix, pose_derivatives
from poinsot.model import BaseMotion, Mechanism
from poinsot.spatial import Array

__all__ = [
    "Touch",
    "TreeOnBase",
    "both_mass_matrices",
    "change_of_frame",
    "generalised_impulses",
    "incidences",
    "rates_of_opening",
]


class Touch(NamedTuple):
    """Where bodies of two trees touch.

    Attributes:
        bodies: Their numbers, the first tree's before the second's; None: the base.
        places: The point in coordinates of each body [m], shapes (3,).
        normal: From the first to the second, in inertial axes, shape (3,).
    """

    bodies: tuple[int | None, int | None]
    places: tuple[Array, Array]
    normal: Array


@dataclass(frozen=True, eq=False)
class TreeOnBase:
    """A tree at an instant.

    Attributes:
        mechanism: The tree.
        q: Its configuration, shape (nq,).
        v: Its velocities relative to the base, shape (nv,).
        base: How the base moves.
    """

    mechanism: Mechanism
    q: Array
    v: Array
    base: BaseMotion

    @property
    def R(self) -> Array:
        """Inertial coordinates to those of the base, R₁ or R₂, shape (3, 3)."""
        return np.asarray(self.base.R.T)

    @property
    def poses(self) -> list[PoseDerivatives]:
        """T_j and u_ji of all bodies."""
        return pose_derivatives(self.mechanism, self.q)


def incidences(sizes: tuple[int, int], touches: Sequence[Touch]) -> tuple[Array, Array]:
    """Return W' and W'' of (3.9) and (3.11), shapes (bodies, contacts): -1, +1 or 0.

    Args:
        sizes: How many bodies the trees have.
        touches: Where they touch.
    """
    first, second = (np.zeros((size, len(touches))) for size in sizes)
    for k, touch in enumerate(touches):
        for W, body, sign in zip((first, second), touch.bodies, (-1.0, 1.0), strict=True):
            if body is not None:
                W[body, k] = sign
    return first, second


def change_of_frame(first: Array, second: Array) -> Array:
    """Return E = diag(R₁ R₂ᵀ, 1) (3.12): rows in coordinates of base 1, times E, are in those of 2.

    Args:
        first: R₁, shape (3, 3).
        second: R₂.
    """
    E = np.eye(4)
    E[:3, :3] = first @ second.T
    return E


def generalised_impulses(
    first: TreeOnBase, second: TreeOnBase, touches: Sequence[Touch]
) -> tuple[Array, Array]:
    """Return d' and d'' of D' = d' I and D'' = d'' I, shapes (n₁, contacts) and (n₂, contacts).

        d'_ik = Σ_j W'_jk n_k u'_ji r'_k,    d''_ik = Σ_j W''_jk n_k E u''_ji r''_k

    [Zhang1996, (3.9), (3.11)], n_k a row in coordinates of the first base; below each other they
    are d of (3.14).

    Args:
        first: The first tree.
        second: The second one.
        touches: Where they touch.
    """
    normals = np.zeros((len(touches), 4))
    normals[:, :3] = np.array([touch.normal for touch in touches]) @ first.R.T
    W = incidences((first.mechanism.n_bodies, second.mechanism.n_bodies), touches)
    rows = (normals, normals @ change_of_frame(first.R, second.R))
    d = []
    for side, tree in enumerate((first, second)):
        columns, poses = np.zeros((tree.mechanism.nv, len(touches))), tree.poses
        for j, k in np.argwhere(W[side]).tolist():
            pushed = rows[side][k] @ poses[j].u @ np.append(touches[k].places[side], 1.0)
            columns[poses[j].speeds, k] += W[side][j, k] * pushed
        d.append(columns)
    return d[0], d[1]


def rates_of_opening(first: TreeOnBase, second: TreeOnBase, touches: Sequence[Touch]) -> Array:
    """Return n · (V'' - V'), shape (contacts,) [m/s].

        V = Rᵀ V_rel + ω₀ × Rᵀ ρ + V₀,    V_rel = Σ_i u_ji r q̇_i

    [Zhang1996, (3.16), (3.17), (3.20)-(3.24)], V_rel turned to inertial axes as well.

    Args:
        first: The first tree.
        second: The second one.
        touches: Where they touch.
    """
    rates = np.zeros(len(touches))
    for side, (tree, sign) in enumerate(((first, -1.0), (second, 1.0))):
        R, poses = tree.R, tree.poses
        linear, angular = R.T @ tree.base.velocity[:3], R.T @ tree.base.velocity[3:]
        for k, touch in enumerate(touches):
            body, r = touch.bodies[side], np.append(touch.places[side], 1.0)
            place, moving = r[:3], np.zeros(3)
            if body is not None:
                place = (poses[body].T @ r)[:3]
                moving = tree.v[poses[body].speeds] @ (poses[body].u @ r)[:, :3]
            velocity = R.T @ moving + np.cross(angular, R.T @ place) + linear
            rates[k] += sign * (touch.normal @ velocity)
    return rates


def both_mass_matrices(first: TreeOnBase, second: TreeOnBase) -> Array:
    """Return M = diag(M', M'') [Zhang1996, (3.2), (3.14)], shape (n₁ + n₂, n₁ + n₂)."""
    n = first.mechanism.nv
    M = np.zeros((n + second.mechanism.nv,) * 2)
    M[:n, :n] = mass_matrix(first.mechanism, first.q)
    M[n:, n:] = mass_matrix(second.mechanism, second.q)
    return M
