"""Jacobians of bodies and their rates: the joints' screws, transformed to the body.

From the body towards the root, each joint adds its columns.  The pose and velocity of the body
relative to the joint are updated from step to step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from poinsot.formulations.body_tree import AbstractBodies, Mount, StraightBodies
from poinsot.formulations.kinematics import (
    BodyMotion,
    add_motions,
    add_poses,
    at_point,
    spun,
    turned,
)
from poinsot.formulations.sweep import WHOLE, Step, step
from poinsot.model import Mechanism
from poinsot.spatial import Array, Transform, cross_motion


@dataclass(frozen=True, eq=False)
class Behind:
    """Pose X_jB of the body in the frame of body j, and its velocity relative to j, in B.

    The velocity is None where it is not needed.
    """

    X_jB: Transform
    V_rel: Any = None


def jacobian(mechanism: Mechanism, body: int, axes: str, q: Array, point: Array) -> Array:
    """Return J with velocity = J v, at a point given in body coordinates, shape (6, nv)."""
    return jacobian_of(StraightBodies(mechanism, q=q, point=point), body, axes)


def jacobian_rate(
    mechanism: Mechanism, body: int, axes: str, q: Array, v: Array, point: Array
) -> Array:
    """Return dJ/dt with acceleration = J a + dJ/dt v, shape (6, nv)."""
    return jacobian_rate_of(StraightBodies(mechanism, q=q, v=v, point=point), body, axes)


def jacobian_of(bodies: AbstractBodies, body: int, axes: str) -> Array:
    """Return the Jacobian of a body, shape (6, nv); on values, or rolled."""
    add_poses(bodies, bodies.mechanism.path(body))
    return _columns(bodies, body, "pose", partial(jacobian_at, axes))


def jacobian_rate_of(bodies: AbstractBodies, body: int, axes: str) -> Array:
    """Return the rate of the Jacobian of a body, shape (6, nv); on values, or rolled."""
    add_motions(bodies, bodies.mechanism.path(body))
    return _columns(bodies, body, "motion", partial(rate_at, axes))


def _columns(bodies: AbstractBodies, body: int, seen: str, compute: partial[Array]) -> Array:
    """Return the columns of the joints, from the body to the root."""
    path, v = bodies.mechanism.path(body), bodies.is_given("v")
    bodies.start("behind", Behind(Transform.identity(), np.zeros(6) if v else None), body)
    bodies.values("body")[WHOLE] = bodies.values(seen)[body]
    column = step(compute, "all.body all.point _screws _rates", "columns")
    bodies.inward([_SCREWS, _BEHIND], [column], nodes=path[::-1])
    return bodies.along_path("columns", path)


def joint_columns(
    mount: Mount, behind: Behind, q: Array, v: Array | None
) -> tuple[Array, Array | None]:
    """Return the screws of a joint at the body and their rates, both (6, nv of the joint).

        d/dt (X s) = X ds/dt - V_rel × (X s)

    [Liu1988, derivative in eq. (33)].
    """
    screws = _to_body(behind.X_jB, mount.joint.motion_subspace(q))
    if v is None:
        return screws, None
    rates = _to_body(behind.X_jB, mount.joint.motion_subspace_rate(q, v))
    spins = [cross_motion(behind.V_rel, screw) for screw in screws.T]
    return screws, rates - np.stack(spins, axis=1) if spins else rates


def behind_parent(mount: Mount, behind: Behind, q: Array, v: Array | None) -> Behind:
    """Return the pose and velocity of the body relative to the parent."""
    V_rel = behind.V_rel
    if v is not None:
        V_rel = V_rel + behind.X_jB.motion_to_child(mount.joint.motion_subspace(q) @ v)
    return Behind(mount.X_PJ @ mount.joint.transform(q) @ behind.X_jB, V_rel)


_SCREWS: Step = step(joint_columns, "mount behind q v", "_screws _rates")
_BEHIND: Step = step(behind_parent, "mount behind q v", "parent.behind")


def jacobian_at(axes: str, X_WB: Transform, point: Array, screws: Array, _rates: None) -> Array:
    """Return screws at a point of the body, in the given axes, shape (6, k)."""
    J = at_point(screws, point)
    return J if axes == "body" else turned(X_WB.R, J)


def rate_at(axes: str, motion: BodyMotion, point: Array, screws: Array, rates: Array) -> Array:
    """Return rates of screws at a point of the body, in the given axes, shape (6, k)."""
    rate = at_point(rates, point)
    if axes == "body":
        return rate
    return turned(motion.X_WB.R, rate + spun(motion.V[3:], at_point(screws, point)))


def _to_body(X_jB: Transform, S: Array) -> Array:
    """Return motions of the joint's body at the body, in its axes, shape (6, k)."""
    columns = [X_jB.motion_to_child(screw) for screw in S.T]
    return np.stack(columns, axis=1) if columns else S
