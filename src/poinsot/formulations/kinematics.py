"""Poses, velocities and accelerations of bodies, by screws along the path to the body.

Screws are in body axes at the body's origin until the last step, which transforms them to the point
and into the requested axes ("body" or "world").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from poinsot.formulations.body_tree import AbstractBodies, Mount, StraightBodies
from poinsot.formulations.sweep import BASE, WHOLE, Step, step
from poinsot.model import Mechanism
from poinsot.spatial import Array, Transform, cross_columns, cross_motion


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """Pose, velocity and acceleration of a body.

    Attributes:
        X_WB: Its pose in the world.
        V: Velocity [m/s, rad/s], in its axes at its origin, shape (6,); None: not needed.
        A: Rate of the components of V, shape (6,); None: not needed.
    """

    X_WB: Transform
    V: Any = None
    A: Any = None


def add_poses(bodies: AbstractBodies, path: Iterable[int]) -> None:
    """Add the ``pose`` of bodies in the world, X_WB = product of X_PJ X_JB(q) along the path."""
    bodies.start("pose", Transform.identity())
    bodies.outward([step(_posed, "mount parent.pose q", "pose")], nodes=path)


def _posed(mount: Mount, parent: Transform, q: Array) -> Transform:
    return parent @ mount.X_PJ @ mount.joint.transform(q)


def add_motions(
    bodies: AbstractBodies, nodes: Iterable[int] | None = None, *more: Sequence[Step]
) -> None:
    """Add the ``motion`` of bodies, all by default, with as many rates as there are inputs.

    The base is at rest unless it has a motion already.

        V_i = X V_p + S v,      A_i = X A_p + S a + dS/dt v + V_i × S v

    [RBDA, chapter 3].

    Args:
        bodies: The bodies.
        nodes: Which, parents first.
        more: What else to compute of each.
    """
    rates = [np.zeros(6) if bodies.is_given(name) else None for name in ("v", "a")]
    if BASE not in bodies.values("motion"):
        bodies.start("motion", BodyMotion(Transform.identity(), *rates))
    bodies.outward([_MOTION], *more, nodes=nodes)


def carried(
    mount: Mount, parent: BodyMotion, q: Array, v: Array | None, a: Array | None
) -> BodyMotion:
    """Return the motion of a body from its parent's: one step of the outward sweep."""
    joint = mount.joint
    X_PB = mount.X_PJ @ joint.transform(q)
    if v is None:
        return BodyMotion(parent.X_WB @ X_PB)
    S = joint.motion_subspace(q)
    V_J = S @ v
    V = X_PB.motion_to_child(parent.V) + V_J
    if a is None:
        return BodyMotion(parent.X_WB @ X_PB, V)
    A_J = S @ a + joint.motion_subspace_rate(q, v) @ v
    A = X_PB.motion_to_child(parent.A) + A_J + cross_motion(V, V_J)
    return BodyMotion(parent.X_WB @ X_PB, V, A)


_MOTION = step(carried, "mount parent.motion q v a", "motion")


def body_pose(mechanism: Mechanism, body: int, q: Array) -> Transform:
    """Return X_WB, the pose of a body (number as listed) in the world."""
    bodies = StraightBodies(mechanism, q=q)
    add_poses(bodies, mechanism.path(body))
    X_WB: Transform = bodies.values("pose")[body]
    return X_WB


def body_motions(mechanism: Mechanism, q: Array, v: Array, a: Array) -> list[BodyMotion]:
    """Return the motion of every body, in listed order."""
    bodies = StraightBodies(mechanism, q=q, v=v, a=a)
    add_motions(bodies)
    return [bodies.values("motion")[i] for i in range(mechanism.n_bodies)]


def body_motion(mechanism: Mechanism, body: int, q: Array, v: Array, a: Array) -> BodyMotion:
    """Return the motion of one body; only the bodies on its path are evaluated."""
    bodies = StraightBodies(mechanism, q=q, v=v, a=a)
    add_motions(bodies, mechanism.path(body))
    motion: BodyMotion = bodies.values("motion")[body]
    return motion


def pose(mechanism: Mechanism, body: int, q: Array) -> Array:
    """Return the pose of a body in the world, shape (4, 4)."""
    return pose_of(StraightBodies(mechanism, q=q), body)


def velocity(mechanism: Mechanism, body: int, axes: str, q: Array, v: Array, point: Array) -> Array:
    """Return [v; w] of a body at a point given in body coordinates, shape (6,)."""
    return velocity_of(StraightBodies(mechanism, q=q, v=v, point=point), body, axes)


def acceleration(
    mechanism: Mechanism, body: int, axes: str, q: Array, v: Array, a: Array, point: Array
) -> Array:
    """Return the rate of the components of the velocity, shape (6,)."""
    return acceleration_of(StraightBodies(mechanism, q=q, v=v, a=a, point=point), body, axes)


def pose_of(bodies: AbstractBodies, body: int) -> Array:
    """Return the pose of a body, shape (4, 4); on values, or rolled."""
    add_poses(bodies, bodies.mechanism.path(body))
    homogeneous = bodies.apply(Transform.homogeneous, bodies.values("pose")[body])
    return bodies.gathered((4, 4), [(..., homogeneous)])


def velocity_of(bodies: AbstractBodies, body: int, axes: str) -> Array:
    """Return the velocity of a body, shape (6,); on values, or rolled."""
    return _at_point(bodies, body, partial(velocity_at, axes))


def acceleration_of(bodies: AbstractBodies, body: int, axes: str) -> Array:
    """Return the acceleration of a body, shape (6,); on values, or rolled."""
    return _at_point(bodies, body, partial(acceleration_at, axes))


def _at_point(bodies: AbstractBodies, body: int, compute: partial[Array]) -> Array:
    add_motions(bodies, bodies.mechanism.path(body))
    motion, point = bodies.values("motion")[body], bodies.values("point")[WHOLE]
    return bodies.gathered((6,), [(..., bodies.apply(compute, motion, point))])


def velocity_at(axes: str, motion: BodyMotion, point: Array) -> Array:
    """Return the velocity at a point of the body, in the given axes, shape (6,)."""
    V = at_point(motion.V[:, None], point)
    return (V if axes == "body" else turned(motion.X_WB.R, V))[:, 0]


def acceleration_at(axes: str, motion: BodyMotion, point: Array) -> Array:
    """Return the rate of the components of the velocity at a point, shape (6,).

    In world axes d/dt (R V) = R (dV/dt + w × V): the linear part is then the acceleration of the
    point as an observer at rest sees it.
    """
    A = at_point(motion.A[:, None], point)
    if axes == "world":
        V = at_point(motion.V[:, None], point)
        A = turned(motion.X_WB.R, A + spun(motion.V[3:], V))
    return A[:, 0]


def at_point(J: Array, point: Array) -> Array:
    """Return motions at a point of the body from motions at its origin: v + w × point, (6, k)."""
    return np.concatenate([J[:3] - cross_columns(point, J[3:]), J[3:]])


def turned(R_WB: Array, J: Array) -> Array:
    """Return motions in world axes, at the same point, shape (6, k)."""
    return np.concatenate([R_WB @ J[:3], R_WB @ J[3:]])


def spun(w: Array, J: Array) -> Array:
    """Return w × both parts of the motions, shape (6, k)."""
    return np.concatenate([cross_columns(w, J[:3]), cross_columns(w, J[3:])])
