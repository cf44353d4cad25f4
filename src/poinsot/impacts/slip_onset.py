"""The direction in which slip begins in a point that friction cannot hold any more."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.spatial import Array

__all__ = ["slip_onset"]

STEPS: Final = 200
"""Steps of Newton's method, at most."""


def slip_onset(K_tt: Array, K_tn: Array, friction: float) -> Array:
    """Return the unit vector s in which slip grows from nothing, shape (2,).

        K_tn - μ K_tt s = λ s,      λ > 0

    that is (μ K_tt + λ 1) s = K_tn with |s| = 1.  |s| falls with λ from |K_tt⁻¹ K_tn| / μ, which is
    above 1 where friction does not hold, to 0: there is just one such s.

    Args:
        K_tt: Growth of slip by impulses across the normal, positive semidefinite, shape (2, 2).
        K_tn: By the one along it, shape (2,); in the range of ``K_tt``.
        friction: Coulomb's μ.

    Reference:
        J. B. Keller, J. Appl. Mech. 53, 1986, section 4; the equation is that of a step in a
        trust region (J. J. Moré, D. C. Sorensen, SIAM J. Sci. Stat. Comput. 4, 1983).

    >>> slip_onset(np.diag([1.0, 2.0]), np.array([3.0, 0.0]), 0.5)
    array([1., 0.])
    """
    values, axes = np.linalg.eigh(K_tt)
    stiffness, along = friction * np.maximum(values, 0.0), axes.T @ K_tn
    largest = float(stiffness.max())
    root = max(float(np.linalg.norm(along)) - largest, 1e-24 * largest)
    for _ in range(STEPS):  # for 1 / |s| = 1, concave and increasing: from the left
        s = along / (stiffness + root)
        size = float(np.linalg.norm(s))
        step = (size - 1.0) * size**2 / float(s @ (s / (stiffness + root)))
        if not step > 1e-15 * root:
            break
        root += step
    return np.asarray(axes @ (s / size))
