"""Regularisation of the mass matrix of a closed system, where massless links leave it singular."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.singularity import constraint_weight, singular_velocity
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array


@lru_cache(maxsize=64)
@np.errstate(over="ignore", invalid="ignore")  # values that are not finite are rejected
def weight_of_rows(mechanism: Mechanism) -> float:
    """Return how much of Jᵀ J makes the mass matrix regular; 0 where it is.

    Judged at two random configurations.  With free parameters it is unknown, and 1 works for any
    matrix.
    """
    from poinsot.formulations.constrained.constraint_rows import constraint_jacobian
    from poinsot.formulations.recursive.composite import mass_matrix_along_paths

    if mechanism.free_parameters:
        return 1.0
    rng = np.random.default_rng(0)
    weight = 0.0
    for _ in range(2):
        q = mechanism.random(rng)
        M = _finite(mechanism, np.array(mass_matrix_along_paths(mechanism, q).tolist(), float))
        if singular_velocity(M) is None:
            continue
        J = constraint_jacobian(mechanism, q, Environment.of(mechanism))
        held = np.array((J.T @ J).tolist(), float).reshape(M.shape)
        weight = constraint_weight(M, held)
        k = singular_velocity(_finite(mechanism, M + weight * held))
        if k is not None:
            joint = mechanism.joint_of_velocity(k)
            raise ModelError(
                f"mechanism {mechanism.name!r}: the mass matrix is singular: joint {joint!r} can "
                "move without moving any mass, and no loop or constraint holds it; give its body "
                "some mass, or the joint an armature"
            )
    return weight


def _finite(mechanism: Mechanism, M: Array) -> Array:
    if not np.isfinite(M).all():
        raise ModelError(
            f"mechanism {mechanism.name!r}: the mass matrix is not finite; masses or lengths are "
            "too large for doubles"
        )
    return M
