"""How an impact changes with what was before it, what pushes, sticks and slips staying.

In each phase of an impact (``impact_phase.py``) velocities and impulses solve

    r₁ = M Δv - Dᵀ P - Jᵀ R = 0,      r₃ = J Δv = 0,

and the law of the points for D v and D (v + Δv) [Zhang1996, (3.13)].  The residuals are
differentiated at fixed v, Δv, P and R; then by the law (``phase_derivative.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from poinsot.expr.rank_tolerances import RANK
from poinsot.impacts.collision_law import CollisionLaw
from poinsot.impacts.impact_law import Jump, pushed
from poinsot.impacts.impact_phase import impact_phases
from poinsot.impacts.phase_derivative import PhaseChanges, followed_changes, impulse_changes
from poinsot.impacts.phase_edges import check_edges
from poinsot.spatial import Array

__all__ = ["Varied", "impact_changes"]

MatrixChanges: TypeAlias = Callable[[Jump, Array], Mapping[str, Array]]
"""From what a phase did, and velocities before it, to how at fixed v, Δv, P and R there change
"residual", r₁ and r₃, "changes", D Δv, and "rates", D v and what moves by itself, with the
quantities that matrices depend on, by columns."""


class Varied(NamedTuple):
    """What is varied, k quantities; s points, n velocities.

    Attributes:
        v: Changes of the velocities before the impact, shape (n, k).
        restitution: Of e, shape (s, k).
        friction: Of μ, shape (s, k).
        reversed_slip: Of tangential restitution, shape (s, k).
        own: Numbers of those that matrices depend on: configurations, parameters, time.
    """

    v: Array
    restitution: Array
    friction: Array
    reversed_slip: Array
    own: Array


def impact_changes(
    law: CollisionLaw, P: Array, varied: Varied, matrix_changes: MatrixChanges
) -> tuple[Array, Array]:
    """Return how velocities after an impact change, shape (n, k), and impulses, shape (s, 3, k).

    Args:
        law: The systems before it, and the law.
        P: The impulses that it made along normals and tangents, shape (s, 3).
        varied: What is varied.
        matrix_changes: How matrices change.

    Raises:
        ModelError: If there are one-sided derivatives only, or impulses are not unique.
    """
    M, J, (s, _, n) = law.M, law.J, law.D.shape
    v, e, friction, reversed_slip, own = varied
    k, m = v.shape[1], len(J)
    S = np.block([[M, -J.T], [J, np.zeros((m, m))]])
    rows = law.D.reshape(3 * s, n)
    now, impulses, last = law.v, np.zeros((s, 3, k)), np.zeros((s, 3, k))
    compressed = np.zeros(s)
    phases = list(impact_phases(law, P))
    check_edges(law, phases)
    for phase in phases:
        moved = matrix_changes(phase.done, now)
        free = np.zeros((n + m, k))  # Δv and R at equal impulses of the points
        free[:, own] = np.linalg.lstsq(S, -moved["residual"], rcond=RANK)[0]
        before, turned = (rows @ x for x in (v, free[:n]))
        before[:, own] += moved["rates"]
        turned[:, own] += moved["changes"]
        given = np.zeros((s, k))
        if phase.kind == "restitution":
            given = law.e[:, None] * last[:, 0] + compressed[:, None] * e
        returned = e, reversed_slip
        if phase.kind != "velocities":
            returned = np.zeros((s, k)), np.zeros((s, k))
        shape = (s, 3, k)
        by = PhaseChanges(
            before.reshape(shape), turned.reshape(shape), given, returned[0], friction, returned[1]
        )
        if phase.point is None or not phase.is_followed:
            last, compressed = impulse_changes(law, phase, by), phase.P[:, 0]
        else:
            matrix = np.zeros((3, 3, k))
            matrix[:, :, own] = _matrix_changes(law, S, matrix_changes, phase.point)
            last = followed_changes(law, phase, by, matrix)
        pushes = np.vstack([rows.T @ last.reshape(3 * s, k), np.zeros((m, k))])
        v = v + free[:n] + np.linalg.lstsq(S, pushes, rcond=RANK)[0][:n]
        impulses, now = impulses + last, now + phase.done.change
    return v, impulses


def _matrix_changes(law: CollisionLaw, S: Array, changes: MatrixChanges, point: int) -> Array:
    """Return how the impulse matrix (3, 3) of a point changes, by columns of ``own``.

    Args:
        law: The systems before it, and the law.
        S: [[M, -Jᵀ], [J, 0]].
        changes: How matrices change.
        point: Which.
    """
    n = law.M.shape[0]
    rows = law.D.reshape(-1, n)
    own, columns = slice(3 * point, 3 * point + 3), []
    for impulses in np.eye(len(rows))[own]:
        done = pushed(law.M, law.J, rows, impulses)
        moved = changes(done, np.zeros(n))
        free = np.linalg.lstsq(S, -moved["residual"], rcond=RANK)[0][:n]
        columns.append(moved["changes"][own] + rows[own] @ free)
    return np.stack(columns, axis=1)
