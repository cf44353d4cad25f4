"""Forward dynamics by articulated bodies, at a cost that grows with the number of links.

Inward, each link gets the inertia and bias force that it shows its parent when its joint is free to
move; outward, the accelerations follow [RBDA, Table 7.1].  The inertia is kept in blocks

    I_a = [[M, H], [Hᵀ, J]]      (linear part first),

and what the joint itself can move is exactly zero in what is handed on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.formulations.passive import passive_force
from poinsot.formulations.recursive.links import Link, Placement, links_of
from poinsot.model import Mechanism
from poinsot.spatial import Array, Scalar, cross, cross_columns, cross_force, cross_motion


def articulated_forward_dynamics(mechanism: Mechanism, q: Array, v: Array, tau: Array) -> Array:
    """Return the acceleration dv/dt under the joint forces ``tau``, shape (nv,)."""
    links = links_of(mechanism)
    drive = tau - passive_force(mechanism, q, v)
    armature = _armature_blocks(mechanism)
    placements = [link.placed(q[link.q]) for link in links]
    V, C = velocities(links, placements, q, v)
    inertias = [link.inertia().matrix() for link in links]
    biases = [
        cross_force(V_i, link.inertia().apply(V_i)) for link, V_i in zip(links, V, strict=True)
    ]
    joints: list[tuple[Array, Array, tuple[Array, Array]]] = [None] * len(links)  # type: ignore[list-item]
    for k in range(len(links) - 1, -1, -1):  # inward
        link = links[k]
        S = link.joint.motion_subspace(q[link.q])
        U = inertias[k] @ S
        factors = ldl(S.T @ U + armature[link.v.start])
        u = drive[link.v] - S.T @ biases[k]
        joints[k] = (U, u, factors)
        if link.parent >= 0:
            handed = _freed(inertias[k], S, U, factors, armature[link.v.start])
            force = biases[k] + handed @ C[k] + U @ ldl_solve(*factors, u)
            inertias[link.parent] = inertias[link.parent] + inertia_to_parent(placements[k], handed)
            biases[link.parent] = biases[link.parent] + force_to_parent(placements[k], force)
    world = np.concatenate([-np.array(mechanism.gravity), np.zeros(3)])
    A: list[Array] = []
    a = np.zeros(mechanism.nv, dtype=object)
    for k, link in enumerate(links):  # outward
        parent = A[link.parent] if link.parent >= 0 else world
        carried = motion_to_child(placements[k], parent) + C[k]
        U, u, factors = joints[k]
        a[link.v] = ldl_solve(*factors, u - U.T @ carried)
        A.append(carried + link.joint.motion_subspace(q[link.q]) @ a[link.v])
    return np.array(a.tolist())


def velocities(
    links: Sequence[Link], placements: Sequence[Placement], q: Array, v: Array
) -> tuple[list[Array], list[Array]]:
    """Return each link's velocity and the acceleration its joint adds at dv/dt = 0."""
    V: list[Array] = []
    C: list[Array] = []
    for link, at in zip(links, placements, strict=True):
        V_J = link.joint.motion_subspace(q[link.q]) @ v[link.v]
        V.append(V_J if link.parent < 0 else motion_to_child(at, V[link.parent]) + V_J)
        S_rate = link.joint.motion_subspace_rate(q[link.q], v[link.v])
        C.append(cross_motion(V[-1], V_J) + S_rate @ v[link.v])
    return V, C


def motion_to_child(at: Placement, V: Array) -> Array:
    """Return a motion of the parent at the link's origin, in its axes, shape (6,)."""
    return np.concatenate([at.to_child(V[:3] + cross(V[3:], at.p)), at.to_child(V[3:])])


def force_to_parent(at: Placement, F: Array) -> Array:
    """Return a force on the link at the parent's origin, in the parent's axes, shape (6,)."""
    f = at.to_parent(F[:3])
    return np.concatenate([f, at.to_parent(F[3:]) + cross(at.p, f)])


def inertia_to_parent(at: Placement, I_a: Array) -> Array:
    """Return an articulated inertia at the parent's origin, in the parent's axes, shape (6, 6).

    With P = skew(p) and the turned blocks: M, H - M P, J + P H + (P H)ᵀ - P M P.
    """
    M = at.congruence(I_a[:3, :3])
    H = at.conjugate(I_a[:3, 3:])
    J = at.congruence(I_a[3:, 3:])
    H_moved = H + cross_columns(at.p, M).T
    PH = cross_columns(at.p, H)
    # P H + (P H)ᵀ - P M P = P H + (P H + ...)ᵀ: entries above the diagonal serve both sides
    moved = cross_columns(at.p, H_moved)
    J_moved = np.array(
        [[J[i, j] + PH[max(i, j), min(i, j)] + moved[min(i, j), max(i, j)] for j in range(3)]
         for i in range(3)]
    )  # fmt: skip
    return np.block([[M, H_moved], [H_moved.T, J_moved]])


def _freed(I_a: Array, S: Array, U: Array, factors: tuple[Array, Array], armature: Array) -> Array:
    """Return I_a - U D⁻¹ Uᵀ, exactly symmetric and, without armature, zero along the joint."""
    own = {int(np.flatnonzero(column)[0]) for column in S.T if _is_unit(column)}
    if armature.any():
        own = set()
    shares = ldl_solve(*factors, U.T)
    result: list[list[Scalar]] = [[0.0] * 6 for _ in range(6)]
    for i in range(6):
        for j in range(i, 6):
            if i not in own and j not in own:
                result[i][j] = result[j][i] = I_a[i, j] - U[i] @ shares[:, j]
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
