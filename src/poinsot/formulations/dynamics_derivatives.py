"""First derivatives of inverse and forward dynamics of trees, all in one program.

    ∂τ/∂q, ∂τ/∂v, M        and        ∂a/∂q = -M⁻¹ ∂τ/∂q,   ∂a/∂v = -M⁻¹ ∂τ/∂v,   ∂a/∂τ = M⁻¹

where ∂τ is at fixed a: forward dynamics is differentiated through inverse dynamics and the factors
of the mass matrix, never through their elimination.  Derivatives by q are along ``integrate``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from poinsot.expr import derivatives_along, jacobian
from poinsot.expr.linalg import ltdl, ltdl_solve
from poinsot.formulations.constrained.closed_quantities import Tree, forward_dynamics
from poinsot.formulations.position_rate import tangent_basis
from poinsot.formulations.recursive.derivative_sweep import (
    accelerated_bodies,
    changed_forces,
    composite_bodies,
    moving_bodies,
)
from poinsot.formulations.recursive.element_derivatives import element_derivatives
from poinsot.formulations.recursive.inverse import bias
from poinsot.formulations.recursive.link_tree import StraightTree
from poinsot.formulations.recursive.links import regrouped_links
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array

__all__ = [
    "closed_forward_dynamics_derivatives",
    "forward_dynamics_derivatives",
    "inverse_dynamics_derivatives",
]


def inverse_dynamics_derivatives(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment | None = None
) -> Array:
    """Return ∂τ/∂q, ∂τ/∂v and ∂τ/∂a = M, shape (3, nv, nv).

    Args:
        mechanism: The bodies.
        q: Configuration, shape (nq,); symbols where elements exert forces.
        v: Velocity, shape (nv,); symbols where elements exert forces.
        a: Acceleration dv/dt, shape (nv,).
        environment: External loads; gravity alone by default.
    """
    tree = StraightTree(mechanism, regrouped_links(mechanism), environment, q=q, v=v, a=a)
    moving_bodies(tree)
    M = _mass_matrix(tree)
    by_q, by_v = _by_state(tree, q, v, environment)
    return np.stack([by_q, by_v, M])


def forward_dynamics_derivatives(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment | None = None
) -> Array:
    """Return ∂a/∂q, ∂a/∂v and ∂a/∂τ = M⁻¹, shape (3, nv, nv).

    Args:
        mechanism: The bodies.
        q: Configuration, shape (nq,); symbols where elements exert forces.
        v: Velocity, shape (nv,); symbols where elements exert forces.
        tau: Joint forces, shape (nv,).
        environment: External loads; gravity alone by default.
    """
    n = mechanism.nv
    tree = StraightTree(mechanism, regrouped_links(mechanism), environment, q=q, v=v)
    moving_bodies(tree)
    M = _mass_matrix(tree)
    order, parent = mechanism.velocity_tree
    factors = ltdl(M[np.ix_(order, order)], parent)

    def solved(right: Array) -> Array:
        solution = np.empty((n, *right.shape[1:]), dtype=object)
        solution[list(order)] = ltdl_solve(*factors, parent, right[list(order)])
        return np.array(solution.tolist())

    a = solved(np.asarray(tau - bias(mechanism, q, v, environment)))
    for k, link in enumerate(tree.links):
        tree.start("a", a[link.v], k)
    by_q, by_v = _by_state(tree, q, v, environment)
    return np.stack([-solved(by_q), -solved(by_v), solved(np.eye(n))])


def closed_forward_dynamics_derivatives(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment, *, tree: Tree
) -> Array:
    """Return ∂a/∂q, ∂a/∂v and ∂a/∂τ under loops and constraints, shape (3, nv, nv); of symbols.

    Args:
        mechanism: The bodies, loops and constraints.
        q: Configuration, symbols, shape (nq,).
        v: Velocity, symbols, shape (nv,).
        tau: Joint forces, symbols, shape (nv,).
        environment: External loads.
        tree: The dynamics of the spanning tree.
    """
    a = forward_dynamics(mechanism, q, v, tau, environment, tree=tree)
    basis = tangent_basis(mechanism, q)
    by_q = jacobian(a, q) if basis is None else derivatives_along(a, q, basis)
    return np.stack([by_q, jacobian(a, v), jacobian(a, tau)])


def _mass_matrix(tree: StraightTree) -> Array:
    """Make bodies composite, and return M, shape (nv, nv)."""
    composite_bodies(tree)
    screws, left = tree.values("screws"), tree.values("left")
    M = np.zeros((tree.mechanism.nv,) * 2, dtype=object)
    for i, link in enumerate(tree.links):
        M[link.v, link.v] = tree.values("own_M")[i]
        for j in _carriers(tree, i):
            block = left[i][:, :6] @ screws[j].T
            M[link.v, tree.links[j].v], M[tree.links[j].v, link.v] = block, block.T
    return np.array(M.tolist()).reshape(M.shape)  # (0, 0) without joints


def _by_state(
    tree: StraightTree, q: Array, v: Array, environment: Environment | None
) -> tuple[Array, Array]:
    """Return the derivatives of the joint forces by q and v at fixed a, from composite bodies."""
    accelerated_bodies(tree)
    changed_forces(tree)
    results = []
    for by in "qv":
        right, up = tree.values(f"right_{by}"), tree.values(f"up_{by}")
        total = np.zeros((tree.mechanism.nv,) * 2, dtype=object)
        for i, link in enumerate(tree.links):
            total[link.v, link.v] = tree.values(f"own_{by}")[i]
            for j in _carriers(tree, i):
                carrier = tree.links[j].v
                total[link.v, carrier] = tree.values("left")[i] @ right[j].T
                total[carrier, link.v] = tree.values("screws")[j] @ up[i].T
        results.append(total)
    by_q, by_v = results
    if environment is not None:
        by_q = by_q - element_derivatives(tree, environment, q, tangent_basis(tree.mechanism, q))
        by_v = by_v - element_derivatives(tree, environment, v, None)
    return by_q, by_v


def _carriers(tree: StraightTree, i: int) -> Iterator[int]:
    """Return the links that carry a link, the nearest first."""
    while (i := tree.links[i].parent) >= 0:
        yield i


def length(mechanism: Mechanism) -> float:
    """Return about how many operations the derivatives of a tree take."""
    return 700.0 * mechanism.nv + 60.0 * mechanism.nv**2
