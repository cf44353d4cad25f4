"""A Coriolis matrix with dM/dt - 2 C skew, for every joint, by composite bodies.

Mass points at r have J_j = [1, -r^] S_j under the screws S_j, and Σ m J_iᵀ dJ_j/dt is

    C_ij = S_i·(Θ dS_j/dt + B S_j),      B V = rate of momentum beyond Θ dV/dt,   B + Bᵀ = dΘ/dt

with Θ and B (``recursive.derivative_sweep``) summed over the links that both velocities carry.  C v
are the Coriolis and centrifugal forces; where v are rates of coordinates C is that of the
Christoffel symbols [Zaremba1990, (2.14)].  It needs no derivative of M, and holds for quaternions.
"""

from __future__ import annotations

import numpy as np

from poinsot.expr import Rolled
from poinsot.formulations.dynamics_derivatives import paired_products
from poinsot.formulations.recursive.composite import base_motions
from poinsot.formulations.recursive.derivative_sweep import (
    Frame,
    MovingBody,
    composite_bodies,
    moving_bodies,
    with_rate,
)
from poinsot.formulations.recursive.link_tree import StraightTree
from poinsot.formulations.recursive.links import Link, regrouped_links, rolled_links
from poinsot.formulations.recursive.paired_items import (
    append_own_blocks,
    append_products,
    lay_out,
    lay_out_own,
    with_zeros,
)
from poinsot.formulations.recursive.rolled_columns import ColumnChunks
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.formulations.recursive.velocity_paths import VelocityPaths
from poinsot.formulations.sweep import step
from poinsot.model import LoadInputs, Mechanism
from poinsot.spatial import Array, cross_motion

__all__ = ["coriolis_matrix", "length", "rolled_coriolis_matrix"]

WIDTHS = {"screws": 6, "left": 9, "right_C": 9, "up_C": 6}
"""Numbers per velocity of what C is products of."""


def coriolis_matrix(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Return C(q, v), shape (nv, nv).

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
    """
    tree = StraightTree(mechanism, regrouped_links(mechanism), q=q, v=v)
    moving_bodies(tree)
    composite_bodies(tree)
    tree.outward([_TURNING])
    return paired_products(tree, "own_C", "right_C", "up_C")


def rolled_coriolis_matrix(mechanism: Mechanism) -> Rolled:
    """Return C(q, v) as a rolled program."""
    n = mechanism.nv
    links = rolled_links(mechanism)
    tree = RolledTree(mechanism, links, ("q", "v"), ("coriolis_matrix", (n, n)), LoadInputs())
    paths, builder = VelocityPaths.of(links), tree.builder
    starts = lay_out(tree, paths, WIDTHS)
    C = ColumnChunks.new(builder, n)
    lay_out_own(tree, paths, {"own_C": C})
    moving_bodies(tree)
    composite_bodies(tree)
    tree.outward([_TURNING])
    append_own_blocks(tree, paths, {"own_C": C})
    append_products(builder, paths, starts, {"right_C": C}, {"up_C": C})
    shown = np.full((n, n), -1)
    for i, path in enumerate(paths.to_itself()):
        shown[i, path], shown[path, i] = C.index(i, path), C.index(path, i)
    result = np.empty_like(shown)
    result[np.ix_(paths.listed, paths.listed)] = shown
    return tree.shown("coriolis_matrix", with_zeros(builder, result))


def length(mechanism: Mechanism) -> float:
    """Return about how many operations it takes, by which large trees are rolled."""
    _, parents = mechanism.velocity_tree
    carried: list[int] = []
    for parent in parents:
        carried.append(1 + (carried[parent] if parent >= 0 else 0))
    return 400.0 * mechanism.n_bodies + 30.0 * sum(carried)


def _turning(
    link: Link, frame: Frame, screws: Array, body: MovingBody, velocity: Array, left: Array,
    q: Array, v: Array,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Return [dS/dt; angular half of S], Θ dS/dt + B S, and the joint's own block."""
    changes = base_motions(frame, link.joint.motion_subspace_rate(q, v))
    rates = [cross_motion(velocity, S) + x for S, x in zip(screws, changes, strict=True)]
    right = np.stack([np.concatenate([x, S[3:]]) for x, S in zip(rates, screws, strict=True)])
    up = np.stack([with_rate(body, x, S) for x, S in zip(rates, screws, strict=True)])
    return right, up, left @ right.T


_TURNING = step(_turning, "link frame screws body velocity left q v", "right_C up_C own_C")
