"""Forces in the joints: their own springs and dampers, and elements that act along them."""

from __future__ import annotations

import numpy as np

from poinsot.model import Environment, Mechanism, nonzero
from poinsot.spatial import Array, Scalar


def passive_force(
    mechanism: Mechanism, q: Array, v: Array, environment: Environment | None = None
) -> Array:
    """Return damping v + stiffness (q - rest) less what elements exert, shape (nv,).

    On the left-hand side.

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        environment: What acts from outside, the forces of elements among it.
    """
    parts = []
    for i, body in enumerate(mechanism.bodies):
        joint, qi, vi = body.joint, q[mechanism.q_slices[i]], v[mechanism.v_slices[i]]
        force = joint.damping_matrix() @ vi
        if nonzero(joint.stiffness):
            force = force + joint.stiffness_matrix() @ (qi - joint.rest_position())
        parts.append(force)
    own: Array = np.concatenate(parts)
    if environment is None or environment.joint_forces is None:
        return own
    return own - environment.joint_forces


def spring_energy(mechanism: Mechanism, q: Array) -> Scalar:
    """Return the energy stored in the joints' springs [J]: sum of (q - rest)ᵀ K (q - rest) / 2."""
    energy: Scalar = 0.0
    for body, part in zip(mechanism.bodies, mechanism.q_slices, strict=True):
        if nonzero(body.joint.stiffness):
            stretch = q[part] - body.joint.rest_position()
            energy = energy + 0.5 * (stretch @ body.joint.stiffness_matrix() @ stretch)
    return energy
