"""Forward dynamics by the factored mass matrix: cheaper than articulated bodies for few links."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.linalg import ltdl, ltdl_solve
from poinsot.formulations.recursive.inverse import bias
from poinsot.formulations.singular import free_bodies, why_singular
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array


def factored_forward_dynamics(
    mechanism: Mechanism,
    q: Array,
    v: Array,
    tau: Array,
    environment: Environment | None = None,
    *,
    mass_matrix: Callable[[Mechanism, Array], Array],
) -> Array:
    """Return the acceleration dv/dt under the joint forces ``tau``, shape (nv,).

        a = M(q)⁻¹ (tau - bias(q, v)),      M = Lᵀ D L

    The factor keeps the zeros that branches leave in M [RBDA, section 6.5].
    """
    order, parent = mechanism.velocity_tree
    M = mass_matrix(mechanism, q)[np.ix_(order, order)]
    force = (tau - bias(mechanism, q, v, environment))[order]
    try:
        factors = ltdl(M, parent)
    except np.linalg.LinAlgError as error:
        raise ModelError(why_singular(mechanism, free_bodies(mechanism))) from error
    solution = ltdl_solve(*factors, parent, force)
    a = np.empty(mechanism.nv, dtype=object)
    a[order] = solution
    return np.array(a.tolist())
