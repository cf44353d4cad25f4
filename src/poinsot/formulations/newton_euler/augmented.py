"""Newton's and Euler's equations augmented by the joint constraints, solved numerically.

The motion of every body relative to its parent is in the motion subspace of its joint, D V = S v,
with the blocks 1 and -X in D.  Differentiated, this is D A = S a + zeta.  With the wrenches F of
the joints as multipliers, and the armature B and forces tau of the actuators,

    [M̄   0   -Dᵀ] [A]   [q̄e - q̄c      ]     every body: external and joint forces
    [0   B    Sᵀ] [a] = [tau - passive]     every actuator: accelerates itself, drives the joint
    [D  -S    0 ] [F]   [zeta         ]     every joint: relative motion of two bodies

Differs from [Schiehlen1997]: the accelerations a of the joints are unknowns beside those of the
bodies.  Without them the constraints would be G A = γ, G = Nᵀ D with the directions N orthogonal to
S, which change in number where the motions of a joint become dependent, as in gimbal lock.

The system is sparse, and regular where the mass matrix of the mechanism is: M̄ and B may be
singular, as bodies without mass make M̄.

Loops and constraints add rows G A + H a + gamma = 0 (``closures``), with multipliers lam that exert
Gᵀ lam on the bodies and Hᵀ lam on the actuators.  Dependent rows are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.formulations.newton_euler.bodies import (
    FreeBody,
    body_mass_matrix,
    free_bodies,
    motion_matrix_to_child,
    needed_forces,
)
from poinsot.formulations.newton_euler.closures import body_rows, independent_body_rows
from poinsot.formulations.passive_forces import passive_force
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    Sparse = csr_array[Any, tuple[int, int]]


def forward_dynamics(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment
) -> Array:
    """Return the accelerations under the joint forces ``tau``, shape (nv,); numbers only.

    Raises:
        TypeError: An argument holds expressions.
        ModelError: The system is singular.
    """
    return solved_motion(mechanism, q, v, tau, environment).a


@dataclass(frozen=True, eq=False)
class FreeBodyMotion:
    """The accelerations of all bodies, and the constraint forces.

    Attributes:
        A: Accelerations of the mass centres in body axes, by bodies as listed, shape (6n,).
        a: Accelerations of the joints, shape (nv,).
        F: Wrenches of parent on body, at the mass centres in body axes, shape (6n,).
        lam: Multipliers of loops and constraints, 0 for dependent rows, shape (m,).
    """

    A: Array
    a: Array
    F: Array
    lam: Array


def solved_motion(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment
) -> FreeBodyMotion:
    """Return the motion under the joint forces ``tau``; numbers only."""
    _check_numbers(q, v, tau, environment)
    from scipy import sparse

    bodies = free_bodies(mechanism, q, v, environment)
    D, S = relative_motion(mechanism, bodies), _block_diagonal(body.S for body in bodies)
    M_bar = _block_diagonal(body_mass_matrix(body) for body in mechanism.bodies)
    B = _block_diagonal(body.joint.armature_matrix() for body in mechanism.bodies)
    rows = body_rows(mechanism, bodies, q, v, environment)
    kept = independent_body_rows(mechanism, bodies, rows)
    G, H = sparse.csr_array(rows.G[kept]), sparse.csr_array(rows.H[kept])
    K = sparse.block_array(
        [[M_bar, None, -D.T, -G.T], [None, B, S.T, -H.T], [D, -S, None, None], [G, H, None, None]],
        format="csc",
    )

    still = [np.zeros(6)] * len(bodies)
    applied = -np.concatenate(needed_forces(mechanism, bodies, still, environment))  # q̄e - q̄c
    drives = tau - passive_force(mechanism, q, v, environment)
    zeta = np.concatenate([body.zeta for body in bodies])
    solution = _solved(K, np.concatenate([applied, drives, zeta, -rows.gamma[kept]]), mechanism)
    n, nv = zeta.size, mechanism.nv
    A, a, F, multipliers = np.split(solution, [n, n + nv, 2 * n + nv])
    lam = np.zeros(len(rows.gamma))
    lam[kept] = multipliers
    return FreeBodyMotion(A, a, F, lam)


def relative_motion(mechanism: Mechanism, bodies: list[FreeBody]) -> Sparse:
    """Return D, shape (6n, 6n): (D V)_i = V_i - X V_p, the motion relative to the parent p."""
    from scipy import sparse

    blocks = {(i, i): np.eye(6) for i in range(len(bodies))}
    for i, p in enumerate(mechanism.parents):
        if p >= 0:
            blocks[i, p] = -motion_matrix_to_child(bodies[i].X)
    rows, columns = np.indices((6, 6))
    indices = (
        np.concatenate([(6 * i + rows).ravel() for i, _ in blocks]),
        np.concatenate([(6 * j + columns).ravel() for _, j in blocks]),
    )
    values = np.concatenate([block.ravel() for block in blocks.values()])
    return sparse.csr_array((values, indices), shape=(6 * len(bodies), 6 * len(bodies)))


def _solved(K: Any, right_side: Array, mechanism: Mechanism) -> Array:  # noqa: ANN401 - sparse
    from scipy.sparse.linalg import splu

    try:
        factor = splu(K)
    except RuntimeError as error:
        raise ModelError(
            f"mechanism {mechanism.name!r}: the equations of its bodies are singular ({error}), so "
            "accelerations are not determined; give bodies without mass some, or their joints an "
            "armature"
        ) from error
    x: Array = factor.solve(right_side)
    return x


def _block_diagonal(blocks: Iterable[Array]) -> Sparse:
    from scipy import sparse

    return sparse.csr_array(sparse.block_diag([sparse.coo_array(block) for block in blocks]))


def _check_numbers(q: Array, v: Array, tau: Array, environment: Environment) -> None:
    forces = () if environment.joint_forces is None else (environment.joint_forces,)
    given = (
        q,
        v,
        tau,
        environment.gravity,
        environment.velocity,
        environment.acceleration,
        *forces,
    )
    if any(np.asarray(x).dtype == object for x in (*given, *environment.wrenches.values())):
        raise TypeError(
            "newton_euler.forward_dynamics solves a sparse system numerically, so it takes numbers "
            "only; to trace forward dynamics, take another formulation, e.g. screw_matrix"
        )
