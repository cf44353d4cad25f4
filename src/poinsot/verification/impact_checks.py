"""What ``verify`` checks of impacts: M and the rows of contacts by 4 × 4 matrices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from poinsot.formulations.homogeneous import impulse_columns, mass_matrix
from poinsot.front.system import System
from poinsot.spatial import Array
from poinsot.verification.comparison import Compare, relative

AGREEMENT: Final = 1e-11
POINT: Final = np.array([0.3, -0.2, 0.5])
"""A point of each body [m]."""
BODIES: Final = 5
"""Bodies on which contacts are tried."""


def impact_comparisons() -> Iterator[tuple[str, float, Compare]]:
    """Yield the checks: name, tolerance and comparison."""
    yield "mass matrix: recursive, 4 by 4 matrices", AGREEMENT, _mass
    yield "rows of contacts: recursive, 4 by 4 matrices", AGREEMENT, _rows


def _mass(system: System, q: Array, v: Array, tau: Array) -> float:
    return relative(mass_matrix(system.mechanism, q), system.mass_matrix(q))


def _rows(system: System, q: Array, v: Array, tau: Array) -> float:
    """Compare the impulses in the joints with Jacobians of points, along all axes."""
    n_bodies = len(system.bodies)
    chosen = list(range(0, n_bodies, -(-n_bodies // BODIES)))
    contacts = [(j, POINT, axis) for j in chosen for axis in np.eye(3)]
    names = [system.body_names[j] for j in chosen]
    expected = [system.jacobian(name, q, POINT, axes="world")[:3] for name in names]
    return relative(impulse_columns(system.mechanism, q, contacts).T, np.concatenate(expected))
