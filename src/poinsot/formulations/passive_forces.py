"""Passive forces of the joints: springs, dampers, and force elements that act along them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.model import AbstractJoint, Environment, Mechanism, nonzero
from poinsot.spatial import Array, Scalar


@dataclass(frozen=True, eq=False)
class PassiveCoefficients:
    """Damping, stiffness and armature of a joint, shape (nv, nv) each, and its rest position.

    Joints whose coordinates are not their velocities have no springs: stiffness and rest are None.
    """

    damping: Array
    armature: Array
    stiffness: Array | None
    rest: Array | None

    @staticmethod
    def from_joint(joint: AbstractJoint) -> PassiveCoefficients | None:
        """Return those of a joint; None if all are zero."""
        if not nonzero(joint.damping, joint.stiffness, joint.armature):
            return None
        springs = (joint.stiffness_matrix(), joint.rest_position())
        return PassiveCoefficients(
            joint.damping_matrix(),
            joint.armature_matrix(),
            *(springs if joint.nq == joint.nv else (None, None)),
        )

    def force(self, q: Array, v: Array) -> Array:
        """Return damping v + stiffness (q - rest), shape (nv,)."""
        force: Array = self.damping @ v
        if self.stiffness is not None:
            force = force + self.stiffness @ (q - self.rest)
        return force


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
        coefficients = PassiveCoefficients.from_joint(body.joint)
        forces.append(
            np.zeros(body.joint.nv)
            if coefficients is None
            else coefficients.force(q[mechanism.q_slices[i]], v[mechanism.v_slices[i]])
        )
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
