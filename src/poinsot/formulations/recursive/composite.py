"""The mass matrix by composite rigid bodies, in two forms that differ in cost.

Inward, the composite inertia of each subtree is collected in its root link's frame.  Unit
acceleration of joint i then needs the force F = I_c S_i, and M_ij = S_jᵀ F for every ancestor j of
i [RBDA, Table 6.2], [Zaremba1990, (2.9), (2.10)].  ``mass_matrix_along_paths`` propagates F link by
link towards the root; ``mass_matrix_in_base`` expresses every F and S once in the frame of the
root, where an entry of M is one product of screws.  The first is cheaper for short paths, the
second for long ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from poinsot.expr.packing import SYMMETRIC
from poinsot.formulations.passive_forces import PassiveCoefficients
from poinsot.formulations.recursive.link_tree import AbstractTree, StraightTree
from poinsot.formulations.recursive.links import Link, Placement, regrouped_links
from poinsot.formulations.sweep import Step, step
from poinsot.model import Mechanism
from poinsot.spatial import Array, Scalar, cross_columns


def mass_matrix_along_paths(mechanism: Mechanism, q: Array) -> Array:
    """Return M(q), shape (nv, nv), armature included."""
    tree = StraightTree(mechanism, regrouped_links(mechanism), q=q)
    composite_bodies(tree)
    tree.outward([_UNIT_FORCE])
    links, placements = tree.links, tree.values("placement")
    M = np.zeros((mechanism.nv, mechanism.nv), dtype=object)
    for i, link in enumerate(links):
        S = link.joint.motion_subspace(q[link.q])
        f, n = tree.values("_unit")[i]
        M[link.v, link.v] = own_block(S, (f, n), tree.values("passive")[i])
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
    tree = StraightTree(mechanism, regrouped_links(mechanism), q=q)
    composite_bodies(tree)
    tree.start("path", ())
    screws_in_base(tree, step(_products, "screws forces parent.path", "row path"))
    links, M = tree.links, np.zeros((mechanism.nv, mechanism.nv), dtype=object)
    for i, link in enumerate(links):
        M[link.v, link.v] = tree.values("block")[i]
        j = link.parent
        for block in tree.values("row")[i]:
            M[links[j].v, link.v], M[link.v, links[j].v] = block, block.T
            j = links[j].parent
    return np.array(M.tolist()).reshape(M.shape)  # (0, 0) without joints


def composite_bodies(tree: AbstractTree) -> None:
    """Add the ``placement`` of links and their ``composite`` bodies."""
    tree.place()
    tree.outward([step(link_alone, "link", "composite")])
    tree.inward([step(with_child, "placement composite parent.composite", "parent.composite")])


def screws_in_base(tree: AbstractTree, *more: Step) -> None:
    """Add each joint's diagonal ``block`` of M, and motions and forces in the base.

    ``screws`` are motions along a joint, ``forces`` those of unit acceleration, (nv of it, 6) each.

    Args:
        tree: The links.
        more: What else to compute of each link.
    """
    tree.at_base("frame", (np.eye(3), np.zeros(3)))
    tree.outward([_UNIT_FORCE], [FRAME, _BLOCK, _SCREWS, *more])


@dataclass(frozen=True, eq=False)
class Composite:
    """Mass, first and second moment of a link and its subtree, in its frame."""

    mass: Scalar
    h: Array
    sigma: Array = field(metadata=SYMMETRIC)


def link_alone(link: Link) -> Composite:
    """Return a link without its subtree."""
    return Composite(link.mass, link.h, link.sigma)


def with_child(placement: Placement, composite: Composite, parent: Composite) -> Composite:
    """Return the parent with the subtree of a link: one step of the inward sweep."""
    child = composite_step(placement, composite)
    return Composite(parent.mass + child.mass, parent.h + child.h, parent.sigma + child.sigma)


def unit_force(link: Link, q: Array, body: Composite) -> tuple[Array, Array]:
    """Return force and moment, both (3, nv of the joint), of unit acceleration of a joint."""
    S = link.joint.motion_subspace(q)
    trace = body.sigma[0, 0] + body.sigma[1, 1] + body.sigma[2, 2]
    inertia = trace * np.eye(3) - body.sigma
    f = body.mass * S[:3] - cross_columns(body.h, S[3:])
    return f, cross_columns(body.h, S[:3]) + inertia @ S[3:]


def own_block(S: Array, unit: tuple[Array, Array], passive: PassiveCoefficients | None) -> Array:
    """Return Sᵀ [f; n] of unit forces: the joint's diagonal block of M, exactly symmetric."""
    (f, n), size = unit, range(S.shape[1])
    upper = {(i, j): S[:3, i] @ f[:, j] + S[3:, i] @ n[:, j] for i in size for j in size if i <= j}
    block = np.array([[upper[min(i, j), max(i, j)] for j in size] for i in size])
    return block if passive is None else passive.armature + block


def base_frame(R: Array, p: Array, placement: Placement) -> tuple[Array, Array]:
    """Return rotation and origin of a link in the base frame from its parent's."""
    return placement.to_child(R.T).T, p + R @ placement.p


def _block(
    link: Link, q: Array, unit: tuple[Array, Array], passive: PassiveCoefficients | None
) -> Array:
    return own_block(link.joint.motion_subspace(q), unit, passive)


def _frame(placement: Placement, parent: tuple[Array, Array] | None) -> tuple[Array, Array]:
    """Return the frame of a link in the base; a root without a parent's is its own base."""
    return (np.eye(3), np.zeros(3)) if parent is None else base_frame(*parent, placement)


def base_motions(frame: tuple[Array, Array], S: Array) -> Array:
    """Return motions of a link, columns of S (6, k), in the base frame, shape (k, 6)."""
    R, p = frame
    w = R @ S[3:]
    return np.concatenate([R @ S[:3] + cross_columns(p, w), w]).T


def base_forces(frame: tuple[Array, Array], F: Array) -> Array:
    """Return forces on a link, columns of F (6, k), in the base frame, shape (6, k)."""
    R, p = frame
    f = R @ F[:3]
    return np.concatenate([f, R @ F[3:] + cross_columns(p, f)])


def base_screws(
    link: Link, q: Array, frame: tuple[Array, Array], unit: tuple[Array, Array]
) -> tuple[Array, Array]:
    """Return motions S and forces [f; n] of a link in the base frame, both (nv, 6)."""
    screws = base_motions(frame, link.joint.motion_subspace(q))
    return screws, base_forces(frame, np.concatenate(unit)).T


def _products(
    screws: Array, forces: Array, path: tuple[Array, ...]
) -> tuple[list[Array], tuple[Array, ...]]:
    """Return blocks of M with all ancestors, the nearest first; and the path with this link."""
    return [ancestor @ forces.T for ancestor in path], (screws, *path)


def composite_step(placement: Placement, body: Composite) -> Composite:
    """Return the composite of a link in its parent's frame: one step of the inward sweep."""
    g = placement.to_parent(body.h)
    half = g + 0.5 * body.mass * placement.p
    cross_terms = [[half[i] * placement.p[j] for j in range(3)] for i in range(3)]
    shift = np.array([[cross_terms[i][j] + cross_terms[j][i] for j in range(3)] for i in range(3)])
    return Composite(
        body.mass, g + body.mass * placement.p, placement.congruence(body.sigma) + shift
    )


_UNIT_FORCE = step(unit_force, "link q composite", "_unit")
FRAME = step(_frame, "placement parent.frame", "frame")
"""Rotation and origin of a link in the base."""
_BLOCK = step(_block, "link q _unit passive", "block")
_SCREWS = step(base_screws, "link q frame _unit", "screws forces")
