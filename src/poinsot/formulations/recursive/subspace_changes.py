"""How the motion subspace of a joint changes with its own coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.expr import derivatives_along, fresh_symbols, jacobian
from poinsot.expr.replay import with_values
from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.model import AbstractJoint
from poinsot.spatial import Array


@dataclass(frozen=True, eq=False)
class SubspaceChanges:
    """Derivatives along ``integrate`` of each coordinate, in the link's axes; (nv, ...) each.

    Attributes:
        S: Of the subspace, shape (nv, 6, nv).
        velocity: Of S v, shape (nv, 6).
        acceleration: Of S a + (dS/dt) v, shape (nv, 6).
        rate: Of (dS/dt) v by the velocities, shape (nv, 6).
    """

    S: Array
    velocity: Array
    acceleration: Array
    rate: Array


def subspace_changes(joint: AbstractJoint, q: Array, v: Array, a: Array) -> SubspaceChanges | None:
    """Return how the motion subspace of a joint changes; None where it does not.

    Args:
        joint: The joint.
        q: Its coordinates; numbers or expressions.
        v: Its velocities.
        a: Its accelerations.
    """
    q_s, v_s, a_s = (fresh_symbols("x", n) for n in (joint.nq, joint.nv, joint.nv))
    S = np.asarray(joint.motion_subspace(q_s))
    basis = jacobian(joint.position_rate(q_s, v_s), v_s)
    S_by_q = derivatives_along(S, q_s, basis)
    if all(map(is_zero, S_by_q.flat)):
        return None
    rate = joint.motion_subspace_rate(q_s, v_s) @ v_s
    columns = [
        S_by_q.reshape(-1, joint.nv),
        derivatives_along(S @ v_s, q_s, basis),
        derivatives_along(S @ a_s + rate, q_s, basis),
        jacobian(rate, v_s),
    ]
    symbols, given = np.concatenate([q_s, v_s, a_s]), np.concatenate([q, v, a])
    values = with_values(np.concatenate(columns), symbols, given).T
    n = 6 * joint.nv
    parts = np.split(values[:, n:], 3, axis=1)
    return SubspaceChanges(values[:, :n].reshape(joint.nv, 6, joint.nv), *parts)
