"""Forces that the joints themselves exert: springs and dampers."""

from __future__ import annotations

import numpy as np

from poinsot.model import Mechanism, nonzero
from poinsot.spatial import Array, Scalar


def passive_force(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Return damping v + stiffness (q - rest), on the left-hand side, shape (nv,)."""
    parts = []
    for i, body in enumerate(mechanism.bodies):
        joint, qi, vi = body.joint, q[mechanism.q_slices[i]], v[mechanism.v_slices[i]]
        force = joint.damping_matrix() @ vi
        if nonzero(joint.stiffness):
            force = force + joint.stiffness_matrix() @ (qi - joint.rest_position())
        parts.append(force)
    return np.concatenate(parts)


def spring_energy(mechanism: Mechanism, q: Array) -> Scalar:
    """Return the energy stored in the joints' springs [J]: sum of (q - rest)ᵀ K (q - rest) / 2."""
    energy: Scalar = 0.0
    for body, part in zip(mechanism.bodies, mechanism.q_slices, strict=True):
        if nonzero(body.joint.stiffness):
            stretch = q[part] - body.joint.rest_position()
            energy = energy + 0.5 * (stretch @ body.joint.stiffness_matrix() @ stretch)
    return energy
