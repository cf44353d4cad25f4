"""What makes the mass matrix of a closed system regular, where massless links leave it singular."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import Mechanism, Surroundings
from poinsot.spatial import Array

SMALLEST_EIGENVALUE: Final = 1e-12
"""Of a mass matrix with ones on its diagonal; below it counts as singular."""


@lru_cache(maxsize=64)
@np.errstate(over="ignore", invalid="ignore")  # what is not finite is refused
def weight_of_rows(mechanism: Mechanism) -> float:
    """Return how much of Jᵀ J makes the mass matrix regular; 0 where it is.

    Judged at two random configurations.  With free parameters it is not known, and what works for
    any matrix is taken.
    """
    from poinsot.formulations.constrained.rows import constraint_jacobian
    from poinsot.formulations.recursive.composite import mass_matrix_along_paths

    if mechanism.parameter_inputs:
        return 1.0
    rng = np.random.default_rng(0)
    weight = 0.0
    for _ in range(2):
        q = mechanism.random(rng)
        M = _finite(mechanism, np.array(mass_matrix_along_paths(mechanism, q).tolist(), float))
        if _still(M) is None:
            continue
        J = constraint_jacobian(mechanism, q, Surroundings.of(mechanism))
        held = np.array((J.T @ J).tolist(), float).reshape(M.shape)
        size = np.trace(held)
        weight = float(np.trace(M) / size) if np.trace(M) > 0.0 < size else 1.0
        k = _still(_finite(mechanism, M + weight * held))
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


def _still(M: Array) -> int | None:
    """Return a velocity that needs no force to change, None if there is none."""
    diagonal = np.diag(M)
    if (diagonal <= 0.0).any():
        return int(np.argmin(diagonal))
    scale = 1.0 / np.sqrt(diagonal)
    values, vectors = np.linalg.eigh(scale[:, None] * M * scale)
    if not len(values) or values[0] >= SMALLEST_EIGENVALUE:
        return None
    return int(np.argmax(np.abs(vectors[:, 0])))
