"""Mass centre, momentum and energies."""

from __future__ import annotations

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.formulations.constrained.loop_coordinates import closure_energy
from poinsot.formulations.forces import element_energy
from poinsot.formulations.kinematics import body_motions
from poinsot.formulations.passive_forces import spring_energy
from poinsot.model import Mechanism
from poinsot.spatial import Array, Scalar


def kinetic_energy(mechanism: Mechanism, q: Array, v: Array) -> Scalar:
    """Return the kinetic energy [J]: sum of V·(I V) / 2 over the bodies, and of the armatures."""
    energy: Scalar = 0.0
    motions = body_motions(mechanism, q, v, np.zeros(mechanism.nv))
    for body, motion in zip(mechanism.bodies, motions, strict=True):
        energy = energy + body.spatial_inertia().kinetic_energy(motion.V)
    for body, v_slice in zip(mechanism.bodies, mechanism.v_slices, strict=True):
        energy = energy + 0.5 * (v[v_slice] @ body.joint.armature_matrix() @ v[v_slice])
    return energy


def gravity_energy(mechanism: Mechanism, q: Array) -> Scalar:
    """Return the potential energy of gravity [J], -sum of m g·r from the world origin."""
    return -(np.array(mechanism.gravity) @ _first_moment(mechanism, q))


def potential_energy(mechanism: Mechanism, q: Array) -> Scalar:
    """Return the energy of gravity, and of springs in joints, force elements and loops [J]."""
    springs = spring_energy(mechanism, q) + element_energy(mechanism, q)
    return gravity_energy(mechanism, q) + springs + closure_energy(mechanism, q)


def centre_of_mass(mechanism: Mechanism, q: Array) -> Array:
    """Return the mass centre of all bodies in the world [m], shape (3,)."""
    centre: Array = (1.0 / total_mass(mechanism)) * _first_moment(mechanism, q)
    return centre


def total_mass(mechanism: Mechanism) -> Scalar:
    """Return the mass of all bodies [kg]; it must not be zero."""
    total = sum(body.mass for body in mechanism.bodies)
    if is_zero(total):
        raise ModelError(
            f"mechanism {mechanism.name!r} has no mass, so no mass centre; give a body a mass"
        )
    return total


def momentum(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Return linear and angular momentum about the world origin, in world axes, shape (6,).

    Both are conserved without gravity and external forces.  Armature is not included.
    """
    total = np.zeros(6)
    motions = body_motions(mechanism, q, v, np.zeros(mechanism.nv))
    for body, motion in zip(mechanism.bodies, motions, strict=True):
        total = total + motion.X_WB.force_to_parent(body.spatial_inertia().apply(motion.V))
    return total


def _first_moment(mechanism: Mechanism, q: Array) -> Array:
    """Return the sum of m r over the bodies' mass centres [kg m], shape (3,)."""
    still = np.zeros(mechanism.nv)
    total = np.zeros(3)
    for body, motion in zip(
        mechanism.bodies, body_motions(mechanism, q, still, still), strict=True
    ):
        total = total + body.mass * motion.X_WB.apply_point(body.com)
    return total
