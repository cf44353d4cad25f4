"""Variation of a joint's quasi-velocities under virtual displacements."""

from __future__ import annotations

import numpy as np

from poinsot.model import AbstractJoint
from poinsot.spatial import Array, cross_motion_matrix


def commutator(joint: AbstractJoint, q: Array, v: Array) -> Array:
    """Return K of δv = d/dt δπ + K δπ, shape (nv, nv) of the joint; it is linear in v.

        S K = dS/dt - (∂S/∂π_s v)_s + V × S,      V = S v

    K = 0 where v is the rate of q; for a ball joint, whose v is ω, K is the skew matrix of ω.

    Args:
        joint: The joint.
        q: Its coordinates, shape (nq,).
        v: Its speeds, shape (nv,).
    """
    S = joint.motion_subspace(q)
    derivatives = [joint.motion_subspace_rate(q, unit) for unit in np.eye(joint.nv)]
    along = np.stack([dS @ v for dS in derivatives], axis=1)
    rate = joint.motion_subspace_rate(q, v)
    K: Array = joint.rate_map(q) @ (rate - along + cross_motion_matrix(S @ v) @ S)
    return K
