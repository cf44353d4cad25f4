"""The mass matrix by composite rigid bodies, in two forms that differ in cost.

Inward, the composite inertia of each subtree is collected in its root link's frame.  Unit
acceleration of joint i then needs the force F = I_c S_i, and M_ij = S_jᵀ F for every ancestor j of
i [RBDA, Table 6.2], [Zaremba1990, (2.9), (2.10)].  ``mass_matrix_along_paths`` propagates F link by
link towards the root; ``mass_matrix_in_base`` expresses every F and S once in the frame of the
root, where an entry of M is one product of screws.  The first is cheaper for short paths, the
second for long ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.formulations.recursive.links import Link, Placement, regrouped_links
from poinsot.model import Mechanism
from poinsot.spatial import Array, Scalar, cross_columns


def mass_matrix_along_paths(mechanism: Mechanism, q: Array) -> Array:
    """Return M(q), shape (nv, nv), armature included."""
    links = regrouped_links(mechanism)
    placements, forces = unit_forces(links, q)
    M = _armature(mechanism)
    for i, link in enumerate(links):
        S = link.joint.motion_subspace(q[link.q])
        f, n = forces[i]
        M[link.v, link.v] += own_block(S, f, n)
        j = i
        while links[j].parent >= 0:
            placement, j = placements[j], links[j].parent
            f = placement.to_parent(f)
            n = placement.to_parent(n) + cross_columns(placement.p, f)
            S = links[j].joint.motion_subspace(q[links[j].q])
            M[links[j].v, link.v] = S[:3].T @ f + S[3:].T @ n
            M[link.v, links[j].v] = M[links[j].v, link.v].T
    return np.array(M.tolist()).reshape(M.shape)  # (0, 0) without joints


def mass_matrix_in_base(mechanism: Mechanism, q: Array) -> Array:
    """Return M(q), shape (nv, nv), armature included."""
    links = regrouped_links(mechanism)
    placements, forces = unit_forces(links, q)
    M = _armature(mechanism)
    rotation: list[Array] = []
    origin: list[Array] = []
    screws: list[Array] = []
    for i, (link, placement) in enumerate(zip(links, placements, strict=True)):
        R, p = np.eye(3), np.zeros(3)
        if link.parent >= 0:
            R, p = base_frame(rotation[link.parent], origin[link.parent], placement)
        S = link.joint.motion_subspace(q[link.q])
        f, n = forces[i]
        M[link.v, link.v] += own_block(S, f, n)
        screw, F = base_screws(R, p, S, f, n)
        rotation.append(R)
        origin.append(p)
        screws.append(screw)
        j = i
        while links[j].parent >= 0:
            j = links[j].parent
            M[links[j].v, link.v] = screws[j].T @ F
            M[link.v, links[j].v] = M[links[j].v, link.v].T
    return np.array(M.tolist()).reshape(M.shape)  # (0, 0) without joints


@dataclass(frozen=True, eq=False)
class Composite:
    """Mass, first and second moment of a link and its subtree, in its frame."""

    mass: Scalar
    h: Array
    sigma: Array


def unit_forces(
    links: Sequence[Link], q: Array
) -> tuple[list[Placement], list[tuple[Array, Array]]]:
    """Return the placements, and force and moment (3, nv of the joint) of unit acceleration."""
    placements = [link.placed(q[link.q]) for link in links]
    composites = [Composite(link.mass, link.h, link.sigma) for link in links]
    for k in range(len(links) - 1, -1, -1):
        if links[k].parent >= 0:
            carried = composite_step(placements[k], composites[k])
            base = composites[links[k].parent]
            composites[links[k].parent] = Composite(
                base.mass + carried.mass, base.h + carried.h, base.sigma + carried.sigma
            )
    forces = [
        unit_force(body, link.joint.motion_subspace(q[link.q]))
        for link, body in zip(links, composites, strict=True)
    ]
    return placements, forces


def unit_force(body: Composite, S: Array) -> tuple[Array, Array]:
    """Return force and moment, both (3, nv of the joint), of unit motion along S."""
    trace = body.sigma[0, 0] + body.sigma[1, 1] + body.sigma[2, 2]
    inertia = trace * np.eye(3) - body.sigma
    f = body.mass * S[:3] - cross_columns(body.h, S[3:])
    return f, cross_columns(body.h, S[:3]) + inertia @ S[3:]


def own_block(S: Array, f: Array, n: Array) -> Array:
    """Return Sᵀ [f; n] of unit forces: the joint's diagonal block of M, exactly symmetric.

    Args:
        S: Motion subspace, shape (6, nv of the joint).
        f: Forces of unit motion, shape (3, nv of the joint).
        n: Moments, the same.
    """
    size = range(S.shape[1])
    upper = {(i, j): S[:3, i] @ f[:, j] + S[3:, i] @ n[:, j] for i in size for j in size if i <= j}
    return np.array([[upper[min(i, j), max(i, j)] for j in size] for i in size])


def base_frame(R: Array, p: Array, placement: Placement) -> tuple[Array, Array]:
    """Return rotation and origin of a link in the base frame from its parent's."""
    return placement.to_child(R.T).T, p + R @ placement.p


def base_screws(R: Array, p: Array, S: Array, f: Array, n: Array) -> tuple[Array, Array]:
    """Return motions S and forces [f; n] of a link in the base frame, both (6, nv)."""
    w, f = R @ S[3:], R @ f
    return (
        np.concatenate([R @ S[:3] + cross_columns(p, w), w]),
        np.concatenate([f, R @ n + cross_columns(p, f)]),
    )


def composite_step(placement: Placement, body: Composite) -> Composite:
    """Return the composite of a link in its parent's frame: one step of the inward sweep."""
    g = placement.to_parent(body.h)
    half = g + 0.5 * body.mass * placement.p
    cross_terms = [[half[i] * placement.p[j] for j in range(3)] for i in range(3)]
    shift = np.array([[cross_terms[i][j] + cross_terms[j][i] for j in range(3)] for i in range(3)])
    return Composite(
        body.mass, g + body.mass * placement.p, placement.congruence(body.sigma) + shift
    )


def _armature(mechanism: Mechanism) -> Array:
    M = np.zeros((mechanism.nv, mechanism.nv), dtype=object)
    for body, v in zip(mechanism.bodies, mechanism.v_slices, strict=True):
        M[v, v] = body.joint.armature_matrix()
    return M
