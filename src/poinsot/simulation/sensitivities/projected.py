"""States projected onto the constraints with unit quaternions, as steps end, and derivatives."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.sensitivities.program_jacobian import along_states, program_jacobian
from poinsot.simulation.stepping.projection import PROJECTIONS
from poinsot.simulation.stepping.quaternions import quaternion_starts
from poinsot.spatial import Array

Pair: TypeAlias = tuple[Array, Array]
"""States, shape (N, n), and their derivatives, shape (N, n, m)."""


def moves_ends(equations: MotionEquations) -> bool:
    """Say whether there are constraints or quaternions, so that ends of steps are moved."""
    return bool(equations.projection or quaternion_starts(equations.mechanism).size)


def projected(equations: MotionEquations, names: tuple[str, ...], t: Array, x: Array) -> Pair:
    """Return states with unit quaternions, on the constraints, and their derivatives.

    Args:
        equations: What was integrated.
        names: Free parameters to differentiate by.
        t: Times [s], shape (N,).
        x: States [q, v, states], shape (N, n).

    Returns:
        Shapes (N, n) and (N, n, n + number of names + 1), the last column by the time.
    """
    count, n = len(names) + 1, x.shape[1]
    x, by = _normalised(equations, x, np.broadcast_to(np.eye(n, n + count), (len(x), n, n + count)))
    use = equations.projection
    if use is None:
        return x, by
    program = use.kernel.program
    n_moved = equations.nq + equations.nv
    for _ in range(PROJECTIONS):
        slopes = np.broadcast_to(np.eye(n, n + count), by.shape).copy()
        slopes[:, :n_moved] = program_jacobian(equations, program, names, t, x)[:, :n_moved]
        by = chained(slopes, by, count)
        x = np.concatenate([_moved(equations, t, x)[:, :n_moved], x[:, n_moved:]], axis=1)
        x, by = _normalised(equations, x, by)
    return x, by


def normalised(equations: MotionEquations, x: Array) -> Array:
    """Return states with unit quaternions, shape (N, n)."""
    return _normalised(equations, x, np.zeros((*x.shape, 0)))[0]


def _moved(equations: MotionEquations, t: Array, x: Array) -> Array:
    """Return states after one Newton step towards the constraints, and their conditioning."""
    assert equations.projection is not None
    return along_states(equations, t, x).computed(equations.projection.kernel)


def _normalised(equations: MotionEquations, x: Array, by: Array) -> Pair:
    """Return states with unit quaternions, and their derivatives.

    u = z / |z|,      du = (1 - u uᵀ) dz / |z|
    """
    starts = quaternion_starts(equations.mechanism).tolist()
    if starts:
        x, by = x.copy(), by.copy()
    for start in starts:
        four = slice(start, start + 4)
        length = np.linalg.norm(x[:, four], axis=1)[:, None]
        unit = x[:, four] / length
        change = (
            by[:, four] - unit[:, :, None] * np.einsum("ni,nij->nj", unit, by[:, four])[:, None]
        )
        x[:, four], by[:, four] = unit, change / length[:, :, None]
    return x, by


def chained(slopes: Array, by: Array, count: int) -> Array:
    """Return the derivatives of g(x, p), from those of g and of x by the start and parameters.

    Args:
        slopes: Those of g, shape (N, n, n + all parameters).
        by: Those of x, shape (N, n, n + count).
        count: Number of parameters, the first ones.
    """
    n = slopes.shape[1]
    result: Array = slopes[:, :, :n] @ by
    result[:, :, n:] += slopes[:, :, n : n + count]
    return result
