"""Quantities of mechanisms with loops and constraints.

``Tree`` provides the mass matrix and the bias of the spanning tree, so that constraints can be
added to every formulation of trees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.expr.least_squares import Basis, allowed, least_norm, orthonormal, significant
from poinsot.expr.rank_tolerances import DEPENDENT, WELL_CONDITIONED
from poinsot.formulations.constrained.constraint_rows import all_rows
from poinsot.formulations.constrained.dynamics import Held, Solution, held, row_error
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.model import Environment, Mechanism, Rows
from poinsot.spatial import Array, Scalar


@dataclass(frozen=True)
class Tree:
    """The dynamics of the tree.

    Attributes:
        mass_matrix: (mechanism, q) -> M, shape (nv, nv).
        bias: (mechanism, q, v, environment) -> forces, shape (nv,).
        weight: Weight of Jᵀ J that makes the mass matrix regular; 0 where it is.
    """

    mass_matrix: Callable[[Mechanism, Array], Array]
    bias: Callable[[Mechanism, Array, Array, Environment], Array]
    weight: float = 0.0


def forward_dynamics(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment, *, tree: Tree
) -> Array:
    """Return the acceleration dv/dt under the joint forces ``tau``, shape (nv,)."""
    return _forward(mechanism, q, v, tau, environment, tree).a


def multipliers(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment, *, tree: Tree
) -> Array:
    """Return lam, and 1 where it is determined, else 0, shape (2, m).

    Where constraints are redundant, lam is the solution of least norm.
    """
    solution = _forward(mechanism, q, v, tau, environment, tree).multipliers()
    return np.stack([solution.x, solution.determined])


def motion_multipliers(
    mechanism: Mechanism,
    q: Array,
    v: Array,
    a: Array,
    tau: Array,
    environment: Environment,
    *,
    tree: Tree,
) -> Array:
    """Return lam of least norm for which Jᵀ lam is nearest to M a + bias - tau, shape (m,)."""
    rows = all_rows(mechanism, q, v, environment.t)
    needed = tree.mass_matrix(mechanism, q) @ a + tree.bias(mechanism, q, v, environment) - tau
    basis = orthonormal(rows.J.tolist(), blocks=mechanism.row_slices)
    return least_norm(basis, needed.tolist()).x


def inverse_dynamics(
    mechanism: Mechanism,
    actuated: Sequence[int],
    q: Array,
    v: Array,
    a: Array,
    environment: Environment,
    *,
    tree: Tree,
) -> Array:
    """Return the actuator forces of least norm that produce ``a``, shape (nv,).

        M a + bias = tau + Jᵀ lam

    Projected onto the motions that the constraints allow, lam drops out.  Where the actuators
    cannot produce ``a``, the forces are the least-squares solution.

    Args:
        mechanism: The bodies, loops and constraints.
        actuated: Indices of the actuated velocities; the forces of all others are 0.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        a: Acceleration dv/dt, shape (nv,).
        environment: Gravity, motion of the base, wrenches and time.
        tree: The dynamics of the tree.
    """
    basis, wanted = _driven(mechanism, q, v, a, environment, tree)
    if len(actuated) == mechanism.nv:
        return np.array(wanted)
    tau = np.zeros(mechanism.nv, dtype=object)
    units = np.eye(mechanism.nv)[list(actuated)]
    tau[list(actuated)] = least_norm(projected_actuation(basis, units), wanted).x
    return np.array(tau.tolist())


def actuator_forces(
    mechanism: Mechanism,
    actuated: Sequence[int],
    q: Array,
    v: Array,
    a: Array,
    environment: Environment,
    *,
    tree: Tree,
) -> Array:
    """Return the actuator forces of least norm that produce ``a``, of cut joints too.

    A force along a velocity u = B v of a cut joint has the joint forces Bᵀ.

    Args:
        mechanism: The bodies, loops and constraints.
        actuated: Indices of the actuated velocities; those of the cut joints follow on all others.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        a: Acceleration dv/dt, shape (nv,).
        environment: Gravity, motion of the base, wrenches and time.
        tree: The dynamics of the tree.

    Returns:
        One for each of ``actuated``.
    """
    basis, wanted = _driven(mechanism, q, v, a, environment, tree)
    view, units = MechanismView(mechanism, q, v, environment.t), [np.eye(mechanism.nv)]
    for loop in mechanism.loops:
        motion = view.frame(loop.pair)
        units.append(loop.joint.rate_map(loop.position(motion)) @ motion.J)
    rows = np.concatenate(units)[list(actuated)]
    return np.array(least_norm(projected_actuation(basis, rows), wanted).x)


def _driven(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment, tree: Tree
) -> tuple[Basis, list[Scalar]]:
    """Return a basis of the constraints, and M a + bias on the motions that they allow."""
    needed = tree.mass_matrix(mechanism, q) @ a + tree.bias(mechanism, q, v, environment)
    rows = all_rows(mechanism, q, np.zeros(mechanism.nv), environment.t)
    basis = orthonormal(rows.J.tolist(), blocks=mechanism.row_slices)
    return basis, allowed(basis, needed.tolist())


def projected_actuation(basis: Basis, units: Array) -> Basis:
    """Return unit actuator forces projected onto the motions that constraints allow.

    Args:
        basis: Of the rows of the constraints.
        units: Joint forces of unit actuator forces, shape (number of them, nv).
    """
    columns = [allowed(basis, row) for row in units.tolist()]
    counted = significant(np.array(columns).reshape(units.shape), DEPENDENT)
    return orthonormal(counted.tolist(), blocks=[slice(0, len(columns))])


def mixed_dynamics(
    mechanism: Mechanism,
    given: Sequence[int],
    q: Array,
    v: Array,
    a: Array,
    tau: Array,
    environment: Environment,
    *,
    tree: Tree,
) -> Array:
    """Return all accelerations and all joint forces, some of each being given, shape (2, nv).

    Given accelerations are constraints, and the forces there are their multipliers.

    Args:
        mechanism: The bodies, loops and constraints.
        given: Indices of the velocities whose acceleration is given.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        a: Accelerations; those that are not given are ignored, shape (nv,).
        tau: Forces; those where accelerations are given are ignored, shape (nv,).
        environment: Gravity, motion of the base, wrenches and time.
        tree: The dynamics of the tree.
    """
    rows = all_rows(mechanism, q, v, environment.t)
    numbers = list(given)
    J = np.concatenate([rows.J, np.eye(mechanism.nv)[numbers]])
    demand = np.concatenate([-rows.gamma, a[numbers]])
    forces = np.array(tau, dtype=object)
    forces[numbers] = 0.0
    force = np.array(forces.tolist()) - tree.bias(mechanism, q, v, environment)
    m = len(rows.phi)
    blocks = [*mechanism.row_slices, slice(m, m + len(numbers))]
    M = tree.mass_matrix(mechanism, q)
    off = row_error(rows.phi, rows.J)
    solution = held(mechanism, M, J, tree.weight, blocks, off).solution(force, demand)
    forces[numbers] = solution.multipliers().x[m:]
    return np.stack([solution.a, np.array(forces.tolist())])


def projected_state(
    mechanism: Mechanism, q: Array, v: Array, environment: Environment, *, tree: Tree
) -> Array:
    """Return [q, v] after one Newton step towards the constraints, and the conditioning of J.

    Both changes are of least norm in the metric of M, with the rows at q; the next step corrects
    their rounding error.  Rows of velocities do not restrict the change of q.  Quaternions are not
    normalised.  The last entry is the smallest remainder of a row after orthogonalisation, relative
    to the longest row in that metric: it vanishes at kinematic singularities.  Shape
    (nq + nv + 1,).
    """
    rows = all_rows(mechanism, q, v, environment.t)
    on = _held(mechanism, q, rows, tree, WELL_CONDITIONED)
    at_positions, keep = mechanism.at_positions, mechanism.position_rows
    if at_positions is mechanism:
        step = on.shortest(-rows.phi)
    elif keep:
        held_rows = Rows(rows.phi[keep], rows.J[keep], rows.drift[keep], rows.gamma[keep])
        step = _held(at_positions, q, held_rows, tree, WELL_CONDITIONED).shortest(-held_rows.phi)
    else:
        step = np.zeros(mechanism.nv)
    change = on.shortest(-(rows.J @ v + rows.drift))
    return np.concatenate([_moved(mechanism, q, step), v + change, [on.products.conditioning()]])


def _moved(mechanism: Mechanism, q: Array, step: Array) -> Array:
    """Return q + N step."""
    slices = zip(mechanism.bodies, mechanism.q_slices, mechanism.v_slices, strict=True)
    return np.concatenate(
        [
            q[q_slice] + body.joint.position_rate(q[q_slice], step[v_slice])
            for body, q_slice, v_slice in slices
        ]
    )


def _held(
    mechanism: Mechanism, q: Array, rows: Rows, tree: Tree, clear: float | None = None
) -> Held:
    M, off = tree.mass_matrix(mechanism, q), row_error(rows.phi, rows.J)
    return held(mechanism, M, rows.J, tree.weight, mechanism.row_slices, off, clear)


def _forward(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment, tree: Tree
) -> Solution:
    rows = all_rows(mechanism, q, v, environment.t)
    force = tau - tree.bias(mechanism, q, v, environment)
    return _held(mechanism, q, rows, tree).solution(force, -rows.gamma)
