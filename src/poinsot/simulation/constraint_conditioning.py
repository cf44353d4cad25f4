"""How clear of each other the rows of constraints are at given states."""

from __future__ import annotations

import numpy as np

from poinsot.evaluate.inputs import PARAMETERS
from poinsot.simulation.equations import MotionEquations
from poinsot.spatial import Array


def clearances(equations: MotionEquations, t: Array, q: Array, v: Array) -> Array:
    """Return for each state the least that a row adds to those before it, part of the longest.

    In the metric of the mass matrix, shape (n,); 0 for a tree, which has none.

    Args:
        equations: MotionEquations of motion.
        t: Times [s], shape (n,).
        q: Configurations, shape (n, nq).
        v: Velocities, shape (n, nv).
    """
    use = equations.projection
    if use is None:
        return np.zeros(len(t))
    given = {"t": t[:, None], "q": q, "v": v}
    given[PARAMETERS] = np.broadcast_to(equations.parameters, (len(t), equations.parameters.size))
    out = np.empty((len(t), use.kernel.signature.outputs[0].size))
    use.kernel.run([np.ascontiguousarray(given[name]) for name in use.reads], [out])
    return out[:, -1]
