"""Impulses with friction in several points at once, in polyhedral cones instead of round ones."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.impacts.lemke import complementary
from poinsot.spatial import Array

__all__ = ["polyhedral_impulses"]

ROUNDING: Final = 1e-12
"""Normal impulse that counts as none, relative to the others."""


def polyhedral_impulses(
    K: Array, opening: Array, given: Array, friction: Array, edges: int
) -> Array | None:
    """Return impulses (s, 3) that obey the law in cones with so many edges, or None.

        0 ≤ p ⟂ w_n - after ≥ 0,    0 ≤ β ⟂ Dᵀ w_t + λ ≥ 0,    0 ≤ λ ⟂ μ (p + given) - Σβ ≥ 0

    Impulses are p + given along the normal and D β across it, λ is the slip (D. Stewart,
    J. Trinkle, Int. J. Numer. Methods Eng. 39, 1996).  Such impulses exist for any friction where
    those in different points do not depend on each other.

    Args:
        K: Velocities in the points by impulses in them, shape (3 s, 3 s) [kg⁻¹].
        opening: Velocities without p and β, less the least ones after, shape (s, 3) [m/s].
        given: Normal impulses that act in any case, shape (s,) [N s].
        friction: Coulomb's μ, shape (s,).
        edges: Of each cone.
    """
    s, n = len(opening), len(opening) * (1 + edges)
    mass, speed = 3 * s / float(np.trace(K)), max(float(np.abs(opening).max()), 1e-300)
    pushes, sums = np.zeros((3 * s, n)), np.zeros((s, n))
    for k in range(s):
        angles = 2.0 * np.pi * (np.arange(edges) + np.sin(1.0 + k)) / edges
        beta = slice(s + k * edges, s + (k + 1) * edges)
        pushes[3 * k, k] = 1.0
        pushes[3 * k + 1, beta], pushes[3 * k + 2, beta] = np.cos(angles), np.sin(angles)
        sums[k, beta] = 1.0
    M = np.zeros((n + s, n + s))
    M[:n, :n] = pushes.T @ (mass * K) @ pushes
    M[:n, n:], M[n:, :n] = sums.T, -sums
    M[n:, :s] = np.diag(friction)
    q = np.concatenate([pushes.T @ opening.ravel() / speed, friction * given / (mass * speed)])
    z = complementary(M, q)
    if z is None:
        return None
    p = np.where(z[:s] > ROUNDING * float(z[:n].max(initial=0.0)), z[:s], 0.0)
    P: Array = (pushes @ np.concatenate([p, z[s:n]])).reshape(s, 3) * (mass * speed)
    P[:, 0] += given
    P[:, 1:] *= (P[:, :1] > 0.0) & (friction[:, None] > 0.0)
    return P
