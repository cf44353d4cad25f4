"""Programs of a few numbers on arrays of them, floats or expressions."""

from __future__ import annotations

import numpy as np

from poinsot.expr import Program
from poinsot.expr.ops import MEANING
from poinsot.expr.replay import replay
from poinsot.formulations.composable.plane import stacked
from poinsot.model.planar.joint import PlanarAngle
from poinsot.spatial import Array


def evaluated(program: Program, points: Array) -> Array:
    """Return what a program of k numbers gives at points (..., k), of any scalar."""
    if points.dtype == object:
        rows = [replay(program, point)[0] for point in points.reshape(-1, points.shape[-1])]
        return np.array(rows, object).reshape(*points.shape[:-1], len(program.results))
    steps: list[PlanarAngle] = [points[..., k] for k in range(points.shape[-1])]
    steps += program.constants
    with np.errstate(all="ignore"):
        for op, arguments in program.steps:
            steps.append(MEANING[op](*(steps[k] for k in arguments)))
    return stacked(*(steps[k] for k in program.results), points[..., 0])[..., :-1]
