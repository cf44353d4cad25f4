"""Equations of second order in a few coordinates of a linear model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.rank import null_space
from poinsot.expr.rank_tolerances import RANK
from poinsot.front.system import System
from poinsot.model import suggestion
from poinsot.spatial import Array

__all__ = ["second_order"]

CYCLIC: Final = 1e-9
"""Influence of other coordinates, relative to the largest, up to which there is none."""


def second_order(
    system: System, coordinates: Sequence[str], by: Mapping[tuple[str, str], Array], J: Array,
    rate_by_q: Array,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Return M, C and K of some coordinates; see ``LinearModel.second_order``.

    With S the rows of the unit matrix that choose them, and forces f along them alone,

        S Δa = S (Q Δq + V Δv + U Sᵀ f),      M = (S U Sᵀ)⁻¹,      Δv = T Δq' + R Δq,

    T being velocities that the constraints allow with S T = 1, and R those with S R = 0 that
    deviations of the configuration need in order to keep rolling.

    Args:
        system: The system.
        coordinates: Names of velocities.
        by: Derivatives of the acceleration by q, v and tau.
        J: Rows of the constraints, shape (rows, nv).
        rate_by_q: Derivative of J v + drift by q, shape (rows, nv).
    """
    names = list(system.velocity_names)
    for name in coordinates:
        if name not in names:
            raise ModelError(
                f"second_order: there is no velocity {name!r}; {suggestion(str(name), names)}"
            )
    n, S = len(coordinates), np.eye(len(names))[[names.index(name) for name in coordinates]]
    Q, V, U = (by["a", name] for name in ("q", "v", "tau"))
    M = np.linalg.inv(S @ U @ S.T)
    needed = np.vstack([rate_by_q, np.zeros((n, len(names)))])
    R = -np.linalg.lstsq(np.vstack([J, S]), needed, rcond=RANK)[0]
    terms = []
    for change, rows in ((S @ V, J), (S @ (Q + V @ R), J[system.mechanism.position_rows])):
        both = np.vstack([rows, S])
        _check_cyclic(change, null_space(both), names)
        unit = np.vstack([np.zeros((len(rows), n)), np.eye(n)])
        terms.append(-M @ change @ np.linalg.lstsq(both, unit, rcond=RANK)[0])
    return M, terms[0], terms[1]


def _check_cyclic(change: Array, others: Array, names: Sequence[str]) -> None:
    """Reject coordinates whose accelerations change with motions of the others."""
    influence = np.abs(change @ others).max(axis=0, initial=0.0)
    limit = CYCLIC * max(float(np.abs(change).max(initial=0.0)), 1.0)
    if influence.max(initial=0.0) > limit:
        name = names[int(np.argmax(np.abs(others[:, int(np.argmax(influence))])))]
        raise ModelError(
            f"second_order: the motion depends on {name!r} too; give it among the coordinates, "
            "or take A and B"
        )
