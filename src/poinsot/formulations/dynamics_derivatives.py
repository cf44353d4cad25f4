"""First derivatives of inverse and forward dynamics of trees, all in one program.

    ∂τ/∂q, ∂τ/∂v, M        and        ∂a/∂q = -M⁻¹ ∂τ/∂q,   ∂a/∂v = -M⁻¹ ∂τ/∂v,   ∂a/∂τ = M⁻¹

where ∂τ is at fixed a: forward dynamics is differentiated through inverse dynamics and the factors
of the mass matrix, never through their elimination.  Derivatives by q are along ``integrate``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Final

import numpy as np

from poinsot.expr import derivatives_along, fresh_symbols, jacobian
from poinsot.expr.linalg import ltdl, ltdl_solve
from poinsot.expr.replay import with_values
from poinsot.formulations.constrained.closed_quantities import Tree, forward_dynamics
from poinsot.formulations.position_rate import tangent_basis
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.formulations.recursive.derivative_sweep import (
    accelerated_bodies,
    changed_forces,
    composite_bodies,
    moving_bodies,
)
from poinsot.formulations.recursive.element_derivatives import element_derivatives
from poinsot.formulations.recursive.inverse import bias, inverse_dynamics
from poinsot.formulations.recursive.link_tree import StraightTree
from poinsot.formulations.recursive.links import regrouped_links
from poinsot.formulations.recursive.second_derivatives import second_derivatives
from poinsot.formulations.recursive.subspace_changes import subspace_changes
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array

__all__ = [
    "closed_forward_dynamics_derivatives",
    "differentiated_inverse_dynamics",
    "forward_dynamics_derivatives",
    "graph_cost",
    "inverse_dynamics_derivatives",
    "paired_products",
    "sweep_cost",
]

FEW: Final = 10
"""Velocities up to which the graph is differentiated as well, to see which is shorter."""


def inverse_dynamics_derivatives(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment | None = None
) -> Array:
    """Return ∂τ/∂q, ∂τ/∂v and ∂τ/∂a = M in closed form, shape (3, nv, nv).

    Args:
        mechanism: The bodies.
        q: Configuration, shape (nq,); symbols where elements exert forces.
        v: Velocity, shape (nv,); symbols where elements exert forces.
        a: Acceleration dv/dt, shape (nv,).
        environment: External loads; gravity alone by default.
    """
    tree = StraightTree(mechanism, regrouped_links(mechanism), environment, q=q, v=v, a=a)
    moving_bodies(tree)
    accelerated_bodies(tree)
    composite_bodies(tree)
    changed_forces(tree)
    by_q, by_v = (_by_state(tree, by) for by in "qv")
    if environment is not None:
        by_q = by_q - element_derivatives(tree, environment, q, tangent_basis(mechanism, q))
        by_v = by_v - element_derivatives(tree, environment, v, None)
    return np.stack([by_q, by_v, _mass_matrix(tree)])


def inverse_dynamics_second_derivatives(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment | None = None
) -> Array:
    """Return D of the joint forces by q q, v v, q v and a q in closed form, (4, nv, nv, nv).

    Joints have one velocity each, and no element exerts forces (:func:`has_second_closed_form`).
    For the arguments see :func:`inverse_dynamics_derivatives`.
    """
    links = regrouped_links(mechanism)
    return second_derivatives(StraightTree(mechanism, links, environment, q=q, v=v, a=a))


def twice_differentiated_inverse_dynamics(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment | None = None
) -> Array:
    """Return D of the joint forces by q q, v v, q v and a q, shape (4, nv, nv, nv).

    By differentiation of the closed form of the first derivatives, of symbols.  For the arguments
    see :func:`inverse_dynamics_derivatives`.
    """
    first = inverse_dynamics_derivatives(mechanism, q, v, a, environment)
    basis = tangent_basis(mechanism, q)
    by_q = jacobian(first, q) if basis is None else derivatives_along(first, q, basis)
    # The last derivative of an entry comes first: D_α by q of D_β.
    by_qq, by_qv, by_qa = np.swapaxes(by_q, -1, -2)
    return np.stack([by_qq, jacobian(first[1], v), by_qv, np.swapaxes(by_qa, -1, -2)])


def has_second_closed_form(mechanism: Mechanism) -> bool:
    """Say whether the second derivatives of inverse dynamics have a closed form here."""
    joints = [body.joint for body in mechanism.bodies if body.joint.nv]
    if mechanism.forces or mechanism.closures or any(joint.nv > 1 for joint in joints):
        return False
    states = (np.zeros(joint.nq) for joint in joints)
    still = np.zeros(1)
    return all(
        subspace_changes(joint, q, still, still) is None
        for joint, q in zip(joints, states, strict=True)
    )


def second_sweep_cost(mechanism: Mechanism) -> float:
    """Return a cost for :func:`cheapest`: less than the graph's wherever there is a closed form."""
    return 1.0 if has_second_closed_form(mechanism) else inf


def second_graph_cost(mechanism: Mechanism) -> float:
    """Return a cost for :func:`cheapest`; see :func:`second_sweep_cost`."""
    return inf if has_second_closed_form(mechanism) else 1.0


def differentiated_inverse_dynamics(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment | None = None
) -> Array:
    """Return ∂τ/∂q, ∂τ/∂v and ∂τ/∂a = M by differentiation of the graph, shape (3, nv, nv).

    Shorter where many numbers of the links are zero, in chains of few joints.  Of symbols; for the
    arguments see :func:`inverse_dynamics_derivatives`.
    """
    tau = inverse_dynamics(mechanism, q, v, a, environment)
    basis = tangent_basis(mechanism, q)
    by_q = jacobian(tau, q) if basis is None else derivatives_along(tau, q, basis)
    return np.stack([by_q, jacobian(tau, v), mass_matrix_along_paths(mechanism, q)])


def forward_dynamics_derivatives(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment | None = None,
    *, inverse: Callable[..., Array] = inverse_dynamics_derivatives,
) -> Array:  # fmt: skip
    """Return ∂a/∂q, ∂a/∂v and ∂a/∂τ = M⁻¹, shape (3, nv, nv).

    Args:
        mechanism: The bodies.
        q: Configuration, shape (nq,); symbols where elements exert forces.
        v: Velocity, shape (nv,); symbols where elements exert forces.
        tau: Joint forces, shape (nv,).
        environment: External loads; gravity alone by default.
        inverse: Gives the derivatives of inverse dynamics.
    """
    n = mechanism.nv
    fixed = fresh_symbols("a", n)
    by_q, by_v, M = inverse(mechanism, q, v, fixed, environment)
    factors = _Factors(mechanism, M)
    a = factors.solved(np.asarray(tau - bias(mechanism, q, v, environment), dtype=object))
    by_q, by_v = with_values(np.stack([by_q, by_v]), fixed, a)
    upper = ltdl_solve(factors.L, factors.pivots, factors.parent, np.eye(n).astype(object))
    M_inverse = np.empty((n, n), dtype=object)
    order = factors.order
    M_inverse[np.ix_(order, order)] = np.where(np.tri(n, dtype=bool), upper.T, upper)
    return np.stack([factors.solved(by_q, sign=-1), factors.solved(by_v, sign=-1), M_inverse])


def forward_dynamics_by_inertias(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment, *,
    columns: Callable[..., Array],
) -> Array:  # fmt: skip
    """Return ∂a/∂p = -M⁻¹ ∂tau/∂p for parameters p of inertias, shape (nv, number of them).

    Args:
        mechanism: The bodies, without constraints.
        q: Configuration, shape (nq,).
        v: Velocity, shape (nv,).
        tau: Joint forces, shape (nv,).
        environment: External loads.
        columns: (mechanism, q, v, a, environment) -> ∂tau/∂p of inverse dynamics.
    """
    factors = _Factors(mechanism, mass_matrix_along_paths(mechanism, q))
    a = factors.solved(np.asarray(tau - bias(mechanism, q, v, environment), dtype=object))
    return factors.solved(columns(mechanism, q, v, a, environment), sign=-1)


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


def sweep_cost(mechanism: Mechanism) -> float:
    """Return about how many operations the closed form takes."""
    return 700.0 * mechanism.nv + 60.0 * mechanism.nv**2


def graph_cost(mechanism: Mechanism) -> float:
    """Return a cost at which few joints are worth trying: which is shorter is counted."""
    return 1.4 * sweep_cost(mechanism) if mechanism.nv <= FEW else inf


class _Factors:
    """The factors Lᵀ D L of a mass matrix, joints ordered from the base outwards."""

    def __init__(self, mechanism: Mechanism, M: Array) -> None:
        self.order, self.parent = mechanism.velocity_tree
        self.L, self.pivots = ltdl(M[np.ix_(self.order, self.order)], self.parent)

    def solved(self, right: Array, *, sign: int = 1) -> Array:
        """Return M⁻¹ times forces, shapes (nv, ...), or times their opposite."""
        order = list(self.order)
        solution = np.empty(right.shape, dtype=object)
        solution[order] = ltdl_solve(self.L, sign * self.pivots, self.parent, right[order])
        return solution


def _mass_matrix(tree: StraightTree) -> Array:
    """Return M, shape (nv, nv), from what composite bodies give."""
    screws, left = tree.values("screws"), tree.values("left")
    M = np.zeros((tree.mechanism.nv,) * 2, dtype=object)
    for i, link in enumerate(tree.links):
        M[link.v, link.v] = tree.values("own_M")[i]
        for j in _carriers(tree, i):
            block = left[i][:, :6] @ screws[j].T
            M[link.v, tree.links[j].v], M[tree.links[j].v, link.v] = block, block.T
    return np.array(M.tolist()).reshape(M.shape)  # (0, 0) without joints


def _by_state(tree: StraightTree, by: str) -> Array:
    """Return the derivatives of the joint forces by q or v, loads fixed in the bodies."""
    return paired_products(tree, f"own_{by}", f"right_{by}", f"up_{by}")


def paired_products(tree: StraightTree, own: str, right: str, up: str) -> Array:
    """Return a matrix whose entries are products of two velocities, shape (nv, nv).

    Args:
        tree: The links, with ``left`` and ``screws`` of their velocities.
        own: Name of the blocks of one joint.
        right: Of what ``left`` of each velocity that is carried is multiplied by, (nv of it, 9).
        up: Of what ``screws`` of each velocity that carries are multiplied by, (nv of it, 6).
    """
    total = np.zeros((tree.mechanism.nv,) * 2, dtype=object)
    for i, link in enumerate(tree.links):
        total[link.v, link.v] = tree.values(own)[i]
        for j in _carriers(tree, i):
            carrier = tree.links[j].v
            total[link.v, carrier] = tree.values("left")[i] @ tree.values(right)[j].T
            total[carrier, link.v] = tree.values("screws")[j] @ tree.values(up)[i].T
    return total


def _carriers(tree: StraightTree, i: int) -> Iterator[int]:
    """Return the links that carry a link, the nearest first."""
    while (i := tree.links[i].parent) >= 0:
        yield i
