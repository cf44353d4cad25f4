"""Rotors of motors as armature of the joints that they drive.

Formulations know armature only; descriptions and files keep the motors as they were given.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.body import Body
from poinsot.model.changed import changed
from poinsot.model.forces import AbstractForce, Motor
from poinsot.model.joints.coefficients import stored_coefficients
from poinsot.model.scalar_values import nonzero

__all__ = ["with_rotors"]


def with_rotors(
    bodies: Sequence[Body], forces: Sequence[AbstractForce]
) -> tuple[tuple[Body, ...], tuple[AbstractForce, ...]]:
    """Return bodies whose joints have the rotors' inertia, and motors without it."""
    motors = [force for force in forces if isinstance(force, Motor) and nonzero(force.inertia)]
    if not motors:
        return tuple(bodies), tuple(forces)
    number = {body.joint.name or body.name: i for i, body in enumerate(bodies)}
    changed_bodies = list(bodies)
    for motor in motors:
        if motor.joint not in number:
            raise ModelError(
                f"{motor.label}: joint {motor.joint!r} closes a loop and cannot carry the inertia "
                f"of a rotor, {motor.inertia} kg·m²; keep it in the tree, System.from_graph(..., "
                f"driven=[{motor.joint!r}]), or cut the loop elsewhere"
            )
        i = number[motor.joint]
        joint = changed_bodies[i].joint
        B = np.array(joint.armature_matrix().tolist(), dtype=object)
        B[motor.index, motor.index] = B[motor.index, motor.index] + motor.armature
        stored = stored_coefficients(np.array(B.tolist()))
        changed_bodies[i] = changed(changed_bodies[i], joint=changed(joint, armature=stored))
    driven = tuple(changed(force, inertia=0.0) if force in motors else force for force in forces)
    return tuple(changed_bodies), driven
