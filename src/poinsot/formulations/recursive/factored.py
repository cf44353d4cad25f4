"""Forward dynamics through the factored mass matrix: cheaper than articulated bodies when few."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.linalg import ltdl, ltdl_solve
from poinsot.formulations.recursive.inverse import bias
from poinsot.model import Mechanism, Surroundings
from poinsot.spatial import Array


def factored_forward_dynamics(
    mechanism: Mechanism,
    q: Array,
    v: Array,
    tau: Array,
    around: Surroundings | None = None,
    *,
    mass_matrix: Callable[[Mechanism, Array], Array],
) -> Array:
    """Return the acceleration dv/dt under the joint forces ``tau``, shape (nv,).

        a = M(q)⁻¹ (tau - bias(q, v)),      M = Lᵀ D L

    The factor keeps the zeros that branches leave in M [RBDA, section 6.5].
    """
    order, parent = mechanism.velocity_tree
    M = mass_matrix(mechanism, q)[np.ix_(order, order)]
    force = (tau - bias(mechanism, q, v, around))[order]
    try:
        factors = ltdl(M, parent)
    except np.linalg.LinAlgError as error:
        raise ModelError(_why_singular(mechanism)) from error
    solution = ltdl_solve(*factors, parent, force)
    a = np.empty(mechanism.nv, dtype=object)
    a[order] = solution
    return np.array(a.tolist())


def _why_singular(mechanism: Mechanism) -> str:
    """Return which joint has nothing to accelerate."""
    moved: set[int] = set()  # bodies that have or carry mass, or whose drive has
    for i in reversed(mechanism.order):
        body = mechanism.bodies[i]
        if body.mass or any(body.inertia):
            moved.update(mechanism.path(i))
        elif i not in moved and body.joint.nv and not np.any(body.joint.armature):
            joint = mechanism.joint_names[i]
            return (
                f"mechanism {mechanism.name!r}: joint {joint!r} moves no mass, so it has no "
                f"acceleration; give body {body.name!r} a mass, or the joint an armature"
            )
    return (
        f"mechanism {mechanism.name!r}: the mass matrix is singular, so accelerations are not "
        "determined; give bodies without mass or inertia some, or their joints an armature"
    )
