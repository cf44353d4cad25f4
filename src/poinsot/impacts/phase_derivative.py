"""How one phase of an impact changes with what was before, what pushes and sticks staying."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.rank import null_space
from poinsot.expr.rank_tolerances import RANK
from poinsot.impacts.collision_law import CollisionLaw
from poinsot.impacts.impact_phase import ImpactPhase
from poinsot.impacts.phase_edges import WHERE
from poinsot.impacts.process_derivative import ProcessChanges, process_changes
from poinsot.impacts.sequential_impact import pushed_by
from poinsot.spatial import Array

__all__ = ["PhaseChanges", "followed_changes", "impulse_changes"]

MOVES: Final = 1e-9
"""Part of a velocity that an impulse can make, below which it moves nothing."""


@final
@dataclass(frozen=True, eq=False)
class PhaseChanges:
    """What a phase is given by the x that are varied, k of them; s points, n velocities.

    Attributes:
        before: Velocities of the points before it, shape (s, 3, k).
        turned: Those after it at equal impulses, less the ones before, shape (s, 3, k).
        given: Normal impulses that act in any case, shape (s, k).
        restitution: e, shape (s, k).
        friction: μ, shape (s, k).
        reversed_slip: Tangential restitution, shape (s, k).
    """

    before: Array
    turned: Array
    given: Array
    restitution: Array
    friction: Array
    reversed_slip: Array


def impulse_changes(law: CollisionLaw, phase: ImpactPhase, by: PhaseChanges) -> Array:
    """Return how the impulses of a phase change, shape (s, 3, k).

    The equations of ``impact_phase.py``, differentiated: of slip, with its direction d = σ/|σ|,

        dP_t + μ d dP_n + P_n d dμ + (μ P_n / |σ|) (1 - d dᵀ) dσ = 0

    Raises:
        ModelError: If impulses are not unique.
    """
    s, k = len(phase.P), by.given.shape[1]
    rows = law.D.reshape(3 * s, -1)
    K = rows @ pushed_by(law.M, law.J, rows)  # of velocities by impulses
    scale = max(float(np.diagonal(K).max(initial=0.0)), 1e-300)
    ends = (by.before + by.turned).reshape(3 * s, k)  # at equal impulses
    starts, units = by.before.reshape(3 * s, k), np.eye(3 * s)
    left, right = np.zeros((3 * s, 3 * s)), np.zeros((3 * s, k))
    for point in range(s):
        n, across = 3 * point, slice(3 * point + 1, 3 * point + 3)
        if phase.pushes[point]:
            b, speed = phase.bounces[point], phase.before[point, 0]
            left[n] = K[n]
            right[n] = -ends[n] - b * starts[n]
            if b or speed < 0.0:
                right[n] -= speed * by.restitution[point]
        else:
            left[n] = scale * units[n]
            right[n] = scale * by.given[point]
        e_t, mu = law.reversed_slip[point], law.friction[point]
        slipping = ends[across] + e_t * starts[across]
        slipping += np.outer(phase.before[point, 1:], by.reversed_slip[point])
        if phase.sticks[point]:
            left[across], right[across] = K[across], -slipping
            continue
        left[across] = units[across]
        force, slip = phase.P[point, 0], phase.after[point, 1:] + e_t * phase.before[point, 1:]
        if mu and force > 0.0:
            size = float(np.hypot(*slip))
            d = slip / size
            turn = mu * force / size * (np.eye(2) - np.outer(d, d))
            left[across] += mu * np.outer(d, units[n]) + turn @ K[across]
            right[across] = -np.outer(d, force * by.friction[point]) - turn @ slipping
        left[across] *= scale
        right[across] *= scale
    _check_unique(law, left)
    return np.asarray(np.linalg.lstsq(left, right, rcond=RANK)[0].reshape(s, 3, k))


def followed_changes(
    law: CollisionLaw, phase: ImpactPhase, by: PhaseChanges, matrix: Array
) -> Array:
    """Return the same of a point that is followed along its impulse, shape (s, 3, k).

    Args:
        law: The law.
        phase: The phase.
        by: What changes.
        matrix: Changes of the impulse matrix of the point, shape (3, 3, k).
    """
    changes, point = np.zeros(by.before.shape), phase.point
    assert point is not None
    K = law.D[point] @ pushed_by(law.M, law.J, law.D[point])
    own = ProcessChanges(matrix, by.before[point], by.restitution[point], by.friction[point])
    numbers = float(law.e[point]), float(law.friction[point]), law.laws[point]
    try:
        changes[point] = process_changes(K, phase.before[point], *numbers, own)
    except ModelError as error:
        raise ModelError(
            f"{WHERE}: point {law.names[point]!r}: {error}; there are one-sided derivatives only: "
            "change the state or its friction a little"
        ) from None
    return changes


def _check_unique(law: CollisionLaw, left: Array) -> None:
    """Reject points whose impulses may change without a change of the law's equations.

    Impulses along which a point moves nothing, as those across a plane motion, do not count.
    """
    free = null_space(left).reshape(*law.D.shape[:2], -1)
    moved = np.linalg.norm(np.einsum("sin,sik->snk", law.D, free), axis=1)
    size = np.linalg.norm(law.D, axis=(1, 2))
    wrong = (moved > MOVES * size[:, None]).any(axis=1)
    if wrong.any():
        listed = ", ".join(repr(law.names[k]) for k in np.flatnonzero(wrong))
        raise ModelError(
            f"{WHERE}: impulses of {listed} are not unique, and a change of the state may "
            "contradict them; leave points out until the rank is that of the points"
        )
