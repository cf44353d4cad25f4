"""Quantities of mechanisms with loops and constraints, in every formulation of trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np

from poinsot.evaluate.methods import METHODS
from poinsot.evaluate.quantity import Way
from poinsot.formulations.constrained import quantities
from poinsot.formulations.constrained.quantities import Tree
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.model import Mechanism

SMALLEST_EIGENVALUE: Final = 1e-12
"""Of a mass matrix with ones on its diagonal; below it counts as singular."""

CLOSED: Final[Mapping[str, Callable[..., Any]]] = {
    "forward_dynamics": quantities.forward_dynamics,
    "multipliers": quantities.multipliers,
    "motion_multipliers": quantities.motion_multipliers,
    "mixed_dynamics": quantities.mixed_dynamics,
    "projected_position": quantities.projected_position,
    "projected_velocity": quantities.projected_velocity,
    "projected_state": quantities.projected_state,
    "driven_dynamics": quantities.inverse_dynamics,
}
"""What needs the dynamics of the tree, by quantity."""


def closed_way(mechanism: Mechanism, name: str, method: str) -> Way:
    """Return the way to compute a quantity that rests on a formulation of trees."""
    ways = METHODS[method].ways
    tree = Tree(ways["mass_matrix"], ways["bias"], has_inverse(mechanism))
    return Way(partial(CLOSED[name], tree=tree))


@lru_cache(maxsize=64)
def has_inverse(mechanism: Mechanism) -> bool:
    """Say whether the mass matrix of the tree is regular, at two random configurations.

    With free parameters it is not known, and what works for any matrix is taken.
    """
    if mechanism.parameter_inputs:
        return False
    rng = np.random.default_rng(0)
    for _ in range(2):
        M = np.array(mass_matrix_along_paths(mechanism, mechanism.random(rng)).tolist(), float)
        diagonal = np.diag(M)
        if (diagonal <= 0.0).any():
            return False
        scale = 1.0 / np.sqrt(diagonal)
        if np.linalg.eigvalsh(scale[:, None] * M * scale)[0] < SMALLEST_EIGENVALUE:
            return False
    return True
