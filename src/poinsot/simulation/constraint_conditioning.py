"""The conditioning of the constraint rows at given states."""

from __future__ import annotations

import numpy as np

from poinsot.evaluate.inputs import PARAMETERS
from poinsot.simulation.equations import MotionEquations
from poinsot.spatial import Array


def conditioning_of_rows(equations: MotionEquations, t: Array, q: Array, v: Array) -> Array:
    """Return the smallest remainder of a row after those before it, relative to the longest row.

    In the metric of the mass matrix, per state, shape (n,); 0 for a tree.

    Args:
        equations: Equations of motion.
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
