"""Force elements that act along joints that close loops, or read their coordinates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.model import AbstractJointForce, Environment, JointMotion, Mechanism
from poinsot.spatial import Array, Scalar


def elements_at_cut_joints(mechanism: Mechanism) -> list[AbstractJointForce]:
    """Return the elements that name a joint that closes a loop."""
    return [
        force
        for force in mechanism.forces
        if isinstance(force, AbstractJointForce)
        and any(name in mechanism.cut_joints for name in force.joints)
    ]


def joint_motions(view: MechanismView, force: AbstractJointForce) -> list[JointMotion]:
    """Return the motions of the joints that an element acts on and reads, cut ones too."""
    return [view.joint_motion(name) for name in force.joints]


def with_elements_at_cut_joints(
    mechanism: Mechanism, q: Array, v: Array, environment: Environment
) -> Environment:
    """Return the environment plus the forces of these elements, in joints of tree and loops.

    Args:
        mechanism: The bodies, loops and elements.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        environment: The external loads, and the time.
    """
    elements = elements_at_cut_joints(mechanism)
    if not elements:
        return environment
    view, drives = MechanismView(mechanism, q, v, environment.t), dict(environment.drives)
    forces = environment.joint_forces
    for element in elements:
        value = element.force_along(joint_motions(view, element), environment.t)
        if element.joint in mechanism.cut_joints:
            k = mechanism.cut_joints[element.joint]
            along = np.eye(mechanism.loops[k].nv)[element.index] * value
            drives[k] = drives[k] + along if k in drives else along
        else:
            entry = mechanism.v_slice(element.joint).start + element.index
            along = np.eye(mechanism.nv)[entry] * value
            forces = along if forces is None else forces + along
    return replace(environment, drives=drives, joint_forces=forces)


def energy_at_cut_joints(mechanism: Mechanism, q: Array) -> Scalar:
    """Return the energy stored in these elements [J]."""
    elements = elements_at_cut_joints(mechanism)
    view, energy = MechanismView(mechanism, q, np.zeros(mechanism.nv)), 0.0
    for element in elements:
        energy = energy + element.stored([motion.q for motion in joint_motions(view, element)])
    return energy
