"""First derivatives of inverse and forward dynamics of trees, all in one program.

    ∂τ/∂q, ∂τ/∂v, M        and        ∂a/∂q = -M⁻¹ ∂τ/∂q,   ∂a/∂v = -M⁻¹ ∂τ/∂v,   ∂a/∂τ = M⁻¹

where ∂τ is at fixed a: forward dynamics is differentiated through inverse dynamics and the factors
of the mass matrix, never through their elimination.  Derivatives by q are along ``integrate``.
"""

from __future__ import annotations

import numpy as np

from poinsot.expr import Op, as_expr, build, derivatives_along, fresh_symbols, jacobian
from poinsot.expr.linalg import ltdl, ltdl_solve
from poinsot.expr.replay import replay
from poinsot.expr.serialization import operands_first
from poinsot.formulations.constrained.closed_quantities import Tree, forward_dynamics
from poinsot.formulations.position_rate import tangent_basis
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.formulations.recursive.inverse import bias, inverse_dynamics
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
    """Return ∂τ/∂q, ∂τ/∂v and ∂τ/∂a = M, shape (3, nv, nv); of symbols.

    Args:
        mechanism: The bodies.
        q: Configuration, symbols, shape (nq,).
        v: Velocity, symbols, shape (nv,).
        a: Acceleration dv/dt, shape (nv,).
        environment: External loads; gravity alone by default.
    """
    tau = inverse_dynamics(mechanism, q, v, a, environment)
    basis = tangent_basis(mechanism, q)
    by_q = jacobian(tau, q) if basis is None else derivatives_along(tau, q, basis)
    return np.stack([by_q, jacobian(tau, v), mass_matrix_along_paths(mechanism, q)])


def forward_dynamics_derivatives(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment | None = None
) -> Array:
    """Return ∂a/∂q, ∂a/∂v and ∂a/∂τ = M⁻¹, shape (3, nv, nv); of symbols.

    Args:
        mechanism: The bodies.
        q: Configuration, symbols, shape (nq,).
        v: Velocity, symbols, shape (nv,).
        tau: Joint forces, shape (nv,).
        environment: External loads; gravity alone by default.
    """
    n = mechanism.nv
    fixed = fresh_symbols("a", n)
    by_q, by_v, M = inverse_dynamics_derivatives(mechanism, q, v, fixed, environment)
    order, parent = mechanism.velocity_tree
    factors = ltdl(M[np.ix_(order, order)], parent)

    def solved(right: Array) -> Array:
        solution = np.empty((n, *right.shape[1:]), dtype=object)
        solution[list(order)] = ltdl_solve(*factors, parent, right[list(order)])
        return solution

    a = solved(np.asarray(tau - bias(mechanism, q, v, environment), dtype=object))
    by_q, by_v = _replaced(np.stack([by_q, by_v]), fixed, a)
    return np.stack([-solved(by_q), -solved(by_v), solved(np.eye(n).astype(object))])


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


def _replaced(values: Array, symbols: Array, by: Array) -> Array:
    """Return expressions with others in place of some symbols, what they share still shared."""
    roots = [as_expr(x) for x in values.ravel()]
    leaves = [node for node in operands_first(roots) if node.op is Op.SYMBOL]
    new = {symbol.serial: value for symbol, value in zip(symbols, by, strict=True)}
    inputs = np.empty(len(leaves), dtype=object)
    inputs[:] = leaves
    given = np.empty(len(leaves), dtype=object)
    given[:] = [new.get(leaf.serial, leaf) for leaf in leaves]
    (result,) = replay(build({"x": inputs}, {"y": values}), given)
    return np.asarray(result)
