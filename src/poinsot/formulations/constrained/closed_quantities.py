"""What can be asked of a mechanism with loops and constraints; trees are those without any.

``Tree`` says where the mass matrix and the bias of the tree come from, so that every formulation of
trees closes loops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.expr.least_squares import Basis, least_norm, orthonormal, significant
from poinsot.expr.rank_tolerances import DEPENDENT, WELL_CONDITIONED
from poinsot.expr.sparse_arithmetic import dot, minus
from poinsot.formulations.constrained.constraint_rows import all_rows
from poinsot.formulations.constrained.dynamics import Held, Solution, held, untrusted
from poinsot.model import Environment, Mechanism, Rows
from poinsot.spatial import Array, Scalar


@dataclass(frozen=True)
class Tree:
    """The dynamics of the tree.

    Attributes:
        mass_matrix: (mechanism, q) -> M, shape (nv, nv).
        bias: (mechanism, q, v, surroundings) -> forces, shape (nv,).
        weight: How much of Jᵀ J makes the mass matrix regular; 0 where it is.
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

    Multipliers that are not determined are of least norm.
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
    """Return the shortest lam for which Jᵀ lam is nearest to M a + bias - tau, shape (m,)."""
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
    """Return the shortest forces of the actuated velocities that produce ``a``, shape (nv,).

        M a + bias = tau + Jᵀ lam

    Seen along motions that the constraints allow, lam drops out.  Where the drives cannot produce
    ``a``, what they give comes nearest.

    Args:
        mechanism: The bodies, loops and constraints.
        actuated: Numbers of the velocities that are driven; the forces of all others are 0.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        a: Acceleration dv/dt, shape (nv,).
        environment: Gravity, motion of the base, wrenches and time.
        tree: The dynamics of the tree.
    """
    needed = tree.mass_matrix(mechanism, q) @ a + tree.bias(mechanism, q, v, environment)
    rows = all_rows(mechanism, q, np.zeros(mechanism.nv), environment.t)
    basis = orthonormal(rows.J.tolist(), blocks=mechanism.row_slices)
    wanted = _allowed(basis, needed.tolist())
    if len(actuated) == mechanism.nv:
        return np.array(wanted)
    tau = np.zeros(mechanism.nv, dtype=object)
    tau[list(actuated)] = least_norm(drives_along(basis, mechanism.nv, actuated), wanted).x
    return np.array(tau.tolist())


def drives_along(basis: Basis, nv: int, actuated: Sequence[int]) -> Basis:
    """Return what unit forces of some velocities do along motions that constraints allow.

    Args:
        basis: Of the rows of the constraints.
        nv: Number of velocities.
        actuated: Numbers of those that are driven.
    """
    columns = [_allowed(basis, np.eye(nv)[k].tolist()) for k in actuated]
    counted = significant(np.array(columns).reshape(len(columns), nv), DEPENDENT)
    return orthonormal(counted.tolist(), blocks=[slice(0, len(columns))])


def _allowed(basis: Basis, force: list[Scalar]) -> list[Scalar]:
    for direction in basis.q:
        force = minus(force, dot(direction, force), direction)
    return force


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

    Accelerations that are given are constraints, and the forces there are their multipliers.

    Args:
        mechanism: The bodies, loops and constraints.
        given: Numbers of the velocities whose acceleration is given.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        a: Accelerations; those that are not given are not looked at, shape (nv,).
        tau: Forces; those where accelerations are given are not looked at, shape (nv,).
        environment: Gravity, motion of the base, wrenches and time.
        tree: The dynamics of the tree.
    """
    rows = all_rows(mechanism, q, v, environment.t)
    numbers = list(given)
    J = np.concatenate([rows.J, np.eye(mechanism.nv)[numbers]])
    demand = np.concatenate([-rows.gamma, a[numbers]])
    known = np.array(tau, dtype=object)
    known[numbers] = 0.0
    force = np.array(known.tolist()) - tree.bias(mechanism, q, v, environment)
    m = len(rows.phi)
    blocks = [*mechanism.row_slices, slice(m, m + len(numbers))]
    M = tree.mass_matrix(mechanism, q)
    off = untrusted(rows.phi, rows.J)
    solution = held(mechanism, M, J, tree.weight, blocks, off).solution(force, demand)
    known[numbers] = solution.multipliers().x[m:]
    return np.stack([solution.a, np.array(known.tolist())])


def projected_state(
    mechanism: Mechanism, q: Array, v: Array, environment: Environment, *, tree: Tree
) -> Array:
    """Return [q, v] one Newton step nearer to the constraints, and how clear its rows are.

    Both changes are the shortest in the metric of M, with the rows at q; what rounding costs them,
    the next step mends.  Quaternions are to be normalised.  The last number is the least that a row
    adds to those before it, as a part of the longest row in that metric: it goes to 0 where the
    freedom jumps.  Shape (nq + nv + 1,).
    """
    rows = all_rows(mechanism, q, v, environment.t)
    on = _held(mechanism, q, rows, tree, WELL_CONDITIONED)
    step = on.shortest(-rows.phi)
    change = on.shortest(-(rows.J @ v + rows.drift))
    return np.concatenate([_moved(mechanism, q, step), v + change, [on.products.clearance()]])


def _moved(mechanism: Mechanism, q: Array, step: Array) -> Array:
    """Return q + N step."""
    slices = zip(mechanism.bodies, mechanism.q_slices, mechanism.v_slices, strict=True)
    return np.concatenate(
        [q[at] + body.joint.position_rate(q[at], step[own]) for body, at, own in slices]
    )


def _held(
    mechanism: Mechanism, q: Array, rows: Rows, tree: Tree, clear: float | None = None
) -> Held:
    M, off = tree.mass_matrix(mechanism, q), untrusted(rows.phi, rows.J)
    return held(mechanism, M, rows.J, tree.weight, mechanism.row_slices, off, clear)


def _forward(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment, tree: Tree
) -> Solution:
    rows = all_rows(mechanism, q, v, environment.t)
    force = tau - tree.bias(mechanism, q, v, environment)
    return _held(mechanism, q, rows, tree).solution(force, -rows.gamma)
