"""Regularisation of the mass matrix of a closed system, where massless links leave it singular."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.singularity import constraint_weight, singular_velocity
from poinsot.model import Environment, Mechanism, PrescribedMotion
from poinsot.spatial import Array


@lru_cache(maxsize=64)
def weight_of_rows(mechanism: Mechanism) -> float:
    """Return how much of Jᵀ J makes the mass matrix regular everywhere; 0 where it is.

    That is ``singular_weight``, or where a joint with a prescribed motion carries a link without
    inertia along it, such as the massless pivot of a pendulum that is moved: then the matrix may be
    singular in some configurations, which those looked at need not show.  With free parameters
    it is unknown, and 1 works for any matrix.
    """
    from poinsot.formulations.recursive.resistance import joints_without_inertia

    weight = singular_weight(mechanism)
    if weight or mechanism.free_parameters:
        return weight
    driven = {x.joint for x in mechanism.constraints if isinstance(x, PrescribedMotion)}
    if not driven or driven.isdisjoint(joints_without_inertia(mechanism)):
        return 0.0
    M, square = _matrices(mechanism, mechanism.random(np.random.default_rng(0)))
    return constraint_weight(M, square)


@lru_cache(maxsize=64)
@np.errstate(over="ignore", invalid="ignore")  # values that are not finite are rejected
def singular_weight(mechanism: Mechanism) -> float:
    """Return how much of Jᵀ J makes a mass matrix regular that is singular everywhere; 0 else.

    Judged at two random configurations.  With free parameters it is unknown, and 1 works for any
    matrix.
    """
    if mechanism.free_parameters:
        return 1.0
    rng = np.random.default_rng(0)
    weight = 0.0
    for _ in range(2):
        M, square = _matrices(mechanism, mechanism.random(rng))
        if singular_velocity(M) is None:
            continue
        weight = constraint_weight(M, square)
        k = singular_velocity(_finite(mechanism, M + weight * square))
        if k is not None:
            joint = mechanism.joint_of_velocity(k)
            raise ModelError(
                f"mechanism {mechanism.name!r}: the mass matrix is singular: joint {joint!r} can "
                "move without moving any mass, and no loop or constraint holds it; give its body "
                "some mass, or the joint an armature"
            )
    return weight


@np.errstate(over="ignore", invalid="ignore")  # values that are not finite are rejected
def _matrices(mechanism: Mechanism, q: Array) -> tuple[Array, Array]:
    """Return the mass matrix and Jᵀ J at a configuration, both (nv, nv)."""
    from poinsot.formulations.constrained.constraint_rows import constraint_jacobian
    from poinsot.formulations.recursive.composite import mass_matrix_along_paths

    M = _finite(mechanism, np.array(mass_matrix_along_paths(mechanism, q).tolist(), float))
    J = constraint_jacobian(mechanism, q, Environment.of(mechanism))
    return M, np.array((J.T @ J).tolist(), float).reshape(M.shape)


def _finite(mechanism: Mechanism, M: Array) -> Array:
    if not np.isfinite(M).all():
        raise ModelError(
            f"mechanism {mechanism.name!r}: the mass matrix is not finite; masses or lengths are "
            "too large for doubles"
        )
    return M
