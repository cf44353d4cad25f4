"""Forward dynamics by articulated bodies, at a cost linear in the number of links.

Inward, articulated inertias and bias forces are propagated across the free joints; outward, the
accelerations follow [RBDA, Table 7.1].  The inertia is stored in blocks

    I_a = [[M, H], [Hᵀ, J]]      (linear part first),

and the apparent inertia that is propagated is exactly zero along the joint.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import sub

import numpy as np

from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.expr.packing import SYMMETRIC, UNIT_LOWER
from poinsot.formulations.passive_forces import PassiveCoefficients
from poinsot.formulations.recursive.link_tree import PASSIVE, AbstractTree, StraightTree
from poinsot.formulations.recursive.links import Link, Placement, links_of
from poinsot.formulations.sweep import step
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array, Scalar, cross, cross_columns, cross_force, cross_motion


def articulated_forward_dynamics(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment | None = None
) -> Array:
    """Return the acceleration dv/dt under the joint forces ``tau``, shape (nv,)."""
    tree = StraightTree(mechanism, links_of(mechanism), environment, q=q, v=v, tau=tau)
    return accelerations(tree)


def accelerations(tree: AbstractTree) -> Array:
    """Return dv/dt, shape (nv,); on values, or rolled."""
    tree.each(PASSIVE, step(sub, "tau _passive", "_drive"))
    moving_bodies(tree)
    tree.subtract_loads("body.F")
    free_bodies(tree)
    return accelerated(tree)


def moving_bodies(tree: AbstractTree) -> None:
    """Add ``placement``, ``velocity``, ``rate`` (of joints) and the ``body`` of each link alone."""
    tree.from_environment("velocity", base_velocity)
    tree.place()
    tree.outward([VELOCITY], [step(rigid_body, "link velocity", "body")])


def resting_bodies(tree: AbstractTree) -> None:
    """Add what ``moving_bodies`` adds, of a tree at rest that no force drives."""
    tree.each(step(_no_drive, "link", "_drive"))
    tree.place()
    tree.outward([step(_resting_body, "link", "body rate")])


def add_velocities(tree: AbstractTree) -> None:
    """Add the ``velocity`` of links on a base at rest, from their placements."""
    tree.start("velocity", np.zeros(6))
    tree.outward([step(link_velocity, "link placement parent.velocity q v", "velocity")])


def add_drifts(tree: AbstractTree) -> None:
    """Add the ``velocity`` of links on a base at rest, and ``drift``, its rate at dv/dt = 0."""
    tree.start("velocity", np.zeros(6))
    tree.start("drift", np.zeros(6))
    tree.outward([VELOCITY, step(_drift, "placement parent.drift rate", "drift")])


def free_bodies(tree: AbstractTree) -> None:
    """Add ``joint``, the equations of the joints, and make bodies articulated."""
    tree.inward([_JOINT, _TO_PARENT])


def accelerated(tree: AbstractTree) -> Array:
    """Add the ``acceleration`` of each link, less gravity, and return dv/dt, shape (nv,)."""
    tree.from_environment("acceleration", base_acceleration)
    tree.outward([_ACCELERATION])
    return tree.by_velocity("dv")


@dataclass(frozen=True, eq=False)
class Articulated:
    """Articulated inertia (6, 6) and bias force (6,) of a link, in its frame."""

    I: Array = field(metadata=SYMMETRIC)
    F: Array


@dataclass(frozen=True, eq=False)
class FreeJoint:
    """The equation of a joint: U = I_a S, u = tau - Sᵀ F_a, and the factors of Sᵀ U."""

    U: Array
    L: Array = field(metadata=UNIT_LOWER)
    d_inverse: Array
    u: Array


def base_velocity(environment: Environment) -> Array:
    """Return the velocity of the base, shape (6,)."""
    return environment.velocity


def base_acceleration(environment: Environment) -> Array:
    """Return the acceleration of the base, less gravity, shape (6,)."""
    linear = environment.acceleration[:3] - environment.gravity
    return np.concatenate([linear, environment.acceleration[3:]])


def velocity_step(
    link: Link, placement: Placement, V_parent: Array, q: Array, v: Array
) -> tuple[Array, Array]:
    """Return a link's velocity and the velocity-dependent acceleration of its joint."""
    V_J = link.joint.motion_subspace(q) @ v
    V = motion_to_child(placement, V_parent) + V_J
    return V, cross_motion(V, V_J) + link.joint.motion_subspace_rate(q, v) @ v


def link_velocity(link: Link, placement: Placement, V_parent: Array, q: Array, v: Array) -> Array:
    """Return a link's velocity, shape (6,)."""
    return velocity_step(link, placement, V_parent, q, v)[0]


def _drift(placement: Placement, parent: Array, rate: Array) -> Array:
    return motion_to_child(placement, parent) + rate


def rigid_body(link: Link, V: Array) -> Articulated:
    """Return the inertia and the gyroscopic force of the link alone."""
    inertia = link.inertia()
    return Articulated(inertia.matrix(), cross_force(V, inertia.apply(V)))


def _resting_body(link: Link) -> tuple[Articulated, None]:
    return Articulated(link.inertia().matrix(), np.zeros(6)), None


def _no_drive(link: Link) -> Array:
    return np.zeros(link.joint.nv)


def free_joint(
    link: Link, body: Articulated, q: Array, drive: Array, passive: PassiveCoefficients | None
) -> FreeJoint:
    """Return the equation of the joint of a link."""
    S = link.joint.motion_subspace(q)
    U = body.I @ S
    u = drive - S.T @ body.F
    return FreeJoint(U, *ldl(S.T @ U + _armature(link, passive)), u)


def with_child(
    link: Link, placement: Placement, body: Articulated, joint: FreeJoint, q: Array,
    rate: Array | None, passive: PassiveCoefficients | None, parent: Articulated,
) -> Articulated:  # fmt: skip
    """Return the parent with the apparent inertia and force of a link with a free joint."""
    freed = _freed(body.I, link.joint.motion_subspace(q), joint, _armature(link, passive))
    F = body.F if rate is None else body.F + freed @ rate
    F = F + joint.U @ ldl_solve(joint.L, joint.d_inverse, joint.u)
    I_a = inertia_to_parent(placement, freed)
    F_a = force_to_parent(placement, F)
    return Articulated(parent.I + I_a, parent.F + F_a)


def acceleration_step(
    placement: Placement, A_parent: Array, C: Array, joint: FreeJoint, S: Array
) -> tuple[Array, Array]:
    """Return the joint's acceleration and the link's."""
    carried = motion_to_child(placement, A_parent) + C
    a = ldl_solve(joint.L, joint.d_inverse, joint.u - joint.U.T @ carried)
    return a, carried + S @ a


def _accelerated(
    link: Link, placement: Placement, parent: Array, rate: Array, joint: FreeJoint, q: Array
) -> tuple[Array, Array]:
    S = link.joint.motion_subspace(q)
    return acceleration_step(placement, parent, rate, joint, S)


def motion_to_child(placement: Placement, V: Array) -> Array:
    """Return a motion of the parent at the link's origin, in its axes, shape (6,)."""
    return np.concatenate(
        [placement.to_child(V[:3] + cross(V[3:], placement.p)), placement.to_child(V[3:])]
    )


def force_to_parent(placement: Placement, F: Array) -> Array:
    """Return a force on the link at the parent's origin, in the parent's axes, shape (6,)."""
    f = placement.to_parent(F[:3])
    return np.concatenate([f, placement.to_parent(F[3:]) + cross(placement.p, f)])


def inertia_to_parent(placement: Placement, I_a: Array) -> Array:
    """Return an articulated inertia at the parent's origin, in the parent's axes, shape (6, 6).

    With P = skew(p) and the turned blocks: M, H - M P, J + P H + (P H)ᵀ - P M P.
    """
    M = placement.congruence(I_a[:3, :3])
    H = placement.conjugate(I_a[:3, 3:])
    J = placement.congruence(I_a[3:, 3:])
    H_moved = H + cross_columns(placement.p, M).T
    PH = cross_columns(placement.p, H)
    moved = cross_columns(placement.p, H_moved)
    J_moved = np.array(
        [
            [J[i, j] + PH[max(i, j), min(i, j)] + moved[min(i, j), max(i, j)] for j in range(3)]
            for i in range(3)
        ]
    )
    return np.block([[M, H_moved], [H_moved.T, J_moved]])


def _freed(I_a: Array, S: Array, joint: FreeJoint, armature: Array) -> Array:
    """Return I_a - U D⁻¹ Uᵀ, exactly symmetric and, without armature, zero along the joint."""
    joint_axes: set[int] = set()
    if all(isinstance(b, float) and b == 0.0 for b in np.ravel(armature).tolist()):
        joint_axes = {int(np.flatnonzero(column)[0]) for column in S.T if _is_unit(column)}
    shares = ldl_solve(joint.L, joint.d_inverse, joint.U.T)
    result: list[list[Scalar]] = [[0.0] * 6 for _ in range(6)]
    for i in range(6):
        for j in range(i, 6):
            if i not in joint_axes and j not in joint_axes:
                result[i][j] = result[j][i] = I_a[i, j] - joint.U[i] @ shares[:, j]
    return np.array(result)


def _is_unit(column: Array) -> bool:
    if any(not isinstance(x, float) for x in column.tolist()):
        return False
    return np.count_nonzero(column) == 1 and float(column.sum()) == 1.0


def _armature(link: Link, passive: PassiveCoefficients | None) -> Array:
    return np.zeros((link.joint.nv, link.joint.nv)) if passive is None else passive.armature


VELOCITY = step(velocity_step, "link placement parent.velocity q v", "velocity rate")
"""Velocities of links, and the velocity-dependent accelerations of joints."""
_JOINT = step(free_joint, "link body q _drive passive", "joint")
_TO_PARENT = step(with_child, "link placement body joint q rate passive parent.body", "parent.body")
_ACCELERATION = step(
    _accelerated, "link placement parent.acceleration rate joint q", "dv acceleration"
)
