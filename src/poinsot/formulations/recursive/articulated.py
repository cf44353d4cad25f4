"""Forward dynamics by articulated bodies, at a cost linear in the number of links.

Inward, articulated inertias and bias forces are propagated across the free joints; outward, the
accelerations follow [RBDA, Table 7.1].  The inertia is stored in blocks

    I_a = [[M, H], [Hᵀ, J]]      (linear part first),

and the apparent inertia that is propagated is exactly zero along the joint.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.formulations.passive_forces import passive_force
from poinsot.formulations.recursive.links import Link, Placement, link_wrenches, links_of
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array, Scalar, cross, cross_columns, cross_force, cross_motion


def articulated_forward_dynamics(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment | None = None
) -> Array:
    """Return the acceleration dv/dt under the joint forces ``tau``, shape (nv,)."""
    links = links_of(mechanism)
    environment = environment or Environment.of(mechanism)
    drive = tau - passive_force(mechanism, q, v, environment)
    armature = _armature_blocks(mechanism)
    placements = [link.placed(q[link.q]) for link in links]
    motions: list[tuple[Array, Array]] = []
    for link, placement in zip(links, placements, strict=True):  # outward
        V_parent = motions[link.parent][0] if link.parent >= 0 else environment.velocity
        motions.append(velocity_step(link, placement, V_parent, q[link.q], v[link.v]))
    bodies = [rigid_body(link, V) for link, (V, _) in zip(links, motions, strict=True)]
    for k, load in link_wrenches(mechanism, environment).items():
        bodies[k] = Articulated(bodies[k].I, bodies[k].F - load)
    joints: list[FreeJoint] = [None] * len(links)  # type: ignore[list-item]
    for k in range(len(links) - 1, -1, -1):  # inward
        link, placement, C = links[k], placements[k], motions[k][1]
        joints[k] = free_joint(link, bodies[k], q[link.q], drive[link.v], armature[link.v.start])
        if link.parent >= 0:
            S, B = link.joint.motion_subspace(q[link.q]), armature[link.v.start]
            contribution = contribution_to_parent(placement, bodies[k], joints[k], S, C, B)
            bodies[link.parent] = Articulated(
                bodies[link.parent].I + contribution.I, bodies[link.parent].F + contribution.F
            )
    base = base_acceleration(environment)
    A: list[Array] = []
    a = np.zeros(mechanism.nv, dtype=object)
    for k, link in enumerate(links):  # outward
        A_parent = A[link.parent] if link.parent >= 0 else base
        S = link.joint.motion_subspace(q[link.q])
        a[link.v], A_k = acceleration_step(placements[k], A_parent, motions[k][1], joints[k], S)
        A.append(A_k)
    return np.array(a.tolist())


@dataclass(frozen=True, eq=False)
class Articulated:
    """Articulated inertia (6, 6) and bias force (6,) of a link, in its frame."""

    I: Array
    F: Array


@dataclass(frozen=True, eq=False)
class FreeJoint:
    """The equation of a joint: U = I_a S, u = tau - Sᵀ F_a, and the factors of Sᵀ U."""

    U: Array
    u: Array
    L: Array
    d_inverse: Array


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


def rigid_body(link: Link, V: Array) -> Articulated:
    """Return the inertia and the gyroscopic force of the link alone."""
    inertia = link.inertia()
    return Articulated(inertia.matrix(), cross_force(V, inertia.apply(V)))


def free_joint(link: Link, body: Articulated, q: Array, drive: Array, armature: Array) -> FreeJoint:
    """Return the equation of the joint of a link."""
    S = link.joint.motion_subspace(q)
    U = body.I @ S
    return FreeJoint(U, drive - S.T @ body.F, *ldl(S.T @ U + armature))


def contribution_to_parent(
    placement: Placement, body: Articulated, joint: FreeJoint, S: Array, C: Array, armature: Array
) -> Articulated:
    """Return the apparent inertia and force of a link with a free joint, at its parent."""
    freed = _freed(body.I, S, joint, armature)
    F = body.F + freed @ C + joint.U @ ldl_solve(joint.L, joint.d_inverse, joint.u)
    return Articulated(inertia_to_parent(placement, freed), force_to_parent(placement, F))


def acceleration_step(
    placement: Placement, A_parent: Array, C: Array, joint: FreeJoint, S: Array
) -> tuple[Array, Array]:
    """Return the joint's acceleration and the link's."""
    carried = motion_to_child(placement, A_parent) + C
    a = ldl_solve(joint.L, joint.d_inverse, joint.u - joint.U.T @ carried)
    return a, carried + S @ a


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


def _armature_blocks(mechanism: Mechanism) -> dict[int, Array]:
    return {
        v.start: body.joint.armature_matrix()
        for body, v in zip(mechanism.bodies, mechanism.v_slices, strict=True)
        if body.joint.nv
    }
