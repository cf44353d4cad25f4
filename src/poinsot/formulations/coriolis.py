"""A Coriolis matrix with dM/dt - 2 C skew, for every joint, by composite bodies.

Mass points at r have J_j = [1, -r^] S_j under the screws S_j, and Σ m J_iᵀ dJ_j/dt is

    C_ij = S_i·(Θ dS_j/dt + B S_j),      B V = rate of momentum beyond Θ dV/dt,   B + Bᵀ = dΘ/dt

with Θ and B (``recursive.derivative_sweep``) summed over the links that both velocities carry.  C v
are the Coriolis and centrifugal forces; where v are rates of coordinates C is that of the
Christoffel symbols [Zaremba1990, (2.14)].  It needs no derivative of M, and holds for quaternions.
"""

from __future__ import annotations

import numpy as np

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
from poinsot.formulations.recursive.links import Link, regrouped_links
from poinsot.formulations.sweep import step
from poinsot.model import Mechanism
from poinsot.spatial import Array, cross_motion

__all__ = ["coriolis_matrix", "length"]


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


def length(mechanism: Mechanism) -> float:
    """Return about how many operations it takes, by which large trees run on floats."""
    carriers: list[int] = []
    pairs = 0
    for parent, body in zip(mechanism.parents, mechanism.bodies, strict=True):
        carried = (carriers[parent] if parent >= 0 else 0) + body.joint.nv
        carriers.append(carried)
        pairs += carried * body.joint.nv
    return 400.0 * mechanism.n_bodies + 30.0 * pairs


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
