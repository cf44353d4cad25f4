"""Force elements as wrenches on bodies and forces in joints, and the energy of springs.

Every formulation takes external wrenches from the environment, so none of them has to handle force
elements.  Where the base moves, "world" is the base: positions and velocities are relative to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from poinsot.expr.packing import Value
from poinsot.formulations.body_tree import AbstractBodies, StraightBodies
from poinsot.formulations.force_numbers import force_layout
from poinsot.formulations.kinematics import BodyMotion, add_motions, velocity_at
from poinsot.formulations.sweep import BASE, WHOLE
from poinsot.model import (
    WORLD,
    AbstractForce,
    AbstractJointForce,
    Environment,
    JointMotion,
    Mechanism,
    PointMotion,
)
from poinsot.model.environment import TIME
from poinsot.spatial import Array, Scalar, cross, halves


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
    bodies = StraightBodies(mechanism, q=q, v=v, t=t)
    for i, point, wrench in wrenches_of_elements(bodies):
        moment = wrench[3:] + cross(np.array(point), wrench[:3])
        at_origin = np.concatenate([wrench[:3], moment])
        total[i] = total[i] + at_origin if i in total else at_origin
    return total


def element_joint_forces(mechanism: Mechanism, q: Array, v: Array, t: Scalar) -> Array | None:
    """Return the forces of all elements along the joints' velocities [N or N m], shape (nv,).

    On the right-hand side, as tau is; None where no element acts along a joint.  Those that name a
    joint that closes a loop are not among them (``constrained.cut_joint_forces``).
    """
    if not joint_elements(mechanism):
        return None
    total: list[Scalar] = [0.0] * mechanism.nv
    add_joint_forces(StraightBodies(mechanism, q=q, v=v, t=t), total)
    return np.array(total)


def element_energy(mechanism: Mechanism, q: Array) -> Scalar:
    """Return the energy stored in the force elements [J]: springs between points and in joints."""
    energy: Scalar = energy_of_elements(StraightBodies(mechanism, q=q))
    return energy


def end_motions(bodies: StraightBodies, force: AbstractForce) -> list[PointMotion]:
    """Return the motions of the ends of an element."""
    _add_end_motions(bodies)
    return _point_motions(bodies, force)


# On values, or rolled


def wrenches_of_elements(bodies: AbstractBodies) -> list[tuple[int, Sequence[float], Value]]:
    """Return for each wrench of an element its body, its point in the body, and its value."""
    mechanism, wrenches = bodies.mechanism, list[tuple[int, Sequence[float], Value]]()
    _add_end_motions(bodies)
    for force in mechanism.forces:
        if force.ends:
            points = _point_motions(bodies, force)
            values = bodies.apply(_wrenches, _element(bodies, force), _time(bodies, force), *points)
            for k, (body, point) in enumerate(force.ends):
                if body != WORLD:
                    wrenches.append((mechanism.index(body), point, values[k]))
    return wrenches


def add_joint_forces(bodies: AbstractBodies, total: list[Value]) -> None:
    """Add the forces of all elements to the joint forces, entry by entry."""
    for force in _in_tree(bodies):
        k = bodies.mechanism.v_slice(force.joint).start + force.index
        motions = [bodies.joint_state(name, joint) for name in "qv" for joint in force.joints]
        total[k] = bodies.apply(
            _joint_force, total[k], _element(bodies, force), _time(bodies, force), *motions,
            into=total[k],
        )  # fmt: skip


def energy_of_elements(bodies: AbstractBodies) -> Value:
    """Return the energy stored in all elements [J]."""
    bodies.start("elements", 0.0, WHOLE)
    energy = bodies.values("elements")[WHOLE]
    _add_end_motions(bodies)
    for force in bodies.mechanism.forces:
        if force.ends:
            points = _point_motions(bodies, force)
            energy = bodies.apply(_energy, energy, _element(bodies, force), *points, into=energy)
    for force in _in_tree(bodies):
        q = [bodies.joint_state("q", joint) for joint in force.joints]
        energy = bodies.apply(_stored, energy, _element(bodies, force), *q, into=energy)
    return energy


def joint_elements(mechanism: Mechanism) -> list[AbstractJointForce]:
    """Return the elements that act along joints."""
    return [force for force in mechanism.forces if isinstance(force, AbstractJointForce)]


def _in_tree(bodies: AbstractBodies) -> list[AbstractJointForce]:
    """Return the elements that act along joints and name no joint that closes a loop."""
    joints = bodies.mechanism.joints
    return [x for x in joint_elements(bodies.mechanism) if all(name in joints for name in x.joints)]


def _add_end_motions(bodies: AbstractBodies) -> None:
    """Add the motions of bodies that elements act on, unless they are known."""
    mechanism = bodies.mechanism
    ends = [body for force in mechanism.forces for body, _ in force.ends if body != WORLD]
    if BASE not in bodies.values("motion") and any(force.ends for force in mechanism.forces):
        add_motions(bodies, mechanism.carriers(ends))


def _element(bodies: AbstractBodies, force: AbstractForce) -> Value:
    return bodies.constant(force, force_layout)


def _time(bodies: AbstractBodies, force: AbstractForce) -> Value:
    return bodies.values(TIME)[WHOLE] if force.depends_on_time else bodies.constant(None)


def _point_motions(bodies: AbstractBodies, force: AbstractForce) -> list[Value]:
    motions, index = bodies.values("motion"), bodies.mechanism.index
    return [
        bodies.apply(
            point_motion,
            motions[BASE if body == WORLD else index(body)],
            bodies.constant(np.array(point)),
        )
        for body, point in force.ends
    ]


def _wrenches(force: AbstractForce, t: Scalar | None, *points: PointMotion) -> tuple[Array, ...]:
    return tuple(force.wrenches(list(points), 0.0 if t is None else t))


def _energy(total: Scalar, force: AbstractForce, *points: PointMotion) -> Scalar:
    return total + force.energy(list(points))


def _joint_force(
    total: Scalar, force: AbstractJointForce, t: Scalar | None, *motions: Array
) -> Scalar:
    n = len(force.joints)
    joints = [JointMotion(q, v) for q, v in zip(motions[:n], motions[n:], strict=True)]
    return total + force.force_along(joints, 0.0 if t is None else t)


def _stored(total: Scalar, force: AbstractJointForce, *q: Array) -> Scalar:
    return total + force.stored(list(q))


def point_motion(motion: BodyMotion, point: Array) -> PointMotion:
    """Return the motion of a point given in body coordinates [m], shape (3,)."""
    if motion.V is None:
        return PointMotion(motion.X_WB.apply_point(point), np.zeros(3), motion.X_WB.R, np.zeros(3))
    v, w = halves(velocity_at("world", motion, point))
    return PointMotion(motion.X_WB.apply_point(point), v, motion.X_WB.R, w)
