"""Passive forces of the joints: springs, dampers, and force elements that act along them."""

from __future__ import annotations

import numpy as np

from poinsot.model import Environment, Mechanism, nonzero
from poinsot.spatial import Array, Scalar


def passive_force(
    mechanism: Mechanism, q: Array, v: Array, environment: Environment | None = None
) -> Array:
    """Return damping v + stiffness (q - rest) less the forces of elements, shape (nv,).

    On the left-hand side of the equations of motion.

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        environment: The external loads, including the forces of elements.
    """
    forces = []
    for i, body in enumerate(mechanism.bodies):
        joint, qi, vi = body.joint, q[mechanism.q_slices[i]], v[mechanism.v_slices[i]]
        force = joint.damping_matrix() @ vi
        if nonzero(joint.stiffness):
            force = force + joint.stiffness_matrix() @ (qi - joint.rest_position())
        forces.append(force)
    passive: Array = np.concatenate(forces)
    if environment is None or environment.joint_forces is None:
        return passive
    return passive - environment.joint_forces


def spring_energy(mechanism: Mechanism, q: Array) -> Scalar:
    """Return the energy stored in the joints' springs [J]: sum of (q - rest)ᵀ K (q - rest) / 2."""
    energy: Scalar = 0.0
    for body, q_slice in zip(mechanism.bodies, mechanism.q_slices, strict=True):
        if nonzero(body.joint.stiffness):
            stretch = q[q_slice] - body.joint.rest_position()
            energy = energy + 0.5 * (stretch @ body.joint.stiffness_matrix() @ stretch)
    return energy
