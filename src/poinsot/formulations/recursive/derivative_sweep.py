"""First derivatives of inverse dynamics in closed form: one sweep out, one in, all in one frame.

Motions and forces of all links are taken in one frame, at its origin: that of the base or, on
values, of the only root link, where the screws of two joints are constant.  Along velocity k of
joint i, with the screw S of that velocity, the links that the joint carries are displaced by S, and
their velocities and accelerations change by

    by q:  x = V' × S,     y = A' × S + V' × x           by v:  x = S,     y = (V' + V) × S

beyond what the displacement itself turns (V', A': motion of the parent).  The force on such a link
then changes by S ×* f + Θ y + 2 B x, with the momentum p and the moment G = ∫ u rᵀ dm of
velocities u,

    B = [[0, -p̂], [0, tr G - G]],

which add up over a subtree as Θ and f do.  So with these sums of the subtree of i, j carrying i:

    ∂τ_i/∂q_j = (Θ S_i)·y_j + 2 (Bᵀ S_i)·x_j      ∂τ_j/∂q_i = S_j·(Θ y_i + 2 B x_i + S_i ×* f_i)
    ∂τ_i/∂v_j, ∂τ_j/∂v_i:  the same with x, y by v, without the last term
    M_ij = (Θ S_i)·S_j

Equivalent to [SinghRussellWensing2022].  Differs from it: B in twelve numbers, and joints whose
subspace changes with their coordinates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import add

import numpy as np

from poinsot.expr.packing import SYMMETRIC
from poinsot.formulations.passive_forces import PassiveCoefficients
from poinsot.formulations.recursive.articulated import (
    base_acceleration,
    base_velocity,
    motion_to_child,
)
from poinsot.formulations.recursive.composite import (
    FRAME,
    Composite,
    base_forces,
    base_motions,
    composite_step,
    link_alone,
)
from poinsot.formulations.recursive.fused_sums import (
    NOTHING,
    plus_cross,
    plus_cross_force,
    plus_cross_motion,
    plus_matrix,
)
from poinsot.formulations.recursive.link_tree import AbstractTree
from poinsot.formulations.recursive.links import Link, Placement
from poinsot.formulations.recursive.planar_rotation import FullTurn
from poinsot.formulations.recursive.subspace_changes import SubspaceChanges, subspace_changes
from poinsot.formulations.sweep import step
from poinsot.model import Environment
from poinsot.spatial import (
    Array,
    Scalar,
    cross,
    cross_columns,
    cross_motion,
    matrix,
)

Frame = tuple[Array, Array]
"""Rotation and origin of a link in the base."""


@dataclass(frozen=True, eq=False)
class MovingBody:
    """A link, or a subtree, in the base: moments of mass, and of its velocities.

    Attributes:
        mass, h, sigma: Mass [kg], first [kg m] and second moment [kg m²].
        P: Momentum [kg m/s], shape (3,).
        E: tr G - G, shape (3, 3).
    """

    mass: Scalar
    h: Array
    sigma: Array = field(metadata=SYMMETRIC)
    P: Array
    E: Array


def moving_bodies(tree: AbstractTree) -> None:
    """Add ``frame``, ``screws`` (nv of it, 6), ``velocity`` and ``body`` of each link alone."""
    tree.start("frame", (np.eye(3), np.zeros(3)) if tree.root is None else None)
    tree.from_environment("velocity", _in_root(tree, base_velocity))
    tree.place()
    tree.outward([FRAME, SCREWS, _VELOCITY, _BODY])


def accelerated_bodies(tree: AbstractTree) -> None:
    """Add ``acceleration``, less gravity, and ``force`` of each link alone, before composites."""
    tree.from_environment("acceleration", _in_root(tree, base_acceleration))
    tree.outward([_ACCELERATION, _FORCE])
    if tree.is_loaded:
        tree.outward([step(_no_load, "link", "load")])
        tree.subtract_loads("load")
        tree.outward([step(_loaded, "frame load force", "force")])


def composite_bodies(tree: AbstractTree) -> None:
    """Turn each ``body`` into that of its subtree; add ``left`` and ``own_M`` of each link.

    ``left`` is [Θ S; Bᵀ S], of the second the angular half, shape (nv of it, 9).
    """
    tree.inward([_LEFT, _OWN_M, _BODY_TO_PARENT])


def changed_forces(tree: AbstractTree) -> None:
    """Turn each ``force`` into that of the subtree, and add what derivatives are products of.

    ``right_q`` and ``right_v`` are [y; 2 x], of the second the angular half, (nv of it, 9);
    ``up_q`` and ``up_v`` the changes of the subtree's force, (nv of it, 6); ``own_q`` and ``own_v``
    the joint's own blocks.
    """
    tree.inward([_CHANGES, _FORCE_TO_PARENT])


def _in_root(
    tree: AbstractTree, motion: Callable[[Environment], Array]
) -> Callable[[Environment], Array]:
    """Return a motion of the base in the frame of the root link, where that is the frame of all."""
    root = tree.root
    return motion if root is None else lambda loads: motion_to_child(root, motion(loads))


def _velocity(screws: Array, v: Array, parent: Array) -> Array:
    velocity: Array = parent + screws.T @ v
    return velocity


def _body(link: Link, frame: Frame, velocity: Array) -> MovingBody:
    return body_in_base(link_alone(link), frame, velocity)


def body_in_base(body: Composite, frame: Frame, velocity: Array) -> MovingBody:
    """Return the moments in the base of a link alone, given in its own frame."""
    R, p = frame
    alone = composite_step(Placement((FullTurn(R),), p), body)
    v, w = velocity[:3], velocity[3:]
    P = alone.mass * v + cross(w, alone.h)
    G = np.outer(v, alone.h) + cross_columns(w, alone.sigma)
    return MovingBody(alone.mass, alone.h, alone.sigma, P, less_trace(G))


def less_trace(G: Array) -> Array:
    """Return tr(G) - G, shape (3, 3)."""
    x, y, z = G[0, 0], G[1, 1], G[2, 2]
    return matrix(
        (y + z, -G[0, 1], -G[0, 2]), (-G[1, 0], x + z, -G[1, 2]), (-G[2, 0], -G[2, 1], x + y)
    )


def _acceleration(
    link: Link, frame: Frame, screws: Array, velocity: Array, parent: Array, q: Array, v: Array,
    a: Array,
) -> Array:  # fmt: skip
    rate = base_motions(frame, (link.joint.motion_subspace_rate(q, v) @ v)[:, None])[0]
    return plus_cross_motion(parent + screws.T @ a + rate, velocity, screws.T @ v)


def force_of(body: MovingBody, velocity: Array, acceleration: Array) -> Array:
    """Return the force Θ A + B V that gives a link its motion, in the base, shape (6,)."""
    return with_rate(body, acceleration, velocity)


def with_rate(body: MovingBody, rate: Array, motion: Array) -> Array:
    """Return Θ times the rate of a motion + B times the motion, in the base, shape (6,)."""
    return _plus_rate(_plus_inertia(NOTHING, body, rate), body, motion[3:])


def _no_load(link: Link) -> Array:
    return np.zeros(6)


def _loaded(frame: Frame, load: Array, force: Array) -> Array:
    """Return the force with the load, which is in the axes of the link, shape (6,)."""
    return force + base_forces(frame, load[:, None])[:, 0]


def _plus_inertia(onto: Array, body: MovingBody, motion: Array) -> Array:
    """Return a force plus Θ times a motion, shape (6,)."""
    x, w = motion[:3], motion[3:]
    trace = body.sigma[0, 0] + body.sigma[1, 1] + body.sigma[2, 2]
    inertia = trace * np.eye(3) - body.sigma
    linear = plus_cross(onto[:3] + body.mass * x, w, body.h)
    moment = plus_matrix(plus_cross(onto[3:], body.h, x), inertia, w)
    return np.concatenate([linear, moment])


def _plus_rate(onto: Array, body: MovingBody, w: Array) -> Array:
    """Return a force plus B times a motion, of which only the angular half counts, shape (6,)."""
    return np.concatenate([plus_cross(onto[:3], w, body.P), plus_matrix(onto[3:], body.E, w)])


def left_of(screws: Array, body: MovingBody) -> Array:
    """Return [Θ S; Bᵀ S] of each screw, of the second the angular half, shape (n, 9)."""
    rows = [
        np.concatenate(
            [
                _plus_inertia(NOTHING, body, S),
                plus_matrix(cross(body.P, S[:3]), body.E.T, S[3:]),
            ]
        )
        for S in screws
    ]
    return np.stack(rows)


def _own_mass(screws: Array, left: Array, passive: PassiveCoefficients | None) -> Array:
    """Return the joint's own block of M, exactly symmetric."""
    n = len(screws)
    upper = {(i, j): left[i, :6] @ screws[j] for i in range(n) for j in range(i, n)}
    block = np.array([[upper[min(i, j), max(i, j)] for j in range(n)] for i in range(n)])
    return block if passive is None else block + passive.armature


def _body_with_child(body: MovingBody, parent: MovingBody) -> MovingBody:
    return MovingBody(
        *(getattr(parent, name) + getattr(body, name) for name in ("mass", "h", "sigma", "P", "E"))
    )


def _changes(
    link: Link, frame: Frame, screws: Array, body: MovingBody, velocity: Array, force: Array,
    left: Array, carrier_velocity: Array, carrier_acceleration: Array, q: Array, v: Array,
    a: Array, passive: PassiveCoefficients | None,
) -> tuple[Array, ...]:  # fmt: skip
    subspace = subspace_changes(link.joint, q, v, a)
    return changes(
        screws, body, velocity, force, left, carrier_velocity, carrier_acceleration, passive,
        None if subspace is None else _in_base(frame, subspace),
    )  # fmt: skip


def changes(
    screws: Array, body: MovingBody, velocity: Array, force: Array, left: Array,
    carrier_velocity: Array, carrier_acceleration: Array,
    passive: PassiveCoefficients | None = None, moved: SubspaceChanges | None = None,
) -> tuple[Array, ...]:  # fmt: skip
    """Return right_q, right_v, up_q, up_v, own_q and own_v of a joint.

    Args:
        screws: Of the joint.
        body: Its subtree.
        velocity: Of the link that it moves.
        force: On its subtree.
        left: [Θ S; Bᵀ S].
        carrier_velocity: Velocity of the link that carries the joint.
        carrier_acceleration: Its acceleration.
        passive: Its passive forces.
        moved: How its subspace changes, in the base.
    """
    right_q, right_v, up_q, up_v = [], [], [], []
    for k, S in enumerate(screws):
        x = plus_cross_motion(NOTHING, carrier_velocity, S)
        # Half of y by v: V × S is V' × S where the joint has one velocity only.
        z = x if len(screws) == 1 else 0.5 * cross_motion(velocity + carrier_velocity, S)
        if moved is not None:
            x, z = x + moved.velocity[k], z + 0.5 * moved.rate[k]
        y = plus_cross_motion(
            plus_cross_motion(NOTHING, carrier_acceleration, S), carrier_velocity, x
        )
        if moved is not None:
            y = plus_cross_motion(y + moved.acceleration[k], velocity, moved.velocity[k])
        twice, S_twice = 2.0 * x[3:], 2.0 * S[3:]
        right_q.append(np.concatenate([y, twice]))
        right_v.append(np.concatenate([2.0 * z, S_twice]))
        changed = _plus_rate(_plus_inertia(NOTHING, body, y), body, twice)
        up_q.append(plus_cross_force(changed, S, force))
        up_v.append(2.0 * _plus_rate(_plus_inertia(NOTHING, body, z), body, S[3:]))
    own_q, own_v = left @ np.stack(right_q).T, left @ np.stack(right_v).T
    if moved is not None:
        own_q = own_q + np.stack([S.T @ force for S in moved.S], axis=1)
    if passive is not None:
        own_v = own_v + passive.damping
        own_q = own_q if passive.stiffness is None else own_q + passive.stiffness
    return (*(np.stack(rows) for rows in (right_q, right_v, up_q, up_v)), own_q, own_v)


def _in_base(frame: Frame, changes: SubspaceChanges) -> SubspaceChanges:
    n = len(changes.velocity)
    return SubspaceChanges(
        np.stack([base_motions(frame, S).T for S in changes.S]).reshape(n, 6, -1),
        base_motions(frame, changes.velocity.T),
        base_motions(frame, changes.acceleration.T),
        base_motions(frame, changes.rate.T),
    )


def _screws(link: Link, frame: Frame, q: Array) -> Array:
    return base_motions(frame, link.joint.motion_subspace(q))


SCREWS = step(_screws, "link frame q", "screws")
_VELOCITY = step(_velocity, "screws v parent.velocity", "velocity")
_BODY = step(_body, "link frame velocity", "body")
_ACCELERATION = step(
    _acceleration, "link frame screws velocity parent.acceleration q v a", "acceleration"
)
_FORCE = step(force_of, "body velocity acceleration", "force")
_LEFT = step(left_of, "screws body", "left")
_OWN_M = step(_own_mass, "screws left passive", "own_M")
_BODY_TO_PARENT = step(_body_with_child, "body parent.body", "parent.body")
_CHANGES = step(
    _changes,
    "link frame screws body velocity force left parent.velocity parent.acceleration q v a passive",
    "right_q right_v up_q up_v own_q own_v",
)
_FORCE_TO_PARENT = step(add, "force parent.force", "parent.force")
