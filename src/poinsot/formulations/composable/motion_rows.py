"""Rows of any constraints on the motion of a tree's joints, J a + γ = 0."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.model import Mechanism
from poinsot.model.constraints.base import AbstractConstraint
from poinsot.spatial import Array, Scalar


def motion_rows(
    mechanism: Mechanism,
    constraints: Sequence[AbstractConstraint],
    state: tuple[Array, Array, Scalar],
) -> tuple[Array, Array]:
    """Return J and γ of constraints one after the other, numbers, shapes (m, nv) and (m,).

    Args:
        mechanism: The mechanism.
        constraints: Some of its loops and constraints.
        state: q, v and t.
    """
    view = MechanismView(mechanism, *state)
    rows = [constraint.rows(view) for constraint in constraints]
    J = np.concatenate([np.asarray(x.J, float).reshape(-1, mechanism.nv) for x in rows])
    return J, np.concatenate([np.asarray(x.gamma, float) for x in rows])
