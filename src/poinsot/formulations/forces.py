"""Force elements as wrenches on bodies and forces in joints, and the energy of springs.

Every formulation takes external wrenches from the environment, so none of them has to handle force
elements.  Where the base moves, "world" is the base: positions and velocities are relative to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from poinsot.formulations.kinematics import BodyMotion, body_motions, velocity_at
from poinsot.model import (
    WORLD,
    AbstractForce,
    AbstractJointForce,
    Environment,
    JointMotion,
    Mechanism,
    PointMotion,
)
from poinsot.spatial import Array, Scalar, Transform, cross, halves


def with_elements(
    mechanism: Mechanism, q: Array, v: Array, environment: Environment
) -> Environment:
    """Return the environment with the mechanism's force elements added.

    Args:
        mechanism: The bodies and the elements.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        environment: The external loads, and the time.
    """
    if not mechanism.forces:
        return environment
    wrenches = dict(environment.wrenches)
    for body, wrench in element_wrenches(mechanism, q, v, environment.t).items():
        wrenches[body] = wrenches[body] + wrench if body in wrenches else wrench
    forces = element_joint_forces(mechanism, q, v, environment.t)
    return replace(environment, wrenches=wrenches, joint_forces=forces)


def element_wrenches(mechanism: Mechanism, q: Array, v: Array, t: Scalar) -> dict[int, Array]:
    """Return the wrench [f; n] [N, N m] of all force elements on each body that feels one.

    Args:
        mechanism: The bodies and the elements.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        t: Time [s].

    Returns:
        By the number of the body as listed, at its origin in its axes, shape (6,).
    """
    total: dict[int, Array] = {}
    if not any(force.ends for force in mechanism.forces):
        return total
    motions = _motions(mechanism, q, v)
    for force in mechanism.forces:
        wrenches = force.wrenches(_point_motions(force, motions), t)
        for (body, point), wrench in zip(force.ends, wrenches, strict=True):
            if body != WORLD:
                i = mechanism.index(body)
                moment = wrench[3:] + cross(np.array(point), wrench[:3])
                at_origin = np.concatenate([wrench[:3], moment])
                total[i] = total[i] + at_origin if i in total else at_origin
    return total


def element_joint_forces(mechanism: Mechanism, q: Array, v: Array, t: Scalar) -> Array | None:
    """Return the forces of all elements along the joints' velocities [N or N m], shape (nv,).

    On the right-hand side, as tau is; None where no element acts along a joint.
    """
    elements = [force for force in mechanism.forces if isinstance(force, AbstractJointForce)]
    if not elements:
        return None
    total: list[Scalar] = [0.0] * mechanism.nv
    for force in elements:
        joints = [
            JointMotion(q[mechanism.q_slice(name)], v[mechanism.v_slice(name)])
            for name in force.joints
        ]
        k = mechanism.v_slice(force.joint).start + force.index
        total[k] = total[k] + force.force_along(joints, t)
    return np.array(total)


def element_energy(mechanism: Mechanism, q: Array) -> Scalar:
    """Return the energy stored in the force elements [J]: springs between points and in joints."""
    energy: Scalar = 0.0
    if any(force.ends for force in mechanism.forces):
        motions = _motions(mechanism, q, np.zeros(mechanism.nv))
        for force in mechanism.forces:
            energy = energy + force.energy(_point_motions(force, motions))
    for force in mechanism.forces:
        if isinstance(force, AbstractJointForce):
            energy = energy + force.stored([q[mechanism.q_slice(name)] for name in force.joints])
    return energy


def _motions(mechanism: Mechanism, q: Array, v: Array) -> dict[str, BodyMotion]:
    motions = body_motions(mechanism, q, v, np.zeros(mechanism.nv))
    at_rest = BodyMotion(Transform.identity(), np.zeros(6), np.zeros(6))
    return {WORLD: at_rest, **dict(zip(mechanism.body_names, motions, strict=True))}


def _point_motions(force: AbstractForce, motions: Mapping[str, BodyMotion]) -> list[PointMotion]:
    return [point_motion(motions[body], np.array(point)) for body, point in force.ends]


def point_motion(motion: BodyMotion, point: Array) -> PointMotion:
    """Return the motion of a point given in body coordinates [m], shape (3,)."""
    v, w = halves(velocity_at(motion, "world", point))
    return PointMotion(motion.X_WB.apply_point(point), v, motion.X_WB.R, w)
