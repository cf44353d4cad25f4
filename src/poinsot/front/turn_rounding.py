"""What is rounding among the forces of a turn, and shown as zero."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.front.turn_states import TurnStates
from poinsot.plots.planar_drawing import linkage_size
from poinsot.spatial import Array

ROUNDING: Final = 1e-12
"""Part of the largest force, for moments times the size of the linkage."""


def least_force(turn: TurnStates) -> float:
    """Return the force below which all is rounding [N]."""
    forces = (*turn.bearing_forces.values(), turn.shaking_force[:, :2])
    return ROUNDING * max(float(np.max(np.abs(force))) for force in forces)


def least_moment(turn: TurnStates) -> float:
    """Return the moment below which all is rounding [N m]."""
    return least_force(turn) * linkage_size(turn.mechanism.linkage, turn.positions)


def without_rounding(values: Array, least: float | Array) -> Array:
    """Return values, those below the least as zero."""
    return np.where(np.abs(values) > least, values, 0.0)
