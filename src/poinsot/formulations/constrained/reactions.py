"""Reaction wrenches in joints, loops and constraints, from accelerations and multipliers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from poinsot.formulations.constrained.constraint_rows import closure_wrenches, forces_in_cut_joints
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.formulations.kinematics import body_pose
from poinsot.model import WORLD, AbstractClosure, Environment, FramePair, Mechanism
from poinsot.spatial import Array, Transform

TreeReactions = Callable[[Mechanism, Array, Array, Array, Environment], dict[int, Array]]
"""(mechanism, q, v, a, environment) -> wrench of parent on body by index, at its origin."""


def named_wrenches(mechanism: Mechanism, stacked: Array) -> dict[str, Array]:
    """Return stacked wrenches, shape (..., k, 6), by the name of the joint, loop or constraint.

    Constraints between coordinates only are left out.
    """
    named = dict(zip(mechanism.joint_names, np.moveaxis(stacked, -2, 0), strict=False))
    for k, constraint in enumerate(mechanism.closures, start=mechanism.n_bodies):
        if len(constraint.pairs) == 1:
            named[constraint.name] = stacked[..., k, :]
    return named


def reactions(
    mechanism: Mechanism,
    axes: str,
    q: Array,
    v: Array,
    a: Array,
    lam: Array,
    environment: Environment,
    *,
    tree: TreeReactions,
) -> Array:
    """Return the wrenches in all joints, then in all loops and constraints, shape (k, 6).

    Of the parent on the body, at the body's origin (of joints that were described backwards, of the
    body on the parent, at the joint frame); of the first frame on the second, at its origin.  A
    constraint between coordinates only has zeros.

    Args:
        mechanism: The bodies, loops and constraints.
        axes: "body": of the frame on which the wrench acts, "joint": of the other one, or "world".
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        a: Acceleration dv/dt, shape (nv,).
        lam: Multipliers, shape (m,).
        environment: Gravity, motion of the base, wrenches (those of springs and drives in loops
            too).
        tree: The wrenches of a tree.
    """
    view = MechanismView(mechanism, q, v, environment.t)
    wrenches = dict(environment.wrenches)
    for body, load in closure_wrenches(mechanism, view, lam).items():
        wrenches[body] = wrenches[body] + load if body in wrenches else load
    inside = tree(mechanism, q, v, a, replace(environment, wrenches=wrenches))
    rows = [_turned(mechanism, axes, q, i, inside[i]) for i in range(mechanism.n_bodies)]
    drives = dict(environment.drives)
    for k, force in forces_in_cut_joints(mechanism, view, lam).items():
        drives[k] = drives[k] + force if k in drives else force
    for k, (constraint, row_slice) in enumerate(
        zip(mechanism.closures, mechanism.row_slices, strict=True)
    ):
        loads = constraint.loads(view, lam[row_slice])
        if len(loads) != 1:
            rows.append(np.zeros(6))
            continue
        wrench = loads[0]
        if isinstance(constraint, AbstractClosure):
            wrench = wrench + constraint.applied(view.frame(constraint.pair), drives.get(k))
        rows.append(_closure_turned(mechanism, axes, q, view, constraint.pairs[0], wrench))
    return np.stack(rows)


def multiplier_reactions(
    mechanism: Mechanism, axes: str, q: Array, lam: Array, environment: Environment
) -> Array:
    """Return the reactions due to the multipliers alone, shape (k, 6): linear in ``lam``."""
    still = np.zeros(mechanism.nv)
    view = MechanismView(mechanism, q, still, environment.t)
    loads = closure_wrenches(mechanism, view, lam)
    needed = [-loads.get(i, np.zeros(6)) for i in range(mechanism.n_bodies)]
    for i in reversed(mechanism.order):
        parent, body = mechanism.parents[i], mechanism.bodies[i]
        if parent >= 0:
            X = body.pose.transform() @ body.joint.transform(q[mechanism.q_slices[i]])
            needed[parent] = needed[parent] + X.force_to_parent(needed[i])
    rows = [_turned(mechanism, axes, q, i, needed[i]) for i in range(mechanism.n_bodies)]
    along = forces_in_cut_joints(mechanism, view, lam)
    for k, (constraint, row_slice) in enumerate(
        zip(mechanism.closures, mechanism.row_slices, strict=True)
    ):
        wrenches = constraint.loads(view, lam[row_slice])
        if len(wrenches) != 1:
            rows.append(np.zeros(6))
            continue
        wrench, pair = wrenches[0], constraint.pairs[0]
        if k in along:
            wrench = wrench + mechanism.loops[k].drive(view.frame(pair), along[k])
        rows.append(_closure_turned(mechanism, axes, q, view, pair, wrench))
    return np.stack(rows)


def _turned(mechanism: Mechanism, axes: str, q: Array, i: int, wrench: Array) -> Array:
    """Return the wrench on a body as it is shown."""
    joint = mechanism.bodies[i].joint
    X_JB = joint.transform(q[mechanism.q_slices[i]])
    R_WB = body_pose(mechanism, i, q).R if axes == "world" else np.eye(3)
    return turned(axes, wrench, X_JB, R_WB, backwards=joint.backwards)


def turned(axes: str, wrench: Array, X_JB: Transform, R_WB: Array, *, backwards: bool) -> Array:
    """Return the wrench on a body as that of the first frame on the second, in the given axes.

    Second is the body, or the joint frame J on its parent where the joint is reversed.

    Args:
        axes: "body", "joint" or "world".
        wrench: [f; n] on the body in its axes at its origin, shape (6,).
        X_JB: Pose of the body in the joint frame.
        R_WB: Rotation of the body in the world.
        backwards: Whether the joint is reversed.
    """
    if backwards:
        wrench = -X_JB.force_to_parent(wrench)
    if axes == "body":
        return wrench
    if axes == "world":
        return _rotated(R_WB @ X_JB.R.T if backwards else R_WB, wrench)
    return _rotated(X_JB.R.T if backwards else X_JB.R, wrench)


def _closure_turned(
    mechanism: Mechanism, axes: str, q: Array, view: MechanismView, pair: FramePair, wrench: Array
) -> Array:
    """Return the wrench of a loop or constraint as it is shown."""
    body, pose = pair[1]
    X_WB = Transform.identity()
    if axes == "world" and body != WORLD:
        X_WB = body_pose(mechanism, mechanism.index(body), q)
    R_WF = (X_WB @ pose.transform()).R
    return closure_turned(axes, wrench, view.frame(pair).X.R, R_WF)


def closure_turned(axes: str, wrench: Array, R_EF: Array, R_WF: Array) -> Array:
    """Return a wrench on the second frame, at the same point, in the given axes.

    Args:
        axes: "body": of the second frame F, "joint": of the first, E, or "world".
        wrench: [f; n] in the axes of F, shape (6,).
        R_EF: Rotation of F in E.
        R_WF: Rotation of F in the world.
    """
    if axes == "body":
        return wrench
    return _rotated(R_WF if axes == "world" else R_EF, wrench)


def _rotated(R: Array, wrench: Array) -> Array:
    return np.concatenate([R @ wrench[:3], R @ wrench[3:]])
