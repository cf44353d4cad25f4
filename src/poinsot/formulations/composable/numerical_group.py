"""Groups without closed form: Newton's method on their rows, from poses nearby.

K of a unit is the Jacobian of its equations, so that x ← x - K⁻¹ φ(x).  Which assembly comes out
depends on the start; ``drawing.py`` starts from the drawing and takes small steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from poinsot.errors import AssemblyError
from poinsot.formulations.composable.unit_equations import UnitEquations
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array

STEPS: Final = 30
CONTRACTION: Final = 0.25
"""Largest second correction relative to the first [Deuflhard2011, section 2.1]."""
ROUNDING: Final = 1e-10
"""Corrections below which their ratio says nothing."""
EXACT: Final = 1e-13
"""Largest equation, relative to the lengths of the unit, that counts as fulfilled."""


def numerical_poses(
    unit: Unit,
    linkage: PlanarLinkage,
    known: Mapping[str, Array],
    q: Mapping[str, Array],
    guess: Mapping[str, Array],
) -> dict[str, Array]:
    """Return the poses of the links of a unit at one state, (3,) each.

    Args:
        unit: The unit.
        linkage: The linkage.
        known: Poses of the links that it hangs on.
        q: Coordinates of drivers by the names of their joints.
        guess: Poses of its links nearby.

    Raises:
        AssemblyError: Newton's method does not end there.
    """
    bodies = [str(body) for body in unit.bodies]
    x = np.concatenate([guess[body] for body in bodies])
    last, first = np.inf, 0.0
    for step in range(STEPS):
        poses = dict(known) | {body: x[3 * i : 3 * i + 3] for i, body in enumerate(bodies)}
        equations = UnitEquations(unit, linkage, poses)
        phi = _residual(equations, q)
        size = float(np.max(np.abs(phi)))
        scale = max(1.0, float(np.max(np.abs(equations.K))))
        if size <= EXACT * scale or (size < 1e3 * EXACT * scale and size >= last):
            return {body: poses[body] for body in bodies}
        last = size
        try:
            correction = np.linalg.solve(equations.K, phi)
        except np.linalg.LinAlgError:
            break
        moved = correction.reshape(-1, 3) / (scale, scale, 1.0)
        first = float(np.sum(moved**2)) if step == 0 else first
        # Without contraction another assembly may be found.
        if step == 1 and not np.sum(moved**2) <= CONTRACTION**2 * first + ROUNDING**2:
            break
        x = x - correction
        if not np.all(np.isfinite(x)):
            break
    raise AssemblyError(
        f"links {bodies} ({unit.form}) cannot be assembled near the poses they come from: a dead"
        " point is passed, or the drawing does not fit; change lengths, coordinates or the drawing"
    )


def group_equations(
    unit: Unit, linkage: PlanarLinkage, poses: Mapping[str, Array]
) -> tuple[Array, Array]:
    """Return K and the equations of a group without drivers, shapes (..., n, n) and (..., n)."""
    equations = UnitEquations(unit, linkage, poses)
    return equations.K, _residual(equations, {})


def group_residual(unit: Unit, linkage: PlanarLinkage, poses: Mapping[str, Array]) -> Array:
    """Return how far the equations of a group without drivers are from zero, angles within ±π."""
    return _residual(UnitEquations(unit, linkage, poses), {})


def _residual(equations: UnitEquations, q: Mapping[str, Array]) -> Array:
    """Return the equations of the unit, angles within ±π, in the order of the rows of K."""
    values = []
    count = len(equations.rows)
    for k, (joint, residual) in enumerate(equations.residuals):
        phi = np.array(residual)
        if k >= count:
            phi = phi - q[joint.name]
            phi = (phi + np.pi) % (2.0 * np.pi) - np.pi if joint.kind == "R" else phi
        elif joint.kind == "P":
            phi[..., 1:] = (phi[..., 1:] + np.pi) % (2.0 * np.pi) - np.pi
        values.append(phi)
    return np.concatenate(values, axis=-1)
