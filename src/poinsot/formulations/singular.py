"""Joints without inertia: mass matrices that are singular in every configuration.

A joint with the motion subspace S has the inertia Sᵀ I_a S + armature, with the articulated inertia
I_a [RBDA, section 7.2], evaluated on floats at one random configuration, and at another one where
rounding would decide.  I_a is at least the body's own inertia, which suffices for almost every
body; only the subtrees of the other bodies are traversed.

This tests the structure of the tree without forming the mass matrix, at a cost proportional to the
number of bodies.  ``expr.singularity`` tests a given matrix with the same tolerance, here relative
to the inertia that the joint has with all joints beyond it locked.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from poinsot.expr.rank_tolerances import SINGULAR_MASS
from poinsot.model import Body, Mechanism
from poinsot.model.model_warnings import listed, warn
from poinsot.spatial import Array

__all__ = ["free_bodies", "warn_if_singular", "why_singular"]

_DRAWS = 8
"""Random configurations to try before the result counts as undecided."""

_SMALLEST = 1e-20
"""Squared radius of gyration [m²] below which it is numerically zero: atoms are 1e-10 m."""

_DEFINITE = 1e-9
"""Minors of an inertia are positive above this fraction of the product of the diagonal."""


@lru_cache(maxsize=64)
def free_bodies(mechanism: Mechanism) -> tuple[int, ...]:
    """Return the listed indices of bodies whose joints move no inertia.

    Empty: the mass matrix is regular except at special configurations; or there are loops and
    constraints, which may constrain such joints; or it depends on free parameters; or the inertias
    overflow.
    """
    if mechanism.closures or mechanism.free_parameters:
        return ()
    moving = [i for i, body in enumerate(mechanism.bodies) if body.joint.nv]
    doubtful = [i for i in moving if not _is_full(mechanism.bodies[i])]
    if not doubtful:
        return ()
    rng = np.random.default_rng(0)
    q = mechanism.random(rng)
    with np.errstate(all="ignore"):
        doubtful = [i for i in doubtful if not _is_enough(mechanism, i, q)]
        unresisted: tuple[int, ...] = ()
        for _ in range(_DRAWS if doubtful else 0):
            unresisted, is_sure = _unresisted(mechanism, set(doubtful), q)
            if is_sure:
                break
            q = mechanism.random(rng)
    return unresisted


def warn_if_singular(mechanism: Mechanism) -> None:
    """Warn of joints that have no acceleration, on the line that called the caller."""
    free = free_bodies(mechanism)
    if free:
        warn(why_singular(mechanism, free), 3)


def why_singular(mechanism: Mechanism, bodies: tuple[int, ...]) -> str:
    """Return the message that the joints of these bodies have no acceleration."""
    if not bodies:
        return (
            f"mechanism {mechanism.name!r}: the mass matrix is singular, so accelerations are not "
            "determined; give bodies without mass or inertia some, or their joints an armature"
        )
    joints = listed([mechanism.joint_names[i] for i in bodies])
    names = listed([mechanism.body_names[i] for i in bodies])
    single = len(bodies) == 1
    return (
        f"mechanism {mechanism.name!r}: joint{'' if single else 's'} {joints} "
        f"move{'s' if single else ''} no mass or inertia, so the mass matrix is singular and "
        f"accelerations are not determined; give bod{'y' if single else 'ies'} {names} some, or "
        f"the joint{'' if single else 's'} an armature"
    )


def _is_full(body: Body) -> bool:
    """Return whether the spatial inertia of a body is positive definite."""
    xx, yy, zz, xy, xz, yz = body.inertia
    if not (body.mass > 0.0 and xx > 0.0 and yy > 0.0 and zz > 0.0):
        return False
    minor = xx * yy - xy * xy
    determinant = zz * minor + xy * xz * yz * 2.0 - xx * yz * yz - yy * xz * xz
    return bool(minor > _DEFINITE * xx * yy and determinant > _DEFINITE * xx * yy * zz)


def _is_enough(mechanism: Mechanism, i: int, q: Array) -> bool:
    """Return whether the inertia of a body makes that of its joint positive definite."""
    body = mechanism.bodies[i]
    I = body.spatial_inertia().matrix()
    D = _felt(body, I, q[mechanism.q_slices[i]])[1]
    return bool((np.abs(_moments(D, D, I)[0]) > SINGULAR_MASS).all())


def _unresisted(mechanism: Mechanism, doubtful: set[int], q: Array) -> tuple[tuple[int, ...], bool]:
    """Return the doubtful bodies whose articulated inertia is singular, and whether that is sure.

    It is not where a joint beyond one of them is nearly singular in this configuration, so that its
    remaining inertia is within rounding error.  Bodies that carry an undecided one are left out.
    """
    carried: set[int] = set()
    for i in mechanism.order:
        if i in doubtful or mechanism.parents[i] in carried:
            carried.add(i)
    # Of each body with all it carries: the articulated inertia, and that with all joints locked.
    inertias = {i: np.zeros((2, 6, 6)) for i in carried}
    least = dict.fromkeys(carried, 1.0)  # the smallest moment that a joint beyond was freed with
    unresisted, unsure = [], set()
    for i in reversed(mechanism.order):
        if i not in carried:
            continue
        body = mechanism.bodies[i]
        inertias[i] += body.spatial_inertia().matrix()
        freed, locked = inertias.pop(i)
        if not np.isfinite([freed, locked]).all():
            break
        if body.joint.nv:
            U, D = _felt(body, freed, q[mechanism.q_slices[i]])
            D_locked = _felt(body, locked, q[mechanism.q_slices[i]])[1]
            moments, axes = _moments(D, D_locked, locked)
            kept = np.abs(moments) > (SINGULAR_MASS if i in doubtful else 0.0)
            if not kept.all() and i not in unsure:
                unresisted.append(i)
            if i in doubtful and (np.abs(moments[kept]) * least[i] <= SINGULAR_MASS).any():
                unsure.add(i)
            freed = freed - U @ (axes[:, kept] / moments[kept]) @ (U @ axes[:, kept]).T
            least[i] = min(least[i], np.abs(moments[kept]).min(initial=1.0))
        if mechanism.parents[i] in carried:
            X_PB = body.pose.transform() @ body.joint.transform(q[mechanism.q_slices[i]])
            F = X_PB.force_matrix()
            inertias[mechanism.parents[i]] += F @ np.stack([freed, locked]) @ F.T
            least[mechanism.parents[i]] = min(least[mechanism.parents[i]], least[i])
            if i in unsure:
                unsure.add(mechanism.parents[i])
    return tuple(sorted(unresisted)), not unsure


def _felt(body: Body, I: Array, q: Array) -> tuple[Array, Array]:
    """Return U = I S, and D = Sᵀ U + armature."""
    S = body.joint.motion_subspace(q)
    U = I @ S
    return U, S.T @ U + body.joint.armature_matrix()


def _scale(D_locked: Array, locked: Array) -> Array:
    """Return factors that make the diagonal of D_locked ones; 0 for entries numerically zero."""
    size = D_locked.diagonal()
    nothing = _SMALLEST * max(float(np.max(locked.diagonal())), 0.0)
    scale: Array = np.where(size > nothing, 1.0 / np.sqrt(np.maximum(size, 1e-300)), 0.0)
    return scale


def _moments(D: Array, D_locked: Array, locked: Array) -> tuple[Array, Array]:
    """Return the scaled eigenvalues of D, and the eigenvectors as columns."""
    scale = _scale(D_locked, locked)
    moments, axes = np.linalg.eigh(scale[:, None] * D * scale)
    return moments, scale[:, None] * axes
