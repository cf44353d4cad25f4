"""Velocities of points of bodies along normals, over any scalar."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.front.description import Values
from poinsot.front.system import System
from poinsot.model import WORLD
from poinsot.spatial import Array


def opening_rows(
    system: System, q: Array, bodies: Sequence[str], places: Array, normals: Array,
    parameters: Values = None,
) -> Array:  # fmt: skip
    """Return the velocities of points of bodies along normals, by v, shape (s, nv).

        n · (J_p + J_ω × (p - p_body))

    Args:
        system: The system.
        q: Configuration, shape (nq,).
        bodies: Of each point, s of them.
        places: Where the points are, in the axes of the base [m], shape (s, 3).
        normals: In these axes, shape (s, 3).
        parameters: Values of free parameters by name; None: they have their own.
    """
    rows = []
    for body, place, normal in zip(bodies, places, normals, strict=True):
        if body == WORLD:
            rows.append(np.zeros(system.nv))
            continue
        J = system.jacobian(body, q, axes="world", parameters=parameters)
        p = system.pose(body, q, parameters=parameters)[:3, 3]
        rows.append(normal @ J[:3] + np.cross(place - p, normal) @ J[3:])
    return np.array(rows)
