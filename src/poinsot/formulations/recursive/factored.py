"""Forward dynamics through the factored mass matrix: cheaper than articulated bodies when few."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poinsot.expr.linalg import ltdl, ltdl_solve
from poinsot.formulations.recursive.inverse import bias
from poinsot.model import Mechanism
from poinsot.spatial import Array


def factored_forward_dynamics(
    mechanism: Mechanism,
    q: Array,
    v: Array,
    tau: Array,
    mass_matrix: Callable[[Mechanism, Array], Array],
) -> Array:
    """Return the acceleration dv/dt under the joint forces ``tau``, shape (nv,).

        a = M(q)⁻¹ (tau - bias(q, v)),      M = Lᵀ D L

    The factor keeps the zeros that branches leave in M [RBDA, section 6.5].
    """
    order, parent = velocity_tree(mechanism)
    M = mass_matrix(mechanism, q)[np.ix_(order, order)]
    force = (tau - bias(mechanism, q, v))[order]
    solution = ltdl_solve(*ltdl(M, parent), parent, force)
    a = np.empty(mechanism.nv, dtype=object)
    a[order] = solution
    return np.array(a.tolist())


def velocity_tree(mechanism: Mechanism) -> tuple[list[int], list[int]]:
    """Return the velocities with parents before children, and each one's parent in that order.

    Velocities of one joint follow each other; the first of a joint hangs on the last of the joint
    before it [RBDA, section 6.4].
    """
    order: list[int] = []
    parent: list[int] = []
    last = {-1: -1}
    for i in mechanism.order:
        before = last[mechanism.parents[i]]
        for k in range(mechanism.v_slices[i].start, mechanism.v_slices[i].stop):
            parent.append(before)
            before = len(order)
            order.append(k)
        last[i] = before
    return order, parent
